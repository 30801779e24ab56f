"""Vigorish: a share of what was won, and how a house rounds it (rulings.md R-23). How much, the pack says."""

from __future__ import annotations

from enum import StrEnum

from replay.lines import Cents


class VigorishRounding(StrEnum):
    UP_TO_QUARTER = "up_to_quarter"
    EXACT = "exact"


def share_of(won_cents: Cents, percent: int, rounding: VigorishRounding) -> Cents:
    match rounding:
        case VigorishRounding.EXACT:
            return (won_cents * percent * 2 + 100) // 200  # half a cent goes up
        case VigorishRounding.UP_TO_QUARTER:  # "to 25¢ or the next highest multiple of 25¢"
            return -(-won_cents * percent // 2500) * 25
