"""Wagers and cards too rare to wait for, where a fault is to be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.split_hands.premium_cards import premium_cards

if TYPE_CHECKING:
    from ingest.simulator.games.flt_supreme_pai_gow.game import FltTable

_WITH_ROYALTY = ("royalty_wrong", "royalty_unpaid", "royalty_aggregate_ignored")
_WITH_EMPERORS = ("envy_for_own_hand",)


def place_what_it_needs(kind: str | None, table: FltTable, played: SplitPlayed) -> None:
    """Wagers high enough, at the first seat that plays."""
    if kind not in (*_WITH_ROYALTY, *_WITH_EMPERORS):
        return
    seat = next(iter(played.seats), table.seats[0])
    least, most = table.limits(table.base)
    table.put(played, Bet(seat, table.base, min(most, max(least, 10_000))))
    if kind in _WITH_EMPERORS:
        table.put(played, Bet(seat, "emperors", max(500, table.limits("emperors")[0])))


def deal_what_it_needs(kind: str | None, table: FltTable, played: SplitPlayed) -> None:
    if kind in (*_WITH_ROYALTY, *_WITH_EMPERORS):
        table.wanted[played.seats[0]] = premium_cards(table.rng, table.royal_match)
