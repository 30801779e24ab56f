"""How the simulated house sets seven cards: the table of CA Fortune Pai Gow Poker, with R-34 and R-50.

The table is applied row by row to what the cards show, the joker counting as an ace. Only where it speaks of a
complete hand (a straight, a flush or both) are the twenty-one splits looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ingest.simulator.played import Setting
from ingest.simulator.poker import ACE, COMPLETE, JOKER, KING, QUEEN, five_key, rank_of, two_key

JACK, TEN, NINE, SEVEN, SIX = 9, 8, 7, 5, 4


def _complete_ranks() -> bytes:
    """For each mask of ranks, how many more ranks it needs to hold a straight (five at most)."""
    windows = [1 << ACE | 0b1111, *(0b11111 << low for low in range(9))]
    return bytes(5 - max((mask & window).bit_count() for window in windows) for mask in range(1 << 13))


_MISSING_TO_STRAIGHT = _complete_ranks()


def splits(cards: Sequence[int]) -> Iterator[Setting]:
    """The twenty-one ways to set seven cards."""
    for first, second in combinations(range(len(cards)), 2):
        high = [card for place, card in enumerate(cards) if place != first and place != second]
        yield [cards[first], cards[second]], high


def _holds_complete_hand(cards: Sequence[int]) -> bool:
    joker = JOKER in cards
    naturals = [card for card in cards if card != JOKER]
    suits = [card & 3 for card in naturals]
    if max(suits.count(suit) for suit in range(4)) + joker >= 5:
        return True
    mask = 0
    for card in naturals:
        mask |= 1 << (card >> 2)
    return _MISSING_TO_STRAIGHT[mask] <= joker


def _best_complete(cards: Sequence[int], wheel: str) -> Setting:
    """Of the splits with a complete hand behind: the highest front, then the highest back (R-34)."""
    ranked = []
    for low, high in splits(cards):
        behind = five_key(high, wheel)
        if behind[0] in COMPLETE:
            ranked.append((two_key(low), behind, low, high))
    _, _, low, high = max(ranked, key=lambda row: (row[0], row[1]))
    return low, high


def house_way(cards: Sequence[int], wheel: str) -> Setting:
    """Seven cards set the house way."""
    ordered = sorted(cards, key=rank_of, reverse=True)
    by_rank: dict[int, list[int]] = {}
    for card in ordered:
        by_rank.setdefault(rank_of(card), []).append(card)
    groups = sorted(by_rank.values(), key=lambda group: (-len(group), -rank_of(group[0])))
    sizes = [len(group) for group in groups]
    singles = [group[0] for group in groups if len(group) == 1]  # highest first

    def front(*low: int) -> Setting:
        return list(low), [card for card in ordered if card not in low]

    match sizes:
        case [5, *_]:  # "Five Aces: put a pair of aces in front and three aces in back"
            return front(*groups[0][:2])
        case [4, *_]:
            return (
                front(*_front_of_quads(groups, singles))
                if not _aces_and_complete(groups, cards)
                else (
                    _best_complete(cards, wheel)  # pair of aces in front, complete hand behind
                )
            )
        case [3, 3, 1]:  # "Two Sets: put the highest pair in front and the lower three of a kind in the back"
            return front(*groups[0][:2])
        case [3, 2, *_]:  # a full house, also when it holds a complete hand
            return front(*groups[1])
        case [2, 2, 2, 1]:  # "put the highest pair in the front and the two lower pairs in the back"
            return front(*groups[0])
        case [2, 2, *_]:  # also with a complete hand: "play according to two pairs strategy"
            return front(*_front_of_two_pairs(groups, singles))
    if _holds_complete_hand(cards):
        return _best_complete(cards, wheel)
    match sizes:
        case [3, *_]:
            if rank_of(groups[0][0]) == ACE:  # "one ace and the highest card in front"
                return front(groups[0][0], singles[0])
            return front(*singles[:2])
        case [2, *_]:
            return front(*singles[:2])
        case _:  # "put 2nd and 3rd highest cards in front"
            return front(*ordered[1:3])


def _aces_and_complete(groups: list[list[int]], cards: Sequence[int]) -> bool:
    """Three aces and the joker, with a complete hand. With another pair the pair goes in front (R-34)."""
    return rank_of(groups[0][0]) == ACE and len(groups[1]) == 1 and _holds_complete_hand(cards)


def _front_of_quads(groups: list[list[int]], singles: list[int]) -> list[int]:
    """R-34: another pair in front; J-A split; 7-10 split unless an ace or joker can go in front; 2-6 kept."""
    if len(groups[1]) >= 2:
        return groups[1][:2]
    rank = rank_of(groups[0][0])
    if rank >= JACK:
        return groups[0][:2]
    if SEVEN <= rank <= TEN and rank_of(singles[0]) != ACE:
        return groups[0][:2]
    return singles[:2]


def _front_of_two_pairs(groups: list[list[int]], singles: list[int]) -> list[int]:
    """The two pairs row: by the larger pair, both pairs stay behind if a high enough card can go in front."""
    larger = rank_of(groups[0][0])
    if larger >= QUEEN:
        return groups[1]
    if larger >= NINE:
        enough = ACE  # "an ace or joker"
    elif larger >= SIX:
        enough = KING
    else:
        enough = QUEEN
    return singles[:2] if rank_of(singles[0]) >= enough else groups[1]
