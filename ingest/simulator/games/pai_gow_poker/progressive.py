"""What seven cards are for the progressive wagers of Massachusetts pai gow poker, and what each hand is paid.

Written from MA-PGP §3(j), §14(d), (e), §14.A(g), §16(e), §19(h), R-16 and R-22: the first printed row that the cards
form, the pair being the two cards that are not among the five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ingest.simulator.poker import (
    FIVE_ACES,
    FLUSH,
    FULL_HOUSE,
    JOKER,
    PAIR,
    QUADS,
    ROYAL,
    SEVEN_CARD_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    five_key,
    fortune_class,
    two_key,
)

DOLLAR = 100


@dataclass(frozen=True)
class Row:
    """One printed row: the five cards, and what it pays."""

    kind: int
    natural: bool = False
    pair: bool = False
    seven: bool = False
    """All seven cards are a straight flush."""
    percent: int = 0
    of: str = ""
    """Which of several meters."""
    odds: int = 0
    """For 1."""
    sum_cents: int = 0


_SUMS_14 = (  # §14(d), in dollars: at the $1 and at the $5 table
    (ROYAL, 200, 1000, 100, 500),
    (STRAIGHT_FLUSH, 50, 250, 25, 125),
    (QUADS, 40, 200, 20, 1000),
    (FULL_HOUSE, 10, 50, 5, 25),
    (FLUSH, 6, 30, 3, 15),
    (STRAIGHT, 4, 20, 2, 10),
)


def _rows_14(large: bool) -> tuple[Row, ...]:
    rows = [
        Row(ROYAL, natural=True, pair=True, percent=100),
        Row(FIVE_ACES, pair=True, percent=100),
        Row(ROYAL, natural=True, percent=10),
        Row(FIVE_ACES, percent=10),
    ]
    for kind, pair_at_1, pair_at_5, at_1, at_5 in _SUMS_14:
        rows.append(Row(kind, pair=True, sum_cents=DOLLAR * (pair_at_5 if large else pair_at_1)))
        rows.append(Row(kind, sum_cents=DOLLAR * (at_5 if large else at_1)))
    return (*rows, Row(TRIPS, sum_cents=DOLLAR * (10 if large else 2)))


_ONE_METER = (
    Row(STRAIGHT_FLUSH, seven=True, percent=100),
    Row(FIVE_ACES, percent=10),
    Row(ROYAL, odds=500),
    Row(STRAIGHT_FLUSH, odds=100),
    Row(QUADS, odds=75),
    Row(FULL_HOUSE, odds=4),
)
_THREE_METERS = (
    Row(STRAIGHT_FLUSH, seven=True, percent=100, of="mega"),
    Row(FIVE_ACES, percent=100, of="major"),
    Row(ROYAL, percent=100, of="minor"),
    *_ONE_METER[3:],
)
ROWS = {
    "14_1_dollar": _rows_14(large=False),
    "14_5_dollars": _rows_14(large=True),
    "14a": _THREE_METERS,
    "16e": _ONE_METER,
    "face_up_1": _ONE_METER,
    "face_up_3": _ONE_METER,
}
WAGER_CENTS = {"14_1_dollar": 100, "14_5_dollars": 500, "14a": 500, "face_up_1": 100, "face_up_3": 500}
"""The one wager there is; §16(e) prints none."""
PRINTED_RATE = {"14_1_dollar": 2100, "14_5_dollars": 2700, "face_up_1": 2800, "face_up_3": 2900}
LEAST_SEED_CENTS = {
    "14_1_dollar": 1_000_000,
    "14_5_dollars": 1_000_000,
    "16e": 200_000,
    "face_up_1": 1_000_000,
    "face_up_3": 1_000_000,
}
_OFF_FROM_CENTS = {"14_1_dollar": 50 * DOLLAR, "14_5_dollars": 250 * DOLLAR}


def row_of(table: str, cards: Sequence[int]) -> Row | None:
    """The first printed row that the seven cards form."""
    formed: set[tuple[int, bool, bool]] = set()
    for five in combinations(cards, 5):
        rest = [card for card in cards if card not in five]
        formed.add((five_key(five, "lowest")[0], JOKER not in five, two_key(rest)[0] == PAIR))
    runs = (SEVEN_CARD_STRAIGHT_FLUSH, SEVEN_CARD_STRAIGHT_FLUSH_JOKER)
    seven = fortune_class(cards, "king_queen") in runs
    for row in ROWS[table]:
        five_there = any(
            kind == row.kind and (natural or not row.natural) and (pair or not row.pair)
            for kind, natural, pair in formed
        )
        if seven if row.seven else five_there:
            return row
    return None


def pays(table: str, row: Row | None, wager_cents: int) -> int:
    """What it is paid where it is no share of a meter."""
    return 0 if row is None else row.sum_cents + row.odds * wager_cents


def comes_off(table: str, row: Row) -> bool:
    """A share does; of §14's sums those of $50.00 (at the $5 table $250.00) or more, and a straight flush (§14(e))."""
    if row.percent:
        return True
    large = table in _OFF_FROM_CENTS and row.sum_cents >= _OFF_FROM_CENTS[table]
    return large or (table in _OFF_FROM_CENTS and row.kind == STRAIGHT_FLUSH and not row.pair)
