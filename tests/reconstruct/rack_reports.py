"""What the settlements reported of a round say about its hands, by the simulator's own rules.

A dealer who took the wager of seat 2 says that seat 2 did not win; hands that say otherwise contradict the report. Here
a report is held against hands, one wager of one bettor at a time, with what `ingest.simulator` knows of the games: its
ranking, house way, pay tables and totals. Nothing is taken from the replay, which works out the same by other code.

What is not held against anything: wagers surrendered, void or without action, vigorish, envy bonuses, a wager on a hand
that is incomplete or holds a card that is not of the deck, and a wager taken where only a foul that nobody showed
explains it (rulings.md R-51). Of a baccarat wager only the outcome counts where the posted money did not go far enough:
then what is paid or taken depends on the button as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.supreme_baccarat.rules import result_of
from ingest.simulator.house_way import house_way, splits
from ingest.simulator.paytables import FORTUNE_ODDS
from ingest.simulator.played import Bet
from ingest.simulator.poker import Key, five_key, fortune_class, is_foul, two_key

DEALER, DECK, HAND = 0, 53, 7  # pai gow poker
_COUNTING = (*range(0, 36, 4), 48)  # a card for each total: 2 to 10 of one suit, and its ace
PLAIN_CARDS = 52  # codes below are those of cards without a joker
DECIDED = ("win", "lose", "push")
_OUTCOMES = ("lose", "push", "win")  # by how many of the two hands are better than the dealer's
_BEFORE_SETTLING = ("wager.placed", "wager.changed", "wager.withdrawn")


class Report(NamedTuple):
    """One wager of one bettor at one seat, and what it is reported to have come to."""

    seat: int
    wager: str
    bettor: str
    stake_cents: int
    outcome: str
    paid_cents: int


class Laid(NamedTuple):
    """A hand as an account of the rack gives it: the first `low` cards are its low hand, 0 where nothing shows how it
    was set (rulings.md R-51)."""

    cards: bytes
    low: int = 0


Hands = Mapping[int, Laid]
Agrees = Callable[[Report, Hands], bool | None]  # whether hands bear a report out; None where it says nothing of them


def reports_of(events: Iterable[Mapping[str, Any]]) -> tuple[Report, ...]:
    """The settlements of one round as its devices reported them, each with the stake that stood at the end."""
    stakes: dict[tuple[int, str, str], int] = {}
    reports = []
    for event in events:
        kind = event["type"].split(".", 1)[1].rsplit(".", 1)[0]
        if kind not in (*_BEFORE_SETTLING, "wager.settled"):
            continue
        data = event["data"]
        key = data["seat"], data["wager"], data.get("bettor") or ""
        if kind == "wager.settled":
            reports.append(Report(*key, stakes.get(key, 0), data["outcome"], data.get("paid_cents", 0)))
        else:
            stakes[key] = data.get("amount_cents", 0)  # one that is withdrawn has none
    return tuple(reports)


def contradicted(reports: Sequence[Report], hands: Hands, agrees: Agrees) -> list[Report]:
    """The reports these hands contradict."""
    return [report for report in reports if agrees(report, hands) is False]


# ---- Massachusetts pai gow poker -----------------------------------------------------------------------------------


def pai_gow_agrees(
    reports: Sequence[Report], filed: PaiGowOptions, shown: Sequence[tuple[int, int, bytes]] = ()
) -> Agrees:
    """How the reports of one round are held against its hands. `shown` are (place, low cards, cards): a player's hand
    counts as it was shown set, else as it lies, else as any split that is not foul; the dealer's as the house way sets
    it."""
    settings = {place: Laid(cards, low) for place, low, cards in shown if low}
    surrendered = {report.seat for report in reports if report.outcome == "surrender"}

    def agrees(report: Report, hands: Hands) -> bool | None:
        hand = hands.get(report.seat, Laid(b""))
        if report.outcome not in DECIDED or not _seven_cards(hand.cards):
            return None
        if report.wager == "fortune":
            if report.seat in surrendered and filed.surrendered_bonus == "forfeited":
                return None  # it was lost with the hand given up, whatever the cards
            return (report.outcome, report.paid_cents) == fortune_result(hand.cards, report.stake_cents, filed)
        dealer = hands.get(DEALER, Laid(b"")).cards
        if report.wager != "pai_gow" or not _seven_cards(dealer):
            return None
        setting = settings.get(report.seat, hand)
        if frozenset(setting.cards) != frozenset(hand.cards):
            setting = hand
        if report.outcome not in _possible(setting, bytes(sorted(dealer)), filed.wheel):
            return None if report.outcome == "lose" and report.seat not in settings else False
        return report.outcome != "win" or report.paid_cents == report.stake_cents

    return agrees


def _seven_cards(cards: bytes) -> bool:
    return len(cards) == len(set(cards)) == HAND and max(cards) < DECK


def _possible(hand: Laid, dealer: bytes, wheel: str) -> set[str]:
    """Every outcome this hand may have had against the dealer's: one where it is known how it was set."""
    front, behind = _house_way(dealer, wheel)
    if not hand.low:
        ways = _right_splits(bytes(sorted(hand.cards)), wheel)
    else:
        low, high = two_key(hand.cards[: hand.low]), five_key(hand.cards[hand.low :], wheel)
        if is_foul(low, high):
            return {"lose"}
        ways = ((low, high),)
    return {_OUTCOMES[(low > front) + (high > behind)] for low, high in ways}


