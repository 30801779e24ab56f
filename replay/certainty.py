"""How sure a remark that rests on the hands can be: no surer than whatever gave the hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.words import Word
from replay.cards.solver.answers import Answer, Contradiction, Status
from replay.cards.solver.sentences import of_explanation, of_settled_as_played
from replay.compare import Compared
from replay.game import Checked
from replay.lines import Lines
from replay.remarks import Remark
from replay.rounds import Fact
from schemas.findings import ALL_BUT_CERTAIN, LIKELY, ONE_WITNESS, POSSIBLE, WITH_HANDS_SHOWN, Basis

Bools = npt.NDArray[np.bool_]

_DEALER = 0  # the place of a hand that no bank holds


class Certainty:
    """What the remarks on these rounds may rest on. `read` is what the family made of them before one of several
    readings was chosen for each; `open_rows` are rounds where more than one fits, `not_searched` those whose odd racks
    nobody explained. `doubted`: the reports were asked too, and what the solver had nothing against, and the money has,
    was not weighed."""

    def __init__(self, read: Checked, open_rows: set[int], not_searched: set[int], doubted: bool) -> None:
        self._read, self._open = read, open_rows
        unsure = not_searched | {
            row
            for row, answer in read.answers.items()
            if answer.reading is None
            or (doubted and answer.status is not Status.CONTRADICTORY)
            or (row in read.settled_otherwise and _supposes_faults(answer))
        }
        # Readings that come to the same money are settled as one; that none was left out is likely, not certain.
        self._most: Mapping[int, float] = {**dict.fromkeys(unsure, LIKELY), **dict.fromkeys(open_rows, POSSIBLE)}

    def wrong_whichever(self, lines: Lines, compared: Compared) -> Bools:
        """The lines of wagers of rounds whose hands are not sure that were never settled, or for a sum that no hands
        give: that is wrong whichever reading is true, but none of them may say by how much."""
        asked = (lines.kind == Fact.SETTLED) & (lines.by_reports == 0) & (lines.open == 0)
        asked &= np.isin(lines.row, np.fromiter(self._most, np.int64, len(self._most)))
        wrong = np.zeros(len(lines), bool)
        for at in np.flatnonzero(asked & ~compared.agrees).tolist():
            sums = int(compared.reported_paid[at]), int(compared.reported_taken[at])
            ways = lines.ways_of(at)
            wrong[at] = bool(ways.each) and not (compared.reported[at] and ways.allows(*sums))
        return wrong

    def about_money(self, remark: Remark) -> Remark:
        """A remark of the comparison, with the next best explanation of the rack where there is one."""
        if remark.basis is not Basis.HANDS:
            return remark
        answer = self._read.answers.get(remark.row)
        if remark.whatever_the_hands:
            return self.about_hands(remark)
        return self.about_hands(_or_else(remark, answer, self._played_against(remark.row)))

    def _played_against(self, row: int) -> int:
        """The place whose hand everybody plays against: a bank's, a player-dealer's, or the dealer's."""
        read = self._read.reading(row)
        hands = read.situation.hands if read is not None else ()
        return next((hand.key.place for hand in hands if Word.AGAINST in hand.true), _DEALER)

    def about_hands(self, remark: Remark) -> Remark:
        """Resting on what gave the hands, and no surer than those are."""
        if remark.basis is not Basis.HANDS:
            return remark
        basis = Basis.READINGS if remark.row in self._open else self._gave_hands(remark.row, remark.seat or 0)
        if remark.whatever_the_hands and remark.row in self._most:
            return whatever_the_hands(remark)
        sure = min(remark.confidence, self._most.get(remark.row, remark.confidence))
        if basis is Basis.EXPLANATION:
            sure = min(sure, _how_sure_of_hands(self._read.answers[remark.row]))
        elif basis in ONE_WITNESS:
            sure = min(sure, LIKELY)
        return replace(remark, basis=basis, confidence=sure)

    def _gave_hands(self, row: int, place: int) -> Basis:
        """What the hand of a place rests on: an explanation that supposes a fault, or what the family took it from."""
        answer = self._read.answers.get(row) if row not in self._read.settled_otherwise else None
        if answer is not None and _supposes_faults(answer):
            return Basis.EXPLANATION
        basis = self._read.hands_from(row)
        return WITH_HANDS_SHOWN.get(basis, basis) if self._read.also_shown(row, place) else basis


def _supposes_faults(answer: Answer) -> bool:
    return bool(answer.explanations) and bool(answer.explanations[0].faults)


def whatever_the_hands(remark: Remark) -> Remark:
    """What is wrong whatever the hands were, where it is not sure which they were."""
    if remark.basis is Basis.REPORTS:
        return remark
    on = "" if not remark.difference_cents else "; by how much, and to whose harm, depends on how the cards are read"
    return replace(remark, sentence=f"{remark.sentence}{on}", basis=Basis.REPORTS)


def _how_sure_of_hands(answer: Answer) -> float:
    """How sure it is that the hands were those that the explanations which are left agree on."""
    surest = answer.readings[0][1] if answer.reading is not None else answer.explanations[0].confidence
    return min(round(surest, 4), ALL_BUT_CERTAIN)


def _or_else(remark: Remark, answer: Answer | None, against: int) -> Remark:
    """The remark; where the rack is taken as it lies although the money says otherwise, with the next best explanation
    and no surer than the first; where a card brought in was played with, it says so."""
    sentence, most = remark.sentence, remark.confidence
    if answer is not None and answer.reading is None and len(answer.explanations) > 1:
        first, other = answer.explanations[:2]
        if not first.faults and any(against.what is Contradiction.SETTLED for against in first.against):
            sentence = f"{sentence}; or else {of_explanation(other)}"
            most = min(most, round(first.confidence, 4))
    if answer is not None and answer.explanations and remark.seat is not None:
        played = of_settled_as_played(answer.explanations[0], remark.seat, against)
        if played:  # whoever settled it saw those cards: the card is what is certain, not a wrong settlement
            sentence, most = f"{sentence}; {played}", min(most, LIKELY)
    return replace(remark, sentence=sentence, confidence=most)
