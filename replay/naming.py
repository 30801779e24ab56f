"""Words for people: places, cards and sets of cards as the sentences of findings name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemas.cards import JOKER_2, names_of


def place_name(place: int) -> str:
    return "the dealer" if place == 0 else f"seat {place}"


def whose(place: int) -> str:
    return "the dealer's hand" if place == 0 else f"seat {place}'s hand"


def cards_of(mask: int) -> list[int]:
    """The codes of a set of cards, highest first."""
    return [code for code in range(JOKER_2, -1, -1) if mask >> code & 1]


def set_of(codes: Iterable[int]) -> int:
    """Different cards as a set: what `cards_of` lists."""
    return sum(1 << code for code in codes)


def names(codes: Iterable[int]) -> str:
    return names_of(codes)


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def hours(seconds: int) -> str:
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"
