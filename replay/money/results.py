"""How one hand fares against another, as numbers, and what that is as the outcome of a wager."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.rounds import OUTCOME_CODE
from schemas.events import Outcome

LOSES, TIES, WINS = 0, 1, 2

OUTCOME_OF: npt.NDArray[np.uint8] = np.array(
    [OUTCOME_CODE[outcome] for outcome in (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)], np.uint8
)
"""The outcome of a wager that loses, ties or wins."""

POSSIBLE_OF: npt.NDArray[np.uint8] = np.array(
    [sum(1 << int(OUTCOME_OF[result]) for result in (LOSES, TIES, WINS) if bits >> result & 1) for bits in range(8)],
    np.uint8,
)
"""The outcomes that are possible, from a bit set of results."""

WORST_OF: npt.NDArray[np.uint8] = np.array(
    [LOSES, *(((bits & -bits).bit_length() - 1) for bits in range(1, 8))], np.uint8
)
"""Of a bit set of results the worst for the player."""

ANY_RESULT = 0b111
