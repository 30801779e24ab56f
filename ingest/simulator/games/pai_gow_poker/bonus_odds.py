"""What three and seven cards are paid for the bonus wagers of MA-PGP §17, read from §3(b), (c), (g) and §18(b), (c)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ingest.simulator.played import SplitPlayed
from ingest.simulator.poker import (
    ACE,
    FIVE_ACES,
    FLUSH,
    FULL_HOUSE,
    JOKER,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    five_key,
    rank_of,
)

FIRST, MORE = 3, 4
THREE, SEVEN = "three_card_bonus", "seven_card_bonus"
_RUNS = [{ACE, 0, 1}, *({low, low + 1, low + 2} for low in range(11))]
_KINDS = {
    FIVE_ACES: "five_aces",
    ROYAL: "royal_flush",
    QUADS: "four_of_a_kind",
    FULL_HOUSE: "full_house",
    FLUSH: "flush",
    TRIPS: "three_of_a_kind",
    STRAIGHT: "straight",
}
_BELOW = {"four_of_a_kind": 25, "full_house": 5, "flush": 4, "three_of_a_kind": 3, "straight": 2}
SEVEN_CARD_ODDS = {
    "A": {"five_aces": 500, "royal_flush": 250, "straight_flush": 50, "straight_flush_with_joker": 50, **_BELOW},
    "B": {"five_aces": 500, "royal_flush": 200, "straight_flush": 50, "straight_flush_with_joker": 30, **_BELOW},
}


def first_cards(played: SplitPlayed, seat: int) -> list[int]:
    """The cards dealt first to a seat, whatever became of its hand since."""
    own = [card for place, card in zip(played.places, played.dealt, strict=True) if place == seat]
    return own[:FIRST]


def three_card_odds(cards: Sequence[int]) -> int:
    """What three cards are paid, to 1; 0 where they lose."""
    naturals = [card for card in cards if card != JOKER]
    joker = len(naturals) < 3
    ranks = {card >> 2 for card in naturals}
    flush = len({card & 3 for card in naturals}) == 1
    straight = len(ranks) == len(naturals) and any(ranks <= run for run in _RUNS)
    alike = max(sum(rank_of(card) == rank_of(other) for other in cards) for card in cards)
    if straight and flush and not joker:
        return 40
    if alike == 3:
        return 25
    if straight and flush:
        return 5
    return 4 if straight else 3 if flush else 1 if alike == 2 else 0


def seven_card_odds(cards: Sequence[int], table: str) -> int:
    """What the best five of seven are paid, to 1; 0 where they lose."""
    return max(SEVEN_CARD_ODDS[table].get(_five_card_kind(five), 0) for five in combinations(cards, 5))


def _five_card_kind(five: Sequence[int]) -> str:
    kind = five_key(five, "lowest")[0]
    if kind == STRAIGHT_FLUSH:
        return "straight_flush_with_joker" if JOKER in five else "straight_flush"
    return _KINDS.get(kind, "")
