"""A player who banks: the centre pot, in columns, one entry a round.

Losing wagers, surrendered ones and a losing wager of the dealer go to the centre of the table; all winning wagers, the
dealer's too, are paid from there. What is missing is collected from the bank, what is left over is the bank's, less the
vigorish. With a co-bank the house bears half of what is missing and takes half of what is left before the vigorish.
Everybody is paid in full, so what a round comes to does not depend on the order of payment.

Knows no game: a family says which wagers were lost and won, a pack which words all this rests on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.lines import Cents

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CentrePot:
    """What the bank and the house put in or take out once all wagers of a round are settled. One of `bank_gets` and
    `bank_pays` is always zero."""

    bank_gets: Cents  # before the vigorish
    bank_pays: Cents
    house_gets: Cents  # the house's half of a surplus, when co-banked; no vigorish
    house_pays: Cents  # its half of what is missing


def centre_pot(lost: Cents, won: Cents, co_banked: Bools) -> CentrePot:
    """`lost`: everything that went to the centre; `won`: everything paid from there, stakes apart.

    An odd cent of what is halved is the house's, whether it takes or pays (rulings.md R-23, R-47).
    """
    surplus, missing = np.maximum(lost - won, 0), np.maximum(won - lost, 0)
    house_gets = np.where(co_banked, (surplus + 1) // 2, 0)
    house_pays = np.where(co_banked, (missing + 1) // 2, 0)
    return CentrePot(surplus - house_gets, missing - house_pays, house_gets, house_pays)
