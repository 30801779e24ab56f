"""Pai gow poker hands as the simulated dealer reads them: five cards, two cards, foul, and the Fortune classes.

Written from MA-PGP §3 alone, card by card and without tables of hands, so that it is an opinion of its own: a clean
simulated day that the replay verifies is evidence for both. It must not import the replay.

A key is a tuple that compares as the hands do: the category, then what decides within it. Ranks are 0 (two) to
12 (ace); a card is the code of schemas.cards, the joker 52.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemas.cards import JOKER_1

Key = tuple[int, ...]

JOKER = JOKER_1  # pai gow poker is played with one
ACE, KING, QUEEN = 12, 11, 10
HIGH_CARD, PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL, FIVE_ACES = range(11)
COMPLETE = frozenset({STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL})
"""The hands the house way calls complete: a straight, a flush, or both."""

WHEELS = ("second_highest", "lowest")
_ROYAL_MASK = 0b1111100000000  # ten to ace


def rank_of(card: int) -> int:
    """The rank of a card; the joker is an ace wherever it completes nothing (MA-PGP §3(a))."""
    return ACE if card == JOKER else card >> 2


def _windows(length: int) -> list[int]:
    """Rank masks of so many consecutive ranks, from the one with the ace below the two up to the one topped by it."""
    wheel = 1 << ACE | (1 << (length - 1)) - 1
    return [wheel, *(((1 << length) - 1) << low for low in range(13 - length + 1))]


_FIVE_WINDOWS = _windows(5)
_SEVEN_WINDOWS = _windows(7)


def _straight_values(wheel: str) -> dict[int, int]:
    """How high a straight is, by its ranks: those of five cards, or of four that a joker completes the best way.

    An ordinary straight counts twice its top rank, so that A-2-3-4-5 fits between ace-high and king-high
    (MA-PGP §3(b)(3),(7)) or, where so filed (§3(d)), below six-high.
    """
    values: dict[int, int] = {}
    for position, window in enumerate(_FIVE_WINDOWS):
        if position == 0:
            value = 2 * ACE - 1 if wheel == "second_highest" else 0
        else:
            value = 2 * (position + 3)
        for missing in (0, *(1 << rank for rank in range(13) if window >> rank & 1)):
            values[window & ~missing] = max(value, values.get(window & ~missing, -1))
    return values


_STRAIGHTS = {wheel: _straight_values(wheel) for wheel in WHEELS}
_ACE_HIGH = 2 * ACE


def five_key(cards: Sequence[int], wheel: str) -> Key:
    """The rank of a five-card hand (MA-PGP §3(b)-(e); joker by R-11, in a flush by R-46)."""
    ranks = sorted([card >> 2 for card in cards if card != JOKER], reverse=True)
    joker = len(ranks) == 4
    if len(set(ranks)) == len(ranks):  # no two alike: it may be a straight or a flush
        flush = len({card & 3 for card in cards if card != JOKER}) == 1
        straight = _STRAIGHTS[wheel].get(sum(1 << rank for rank in ranks))
        if flush and straight is not None:
            return (ROYAL,) if straight == _ACE_HIGH else (STRAIGHT_FLUSH, straight)
        if flush:
            if joker:  # the highest card not already there
                ranks.append(next(rank for rank in range(ACE, -1, -1) if rank not in ranks))
                ranks.sort(reverse=True)
            return (FLUSH, *ranks)
        if straight is not None:
            return (STRAIGHT, straight)
    if joker:
        ranks.insert(0, ACE)
    groups = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    sizes = [size for size, _ in groups]
    by_group = [rank for _, rank in groups]
    match sizes:
        case [5]:
            return (FIVE_ACES,)
        case [4, 1]:
            category = QUADS
        case [3, 2]:
            category = FULL_HOUSE
        case [3, 1, 1]:
            category = TRIPS
        case [2, 2, 1]:
            category = TWO_PAIRS
        case [2, 1, 1, 1]:
            category = PAIR
        case _:
            category = HIGH_CARD
    return (category, *by_group)


def two_key(cards: Sequence[int]) -> Key:
    """The rank of a two-card hand; the joker is always an ace in it (R-11)."""
    first, second = (rank_of(card) for card in cards)
    if first == second:
        return (PAIR, first)
    return (HIGH_CARD, max(first, second), min(first, second))


def is_foul(low: Key, high: Key) -> bool:
    """Whether the five-card hand ranks below the two-card hand: category, then the cards both have (R-13)."""
    return high[: len(low)] < low


# --- Fortune bonus ---------------------------------------------------------------------------------------------------

SEVEN_CARD_STRAIGHT_FLUSH = "seven_card_straight_flush"
ROYAL_AND_MATCH = "royal_flush_and_royal_match"
SEVEN_CARD_STRAIGHT_FLUSH_JOKER = "seven_card_straight_flush_with_joker"
FIVE_ACES_CLASS = "five_aces"
ROYAL_CLASS = "royal_flush"
STRAIGHT_FLUSH_CLASS = "straight_flush"
QUADS_CLASS = "four_of_a_kind"
FULL_HOUSE_CLASS = "full_house"
FLUSH_CLASS = "flush"
TRIPS_CLASS = "three_of_a_kind"
STRAIGHT_CLASS = "straight"
THREE_PAIR_CLASS = "three_pair"

PREMIUM = frozenset(
    {
        SEVEN_CARD_STRAIGHT_FLUSH,
        ROYAL_AND_MATCH,
        SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
        FIVE_ACES_CLASS,
        ROYAL_CLASS,
        STRAIGHT_FLUSH_CLASS,
        QUADS_CLASS,
    }
)
"""Four of a kind or better: hands that give an envy bonus (MA-PGP §1)."""


def _runs(mask: int, windows: Iterable[int], length: int, joker: bool) -> bool:
    """Whether the ranks fill one of the windows, the joker standing in for one that is missing."""
    needed = length - joker
    return any((mask & window).bit_count() >= needed for window in windows)


def fortune_class(cards: Sequence[int], royal_match: str) -> str | None:
    """The best-paying class seven cards form, or None (MA-PGP §3(f), §16(b); R-16, R-17).

    Asked in the order of what the tables pay, which puts three of a kind before the straight; a hand that is
    asked for each class in turn cannot be given the wrong one of two it holds.
    """
    joker = JOKER in cards
    naturals = [card for card in cards if card != JOKER]
    ranks = [rank_of(card) for card in cards]
    counts = sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)
    by_suit = [[card for card in naturals if card & 3 == suit] for suit in range(4)]
    suited = max(by_suit, key=len)
    flush = len(suited) + joker >= 5
    mask_suited = sum(1 << (card >> 2) for card in suited)
    if flush:
        if len(suited) == 7 and _runs(mask_suited, _SEVEN_WINDOWS, 7, False):
            return SEVEN_CARD_STRAIGHT_FLUSH
        royal = (mask_suited & _ROYAL_MASK).bit_count() + joker >= 5
        if royal and _royal_match(naturals, suited, royal_match):
            return ROYAL_AND_MATCH
        if joker and len(suited) == 6 and _runs(mask_suited, _SEVEN_WINDOWS, 7, True):
            return SEVEN_CARD_STRAIGHT_FLUSH_JOKER
        if royal:
            return ROYAL_CLASS
        if _runs(mask_suited, _FIVE_WINDOWS, 5, joker):
            return STRAIGHT_FLUSH_CLASS
    if counts[0] == 5:
        return FIVE_ACES_CLASS
    if counts[0] == 4:
        return QUADS_CLASS
    if counts[0] == 3 and counts[1] >= 2:
        return FULL_HOUSE_CLASS
    if flush:
        return FLUSH_CLASS
    if counts[0] == 3:
        return TRIPS_CLASS
    if _runs(sum(1 << rank for rank in {card >> 2 for card in naturals}), _FIVE_WINDOWS, 5, joker):
        return STRAIGHT_CLASS
    if counts[:3] == [2, 2, 2]:
        return THREE_PAIR_CLASS
    return None


def _royal_match(naturals: Sequence[int], suited: Sequence[int], royal_match: str) -> bool:
    """Whether the two cards beside the royal are the suited pair filed; they may not be the joker (R-17)."""
    beside = [card for card in naturals if not (card in suited and card >> 2 >= 8)]
    wanted = {KING, QUEEN} if royal_match == "king_queen" else {ACE, KING}
    return len(beside) == 2 and beside[0] & 3 == beside[1] & 3 and {card >> 2 for card in beside} == wanted


# --- pai gow ---------------------------------------------------------------------------------------------------------

_RUNS = [{ACE, 0, 1, 2, 3}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))]


def pai_gow_rank(cards: Sequence[int], joker_completes: bool) -> int | None:
    """The highest rank of seven that hold no pair, no straight and no flush, else None. For insurance the joker is an
    ace without a suit (§3(h)); for others it also completes straights and flushes (R-19)."""
    ranks = {rank_of(card) for card in cards}
    if len(ranks) < len(cards):
        return None
    naturals = [card for card in cards if card != JOKER]
    wild = joker_completes and JOKER in cards
    if any(sum(card & 3 == suit for card in naturals) + wild >= 5 for suit in range(4)):
        return None
    held = {card >> 2 for card in naturals} if wild else ranks
    if any(len(run & held) + wild >= 5 for run in _RUNS):
        return None
    return max(ranks)
