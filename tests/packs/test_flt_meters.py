"""The progressive wagers of the commission-free Supreme Pai Gow at simulated tables: their meters over whole days.

At the usual tables shares are too rare to be met in a day; here decks are stacked for them, or a fault asks for one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ingest.simulator import Plan, TablePlan, default_plan
from ingest.simulator.faults.catalogue import KINDS
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.flt_supreme_pai_gow.filed import FltOptions
from ingest.simulator.options import Equipment, spelled_out
from tests.gaming_day import Day
from tests.packs.flt_rounds import PACK, PROGRESSIVES
from tests.replay import slow_ledger

GAMING_DAY = date(2026, 11, 17)
TABLES = default_plan(1, 6, 1, games=(PACK,)).tables
FAULTS = sorted(name for name, kind in KINDS.items() if kind.subject is Subject.METERS and any(map(kind.fits, TABLES)))
PAYS = ("PT-BJS-EC-PGI-01", "PT-BJS-EC-PGI-02", "PT-BJS-EC-PGI-03", "PT-BJS-EC-PGI-04", "PT-BJS-EC-PGI-05")
FITTED = (Equipment(), Equipment(rack="scan"), Equipment(camera=False, rack="card"), Equipment(shoe_reads=False))


def every_table(seed: int, rounds: int, lucky_rate: float) -> Plan:
    """A table for each pay table of Appendix F, with those of G in turn, of several units."""
    tables = []
    for number, table in enumerate(PAYS):
        options = FltOptions(
            insurance_progressive_paytable=table,
            insurance_progressive_unit_cents=(100, 500, 2500)[number % 3],
            insurance_progressive_seed_cents=100_000 * (number + 1),
            insurance_progressive_rate_bp=(2000, 1999, 3333)[number % 3],
            emperors_progressive_paytable=f"PT-BJS-EC-ET-0{number % 3 + 1}",
            emperors_progressive_unit_cents=(500, 100)[number % 2],
            emperors_progressive_seed_cents=250_000,
            emperors_progressive_rate_bp=2_001,
            emperors_paytable="PT-FLT-EC-ET-02",
        )
        table_id = f"FS-{number + 1:02d}"
        tables.append(TablePlan(table_id, PACK, spelled_out(options), FITTED[number % len(FITTED)]))
    return Plan(seed, GAMING_DAY, tuple(tables), rounds, lucky_rate=lucky_rate)


def test_shares_are_paid_in_turn_and_every_cent_of_a_meter_is_explained(tmp_path: Path) -> None:
    day = Day(tmp_path).record(every_table(5, 60, lucky_rate=0.9)).run()
    rounds = day.table("rounds").to_pylist()
    assert day.table("findings").column("sentence").to_pylist() == []
    assert {row["verdict"] for row in rounds} == {"verified"}
    assert slow_ledger.check(rounds, []) == 0
    taken_off = Counter(line["wager"] for row in rounds for line in row["lines"] if line["kind"] == "meter_payout")
    assert all(taken_off[wager] > 10 for wager in PROGRESSIVES)
    several = [row for row in rounds if sum(line["kind"] == "meter_payout" for line in row["lines"]) > 1]
    assert len(several) > 5


def test_two_tables_feed_one_meter(tmp_path: Path) -> None:
    options = FltOptions(
        emperors_progressive_paytable="PT-BJS-EC-ET-01",
        emperors_progressive_meter="floor",
        emperors_progressive_linked=True,
        emperors_progressive_seed_cents=500_000,
        emperors_progressive_rate_bp=2_000,
    )
    tables = tuple(TablePlan(name, PACK, spelled_out(options), Equipment()) for name in ("FS-01", "FS-02"))
    day = Day(tmp_path).record(Plan(3, GAMING_DAY, tables, 40, lucky_rate=0.3)).run()
    assert day.table("findings").column("sentence").to_pylist() == []
    assert set(day.table("rounds").column("verdict").to_pylist()) == {"verified"}


def faulty(seed: int, folder: Path) -> Day:
    plan = default_plan(seed, 6, 150, dict.fromkeys(FAULTS, 2), gaming_day=GAMING_DAY, games=(PACK,))
    return Day(folder).record(replace(plan, lucky_rate=0.05)).run()


def assert_found_and_nothing_else(day: Day) -> None:
    done: dict[tuple[str, str], set[str]] = defaultdict(set)
    for label in day.labels.injected:
        done[label.table, label.round].add(label.code)
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    sentences = defaultdict(list)
    for finding in day.table("findings").to_pylist():
        found[finding["table_id"], finding["round_id"]].add(finding["code"])
        sentences[finding["table_id"], finding["round_id"]].append(finding["sentence"])
    assert {label.fault for label in day.labels.injected} == set(FAULTS)
    assert {at: (codes, sentences[at]) for at, codes in found.items() if codes != done[at]} == {}
    assert set(done) == set(found)


def test_there_are_faults_of_meters_at_the_usual_tables() -> None:
    assert {"meter_share_wrong", "meter_share_before_earlier", "meter_seed_wrong", "meter_read_backwards"} < set(FAULTS)
    assert not {"meter_seed_too_low", "surrendered_beside_progressive", "progressive_by_another_table"} & set(FAULTS)


def test_every_fault_of_a_meter_is_found_under_its_code_and_nothing_else_is(tmp_path: Path) -> None:
    assert_found_and_nothing_else(faulty(2, tmp_path))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(20, 30))
def test_every_fault_of_a_meter_is_found_on_other_days_too(seed: int, tmp_path: Path) -> None:
    assert_found_and_nothing_else(faulty(seed, tmp_path))
