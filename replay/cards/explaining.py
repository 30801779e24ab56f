"""A fault that an explanation of a rack supposes, as what is said of the round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from replay.cards.solver.answers import Explanation
from replay.cards.solver.confidence import BEYOND_DOUBT
from replay.cards.solver.faults import CODES, Fault
from replay.cards.solver.sentences import of_contradictions, of_explanation, of_fault
from replay.citations import Citation
from replay.remarks import ANY_CARDS, subject_of


class SaidOfFault(NamedTuple):
    """What the remark on a fault says, whatever the game."""

    code: str
    sentence: str
    cite: Citation
    confidence: float


def said_of_fault(
    fault: Fault,
    best: Explanation,
    others: Sequence[Explanation],
    deck: Citation,
    pickup: Citation,
    witness: float = 1.0,
) -> SaidOfFault:
    """A fault of the likeliest explanation, with the reports that contradict it and the next best one, where that is
    not beyond doubt. `deck` and `pickup` are the rules on which cards there are and how they are picked up; `witness`
    is how far the reading of the rack can be trusted."""
    sentence = of_fault(fault)
    if best.against:
        sentence += f", although {of_contradictions(best.against)}"
    sentence += or_else(best, others)
    sure = math.fsum(one.confidence for one in (best, *others) if fault in one.faults) * witness
    code = CODES[fault.kind]
    cite = deck if subject_of(code) in ANY_CARDS else pickup
    return SaidOfFault(code, sentence, cite, round(min(sure, 1.0), 4))


def or_else(best: Explanation, others: Sequence[Explanation]) -> str:
    """The next best explanation, where the best is not beyond doubt."""
    return f"; or else {of_explanation(others[0])}" if best.confidence < BEYOND_DOUBT and others else ""
