"""What becomes of the solver's answer to one odd rack: the readings to settle by, and what is said of it.

For families whose whole cards lie in the rack each round. Cards that are missing or too many they tell card by card
(`replay.checks.rack`); what the likeliest explanation supposes besides is told here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from replay.cards.explaining import said_of_fault
from replay.cards.solver.answers import Answer, Contradiction, Explanation, Status
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import Reading
from replay.cards.solver.faults import Fault, FaultKind
from replay.cards.solver.sentences import of_causes
from replay.citations import Citation
from replay.remarks import WRONG_CARDS, Remark
from schemas.findings import LIKELY, Basis

MOST_READINGS = 12  # kept beside each other; with more than that nothing is settled by the rack
_CARDS_SEEN = (Contradiction.DEAL, Contradiction.HAND_SHOWN, Contradiction.SETTING_SHOWN, Contradiction.RULE)
_TOLD_BY_CARDS = (FaultKind.MISSING, FaultKind.DUPLICATE, FaultKind.FOREIGN)


@dataclass(frozen=True)
class Explained:
    """One odd round's answer."""

    answer: Answer
    remarked: bool = False  # its faults have remarks of their own
    settles: bool = False  # the round is settled by the hands it gives


def to_settle_by(answer: Answer, whole: bool, doubted: bool) -> list[Reading]:
    """The readings the round is settled by; none where deal and hands shown say more than the rack. Where the reported
    settlements are what speaks against a whole rack, every reading they leave open stands beside the others."""
    best = answer.explanations[0] if answer.explanations else None
    if best is None or answer.status is not Status.CONTRADICTORY:
        return []
    if bool(best.faults) and all(fault.kind is FaultKind.OTHER_DECK for fault in best.faults) and answer.reading:
        return [answer.reading]  # an exchanged card or a mark misread: the hands are the same
    beside_reports = bool(best.faults) and not any(against.what in _CARDS_SEEN for against in best.against)
    sure_enough = beside_reports if doubted else bool(best.faults) and best.confidence >= CONFIDENT
    if whole and not sure_enough:
        return []  # a witness against the rack, or nothing sure: the family says what differs
    if answer.reading is not None:
        return [answer.reading]
    kept, sure = [], 0.0
    for reading, confidence in answer.readings[:MOST_READINGS]:
        kept.append(reading)
        sure += confidence
        if sure >= CONFIDENT:
            return kept
    return kept if whole else []


@dataclass(frozen=True)
class InWords:
    """By which rules the faults of one round's rack are told."""

    row: int
    whole: bool  # the rack holds what it must
    unsure: bool  # its order cannot be relied on
    deck: Citation
    pickup: Citation


def remarks_on(answer: Answer, of: InWords) -> list[Remark]:
    """One remark for each fault of the likeliest explanation that is not told card by card."""
    likely = answer.explanations
    sure = math.fsum(one.confidence for one in likely if any(f.kind in _TOLD_BY_CARDS for f in one.faults))
    if not of.whole and (sure > 1 - CONFIDENT or not likely[0].faults):
        return []
    return [_remark(fault, likely[0], likely[1:], of) for fault in likely[0].faults]


def _remark(fault: Fault, best: Explanation, others: Sequence[Explanation], of: InWords) -> Remark:
    said = said_of_fault(fault, best, others, of.deck, of.pickup, LIKELY if of.unsure else 1.0)
    return Remark(
        of.row,
        said.code,
        said.sentence,
        said.cite,
        seat=fault.places[0] if len(fault.places) == 1 and fault.places[0] > 0 else None,
        evidence=best.evidence,
        confidence=said.confidence,
        basis=Basis.EXPLANATION,
    )


def with_causes(remarks: Iterable[Remark], answers: Mapping[int, Explained]) -> Iterator[Remark]:
    """Remarks on cards missing, twice or foreign: without those that the explanation of the rack tells as what it is,
    and of the others the first of each round with what may have caused it."""
    seen = set()
    for remark in remarks:
        explained = answers.get(remark.row)
        if remark.subject not in WRONG_CARDS or explained is None:
            yield remark
        elif not explained.remarked:
            causes = "" if remark.row in seen else of_causes(explained.answer)
            seen.add(remark.row)
            yield replace(remark, sentence=f"{remark.sentence}; {causes}") if causes else remark
