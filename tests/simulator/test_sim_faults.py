"""Faults: each kind can be injected, is labelled, changes the record, and shows where its label says."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import pairwise
from pathlib import Path

import orjson
import pytest

from ingest.simulator import CATALOGUE, Equipment, Labels, Plan, TablePlan, default_plan, simulate
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.supreme_baccarat.filed import BaccaratOptions
from schemas.events import parse_event
from schemas.findings import CATALOGUE as FINDINGS
from tests.simulator.events_of import by_table, rounds_of, said, standing_wagers


@pytest.mark.parametrize("kind", CATALOGUE)
def test_every_kind_is_injected_and_labelled(kind: str) -> None:
    labels = Labels()
    count = 1 if kind == "dice_overdue" else 3  # a table waits for a day, and has only one to wait
    plan = default_plan(seed=21, tables=6, rounds=60, faults={kind: count})
    faulty = list(simulate(plan, labels))
    assert [(label.fault, label.code) for label in labels.injected] == [(kind, CATALOGUE[kind].code)] * count
    assert not labels.unplaced
    rounds = {(table, event.get("subject")) for table, raw in faulty if (event := _read(raw)) is not None}
    assert all((label.table, label.round) in rounds for label in labels.injected)
    if kind != "garbage":
        for _, raw in faulty:
            parse_event(raw)


def _read(raw: bytes) -> dict[str, object] | None:
    try:
        event = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return event if isinstance(event, dict) else None


def test_catalogue_names_findings_that_exist() -> None:
    assert {kind.code for kind in CATALOGUE.values()} <= set(FINDINGS)


def test_one_fault_a_round_at_most_and_at_the_rate_asked_for() -> None:
    labels = Labels()
    plan = default_plan(seed=8, tables=8, rounds=200, fault_rate=0.1)
    for _ in simulate(plan, labels):
        pass
    assert len(labels.injected) + len(labels.unplaced) == 160 and len(labels.unplaced) <= 3
    assert max(Counter((label.table, label.round) for label in labels.injected).values()) == 1
    assert {label.fault for label in labels.injected} >= set(CATALOGUE)


def test_labels_are_written_as_json_lines(tmp_path: Path) -> None:
    labels = Labels()
    for _ in simulate(default_plan(seed=8, tables=4, rounds=40, faults={"wrong_payout": 3, "event_lost": 2}), labels):
        pass
    labels.write_labels(tmp_path / "labels.jsonl")
    rows = [orjson.loads(line) for line in (tmp_path / "labels.jsonl").read_bytes().splitlines()]
    assert len(rows) == 5
    assert list(rows[0]) == ["table", "round", "fault", "code", "seat", "wager", "detail"]


def test_a_fault_no_table_can_show_is_refused() -> None:
    blind = TablePlan("SB-01", "ca/supreme_baccarat", {}, Equipment(shoe_reads=False))
    plan = Plan(1, date(2026, 11, 17), [blind], 10, {"third_card_wrong": 1})
    with pytest.raises(ValueError, match="no table of the plan can show third_card_wrong"):
        list(simulate(plan))
    with pytest.raises(ValueError, match="'tea_spilt' is not a kind of fault"):
        list(simulate(Plan(1, date(2026, 11, 17), [blind], 10, {"tea_spilt": 1})))


def test_plans_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="two tables are called PG-01"):
        Plan(1, date(2026, 11, 17), [TablePlan("PG-01", "ma/pai_gow_poker")] * 2, 1)
    with pytest.raises(ValueError, match=r"PG-01: 'ma/whist' is not a game that can be sim.*those are: ca/fortune"):
        TablePlan("PG-01", "ma/whist")
    with pytest.raises(ValueError, match="button needs dealing: automated_shoe"):
        TablePlan("PG-01", "ma/pai_gow_poker", {"starting": "button"}).filed_as(PaiGowOptions)
    with pytest.raises(ValueError, match="wheels is not an option"):
        TablePlan("PG-01", "ma/pai_gow_poker", {"wheels": "four"}).filed_as(PaiGowOptions)
    with pytest.raises(ValueError, match="own_2 is printed for"):
        TablePlan("SB-01", "ca/supreme_baccarat", {"schedule": "own_2", "table_maximum_cents": 50_000}).filed_as(
            BaccaratOptions
        )


def _faulty_rounds(kind: str, count: int = 8) -> list[tuple[Labels, int, list[dict[str, object]]]]:
    labels = Labels()
    plan = default_plan(seed=33, tables=12, rounds=40, faults={kind: count})
    tables = by_table(simulate(plan, labels))
    rounds = {(table, played[0]["subject"]): played for table, events in tables.items() for played in rounds_of(events)}
    return [(labels, index, rounds[label.table, label.round]) for index, label in enumerate(labels.injected)]


def test_cover_exceeded_moves_more_than_posted() -> None:
    for _, _, played in _faulty_rounds("cover_exceeded"):
        moved = sum(data["paid_cents"] + data["taken_cents"] for data in said(played, "wager.settled"))
        assert moved > said(played, "bank.accepted")[0]["posted_cents"]


def test_wrong_start_is_never_the_place_thrown() -> None:
    for _, _, played in _faulty_rounds("wrong_start"):
        (start,) = said(played, "start.determined")
        total = sum(start["dice"]) if start["method"] == "dice" else start["number"]
        assert start["place"] != (total - 1) % 7 and not said(played, "round.voided")


def test_late_wagers_come_after_the_close_and_are_settled_as_they_stand() -> None:
    for _, _, played in _faulty_rounds("wager_late"):
        order = [event["type"] for event in played]
        late = order[order.index("bets.closed") :]
        assert any(str(type_).startswith(("wager.placed", "wager.changed", "wager.withdrawn")) for type_ in late)
        settled = {(data["seat"], data.get("bettor", ""), data["wager"]) for data in said(played, "wager.settled")}
        assert settled == set(standing_wagers(played))


def test_rack_faults() -> None:
    for _, _, played in _faulty_rounds("card_missing"):
        assert len({card for data in said(played, "discard.read") for card in data["cards"]}) == 52
    for _, _, played in _faulty_rounds("card_duplicate"):
        cards = [card for data in said(played, "discard.read") for card in data["cards"]]
        assert len(cards) == 53 and len(set(cards)) == 52
    for _, _, played in _faulty_rounds("misdeal_played"):
        cards = [card for data in said(played, "discard.read") for card in data["cards"]]
        assert len(set(cards)) == 53 and said(played, "stub.counted")[0]["count"] in (3, 5)
        assert not said(played, "round.voided")


def test_switched_cards_are_seen_by_the_shoe_where_they_were_dealt() -> None:
    for labels, index, played in _faulty_rounds("card_switched"):
        detail = labels.injected[index].detail
        gave, seat = detail.split()[0], labels.injected[index].seat
        shown = next(data for data in said(played, "hand.shown") if data["place"] == seat)
        assert gave not in shown["low"] + shown["high"]


def test_envy_faults_are_given_a_premium_hand() -> None:
    for _, _, played in _faulty_rounds("envy_wrong"):
        assert said(played, "envy.paid")


def test_lucky_deals_bring_up_the_rare_hands() -> None:
    table = TablePlan("PG-01", "ma/pai_gow_poker", {"fortune_paytable": "D"})
    plan = Plan(9, date(2026, 11, 17), [table], 1500, lucky_rate=0.5)
    odds: Counter[int] = Counter()
    for played in rounds_of(by_table(simulate(plan))["PG-01"]):
        wagers = standing_wagers(played)
        for data in said(played, "wager.settled"):
            if data["wager"] == "fortune" and data["paid_cents"]:
                odds[data["paid_cents"] // wagers[data["seat"], "", "fortune"]] += 1
    assert {2500, 1000, 750, 250, 125, 50, 25} <= set(odds)


def test_faults_of_the_record_keep_their_distance() -> None:
    labels = Labels()
    kinds = {"event_lost": 40, "garbage": 40, "bank_thrice": 10}
    for _ in simulate(default_plan(seed=2, tables=4, rounds=300, faults=kinds), labels):
        pass
    numbers: dict[str, list[tuple[int, str]]] = {}
    for label in labels.injected:
        numbers.setdefault(label.table, []).append((int(label.round[-4:]), label.fault))
    for rounds in numbers.values():
        ordered = sorted(rounds)
        for (first, kind), (second, _) in pairwise(ordered):
            assert kind == "bank_thrice" or second - first >= 6
