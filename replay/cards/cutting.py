"""A scan of the rack after several rounds, cut into the rounds it holds, by the cards each of them was dealt.

The cut with the fewest cards out of place counts, and only if there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

ASTRAY = 2
"""A part may be short or long by so many cards, where the deal says which they were."""

Unread = tuple[range, Callable[[bytes], int]]
"""Of a round whose deal was not read: how many cards it may have, and what it costs that these are them."""


def cut(cards: bytes, dealt: Sequence[bytes], unread: Unread | None = None) -> list[int] | None:
    """How many cards each round put in; `dealt` is what the shoe read in each, empty where it read nothing. None when
    no cut, or more than one, is best. Without `unread` a round that was not read is whatever the others leave."""
    sizes_unread = range(len(cards) + 1) if unread is None else unread[0]
    dearest = 1 + max(len(cards), 1)

    @cache
    def cost(number: int, start: int, size: int) -> int:
        part = cards[start : start + size]
        if dealt[number]:
            was, now = Counter(dealt[number]), Counter(part)
            return (was - now).total() + (now - was).total()
        return 0 if unread is None else unread[1](part)

    @cache
    def best(number: int, start: int) -> tuple[int, int, tuple[int, ...]]:
        """(cost, how many ways, one of them) for the rounds from this one on."""
        left = len(cards) - start
        if number == len(dealt):
            return (0, 1, ()) if left == 0 else (dearest * dearest, 0, ())
        around = len(dealt[number])
        sizes = range(max(0, around - ASTRAY), around + ASTRAY + 1) if around else sizes_unread
        fewest, ways = dearest * dearest, 0
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
