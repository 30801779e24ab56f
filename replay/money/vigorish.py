"""Vigorish: five cents of every dollar won, and how a house rounds them (rulings.md R-23)."""

from __future__ import annotations

from enum import StrEnum

from replay.lines import Cents


class VigorishRounding(StrEnum):
    UP_TO_QUARTER = "up_to_quarter"
    EXACT = "exact"


def five_percent(won_cents: Cents, rounding: VigorishRounding) -> Cents:
    match rounding:
        case VigorishRounding.EXACT:
            return (won_cents + 10) // 20  # half a cent goes up
        case VigorishRounding.UP_TO_QUARTER:  # "to 25¢ or the next highest multiple of 25¢"
            return -(-won_cents // 500) * 25
