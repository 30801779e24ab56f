"""Numbers of things in words: `1 round`, `3,000 rounds`."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
