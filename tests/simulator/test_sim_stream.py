"""A clean simulated day: the chain, the cards and the money, checked with plain code."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import pairwise

import orjson
import pytest
from nacl.signing import VerifyKey

from ingest.simulator import Plan, default_plan, simulate, table_keys
from schemas.events import parse_event
from tests.simulator.events_of import Event, by_table, days_of, rounds_of, said, standing_wagers


@pytest.fixture(scope="module")
def plan() -> Plan:
    return default_plan(seed=7, tables=16, rounds=1250)  # 20,000 rounds


@pytest.fixture(scope="module")
def tables(plan: Plan) -> dict[str, list[Event]]:
    return by_table(simulate(plan))


def test_same_plan_same_bytes() -> None:
    plan = default_plan(seed=5, tables=4, rounds=30, fault_rate=0.2)
    assert list(simulate(plan)) == list(simulate(plan))
    assert list(simulate(plan)) != list(simulate(replace(plan, seed=6)))


def test_chain_sequence_and_signatures() -> None:
    plan = default_plan(seed=3, tables=4, rounds=120)
    keys = {table: VerifyKey(bytes.fromhex(key)) for table, key in table_keys(plan).items()}
    last: dict[str, tuple[int, str]] = {}
    ids: set[str] = set()
    for table_id, raw in simulate(plan):
        event = orjson.loads(raw)
        seq, previous = last.get(table_id, (-1, "0" * 64))
        assert (event["tableid"], event["seq"], event["prevhash"]) == (table_id, seq + 1, previous)
        last[table_id] = event["seq"], sha256(raw).hexdigest()
        ids.add(event["id"])
        what = event["type"].removeprefix("muckraker.").removesuffix(".v1")
        signed = what in ("round.closed", "round.voided", "round.corrected") or what.startswith("table.")
        assert ("sig" in event) == signed
        if signed:
            assert list(event)[-1] == "sig"
            body = raw[: raw.rindex(b',"sig":"')] + b"}"
            keys[table_id].verify(body, bytes.fromhex(event["sig"]))  # raises if it does not
    assert len(ids) == sum(seq + 1 for seq, _ in last.values())


def test_every_event_is_valid_and_in_order_of_time() -> None:
    before = datetime.fromisoformat("2000-01-01T00:00:00Z")
    for _, raw in simulate(default_plan(seed=4, tables=16, rounds=60)):
        time = parse_event(raw).time
        assert time >= before
        before = time


def test_nobody_deals_at_two_tables_at_once(tables: dict[str, list[Event]]) -> None:
    """From one change of dealers to the next or to the closing of the table; over several days, at other tables."""
    shifts: dict[str, list[tuple[str, str, str]]] = {}
    for table_id, events in tables.items():
        dealer, since = "", ""
        for event in events:
            if event["type"] in ("table.opened", "table.dealer_changed", "table.closed"):
                if dealer:
                    shifts.setdefault(dealer, []).append((since, event["time"], table_id))
                dealer, since = event["data"].get("dealer", ""), event["time"]
    assert sum(len({table_id for *_, table_id in own}) > 1 for own in shifts.values()) > 10
    for own in shifts.values():
        for (_, until, _), (since, _, _) in pairwise(sorted(own)):
            assert until <= since


def test_default_plan_covers_the_filings(plan: Plan) -> None:
    poker = [table for table in plan.tables if table.game == "ma/pai_gow_poker"]
    baccarat = [table for table in plan.tables if table.game == "ca/supreme_baccarat"]
    expected = {
        "dealing": {"manual_shoe", "hand", "automated_shoe"},
        "starting": {"dice", "rng", "button"},
        "fortune_paytable": {"none", "A", "B", "C", "D"},
        "vigorish_rounding": {"up_to_quarter", "exact"},
        "wheel": {"second_highest", "lowest"},
        "royal_match": {"king_queen", "ace_king_natural"},
        "surrendered_bonus": {"settled", "forfeited"},
    }
    for option, values in expected.items():
        assert {table.options[option] for table in poker} == values
    assert len({table.options["schedule"] for table in baccarat}) == 6
    assert {7, 14} <= {table.options["seats"] for table in baccarat}
    for game in (poker, baccarat):
        assert all(table.equipment.camera for table in game)
        assert {table.equipment.rack for table in game} == {"inserted", "scan"}
        unread = [table for table in game if not table.equipment.shoe_reads]
        assert 1 <= len(unread) < len(game) / 2


def test_long_days_are_closed_and_opened_again(tables: dict[str, list[Event]]) -> None:
    opened = said(tables["PG-01"], "table.opened")
    assert len(opened) >= 2 and len(opened) == len(said(tables["PG-01"], "table.closed"))
    assert [data["gaming_day"] for data in opened[:2]] == ["2026-11-17", "2026-11-18"]


def test_every_wager_is_settled_once_and_stays_within_its_stake(tables: dict[str, list[Event]]) -> None:
    for events in tables.values():
        for played in rounds_of(events):
            wagers = standing_wagers(played)
            settled = said(played, "wager.settled")
            assert Counter((data["seat"], data.get("bettor", ""), data["wager"]) for data in settled) == Counter(
                list(wagers)
            )
            for data in settled:
                stake = wagers[data["seat"], data.get("bettor", ""), data["wager"]]
                paid, taken = data["paid_cents"], data["taken_cents"]
                assert 0 <= taken <= stake and not (paid and taken)
                if data["outcome"] in ("push", "void", "no_action"):
                    assert paid == taken == 0
                if data["outcome"] == "surrender":
                    assert taken == stake


# --- pai gow poker ---------------------------------------------------------------------------------------------------


def poker_tables(tables: dict[str, list[Event]]) -> list[list[Event]]:
    return [events for table_id, events in tables.items() if table_id.startswith("PG")]


def rack_of(played: list[Event]) -> list[str]:
    return [card for data in said(played, "discard.read") for card in data["cards"]]


def test_rack_holds_the_whole_deck(tables: dict[str, list[Event]]) -> None:
    for events in poker_tables(tables):
        for played in rounds_of(events):
            rack = rack_of(played)
            assert len(rack) == 53 == len(set(rack)) and "X2" not in rack


def hands_from_the_deal(cards: list[str], dealing: str, start: int) -> list[set[str]]:
    """MA-PGP §8(c), §8a(c),(f), §8b(d), worked out from the other end: the cards of each place."""
    hands: list[set[str]] = []
    for place in range(7):
        turn = (start - place) % 7  # how many places clockwise of the start
        if dealing == "manual_shoe":
            hands.append({cards[turn + 7 * row] for row in range(7)})
        elif dealing == "automated_shoe":
            hands.append(set(cards[7 * turn : 7 * turn + 7]))
        else:
            hands.append({cards[7 * row + (turn if row % 2 == 0 else 6 - turn)] for row in range(7)})
    return hands


def test_deal_hands_shown_and_rack_agree(tables: dict[str, list[Event]]) -> None:
    seen: Counter[str] = Counter()
    for events in poker_tables(tables):
        options = said(events, "table.opened")[0]["options"]
        for played in rounds_of(events):
            cards = [card for data in said(played, "cards.dealt") for card in data["cards"]]
            if not cards or said(played, "round.voided"):
                continue
            start = said(played, "start.determined")[0]["place"]
            hands = hands_from_the_deal(cards, options["dealing"], start)
            rack = rack_of(played)
            assert set(rack[:4]) == set(rack) - set(cards)  # the stub first
            assert set(rack[-7:]) == hands[0]  # the dealer last
            wagered = {seat for seat, _, _ in standing_wagers(played)}
            idle = [place for place in range(1, 7) if place not in wagered]
            for number, place in enumerate(idle):
                assert set(rack[4 + 7 * number : 11 + 7 * number]) == hands[place]
            for data in said(played, "hand.shown"):
                shown = data["cards"] if "cards" in data else data["low"] + data["high"]
                assert set(shown) == hands[data["place"]]
                seen[options["dealing"]] += 1
    assert min(seen[dealing] for dealing in ("manual_shoe", "automated_shoe", "hand")) > 3000


def test_start_follows_the_dice_the_number_or_the_button(tables: dict[str, list[Event]]) -> None:
    for events in poker_tables(tables):
        for day in days_of(events):
            for number, played in enumerate(rounds_of(day)):
                reasons = [data["reason"] for data in said(played, "round.voided")]
                for data in said(played, "start.determined"):
                    if data["method"] == "button":
                        expected = -number % 7  # from the dealer, one place clockwise after each round
                    elif data["method"] == "dice":
                        expected = (sum(data["dice"]) - 1) % 7
                    else:
                        expected = (data["number"] - 1) % 7
                    assert (data["place"] == expected) == ("wrong_start" not in reasons)


def test_vigorish_is_taken_on_wins_alone(tables: dict[str, list[Event]]) -> None:
    for events in poker_tables(tables):
        rounding = said(events, "table.opened")[0]["options"]["vigorish_rounding"]
        for played in rounds_of(events):
            due = {}
            for data in said(played, "wager.settled"):
                if data["wager"] == "pai_gow" and data["outcome"] == "win":
                    exact = data["paid_cents"] * 5 / 100
                    cents = -(-exact // 25) * 25 if rounding == "up_to_quarter" else int(exact + 0.5)
                    due[data["seat"]] = cents
            assert {data["seat"]: data["amount_cents"] for data in said(played, "vigorish.taken")} == due


def test_the_tray_holds_what_was_won_and_lost(tables: dict[str, list[Event]]) -> None:
    for events in poker_tables(tables):
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
                case "envy.paid" | "table.credited":
                    inventory -= data["amount_cents"]
                case "table.closed":
                    assert inventory == data["inventory_cents"]


def test_decks_alternate_and_are_changed_in_time(tables: dict[str, list[Event]]) -> None:
    for events in poker_tables(tables):
        options = said(events, "table.opened")[0]["options"]
        hours = 4 if options["dealing"] == "hand" else 8
        decks = [data["deck"] for data in said(events, "round.opened")]
        if options["decks"] == 2:
            assert all(first != second for first, second in pairwise(decks))
        brought: dict[str, datetime] = {}
        for event in events:
            if event["type"] == "cards.introduced":
                brought[event["data"]["deck"]] = datetime.fromisoformat(event["time"])
            elif event["type"] == "round.closed":
                ages = [datetime.fromisoformat(event["time"]) - since for since in brought.values()]
                assert max(ages).total_seconds() < hours * 3600


def test_irregularities_are_handled_by_voiding(tables: dict[str, list[Event]]) -> None:
    reasons: Counter[str] = Counter()
    for events in poker_tables(tables):
        for played in rounds_of(events):
            voided = said(played, "round.voided")
            misdealt = [data for data in said(played, "stub.counted") if data["count"] != 4]
            exposed = [data for data in said(played, "card.exposed") if data["place"] == 0]
            assert bool(voided) >= bool(misdealt or exposed)
            if voided:
                reasons[voided[0]["reason"]] += 1
                assert voided[0]["by"].startswith("D-"), "who called it"
                assert {data["outcome"] for data in said(played, "wager.settled")} == {"void"}
    assert set(reasons) == {"misdeal", "exposed_card", "wrong_start"}
    assert any(said(events, "start.no_roll") for events in poker_tables(tables))


# --- baccarat --------------------------------------------------------------------------------------------------------


def baccarat_tables(tables: dict[str, list[Event]]) -> list[list[Event]]:
    return [events for table_id, events in tables.items() if table_id.startswith("SB")]


def test_player_dealer_never_moves_more_than_posted(tables: dict[str, list[Event]]) -> None:
    short = covered = 0
    for events in baccarat_tables(tables):
        for played in rounds_of(events):
            (bank,) = said(played, "bank.accepted")
            settled = said(played, "wager.settled")
            moved = sum(data["paid_cents"] + data["taken_cents"] for data in settled)
            assert moved <= bank["posted_cents"]
            assert bank["seat"] not in {data["seat"] for data in settled}
            button = said(played, "button.placed")
            if button:
                assert moved == bank["posted_cents"] and button[0]["place"] != bank["seat"]
            short += bool(button)
            covered += not button
    assert short > 500 and covered > 500


def test_bank_moves_on_after_two_hands_to_a_seat_that_bet(tables: dict[str, list[Event]]) -> None:
    for events in baccarat_tables(tables):
        runs, bank_before, bet_before = 0, 0, set[int]()
        for day in days_of(events):
            bank_before = 0
            for played in rounds_of(day):
                (bank,) = said(played, "bank.accepted")
                runs = runs + 1 if bank["seat"] == bank_before else 1
                assert runs <= 2 and bank["turn"] == runs
                if bank_before and bank["seat"] != bank_before:
                    assert bank["seat"] in bet_before
                bank_before = bank["seat"]
                bet_before = {seat for seat, bettor, _ in standing_wagers(played) if not bettor}


def test_shoe_and_rack(tables: dict[str, list[Event]]) -> None:
    for events in baccarat_tables(tables):
        decks = said(events, "table.opened")[0]["options"]["decks"]
        drawn: Counter[str] = Counter()
        rack: list[str] = []
        for event in events:
            if event["type"] == "cards.introduced":
                drawn, rack = Counter(), []
            elif event["type"] == "discard.read":
                data = event["data"]
                new = data["cards"] if data["mode"] == "inserted" else data["cards"][len(rack) :]
                assert data["mode"] == "inserted" or data["cards"][: len(rack)] == rack
                rack += new
                drawn.update(new)
                assert 4 <= len(new) <= 6 and max(drawn.values()) <= decks
            elif event["type"] == "cards.removed" and event["data"]["reason"] == "shoe_ended":
                assert 8 <= 52 * decks - len(rack) <= 20


def test_drop_box_holds_the_fees(tables: dict[str, list[Event]]) -> None:
    for events in baccarat_tables(tables):
        options = said(events, "table.opened")[0]["options"]
        dropped = 0
        for played in rounds_of(events):
            order = [event["type"] for event in played]
            if "collection.taken" in order:
                before = order.index("collection.taken") < order.index("bets.closed")
                assert before == options["schedule"].startswith("own")
            dropped += sum(data["amount_cents"] for data in said(played, "collection.taken"))
        assert dropped == sum(data["box_cents"] for data in said(events, "table.counted"))
