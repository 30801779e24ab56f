"""The vigorish of Massachusetts: five percent of what is won, rounded as filed."""

from __future__ import annotations


def vigorish_cents(won_cents: int, rounding: str) -> int:
    """Five percent of the amount won (MA-PGP §16(a)), rounded as filed (R-23)."""
    if rounding == "exact":
        return (won_cents * 5 + 50) // 100  # half a cent goes up
    quarters, over = divmod(won_cents * 5, 25 * 100)  # hundredths of a cent in hundredths of a quarter
    return 25 * (quarters + (over > 0))
