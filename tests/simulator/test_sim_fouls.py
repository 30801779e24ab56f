"""A foul hand at a simulated table without a camera: the dealer calls it, and it is entered at the dealer's panel."""

from __future__ import annotations

from datetime import date

from ingest.simulator import Plan, simulate
from ingest.simulator.options import Equipment
from ingest.simulator.plan import TablePlan
from schemas.cards import codes_of
from tests.ranking.by_definition import is_foul
from tests.simulator.events_of import by_table, rounds_of, said


def test_without_a_camera_only_foul_hands_are_shown_and_they_lose() -> None:
    table = TablePlan("PG-01", "ma/pai_gow_poker", equipment=Equipment(camera=False))
    events = by_table(simulate(Plan(3, date(2026, 11, 17), (table,), 1_500)))["PG-01"]
    fouls = 0
    for events_of_round in rounds_of(events):
        settled = {data["seat"]: data for data in said(events_of_round, "wager.settled") if data["wager"] == "pai_gow"}
        for hand in said(events_of_round, "hand.shown"):
            if hand["place"]:
                fouls += 1
                assert len(codes_of(hand["low"] + hand["high"])) == 7
                assert is_foul(tuple(hand["low"]), tuple(hand["high"]), False)
                assert settled[hand["place"]]["outcome"] == "lose"
    assert fouls > 3
