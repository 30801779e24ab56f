"""Numbers of things in words: `1 round`, `3,000 rounds`."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def in_words(number: int) -> str:
    """`seven`; from eleven on in figures."""
    return _WORDS[number] if number < len(_WORDS) else f"{number:,}"