@lru_cache(maxsize=1 << 16)  # the same few hands come up in dozens of accounts of one rack
def _right_splits(cards: bytes, wheel: str) -> tuple[tuple[Key, Key], ...]:
    """The low and the high hand of each split that is not foul."""
    ways = {(two_key(low), five_key(high, wheel)) for low, high in splits(cards)}
    return tuple((low, high) for low, high in ways if not is_foul(low, high))


@lru_cache(maxsize=1 << 16)
def _house_way(cards: bytes, wheel: str) -> tuple[Key, Key]:
    low, high = house_way(cards, wheel)
    return two_key(low), five_key(high, wheel)


def fortune_result(cards: bytes, stake_cents: int, filed: PaiGowOptions) -> tuple[str, int]:
    """The outcome of a Fortune wager on these seven cards, and what it pays."""
    odds = FORTUNE_ODDS[filed.fortune_paytable].get(fortune_class(cards, filed.royal_match) or "")
    if odds is None:
        return "lose", 0
    if odds == 0:
        return "push", 0
    pays = odds * stake_cents
    return "win", min(pays, filed.maximum_payout_cents) if filed.maximum_payout_cents else pays


# ---- Supreme Baccarat ----------------------------------------------------------------------------------------------


def baccarat_agrees(player: int, banker: int, covered: bool) -> Agrees:
    """How reports are held against the hands at these two places; to the cent where the posted money covers all."""

    def agrees(report: Report, hands: Hands) -> bool | None:
        both = [hands.get(place, Laid(b"")).cards for place in (player, banker)]
        if report.outcome not in DECIDED or not all(_two_or_three_cards(cards) for cards in both):
            return None
        outcome, pays = result_of(Bet(report.seat, report.wager, report.stake_cents), both[0], both[1])
        return report.outcome == outcome and (not covered or report.paid_cents == pays)

    return agrees


def one_wrong_call(reports: Sequence[Report]) -> bool:
    """Whether some result, right or wrong, explains every settlement: then they are one call of the dealer's."""
    return any(
        all(
            result_of(Bet(report.seat, report.wager, report.stake_cents), [player], [banker])
            == (report.outcome, report.paid_cents)
            for report in reports
            if report.outcome in DECIDED
        )
        for player in _COUNTING
        for banker in _COUNTING
    )


def _two_or_three_cards(cards: bytes) -> bool:
    return len(cards) in (2, 3) and max(cards) < PLAIN_CARDS
