"""A round is judged by the version it was played under, for ever: a version that comes later changes nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from ingest.simulator import CATALOGUE, default_plan
from replay.audit import audit
from replay.filing import canonical_filing, folders, load_pack
from replay.lake_rounds import reaudit
from replay.rounds import from_arrow
from schemas.findings import Verdict
from tests.filing.packs_folder import shipped_packs, write
from tests.gaming_day import Day

PACKS = ("ca/supreme_baccarat", "ma/pai_gow_poker")


def add_second_versions(packs: Path) -> None:
    """Version 2.0 of each pack, in force and the current one: every bonus wager pays one more to 1."""
    for pack in PACKS:
        said = {"id": pack, "version": "2.0", "based_on": "1.0", "effective_from": date(2026, 11, 1)}
        write(packs / pack / "v2" / "pack.yaml", said)
        for path in sorted((packs / pack / "v1" / "paytables").glob("*.yaml")):
            table = yaml.safe_load(path.read_text(encoding="utf-8"))
            rows = [
                row | {"odds": row["odds"] + 1} if isinstance(row.get("odds"), int) else row for row in table["rows"]
            ]
            write(packs / pack / "v2" / "paytables" / path.name, {**table, "rows": rows})


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    plan = default_plan(seed=31, tables=4, rounds=30, gaming_day=date(2026, 11, 17))
    # Cards and dice kept too long are played with on the next day, when another version may be in force.
    in_a_day = {name: kind for name, kind in CATALOGUE.items() if not name.endswith("_overdue")}
    possible = {name: 1 for name, kind in in_a_day.items() if any(kind.fits(table) for table in plan.tables)}
    assert len(possible) > 40
    plan = replace(plan, faults=possible)
    return Day(tmp_path_factory.mktemp("day")).record(plan).run()


def test_rounds_played_under_the_first_version_are_audited_the_same_when_a_second_is_current(
    day: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packs = shipped_packs(tmp_path / "packs")
    add_second_versions(packs)
    monkeypatch.setattr(folders, "PACKS_FOLDER", packs)
    assert [load_pack(pack).version for pack in PACKS] == ["2.0", "2.0"]
    paths = sorted((day.folder / "lake").rglob("rounds.parquet"))
    assert sum(pq.read_metadata(path).num_rows for path in paths) > 100
    for path in paths:
        rounds = pq.read_table(path)
        again, _ = reaudit(rounds)
        assert again.equals(rounds)
    assert day.run("again").table("findings", "again").equals(day.table("findings"))


def test_rounds_played_under_the_second_version_are_judged_by_it(
    day: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packs = shipped_packs(tmp_path / "packs")
    add_second_versions(packs)
    monkeypatch.setattr(folders, "PACKS_FOLDER", packs)
    batch = from_arrow(day.table("rounds"))
    names = tuple(name.replace('"version":"1.0"', '"version":"2.0"') for name in batch.names)
    before, after = audit(batch), audit(replace(batch, names=names))
    newly = {finding.sentence for finding in after.findings} - {finding.sentence for finding in before.findings}
    wagers = {finding.wager for finding in after.findings if finding.sentence in newly}
    assert {"fortune", "tie"} <= wagers
    assert {part.filing.pack.version for part in after.by_filing} == {"2.0"}


@pytest.mark.parametrize(
    ("first", "last", "found"), [(17, 17, False), (18, None, True), (1, 16, True), (17, 30, False)]
)
def test_a_version_not_in_force_on_the_gaming_day_is_a_finding_and_the_round_is_judged(
    day: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int, last: int | None, found: bool
) -> None:
    packs = shipped_packs(tmp_path / "packs")
    for pack in PACKS:
        path = packs / pack / "v1" / "pack.yaml"
        said = yaml.safe_load(path.read_text(encoding="utf-8"))
        said |= {"effective_from": date(2026, 11, first), "effective_to": last and date(2026, 11, last)}
        write(path, said)
    monkeypatch.setattr(folders, "PACKS_FOLDER", packs)
    recorded = day.table("rounds")
    batch = from_arrow(recorded)
    judged = audit(batch)
    codes = [finding.code for finding in judged.findings]
    assert codes.count("FILING-003") == (len(batch) if found else 0)
    others = sorted(finding.sentence for finding in judged.findings if finding.code != "FILING-003")
    assert others == sorted(finding.sentence for finding in reaudit(recorded)[1] if finding.code != "FILING-003")
    if found:
        assert str(Verdict.VERIFIED) not in {str(list(Verdict)[verdict]) for verdict in judged.verdicts}
        sentence = next(finding.sentence for finding in judged.findings if finding.code == "FILING-003")
        assert "not on the gaming day 2026-11-17 (in force then: none)" in sentence


def test_a_filing_names_its_version() -> None:
    assert canonical_filing(PACKS[0], "1.0", {}) == '{"options":{},"pack":"ca/supreme_baccarat","version":"1.0"}'
