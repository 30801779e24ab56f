"""A scan of the rack after several rounds, cut into the rounds it holds.

Where the shoe was read, a round's part holds the cards it was dealt; where not, it must be two hands that drew as the
rules say. The cut with the fewest cards out of place counts, and only if there is one: a Player hand of five or less
before a natural reads as two rounds or as one and a third card, and then nobody can tell where a round ended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from replay.families.two_hands import drawing
from replay.families.two_hands.law import Drawing
from replay.families.two_hands.pickup import rack_hands
from schemas.cards import JOKER_1, NO_CARD

FEWEST, MOST = 4, 6  # cards of a round in order
_ASTRAY = 2  # a part may be short or long by so many cards, where the deal says which they were


def cut(cards: bytes, dealt: Sequence[bytes], banker_lies_first: bool, law: Drawing) -> list[int] | None:
    """How many cards each round put in; `dealt` is what the shoe read in each, empty where it read nothing. None when
    no cut, or more than one, is best."""

    @cache
    def cost(number: int, start: int, size: int) -> int:
        part = cards[start : start + size]
        if dealt[number]:
            was, now = Counter(dealt[number]), Counter(part)
            return (was - now).total() + (now - was).total()
        return 0 if _in_order(part, banker_lies_first, law) else MOST

    @cache
    def best(number: int, start: int) -> tuple[int, int, tuple[int, ...]]:
        """(cost, how many ways, one of them) for the rounds from this one on."""
        left = len(cards) - start
        if number == len(dealt):
            return (0, 1, ()) if left == 0 else (len(cards) * MOST, 0, ())
        around = len(dealt[number])
        sizes = range(max(0, around - _ASTRAY), around + _ASTRAY + 1) if around else range(FEWEST, MOST + 1)
        fewest, ways = len(cards) * MOST, 0
        chosen: tuple[int, ...] = ()
        for size in sizes:
            if size > left:
                break
            after, after_ways, rest = best(number + 1, start + size)
            total = cost(number, start, size) + after
            if total < fewest and after_ways:
                fewest, ways, chosen = total, after_ways, (size, *rest)
            elif total == fewest:
                ways += after_ways
        return fewest, ways, chosen

    _, ways, sizes = best(0, 0)
    return list(sizes) if ways == 1 else None


def _in_order(part: bytes, banker_lies_first: bool, law: Drawing) -> bool:
    """Whether these cards are a Player and a Banker hand that drew as they must."""
    if not FEWEST <= len(part) <= MOST or max(part) >= JOKER_1:
        return False
    rack = np.full((1, MOST), NO_CARD, np.uint8)
    rack[0, : len(part)] = np.frombuffer(part, np.uint8)
    for three_two in (True, False):
        hands = rack_hands(rack, np.array([len(part)]), three_two, banker_lies_first)
        if drawing.fits(law, hands[:, :3], hands[:, 3:])[0]:
            return True
    return False
