"""Cases of the version another is based on are held against that other version as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from console.main import muckraker
from replay.case_run import cases_under, check_case
from replay.filing import folders, load_pack
from tests.filing.packs_folder import shipped_packs, write

PACK = "ca/supreme_baccarat"
WITH_A_TIE = {"cover", "payouts"}
NINE_TO_ONE = """
name: A tie pays 9 to 1
pack: ca/supreme_baccarat
version: "2.0"
bank: {seat: 1, posted: $500}
hands: {player: 9s Kd, banker: 9c Th}
seats: {3: {wagers: {tie: $10}}}
expect: {3: {tie: {outcome: win, paid: $90}}}
"""


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copied = shipped_packs(tmp_path / "packs")
    monkeypatch.setattr(folders, "PACKS_FOLDER", copied)
    return copied


def later_version(packs: Path, version: str, **more: Any) -> Path:
    folder = packs / PACK / f"v{version[0]}"
    said = {"id": PACK, "version": version, "based_on": "1.0", "effective_from": f"203{version[0]}-01-01"}
    write(folder / "pack.yaml", {**said, **more})
    return folder


def nine_to_one_on_a_tie(packs: Path, folder: Path) -> None:
    table = yaml.safe_load((packs / PACK / "v1" / "paytables" / "tie.yaml").read_text(encoding="utf-8"))
    rows = [{**row, "odds": 9} if row["odds"] == 8 else row for row in table["rows"]]
    assert rows != table["rows"]
    write(folder / "paytables" / "tie.yaml", {**table, "rows": rows})


def failing(version: str) -> set[str]:
    return {path.stem for path, case in cases_under(load_pack(PACK, version)) if check_case(case)}


def test_a_version_that_changes_nothing_holds_to_all_of_them(packs: Path) -> None:
    later_version(packs, "2.0")
    own, inherited = list(cases_under(load_pack(PACK, "1.0"))), list(cases_under(load_pack(PACK, "2.0")))
    assert {case.version for _, case in own} == {"1.0"} and {case.version for _, case in inherited} == {"2.0"}
    assert [(path, case.name) for path, case in own] == [(path, case.name) for path, case in inherited]
    assert len(inherited) > 20
    assert failing("2.0") == set()


def test_one_that_pays_otherwise_has_to_say_what_becomes_of_the_cases(packs: Path) -> None:
    nine_to_one_on_a_tie(packs, later_version(packs, "2.0"))
    nine_to_one_on_a_tie(packs, later_version(packs, "3.0", without=[f"cases.{name}" for name in WITH_A_TIE]))
    assert failing("1.0") == set(), "a round under the first version is paid as before"
    assert failing("2.0") == WITH_A_TIE
    assert failing("3.0") == set()


def test_a_file_of_its_own_counts_instead(packs: Path) -> None:
    folder = later_version(packs, "2.0", without=["cases.cover"])
    nine_to_one_on_a_tie(packs, folder)
    write(folder / "cases" / "payouts.yaml", NINE_TO_ONE)
    names = [case.name for path, case in cases_under(load_pack(PACK, "2.0")) if path.stem == "payouts"]
    assert names == ["A tie pays 9 to 1"]
    assert failing("2.0") == set()


def test_case_run_on_the_packs_runs_them_under_both_versions(packs: Path) -> None:
    folder = later_version(packs, "2.0")
    nine_to_one_on_a_tie(packs, folder)
    ran = CliRunner().invoke(muckraker, ["case", "run", str(packs / PACK), "--json"])
    rows = [json.loads(line) for line in ran.stdout.splitlines()]
    assert ran.exit_code == 1
    assert len(rows) == 2 * len(list(cases_under(load_pack(PACK, "1.0"))))
    assert {Path(row["file"]).stem for row in rows if not row["holds"]} == failing("2.0")
    assert CliRunner().invoke(muckraker, ["case", "run", str(packs / PACK / "v1")]).exit_code == 0
