"""Clean simulated days of California Fortune Pai Gow: deal, rack, cover and fees, checked with plain code."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from ingest.simulator import Labels, default_plan, kinds_of, simulate
from ingest.simulator.fees import FORTUNE_SCHEDULES, fee_cents
from ingest.simulator.paytables import FPG_02, FPG_02_ENVY_CENTS
from schemas.events import parse_event
from tests.simulator.events_of import Event, by_table, days_of, rounds_of, said, standing_wagers

GAMES = ("ca/fortune_pai_gow",)
BASE, FORTUNE = "fortune_pai_gow", "fortune"


@pytest.fixture(scope="module")
def tables() -> dict[str, list[Event]]:
    return by_table(simulate(default_plan(seed=3, tables=5, rounds=500, games=GAMES)))


def test_every_event_is_valid() -> None:
    for _, raw in simulate(default_plan(seed=4, tables=5, rounds=60, games=GAMES)):
        parse_event(raw)


def test_every_fault_is_done_and_labelled() -> None:
    labels = Labels()
    kinds = kinds_of(GAMES)
    for _ in simulate(default_plan(seed=9, tables=5, rounds=200, games=GAMES, faults=dict.fromkeys(kinds, 2)), labels):
        pass
    assert {label.fault for label in labels.injected} == set(kinds)
    assert len(labels.unplaced) <= 3


def test_the_pay_table_as_printed() -> None:
    assert FPG_02["seven_card_straight_flush"] == 8000 and FPG_02["royal_flush"] == 150
    assert FPG_02["full_house"] == 5 and FPG_02["three_of_a_kind"] == 3 and FPG_02["straight"] == 2
    assert FPG_02_ENVY_CENTS["royal_flush"] == 5_000 and FPG_02_ENVY_CENTS["four_of_a_kind"] == 500
    assert "full_house" not in FPG_02_ENVY_CENTS


@pytest.mark.parametrize(
    ("schedule", "wager_cents", "player_cents"),
    [
        ("own_1", 1_000, 100),
        ("own_1", 20_000, 100),
        ("own_1", 20_050, 100),  # $200.50 is in no printed band: the one below
        ("own_1", 20_100, 200),
        ("own_2", 50_100, 500),
        ("own_3", 20_100, 200),
        ("own_3", 40_100, 400),
        ("own_3", 500, 0),  # a Fortune bet of $5 is below the lowest floor
        ("own_4", 80_100, 800),
        ("california_games_1", 10_000, 100),
        ("california_games_1", 10_100, 200),
    ],
)
def test_player_fees(schedule: str, wager_cents: int, player_cents: int) -> None:
    assert fee_cents(FORTUNE_SCHEDULES[schedule].player, wager_cents) == player_cents


def test_player_dealer_fees() -> None:
    assert [fee_cents(FORTUNE_SCHEDULES[f"own_{n}"].player_dealer, 1_000) for n in (1, 2, 3, 4)] == [300, 300, 400, 400]
    later = FORTUNE_SCHEDULES["california_games_1"].player_dealer
    assert [fee_cents(later, cents) for cents in (5_000, 5_100, 100_000, 100_100)] == [100, 300, 300, 600]


def clockwise_from(seat: int) -> list[int]:
    return [(seat - 1 + step) % 7 + 1 for step in range(7)]


def test_piles_go_round_from_the_one_named_and_the_rack_follows_the_button(tables: dict[str, list[Event]]) -> None:
    stayed = 0
    for events in tables.values():
        for played in rounds_of(events):
            (bank,) = said(played, "bank.accepted")
            (start,) = said(played, "start.determined")
            assert start["place"] == clockwise_from(bank["seat"])[(sum(start["dice"]) - 1) % 7]
            (button,) = said(played, "button.placed")
            assert button["place"] == clockwise_from(start["place"])[1]
            cards = [card for data in said(played, "cards.dealt") for card in data["cards"]]
            rack = [card for data in said(played, "discard.read") for card in data["cards"]]
            assert len(rack) == 53 == len(set(rack))
            if not cards:
                continue
            piles = [set(cards[pile::14]) | set(cards[13 - pile :: 14]) for pile in range(7)]
            named = bank["first_stack"] - 1
            delivered = zip(clockwise_from(start["place"]), piles[named:] + piles[:named], strict=True)
            hands = dict(delivered)
            assert set(rack[:4]) == set(rack) - set(cards)
            betting = {seat for seat, _, _ in standing_wagers(played)}
            idle = [seat for seat in range(1, 8) if seat not in betting | {bank["seat"]}]
            staying = {data["for_seat"] for data in said(played, "envy.paid")}
            ordered = [seat for seat in clockwise_from(button["place"]) if seat in betting]
            first = [seat for seat in ordered if seat not in staying]
            at = 4
            for seat in [*idle, *first, *(seat for seat in ordered if seat in staying), bank["seat"]]:
                if set(rack[at : at + 7]) != hands[seat]:  # a premium hand that stays and whose envy nobody was owed
                    assert seat in first and said(played, "envy.paid") == []
                    stayed += 1
                    break
                at += 7
    assert stayed < 20


def test_settled_from_the_button_as_far_as_the_posted_wager_reaches(tables: dict[str, list[Event]]) -> None:
    covered: Counter[bool] = Counter()
    for events in tables.values():
        for played in rounds_of(events):
            (bank,), (button,) = said(played, "bank.accepted"), said(played, "button.placed")
            wagers = standing_wagers(played)
            lines = said(played, "wager.settled")
            turn = {seat: number for number, seat in enumerate(clockwise_from(button["place"]))}
            order = [(turn[d["seat"]], d["wager"] == FORTUNE, d.get("bettor", "")) for d in lines]
            assert order == sorted(order)
            assert {(d["seat"], d.get("bettor", ""), d["wager"]) for d in lines} == set(wagers)
            left, short = bank["posted_cents"], False
            for data in lines:
                stake = wagers[data["seat"], data.get("bettor", ""), data["wager"]]
                moved = data["paid_cents"] + data["taken_cents"]
                left -= moved
                assert left >= 0
                full = moved % stake == 0 and (moved > 0 or data["outcome"] == "push")
                if not full:
                    assert left == 0  # only where the cover has run out
                    short = True
                assert (data["outcome"] == "no_action") == (moved == 0 and data["outcome"] != "push")
            assert sum(data["amount_cents"] for data in said(played, "envy.paid")) <= left
            covered[not short] += 1
    assert min(covered.values()) > 200


def test_bank_moves_on_after_two_hands_to_a_seat_that_bet(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        for day in days_of(events):
            bank_before, runs, bet_before = 0, 0, set[int]()
            for played in rounds_of(day):
                (bank,) = said(played, "bank.accepted")
                runs = runs + 1 if bank["seat"] == bank_before else 1
                assert runs <= 2 and bank["turn"] == runs
                assert not bank_before or bank["seat"] in bet_before | {bank_before}
                bet_before = {seat for seat, bettor, _ in standing_wagers(played) if not bettor}
                assert bank["seat"] not in bet_before
                bank_before = bank["seat"]


def test_fees_are_taken_from_everybody_who_owes_one_and_in_time(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        options = said(events, "table.opened")[0]["options"]
        schedule = options["schedule"]
        dropped = 0
        for played in rounds_of(events):
            order = [event["type"] for event in played]
            before = order.index("collection.taken") < order.index("bets.closed")
            assert before == schedule.startswith("own")
            if not before:
                assert order.index("collection.taken") > order.index("start.determined")
            paying = [
                (d["seat"], d.get("bettor", "")) for d in said(played, "collection.taken") if d["payer"] == "player"
            ]
            wagers = standing_wagers(played)
            circles = [key for key in wagers if key[2] == BASE]
            if schedule in ("own_3", "own_4"):
                circles += [key for key, cents in wagers.items() if key[2] == FORTUNE and cents >= 1_000]
            assert sorted(paying) == sorted((seat, bettor) for seat, bettor, _ in circles)
            assert {d["box"] for d in said(played, "collection.taken")} == {options["drop_box"]}
            dropped += sum(data["amount_cents"] for data in said(played, "collection.taken"))
        assert dropped == sum(data["box_cents"] for data in said(events, "table.counted"))


def test_envy_is_owed_for_hands_of_others_that_have_a_fortune_bet() -> None:
    plan = default_plan(seed=8, tables=5, rounds=200, games=GAMES)
    lucky = type(plan)(**{**plan.__dict__, "lucky_rate": 0.6})
    paid = backed = 0
    for events in by_table(simulate(lucky)).values():
        for played in rounds_of(events):
            wagers = standing_wagers(played)
            envies = said(played, "envy.paid")
            for data in envies:
                assert data["seat"] != data["for_seat"]
                assert wagers[data["seat"], data.get("bettor", ""), FORTUNE] >= 500
                assert any(key[0] == data["for_seat"] and key[2] == FORTUNE for key in wagers)
                paid += 1
                backed += "bettor" in data
            for one, other in pairwise(envies):
                assert (one["seat"], one.get("bettor"), one["for_seat"]) != (
                    other["seat"], other.get("bettor"), other["for_seat"]
                )  # fmt: skip
    assert paid > 50 and backed > 0
