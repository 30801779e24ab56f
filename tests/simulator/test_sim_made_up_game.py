"""A game that is made up, played by the simulator: what a new game has to say, and side wagers as entries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import orjson
import pytest

from ingest.simulator import Labels, default_plan, game_called, kinds_of, registry, simulate
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.options import Equipment, Options, choice
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Setting, SplitPlayed
from ingest.simulator.registry import Usual, register
from ingest.simulator.side_wagers import SideWager, by_odds
from ingest.simulator.split_hands.table import SplitHandsTable
from schemas.cards import codes_of
from schemas.events import parse_event


def one_or_two(hand: list[int]) -> str | None:
    return {1: "one_suit", 2: "two_suits"}.get(len({card & 3 for card in hand}))


@dataclass(frozen=True)
class FourUpOptions(Options):
    dealing: str = choice("manual_shoe", "automated_shoe")
    starting: str = choice("dice", "rng")
    decks: int = choice(1, 2)
    table_minimum_cents: int = 500
    table_maximum_cents: int = 20_000


class FourUpTable(SplitHandsTable):
    """Four cards, the two highest behind. Suits pays for few suits, Red Dealer for the dealer's lowest card."""

    pack = "xx/four_up"
    base, hand_size, jokers = "four_up", 4, 0

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        sides = [
            SideWager("suits", 100, 5_000, self._suits),
            SideWager("red_dealer", 500, 2_500, self._red),
            SideWager("not_here", 100, 5_000, self._suits, offered=False),
        ]
        super().__init__(plan, table, queue, labels, table.filed_as(FourUpOptions), sides)

    def _suits(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        return by_odds({"one_suit": 20, "two_suits": 0}, one_or_two(played.hands[bet.seat]), bet.cents, 50_000)

    def _red(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        return ("win", bet.cents) if min(played.hands[0]) & 3 in (1, 2) else ("lose", 0)

    def house_way(self, hand: list[int]) -> Setting:
        ordered = sorted(hand)
        return ordered[:2], ordered[2:]

    def is_foul(self, setting: Setting) -> bool:
        return sum(setting[0]) > sum(setting[1])

    def keys(self, setting: Setting) -> tuple[object, object]:
        return sum(setting[0]), sum(setting[1])

    def better_hands(self, setting: Setting, against: Setting) -> int:
        return sum(sum(own) > sum(other) for own, other in zip(setting, against, strict=True))

    def class_of(self, hand: list[int]) -> str | None:
        return one_or_two(hand)


def usual() -> Usual:
    return [(FourUpOptions(), Equipment()), (FourUpOptions(dealing="automated_shoe", starting="rng"), Equipment())]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    register(FourUpTable, FourUpOptions, usual, prefix="FU", faults=(Subject.SPLIT_HANDS, Subject.VIGORISH))


def test_its_days_are_valid_events_and_every_side_wager_is_settled_by_its_own_rule() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    bets: dict[tuple[str, str, int, str], int] = {}
    labels = Labels(hands={})
    for table_id, raw in simulate(default_plan(2, 2, 150, games=("four_up",)), labels):
        parse_event(raw)
        event = orjson.loads(raw)
        data, round_id = event["data"], event.get("subject", "")
        if data.get("wager", "four_up") == "four_up":
            continue
        bet = table_id, round_id, data["seat"], data["wager"]
        if "amount_cents" in data:
            bets[bet] = data["amount_cents"]
        elif "outcome" in data and data["outcome"] != "void":
            assert labels.hands is not None
            hands = labels.hands[table_id, round_id]
            assert (data["outcome"], data["paid_cents"]) == expected(data["wager"], hands, data["seat"], bets[bet])
            assert data["taken_cents"] == (bets[bet] if data["outcome"] == "lose" else 0)
            seen[data["wager"], data["outcome"]] += 1
    limits = {"suits": (100, 5_000), "red_dealer": (500, 2_500)}
    assert all(limits[wager][0] <= cents <= limits[wager][1] for (*_, wager), cents in bets.items())
    ends = {("suits", "win"), ("suits", "push"), ("suits", "lose"), ("red_dealer", "win"), ("red_dealer", "lose")}
    assert set(seen) == ends


def expected(wager: str, hands: dict[int, list[int]], seat: int, cents: int) -> tuple[str, int]:
    """By the rules as they are printed above, worked out again from the hands as they were picked up."""
    if wager == "red_dealer":
        return ("win", cents) if min(hands[0]) % 4 in (1, 2) else ("lose", 0)
    match len({card % 4 for card in hands[seat]}):
        case 1:
            return "win", min(20 * cents, 50_000)
        case 2:
            return "push", 0
    return "lose", 0


def test_it_gets_the_faults_of_its_subjects_and_no_others() -> None:
    kinds = kinds_of(("xx/four_up",))
    assert {"vigorish_wrong", "card_missing", "wrong_payout", "event_lost"} <= set(kinds)
    assert not {"envy_wrong", "bank_twice", "fee_twice", "third_card_wrong", "bonus_wrong_row"} & set(kinds)
    labels = Labels()
    plan = default_plan(3, 2, 400, dict.fromkeys(kinds, 1), games=("xx/four_up",))
    assert len(list(simulate(plan, labels))) > 0
    assert {label.fault for label in labels.injected} | {kind for _, kind in labels.unplaced} == set(kinds)
    assert len(labels.injected) >= len(kinds) - 2


def test_a_name_that_two_jurisdictions_have_needs_its_jurisdiction() -> None:
    class Elsewhere(FourUpTable):
        pack = "yy/four_up"

    assert game_called("four_up").name == "xx/four_up"
    with pytest.raises(ValueError, match="yy/four_up: tables of xx/four_up are called FU-01 as well"):
        register(Elsewhere, FourUpOptions, usual, prefix="FU", faults=())
    register(Elsewhere, FourUpOptions, usual, prefix="FY", faults=())
    with pytest.raises(ValueError, match="two games are registered as yy/four_up"):
        register(Elsewhere, FourUpOptions, usual, prefix="FZ", faults=())
    with pytest.raises(ValueError, match="may be xx/four_up or yy/four_up"):
        game_called("four_up")
    assert game_called("yy/four_up").prefix == "FY"


def test_odds_of_nothing_give_the_wager_back() -> None:
    odds = {"one_suit": 20, "two_suits": 0}
    assert by_odds(odds, one_or_two(list(codes_of("As Ks Qs Js"))), 300, 5_000) == ("win", 5_000)
    assert by_odds(odds, one_or_two(list(codes_of("As Kd Qs Jd"))), 300) == ("push", 0)
    assert by_odds(odds, one_or_two(list(codes_of("As Kd Qc Jd"))), 300) == ("lose", 0)
