"""Clean simulated days of Supreme Pai Gow with ante and raise: deal, rack and money, by the slow table of the text.

The hands are read from what the devices said, dealt out and picked up once more, and settled by `tests.packs.flt_slow`,
which shares nothing with the simulator.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from ingest.simulator import Labels, Plan, default_plan, kinds_of, simulate
from schemas.events import parse_event
from schemas.findings import CATALOGUE as FINDINGS
from tests.packs.flt_slow import (
    AGGREGATED,
    ENVY_DOLLARS,
    SEVEN_CARD_WAGERS,
    Filed,
    Place,
    Settled,
    forms,
    needs_seven,
    progressive_cell,
    set_dealer,
    settle,
)
from tests.ranking.by_definition import is_foul, score_five, score_two
from tests.simulator.events_of import Event, by_table, rounds_of, said, standing_wagers

GAMES = ("flt/supreme_pai_gow",)
PROGRESSIVES = ("insurance_progressive", "emperors_progressive")
Wagers = dict[int, dict[str, int]]


def plan(seed: int, rounds: int, lucky_rate: float = 0.0) -> Plan:
    usual = default_plan(seed, 6, rounds, games=GAMES)
    return Plan(seed, usual.gaming_day, usual.tables, rounds, lucky_rate=lucky_rate)


@pytest.fixture(scope="module")
def tables() -> dict[str, list[Event]]:
    """With rare hands in every fifth round."""
    return by_table(simulate(plan(3, 250, lucky_rate=0.2)))


def filed_at(events: list[Event]) -> Filed:
    options = said(events, "table.opened")[0]["options"]

    def table(name: str) -> str:
        return str(options[f"{name}_paytable"]).replace("none", "")

    most = {name: options[f"{name}_aggregate_cents"] for name in AGGREGATED}
    return Filed(
        royalty=table("ante_royalty"),
        insurance=table("insurance"),
        emperors=table("emperors"),
        seven_card_bonus=table("seven_card_bonus"),
        eighth_card=table("eighth_card"),
        insurance_progressive=table("insurance_progressive"),
        emperors_progressive=table("emperors_progressive"),
        unit_cents={name: options[f"{name}_unit_cents"] for name in PROGRESSIVES},
        rate_bp={name: options[f"{name}_rate_bp"] for name in PROGRESSIVES},
        most_cents={name: cents for name, cents in most.items() if cents},
        most_per={name: options[f"{name}_aggregate_per"] for name in AGGREGATED},
    )


def wagers_of(played: list[Event]) -> Wagers:
    wagers: Wagers = {}
    for (seat, _, wager), cents in standing_wagers(played).items():
        wagers.setdefault(seat, {})[wager] = cents
    return wagers


def dealt(played: list[Event], wagers: Wagers) -> dict[int, list[str]]:
    """Four cards to each seat with an ante from 6 to 1, eight to the dealer, three more to those who need seven."""
    cards = [card for data in said(played, "cards.dealt") for card in data["cards"]]
    hands: dict[int, list[str]] = {}
    for place in (*sorted(wagers, reverse=True), 0):
        hands[place] = [cards.pop(0) for _ in range(8 if place == 0 else 4)]
    for seat in sorted(wagers, reverse=True):
        if needs_seven(wagers[seat]):
            hands[seat] += [cards.pop(0) for _ in range(3)]
    assert cards == []
    return hands


def shown(played: list[Event], wagers: Wagers) -> dict[int, list[str]]:
    """Of what was exposed; folded hands of four cards never are, and are left to the rack."""
    hands = {}
    for data in said(played, "hand.shown"):
        parts = ("low", "high", "rest", "cards")
        hands[data["place"]] = [card for part in parts for card in data.get(part) or ()]
    for seat in wagers:
        hands.setdefault(seat, [])
    return hands


def picked_up(played: list[Event], wagers: Wagers, staying: set[int]) -> dict[int | str, list[str]]:
    """R-5, read forwards: each packet of the rack with whose it is."""
    whose: list[tuple[int | str, int]] = []
    at_once = [seat for seat in sorted(wagers, reverse=True) if not needs_seven(wagers[seat])]
    later = [seat for seat in sorted(wagers) if seat not in at_once]
    sizes = 8 + 4 * len(at_once) + 7 * len(later)
    whose += [("stub", 53 - sizes), *((seat, 4) for seat in at_once)]
    whose += [(seat, 7) for seat in later if seat not in staying]
    whose += [(seat, 7) for seat in later if seat in staying]
    rack = [card for data in said(played, "discard.read") for card in data["cards"]]
    assert len(rack) == len(set(rack)) == 53
    packets: dict[int | str, list[str]] = {}
    for place, size in (*whose, (0, 8)):
        packets[place], rack = rack[:size], rack[size:]
    return packets


def staying_in(hands: dict[int, list[str]], wagers: Wagers, filed: Filed) -> set[int]:
    """Hands of four of a kind or better, where somebody else has $5 or more on Emperor's Treasure; and hands that win a
    share of a meter."""
    premium = set(ENVY_DOLLARS["PT-FLT-EC-ET-01"])
    entitled = {seat for seat, made in wagers.items() if made.get("emperors", 0) >= 500}
    staying = {
        seat for seat in wagers if len(hands[seat]) == 7 and forms(tuple(hands[seat])) & premium and entitled - {seat}
    }
    for name in PROGRESSIVES:
        for seat in wagers:
            if name in wagers[seat] and "%" in (progressive_cell(filed, name, tuple(hands[seat])) or ""):
                staying.add(seat)
    return staying


def seeds_of(events: list[Event]) -> dict[str, int]:
    options = said(events, "table.opened")[0]["options"]
    return {name: options[f"{name}_seed_cents"] for name in PROGRESSIVES if options[f"{name}_paytable"] != "none"}


def settled_by_hand(
    played: list[Event], filed: Filed, stand: dict[str, int], seeds: dict[str, int]
) -> tuple[Settled, dict[int | str, list[str]]]:
    """`stand` is what the meters stood at before the round."""
    wagers = wagers_of(played)
    hands = dealt(played, wagers) if said(played, "cards.dealt") else shown(played, wagers)
    packets = picked_up(played, wagers, staying_in(hands, wagers, filed))
    for place, cards in hands.items():
        assert not cards or sorted(cards) == sorted(packets[place])
    places = {
        seat: Place(made, tuple(packets[seat]), tuple(packets[seat][:2]), tuple(packets[seat][2:]))
        for seat, made in wagers.items()
    }
    return settle(filed, places, tuple(packets[0]), stand, seeds), packets


def test_every_round_is_settled_as_the_slow_table_settles_it(tables: dict[str, list[Event]]) -> None:
    paid: Counter[str] = Counter()
    for events in tables.values():
        filed, seeds = filed_at(events), seeds_of(events)
        stand = dict(seeds)
        for played in rounds_of(events):
            settled, _ = settled_by_hand(played, filed, stand, seeds)
            stand = settled.meters
            fed, paid_off = Counter[str](), Counter[str]()
            for data in said(played, "progressive.contributed"):
                fed[data["meter"]] += data["amount_cents"]
            for data in said(played, "progressive.paid"):
                paid_off[data["meter"]] += data["amount_cents"] if data["from_meter"] else 0
            assert fed == Counter({name: cents for name, cents in settled.fed.items() if cents})
            assert +paid_off == Counter(settled.paid_off)
            reported: dict[tuple[int, str], tuple[Any, ...]] = {
                (data["seat"], data["wager"]): (data["outcome"], data["paid_cents"], data["taken_cents"])
                for data in said(played, "wager.settled")
            }
            assert reported == settled.lines, played[0]["subject"]
            envies = {(data["seat"], data["for_seat"]): data["amount_cents"] for data in said(played, "envy.paid")}
            assert envies == settled.envy
            paid.update(wager for (_, wager), line in reported.items() if line[0] == "win")
            paid["envy"] += len(envies)
    assert all(paid[wager] >= 20 for wager in PROGRESSIVES), paid
    wagers = ("insurance", "emperors", "seven_card_bonus", "eighth_3_or_10", "eighth_field", "ante_royalty", "envy")
    assert all(paid[wager] >= 20 for wager in wagers), paid


def test_the_dealer_sets_the_house_way(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        for played in rounds_of(events)[:80]:
            (said_of_dealer,) = [data for data in said(played, "hand.shown") if data["place"] == 0]
            low, high, rest = (said_of_dealer[part] for part in ("low", "high", "rest"))
            right = set_dealer((*low, *high, *rest))
            assert score_two(tuple(low)) == score_two(right.low)
            assert score_five(tuple(high), False) == score_five(right.high, False)
            assert rest[0][0] == right.eighth[0]


def test_hands_shown_are_those_in_the_rack(tables: dict[str, list[Event]]) -> None:
    fouls = 0
    for events in tables.values():
        filed, seeds = filed_at(events), seeds_of(events)
        for played in rounds_of(events)[:80]:
            _, packets = settled_by_hand(played, filed, dict(seeds), seeds)
            for data in said(played, "hand.shown"):
                if "low" in data:
                    assert packets[data["place"]] == [*data["low"], *data["high"], *data.get("rest", ())]
                    fouls += data["place"] > 0 and is_foul(tuple(data["low"]), tuple(data["high"]), False)
                else:
                    assert sorted(packets[data["place"]]) == sorted(data["cards"])
    assert fouls


def test_people_fold_raise_and_bet_as_they_may(tables: dict[str, list[Event]]) -> None:
    times: Counter[float] = Counter()
    folded: Counter[int] = Counter()
    for table_id, events in tables.items():
        whole = said(events, "table.opened")[0]["options"]["raise_multiples"] == "whole"
        for played in rounds_of(events):
            closed = [event["type"] for event in played].index("bets.closed")
            before, after = played[:closed], played[closed:]
            assert {data["wager"] for data in said(after, "wager.placed")} <= {"raise"}
            assert "raise" not in {data["wager"] for data in said(before, "wager.placed")}
            for seat, made in wagers_of(played).items():
                if "raise" in made:
                    ratio = made["raise"] / made["ante"]
                    assert ratio in (1, 2, 3, 4) if whole else 1 <= ratio <= 4, table_id
                    times[ratio] += 1
                else:
                    folded[7 if set(made) & set(SEVEN_CARD_WAGERS) else 4] += 1
                    assert seat not in {data["seat"] for data in said(after, "wager.placed")}
    assert all(times[ratio] > 20 for ratio in (1, 2, 3, 4)) and len(times) > 10
    assert folded[4] > 50 and folded[7] > 50


def test_every_event_is_valid() -> None:
    for _, raw in simulate(plan(4, 60)):
        parse_event(raw)


def test_every_fault_is_done_and_labelled() -> None:
    labels = Labels()
    kinds = kinds_of(GAMES)
    for _ in simulate(default_plan(seed=9, tables=6, rounds=250, games=GAMES, faults=dict.fromkeys(kinds, 3)), labels):
        pass
    assert {label.fault for label in labels.injected} == set(kinds)
    assert len(labels.unplaced) <= 3
    assert {kind.code for kind in kinds.values()} <= set(FINDINGS)
