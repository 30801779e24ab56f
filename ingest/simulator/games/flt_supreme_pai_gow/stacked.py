"""Wagers and cards too rare to wait for, where a fault is to be done with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.poker import JOKER
from ingest.simulator.split_hands.premium_cards import premium_cards

if TYPE_CHECKING:
    from ingest.simulator.games.flt_supreme_pai_gow.game import FltTable

_WITH_ROYALTY = ("royalty_wrong", "royalty_unpaid", "royalty_aggregate_ignored")
_WITH_EMPERORS = ("envy_for_own_hand",)
_SHARE, _SHARE_TOO, _ALL, _SUM = "share", "another share", "all", "sum"
_NEEDED = {
    "meter_share_wrong": (_SHARE,),
    "meter_not_taken_off": (_SHARE,),
    "meter_share_before_earlier": (_ALL, _SHARE_TOO),
    "meter_seed_wrong": (_ALL,),
    "meter_taken_off_unduly": (_SUM,),
}
"""The hands that faults of a meter cannot do without, in the order of seats."""


def _cards(ranks: str, suits: Sequence[int]) -> list[int]:
    """Cards of these ranks, the suits in turn."""
    return ["23456789TJQKA".index(rank) << 2 | suits[at % len(suits)] for at, rank in enumerate(ranks)]


_HANDS = {
    "emperors_progressive": {
        _ALL: _cards("2345678", [2]),
        _SHARE: [JOKER, *_cards("345678", [1])],
        _SHARE_TOO: [JOKER, *_cards("456789", [3])],
        _SUM: [*_cards("KKKK", range(4)), *_cards("347", [0, 1])],
    },
    "insurance_progressive": {
        _ALL: _cards("9875432", [1, 2]),
        _SHARE: _cards("9875432", [0, 1, 2, 3]),
        _SHARE_TOO: _cards("9875432", [0, 1, 2, 3]),
        _SUM: _cards("J865432", [0, 1, 2, 3]),
    },
}


_FIVE_ACES = [*_cards("AAAA", range(4)), JOKER]


def _hand(wager: str, name: str, table: FltTable) -> list[int]:
    """By PT-BJS-EC-ET-03 the joker in a straight flush wins all of the meter, and five aces are the share."""
    of_part = name in (_SHARE, _SHARE_TOO)
    if of_part and table.options.progressives()[wager] == "PT-BJS-EC-ET-03":
        return list(_FIVE_ACES)
    return list(_HANDS[wager][name])


def _of_the_meter(kind: str | None, table: FltTable) -> str | None:
    """The progressive wager that a fault of a meter is done with."""
    if kind is None or not kind.startswith("meter_"):
        return None
    return next((wager for wager in _HANDS if wager in table.meters), None)


def place_what_it_needs(kind: str | None, table: FltTable, played: SplitPlayed) -> None:
    """Wagers high enough, at the first seat that plays."""
    metered = _of_the_meter(kind, table)
    if metered is not None:
        _bet_on_the_meter(metered, max(1, len(_NEEDED.get(kind or "", ()))), table, played)
    if kind not in (*_WITH_ROYALTY, *_WITH_EMPERORS):
        return
    seat = next(iter(played.seats), table.seats[0])
    least, most = table.limits(table.base)
    table.put(played, Bet(seat, table.base, min(most, max(least, 10_000))))
    if kind in _WITH_EMPERORS:
        table.put(played, Bet(seat, "emperors", max(500, table.limits("emperors")[0])))


def _bet_on_the_meter(wager: str, wanted: int, table: FltTable, played: SplitPlayed) -> None:
    for seat in table.seats:
        if sum(bool(played.cents(other, wager)) for other in table.seats) >= wanted:
            return
        if not played.cents(seat, table.base):
            table.put(played, Bet(seat, table.base, table.limits(table.base)[0]))
        if not played.cents(seat, wager):
            table.put(played, Bet(seat, wager, table.sides[wager].least_cents))


def deal_what_it_needs(kind: str | None, table: FltTable, played: SplitPlayed) -> None:
    if kind in (*_WITH_ROYALTY, *_WITH_EMPERORS):
        table.wanted[played.seats[0]] = premium_cards(table.rng, table.royal_match)
    metered = _of_the_meter(kind, table)
    if metered is not None:
        seats = [seat for seat in played.seats if played.cents(seat, metered)]
        for seat, name in zip(seats, _NEEDED.get(kind or "", ()), strict=False):
            table.wanted[seat] = _hand(metered, name, table)


def deal_luck_with_meters(table: FltTable, played: SplitPlayed) -> None:
    """Hands that win from a meter to some who have bet on it, as far as the cards go round."""
    used = {card for cards in table.wanted.values() for card in cards}
    bets = [bet for bet in played.bets if bet.wager in table.meters and bet.seat not in table.wanted]
    for bet in table.rng.sample(bets, min(len(bets), table.rng.randrange(1, 4))):
        hand = _hand(bet.wager, table.rng.choice(list(_HANDS[bet.wager])), table)
        if not used.intersection(hand) and bet.seat not in table.wanted:
            used.update(hand)
            table.wanted[bet.seat] = hand
