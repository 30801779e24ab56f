"""Racks that do not fit, put to the solver one by one: what it must be told of the game, and what becomes of it.

The solver (`replay.cards.solver.explanations`) knows no game. It is told which layouts the procedure allows, which
cards must lie in the rack, what the deal gives, what was shown and what was settled. Where its answer is sure, the
round is settled by it; where a few readings are left, by each of them; else the hands stay as deal and hands shown gave
them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from replay.cards.dealing.seen import deal_events
from replay.cards.explaining import said_of_fault
from replay.cards.pickup.layouts import layouts
from replay.cards.solver.budget import Budget, Searches
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import RackEvidence, Reading, indifferent
from replay.cards.solver.explanations import Answer, Contradiction, Explanation, Status, explain
from replay.cards.solver.faults import Fault, FaultKind
from replay.cards.solver.sentences import of_causes
from replay.families.three_card.hands import ByPlace, Round, Sources, known_events
from replay.families.three_card.pickup import situation_of
from replay.families.three_card.settled_as import SettledAs, held_in
from replay.remarks import WHERE_HANDS_LIE, WRONG_CARDS, Remark
from replay.rounds import NO_DECK, RoundFlag
from schemas.cards import JOKER_1
from schemas.findings import LIKELY, Basis

MOST_READINGS = 12  # kept beside each other; with more than that nothing is settled by the rack
_DECK = frozenset(range(JOKER_1))
_CARDS_SEEN = (Contradiction.DEAL, Contradiction.HAND_SHOWN, Contradiction.RULE)
_TOLD_BY_CARDS = (FaultKind.MISSING, FaultKind.DUPLICATE, FaultKind.FOREIGN)  # procedure.py tells these, card by card


@dataclass(frozen=True)
class Explained:
    """One odd round's answer."""

    answer: Answer
    remarked: bool = False  # its faults have remarks of their own
    settles: bool = False  # the round is settled by the hands it gives


# ---- what is known of one round ------------------------------------------------------------------------------------


def _evidence(sources: Sources, settled: tuple[int, ...], row: int) -> RackEvidence:
    batch, terms, deal = sources.batch, sources.terms, sources.deal(row)
    marks = batch.rack_deck[row].tobytes()
    told_apart = terms.decks == 1 and any(mark != NO_DECK for mark in marks)
    counted = Counter(mark for mark in marks if mark != NO_DECK)
    situation = situation_of(sources.seats, row, int(sources.followed[row]))
    return RackEvidence(
        sources.rack(row),
        tuple(candidate.layout for candidate in layouts(terms.pickup, situation).candidates),
        _DECK,
        terms.deck,
        marks if told_apart else b"",
        counted.most_common(1)[0][0] if told_apart else -1,
        dict(deal.ways[0].by_place) if deal.ways else {},
        sources.shown(row),
        settled,
        _folded_before_play(sources, row),
        tuple(seq for seq in known_events(sources, row) if seq not in deal_events(batch, row)),
        deal_events(batch, row) if deal.ways else (),
    )


def _folded_before_play(sources: Sources, row: int) -> dict[int, int]:
    """The places whose hands were collected before others were compared (rulings.md R-60)."""
    seats = sources.seats
    gone = seats.folded[row] & ~seats.live[row] & seats.dealt_in[row] & ~seats.is_against[row]
    return {place: 0 for place in sources.places(row) if gone[place]}


# ---- the answers ---------------------------------------------------------------------------------------------------


def is_odd(sources: Sources, row: int, made: Round, doubted: bool) -> bool:
    """A rack that is to be explained."""
    batch, flags = sources.batch, RoundFlag(int(sources.batch.flags[row]))
    if not batch.rack.counts[row] or RoundFlag.RACK_UNSURE in flags or RoundFlag.CLOSED not in flags:
        return False
    if sources.seats.all_void[row] or not sources.seats.dealt_in[row].any():
        return False
    return made.odd or doubted or not bool(sources.racks.whole[row]) or sources.deal(row).odd


def explain_odd(
    sources: Sources, made: dict[int, Round], doubted: bool, searches: Searches
) -> tuple[dict[int, Round], dict[int, Explained]]:
    """The rounds again, with the odd racks' as the solver explains them; and its answers, by round."""
    rows = [row for row, one in made.items() if is_odd(sources, row, one, doubted)]

    def search(budgets: Mapping[int, Budget]) -> dict[int, Explained]:
        return {row: _explain(sources, row, budget) for row, budget in budgets.items()}

    answers: dict[int, Explained] = dict(searches.once(rows, search))
    for row, explained in answers.items():
        readings = _to_settle_by(explained.answer, bool(sources.racks.whole[row]), doubted)
        if not readings:
            continue
        about = _remarks(sources, row, explained.answer)
        kept = [remark for remark in made[row].remarks if remark.subject not in WHERE_HANDS_LIE]
        held: list[ByPlace] = [held_in(one) for one in readings]
        made[row] = made[row]._replace(readings=held, remarks=[*kept, *about], basis=Basis.COMPARED)
        answers[row] = replace(explained, remarked=bool(about), settles=True)
    return made, answers


def _explain(sources: Sources, row: int, budget: Budget) -> Explained:
    reports = SettledAs(sources, row)
    return Explained(explain(_evidence(sources, reports.reported, row), indifferent, reports, budget=budget))


def _to_settle_by(answer: Answer, whole: bool, doubted: bool) -> list[Reading]:
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
        return []  # a witness against the rack, or nothing sure: hands.py says what differs
    if answer.reading is not None:
        return [answer.reading]
    kept, sure = [], 0.0
    for reading, confidence in answer.readings[:MOST_READINGS]:
        kept.append(reading)
        sure += confidence
        if sure >= CONFIDENT:
            return kept
    return kept if whole else []


# ---- in words ------------------------------------------------------------------------------------------------------


def _remarks(sources: Sources, row: int, answer: Answer) -> list[Remark]:
    """One remark for each fault of the likeliest explanation that is not told card by card."""
    likely = answer.explanations
    sure = math.fsum(one.confidence for one in likely if any(f.kind in _TOLD_BY_CARDS for f in one.faults))
    if not sources.racks.whole[row] and (sure > 1 - CONFIDENT or not likely[0].faults):
        return []
    return [_remark(sources, row, fault, likely[0], likely[1:]) for fault in likely[0].faults]


def _remark(sources: Sources, row: int, fault: Fault, best: Explanation, others: Sequence[Explanation]) -> Remark:
    cites, unsure = sources.terms.law.cites, bool(sources.batch.flags[row] & RoundFlag.RACK_UNSURE)
    said = said_of_fault(fault, best, others, cites.deck, cites.pickup, LIKELY if unsure else 1.0)
    return Remark(
        row,
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
