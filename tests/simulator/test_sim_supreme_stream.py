"""Clean simulated days of Supreme Pai Gow, checked with plain code from the events: deal, bank, rack and money."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import pytest

from ingest.simulator import Label, Labels, default_plan, kinds_of, simulate
from schemas.events import parse_event
from tests.simulator.events_of import Event, by_table, days_of, rounds_of, said, standing_wagers

STATES = ("ma/supreme_pai_gow", "nj/supreme_pai_gow")
BASE, BONUS = "supreme_pai_gow", "bonus"


@pytest.fixture(scope="module", params=STATES)
def tables(request: pytest.FixtureRequest) -> dict[str, list[Event]]:
    return by_table(simulate(default_plan(seed=3, tables=6, rounds=700, games=(request.param,))))


def banks(played: list[Event]) -> list[dict[str, Any]]:
    return said(played, "bank.accepted")


@pytest.mark.parametrize("state", STATES)
def test_every_event_is_valid(state: str) -> None:
    for _, raw in simulate(default_plan(seed=4, tables=6, rounds=80, games=(state,))):
        parse_event(raw)


@pytest.mark.parametrize("state", STATES)
def test_every_fault_is_done_and_labelled(state: str) -> None:
    labels = Labels()
    kinds = kinds_of((state,))
    for _ in simulate(
        default_plan(seed=9, tables=6, rounds=300, games=(state,), faults=dict.fromkeys(kinds, 3)), labels
    ):
        pass
    assert {label.fault for label in labels.injected} == set(kinds)
    assert len(labels.unplaced) <= 6  # of three of each: a day has not the hours for every wait


def rack_of(played: list[Event]) -> list[str]:
    return [card for data in said(played, "discard.read") for card in data["cards"]]


def hands_from_the_deal(cards: list[str], dealing: str, start: int, first_stack: int | None) -> list[set[str]]:
    """MA-SPG §§8(c), 9(c), (f), 10(d), 13(i)(5), worked out from the other end: the cards of each place."""
    hands: list[set[str]] = []
    for place in range(7):
        turn = (start - place) % 7  # how many places clockwise of the start
        if dealing == "manual_shoe":
            hands.append({cards[turn + 7 * row] for row in range(4)})
        elif dealing == "automated_shoe":
            hands.append(set(cards[4 * turn : 4 * turn + 4]))
        else:
            # Stacks 0..6 from the left. A bank's stack goes first and those to its right follow clockwise; otherwise
            # the one farthest right goes first, and they are delivered counterclockwise.
            stack = (first_stack - 1 + turn) % 7 if first_stack else 6 - (place - start) % 7
            hands.append({cards[7 * row + (stack if row % 2 == 0 else 6 - stack)] for row in range(4)})
    return hands


def rack_by_r5(played: list[Event], hands: list[set[str]], stub: set[str]) -> list[set[str]]:
    """The packets of a round in the order of R-5, from what was said of it."""
    wagers = standing_wagers(played)
    playing = {seat for seat, _, _ in wagers}
    bonus = {seat for seat, _, wager in wagers if wager == BONUS}
    outcome = {data["seat"]: data["outcome"] for data in said(played, "wager.settled") if data["wager"] == BASE}
    given_up = [data["seat"] for data in said(played, "player.acted")]
    bank = banks(played)[0] if banks(played) else None
    against = int(bank["seat"]) if bank else 0
    own_plays = bool(bank and bank.get("dealer_wager_cents"))
    packets = [stub, *(hands[place] for place in range(1, 7) if place not in playing | {against})]
    packets += [hands[0]] if bank and not own_plays else []
    packets += [hands[seat] for seat in given_up if seat not in bonus]
    left = [seat for seat in sorted(playing) if seat not in given_up or seat in bonus]
    dealer_last: list[set[str]] = []
    if own_plays:
        gained = sum(data["paid_cents"] - data["taken_cents"] for data in said(played, "wager.settled")
                     if data["wager"] != BONUS)  # by players and bank; the house has the rest  # fmt: skip
        (dealer_last if gained < 0 else packets).append(hands[0])
    if bank:
        at_once = [seat for seat in left if outcome[seat] in ("lose", "push") and seat not in bonus]
        packets += [hands[seat] for seat in at_once]
        left = [seat for seat in left if seat not in at_once]
    return [*packets, *(hands[seat] for seat in left), *dealer_last, hands[against]]


def test_deal_hands_shown_and_rack_agree_with_the_text(tables: dict[str, list[Event]]) -> None:
    seen: Counter[tuple[str, bool]] = Counter()
    for events in tables.values():
        dealing = said(events, "table.opened")[0]["options"]["dealing"]
        for played in rounds_of(events):
            cards = [card for data in said(played, "cards.dealt") for card in data["cards"]]
            if not cards or said(played, "round.voided"):
                continue
            boxed = [data["card"] for data in said(played, "card.boxed")]
            cards = [card for card in cards if card not in boxed]
            rack = rack_of(played)
            assert len(rack) == 54 == len(set(rack))
            assert rack[: len(boxed)] == boxed
            bank = banks(played)[0] if banks(played) else {}
            start = said(played, "start.determined")[0]["place"]
            hands = hands_from_the_deal(cards, dealing, start, bank.get("first_stack"))
            assert (bank.get("first_stack") is not None) == (bool(bank) and dealing == "hand")
            for data in said(played, "hand.shown"):
                assert set(data["cards"] if "cards" in data else data["low"] + data["high"]) == hands[data["place"]]
            at = len(boxed)
            for packet in rack_by_r5(played, hands, set(rack) - set(cards) - set(boxed)):
                assert set(rack[at : at + len(packet)]) == packet
                at += len(packet)
            assert at == 54
            seen[dealing, bool(bank)] += 1
    assert len(seen) == 6 and min(seen.values()) > 100


def test_the_start_is_counted_from_the_dealer_or_the_bank(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        for played in rounds_of(events):
            first = int(banks(played)[0]["seat"]) if banks(played) else 0
            wrong = [data["reason"] for data in said(played, "round.voided")] == ["wrong_start"]
            for data in said(played, "start.determined"):
                if data["method"] != "button":
                    count = sum(data["dice"]) if data["method"] == "dice" else data["number"]
                    assert (data["place"] == (first + count - 1) % 7) != wrong


def test_who_may_bank(tables: dict[str, list[Event]]) -> None:
    banked = Counter[str]()
    for events in tables.values():
        for day in days_of(events):
            last_wagers: dict[int, int] = {}
            last_bank, rounds_with_cards = 0, 0
            by_id = {played[0]["subject"]: played for played in rounds_of(day)}
            for event in day:
                if event["type"] == "cards.introduced":
                    rounds_with_cards = 0
                elif event["type"] == "round.opened":
                    played = by_id[event["subject"]]
                    wagers = {
                        seat: cents for (seat, _, wager), cents in standing_wagers(played).items() if wager == BASE
                    }
                    for bank in banks(played):
                        seat = int(bank["seat"])
                        assert rounds_with_cards > 0, "a bank at the start of the game"
                        assert seat != last_bank and seat in last_wagers and seat not in wagers
                        own = int(bank.get("dealer_wager_cents", 0))
                        assert own <= last_wagers[seat] and (bank["kind"] == "bank" or own == 0)
                        assert int(bank["posted_cents"]) >= sum(wagers.values()) + own
                        assert said(played, "bank.offered")[-1]["seat"] == seat
                        banked[bank["kind"]] += 1
                    last_bank = int(banks(played)[0]["seat"]) if banks(played) else 0
                    last_wagers = last_wagers if last_bank else wagers
                    rounds_with_cards += 1
    assert banked["bank"] > 300 and banked["co_bank"] > 100


def test_what_the_centre_leaves_and_asks_for(tables: dict[str, list[Event]]) -> None:
    """Everything that moved between players, bank and house comes to nothing, and vigorish is five percent."""
    kinds: Counter[str] = Counter()
    for events in tables.values():
        rounding = said(events, "table.opened")[0]["options"]["vigorish_rounding"]
        for played in rounds_of(events):
            if said(played, "round.voided"):
                continue
            lines = said(played, "wager.settled")
            due = {}
            for data in lines:
                if data["outcome"] == "win" and data["wager"] != BONUS:
                    exact = data["paid_cents"] * 5 / 100
                    due[data["seat"]] = -(-exact // 25) * 25 if rounding == "up_to_quarter" else int(exact + 0.5)
            assert {data["seat"]: data["amount_cents"] for data in said(played, "vigorish.taken")} == {
                seat: cents for seat, cents in due.items() if cents
            }
            if not banks(played):
                continue
            (bank,) = banks(played)
            (line,) = [data for data in lines if data["wager"] == "bank"]
            assert line["seat"] == bank["seat"]
            centre = sum(data["taken_cents"] - data["paid_cents"] for data in lines if data["wager"] == BASE)
            moved = line["paid_cents"] - line["taken_cents"]
            own = int(bank.get("dealer_wager_cents", 0))
            if bank["kind"] == "co_bank":
                assert abs(centre - 2 * moved) <= 1 and abs(moved) <= abs(centre) - abs(moved)
            else:
                assert moved - centre in (own, 0, -own)
            kinds[f"{bank['kind']} {line['outcome']}"] += 1
    assert min(kinds[f"{kind} {outcome}"] for kind in ("bank", "co_bank") for outcome in ("win", "lose")) > 30


def test_the_tray_holds_what_was_won_and_lost(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        inventory = 0
        for event in events:
            data = event["data"]
            match event["type"]:
                case "table.opened":
                    inventory = data["inventory_cents"]
                case "wager.settled":
                    inventory += data["taken_cents"] - data["paid_cents"]
                case "vigorish.taken" | "table.filled":
                    inventory += data["amount_cents"]
                case "table.credited":
                    inventory -= data["amount_cents"]
                case "table.closed":
                    assert inventory == data["inventory_cents"]


def test_the_stub_is_counted_at_least_every_five_rounds(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        if said(events, "table.opened")[0]["options"]["stub_counted_by_shuffler"]:
            assert not said(events, "stub.counted")
            continue
        for day in days_of(events):
            uncounted = 0
            for played in rounds_of(day):
                uncounted = 0 if said(played, "stub.counted") else uncounted + 1
                assert uncounted < 5


@pytest.mark.parametrize("state", STATES)
def test_irregularities_lead_to_what_the_text_says(state: str) -> None:
    plan = default_plan(seed=5, tables=6, rounds=1500, games=(state,))
    reasons: Counter[str] = Counter()
    for events in by_table(simulate(plan)).values():
        for played in rounds_of(events):
            voided = said(played, "round.voided")
            reasons[voided[0]["reason"] if voided else "played"] += 1
            outcomes = {(data["wager"], data["outcome"]) for data in said(played, "wager.settled")}
            if voided and "seat" not in voided[0]:
                assert {outcome for wager, outcome in outcomes if wager == BASE} == {"void"}
                if voided[0]["reason"] == "exposed_card":  # §16(e): bonus wagers are settled all the same
                    assert {outcome for wager, outcome in outcomes if wager == BONUS} <= {"win", "lose"}
                else:
                    assert {outcome for _, outcome in outcomes} == {"void"}
    assert set(reasons) == {
        "played", "misdeal", "exposed_card", "wrong_start", "boxed_cards", "device_fault", "stub_count", "player_option"
    }  # fmt: skip


def test_lucky_days_reach_the_rare_rows() -> None:
    plan = default_plan(seed=6, tables=6, rounds=400, gaming_day=date(2026, 11, 17), games=STATES[:1])
    lucky = type(plan)(**{**plan.__dict__, "lucky_rate": 0.5})
    odds: Counter[int] = Counter()
    for events in by_table(simulate(lucky)).values():
        for played in rounds_of(events):
            wagers = standing_wagers(played)
            for data in said(played, "wager.settled"):
                if data["wager"] == BONUS and data["paid_cents"]:
                    odds[data["paid_cents"] // wagers[data["seat"], "", BONUS]] += 1
    assert {1000, 500, 200, 100, 25, 10, 8, 7, 6, 4, 1} <= set(odds)


def faulty_rounds(kind: str) -> list[tuple[Label, list[Event], list[list[Event]]]]:
    """Rounds with this fault, and all of their table in order."""
    labels = Labels()
    tables = by_table(simulate(default_plan(seed=21, tables=6, rounds=120, games=STATES[:1], faults={kind: 4}), labels))
    found = []
    for label in labels.injected:
        rounds = rounds_of(tables[label.table])
        found.append((label, next(each for each in rounds if each[0]["subject"] == label.round), rounds))
    assert len(found) >= 2
    return found


def test_banks_that_may_not_bank() -> None:
    for label, played, _ in faulty_rounds("bank_without_funds"):
        others = sum(cents for (_, _, wager), cents in standing_wagers(played).items() if wager == BASE)
        assert banks(played)[0]["seat"] == label.seat and banks(played)[0]["posted_cents"] < others
    for label, played, rounds in faulty_rounds("bank_twice"):
        before = rounds[rounds.index(played) - 1]
        assert banks(played)[0]["seat"] == banks(before)[0]["seat"] == label.seat
    for label, played, rounds in faulty_rounds("bank_without_wager"):
        unbanked = next(each for each in reversed(rounds[: rounds.index(played)]) if not banks(each))
        assert label.seat not in {seat for seat, _, _ in standing_wagers(unbanked)}


def test_payouts_beyond_the_limit() -> None:
    for label, played, _ in faulty_rounds("cap_ignored"):
        (paid,) = [
            d["paid_cents"] for d in said(played, "wager.settled") if (d["seat"], d["wager"]) == (label.seat, BONUS)
        ]
        assert paid > 5_000_000
    for _, played, _ in faulty_rounds("royal_share_wrong"):
        assert sum(d["paid_cents"] for d in said(played, "wager.settled") if d["wager"] == BONUS) > 5_000_000


def test_a_bank_that_gets_too_much() -> None:
    for label, played, _ in faulty_rounds("surplus_vigorish_not_taken"):
        assert (label.seat, "bank") not in {(d["seat"], d["wager"]) for d in said(played, "vigorish.taken")}
    for _, played, _ in faulty_rounds("surplus_not_halved"):
        lines = said(played, "wager.settled")
        centre = sum(d["taken_cents"] - d["paid_cents"] for d in lines if d["wager"] == BASE)
        (line,) = [d for d in lines if d["wager"] == "bank"]
        assert abs(line["paid_cents"] - centre) <= 1 and banks(played)[0]["kind"] == "co_bank"


def test_a_stub_left_uncounted_for_five_rounds() -> None:
    for _, played, rounds in faulty_rounds("stub_not_counted"):
        at = rounds.index(played)
        assert at >= 4 and not any(said(each, "stub.counted") for each in rounds[at - 4 : at + 1])
