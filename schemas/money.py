"""Money: whole cents, everywhere. Dollars exist only in what people read and write."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BeforeValidator, Field

MAX_CENTS = 10**12  # ten billion dollars: no table moves more; it keeps every sum of a round within an int64
Cents = Annotated[int, Field(ge=0, le=MAX_CENTS, description="Whole US cents")]

_DOLLARS = re.compile(r"^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{2}))?$")


def parse_dollars(text: str) -> int:
    """`$1,250.50` → 125050. A ValueError names what is not an amount."""
    found = _DOLLARS.match(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is not an amount of money: write dollars as $25, $1,000 or $1.25")
    dollars, cents = found.groups()
    return int(dollars.replace(",", "")) * 100 + int(cents or 0)


def dollars(cents: int) -> str:
    """125050 → `$1,250.50`; negative amounts as `-$1.25`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def _from_dollars(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("expected an amount of money, such as $25 or $1.25")
    if isinstance(value, int):  # YAML reads a bare 25 as a number: dollars, like every amount in a case
        return value * 100
    if isinstance(value, str):
        return parse_dollars(value)
    raise ValueError(f"{value!r} is not an amount of money: write it as $25 or $1.25, never as a float")


Dollars = Annotated[Cents, BeforeValidator(_from_dollars)]
"""Cents, read from the `$25` that cases and pay tables are written in."""
