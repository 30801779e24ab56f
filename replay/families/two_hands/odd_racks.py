"""Odd racks of two community hands, put to the solver one by one: what it must be told of the game, and its answers.

The solver (`replay.cards.solver.explanations`) knows no game. It is told here which layouts two hands of two or three
cards can have, that third cards are drawn by rule, and what the shoe gave each hand. What it explains as a slip of the
hand or of the reader, and surely, is settled and told so; cards that are missing or should not be there are told card
by card (`replay.checks.shoe`), with the hands as dealt and as they lie.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial

from replay.cards.explaining import or_else, said_of_fault
from replay.cards.solver.answers import Answer, Contradiction, Explanation, Status, either
from replay.cards.solver.budget import Budget
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import HOLE, HoldAgainst, Look, RackEvidence, nothing_reported
from replay.cards.solver.evidence import Reading as Hands
from replay.cards.solver.explanations import explain
from replay.cards.solver.faults import THIRD_CARD_WRONG, FaultKind
from replay.cards.solver.layout import BANKER, PLAYER, Layout, Slot
from replay.cards.solver.sentences import of_causes, of_contradictions, of_explanation
from replay.checks.shoe import Trouble
from replay.families.two_hands import drawing
from replay.families.two_hands.as_read import AsRead
from replay.families.two_hands.law import Drawing, Law
from replay.families.two_hands.readings import Reading, as_row, deal_readings, lawful_or_all
from replay.families.two_hands.terms import Terms
from replay.remarks import ANY_CARDS, Subject, subject_of
from schemas.cards import JOKER_1
from schemas.findings import Basis

DECK = frozenset(range(JOKER_1))
_TOLD_BY_CARDS = (FaultKind.MISSING, FaultKind.DUPLICATE, FaultKind.FOREIGN)
MOST_READINGS = 6  # kept beside each other
_BREAKS = "the third cards were not drawn as the rules say"


def _layouts(banker_first: bool) -> tuple[Layout, ...]:
    found = []
    for player in (2, 3):
        for banker in (2, 3):
            slots = (Slot(PLAYER, player), Slot(BANKER, banker))
            found.append(slots[::-1] if banker_first else slots)
    return tuple(found)


_LAYOUTS = {banker_first: _layouts(banker_first) for banker_first in (False, True)}


def how_hands_look(law: Drawing, readings: Sequence[Hands]) -> Sequence[Look]:
    """`replay.cards.solver.evidence.Weigh`: third cards are drawn by rule; a card nothing names may be any."""
    return [_look(law, reading.cards(PLAYER), reading.cards(BANKER)) for reading in readings]


@lru_cache(maxsize=4096)
def _look(law: Drawing, player: bytes, banker: bytes) -> Look:
    lawful = _share_lawful(law, player, banker)
    if lawful == 0:
        return Look(math.log(THIRD_CARD_WRONG / 3), _BREAKS)  # in one of three ways: four and six cards, five, five
    return Look(math.log(lawful))


def _share_lawful(law: Drawing, player: bytes, banker: bytes) -> float:
    """Of all cards the unnamed ones may be, the share with which the drawing rules were kept."""
    unnamed = (player + banker).count(HOLE)
    if unnamed > drawing.MOST_UNNAMED or sum(card >= JOKER_1 for card in player + banker) > unnamed:
        return 0.0
    return drawing.in_every_way(law, drawing.worth_alike(player), drawing.worth_alike(banker)).lawful


def explain_rack(
    rack: bytes,
    dealt: bytes,
    dealt_to: bytes,
    terms: Terms,
    seqs: tuple[int, ...],
    settled: tuple[int, ...] = (),
    hold_against: HoldAgainst = nothing_reported,
    budget: Budget | None = None,
) -> Answer:
    """The solver's answer to one round's rack, beside the deal where the shoe was read and what the events
    `settled` report of its wagers. Burned cards are no part of either."""
    deals = deal_readings(dealt, dealt_to, terms.order)
    if not _fifth_card_in_doubt(rack, dealt):
        lawful = lawful_or_all(terms.drawing, deals)
        deals = lawful if len(lawful) == 1 else []
    expected = dealt if 4 <= len(dealt) <= 6 else None
    evidence = RackEvidence(
        rack,
        _LAYOUTS[terms.banker_first],
        DECK,
        expected,
        settled=settled,
        rack_seq=seqs,
        dealt_seq=seqs,
        expected_by_deal=expected is not None,
    )
    given = [{PLAYER: deal.player, BANKER: deal.banker} for deal in deals] or [{}]
    budget = Budget() if budget is None else budget
    look = partial(how_hands_look, terms.drawing)
    return either([explain(replace(evidence, dealt=hands), look, hold_against, budget=budget) for hands in given])


def _fifth_card_in_doubt(rack: bytes, dealt: bytes) -> bool:
    """Where the shoe does not say which hand drew the fifth card, the drawing rules do; but not of cards of which one
    is in dispute between shoe and rack."""
    return len(rack) == len(dealt) == 5 and (Counter(rack) - Counter(dealt)).total() == 1


def decide(read: AsRead, answer: Answer, rack_and_money_alone: bool, law: Law) -> AsRead:
    """By which hands a round is settled and what is told of it: the one place where the answer of the solver, who has
    weighed the rules and the reports as well, is held against what the cards allow by themselves (`read`)."""
    if rack_and_money_alone and answer.explanations:
        return _by_answer(read, answer, law)
    best = answer.best
    if answer.status is not Status.CONTRADICTORY or best is None or not best.faults or answer.reading is None:
        return _with_causes(read, answer)
    likely = math.fsum(one.confidence for one in answer.explanations if _told_by_cards(one))
    hands = Reading(answer.reading.cards(PLAYER), answer.reading.cards(BANKER))
    if likely > 1 - CONFIDENT or HOLE in (*hands.player, *hands.banker):
        return _with_causes(read, answer)
    return AsRead([hands], [_trouble(best, answer.explanations[1:], number, law) for number in range(len(best.faults))])


def _by_answer(read: AsRead, answer: Answer, law: Law) -> AsRead:
    """No deal to hold the rack against: the answer's readings, likeliest first, and what its likeliest explanation
    says. Where that one only calls wagers settled wrong, its hands are those to settle by; else every reading that is
    left stands beside the others, and nobody is accused of what the likeliest one explains."""
    first, others = answer.explanations[0], answer.explanations[1:]
    broken = any(against.what is Contradiction.RULE for against in first.against)
    if not first.faults and not broken:
        return read._replace(readings=_readings([first.reading]), troubles=[])
    if not read.readings:
        return _with_causes(read, answer)  # no two hands, or a card of no such deck: that is what is told
    wrong = [_trouble(first, others, number, law) for number in range(len(first.faults))]
    if not _readings([first.reading]):
        return AsRead([], wrong, f"most likely {of_explanation(first)}, and nothing says which card it is")
    kept, sure = [], 0.0
    for reading, confidence in answer.readings:
        kept.append(reading)
        sure += confidence
        if sure >= CONFIDENT or len(kept) == MOST_READINGS:
            break
    if broken and not first.faults:
        wrong.append(_rule_broken(first, others, law))
    return AsRead(_readings([first.reading, *kept]), wrong)


def _readings(hands: Sequence[Hands]) -> list[Reading]:
    """Those without a card that nothing names, each once."""
    found = [Reading(one.cards(PLAYER), one.cards(BANKER)) for one in hands]
    return list(dict.fromkeys(one for one in found if HOLE not in one.player + one.banker))


def _rule_broken(best: Explanation, others: Sequence[Explanation], law: Law) -> Trouble:
    wrong = drawing.explain(law.drawing, *(as_row(best.reading.cards(place)) for place in (PLAYER, BANKER)))
    sentence = wrong.sentence
    if any(against.what is Contradiction.SETTLED for against in best.against):
        sentence += f"; and {of_contradictions([one for one in best.against if one.what is Contradiction.SETTLED])}"
    sentence += or_else(best, others)
    return Trouble("DEAL-303", sentence, wrong.cite, round(best.confidence, 4), Basis.EXPLANATION)


def _with_causes(read: AsRead, answer: Answer) -> AsRead:
    """The first remark on cards missing or too many, with what may have caused it; and that the hands were picked up in
    swapped order no surer than it is."""
    causes = of_causes(answer) if answer.status is Status.CONTRADICTORY else ""
    one_way = len(read.readings) == 1  # else the remark names the other
    troubles = [
        _no_surer(one, answer) if subject_of(one.code) is Subject.HAND_PLACES and one_way else one
        for one in read.troubles
    ]
    at = next((at for at, trouble in enumerate(troubles) if subject_of(trouble.code) in ANY_CARDS), None)
    if causes and at is not None:
        troubles[at] = troubles[at]._replace(sentence=f"{troubles[at].sentence}; {causes}")
    return read._replace(troubles=troubles)


def _no_surer(trouble: Trouble, answer: Answer) -> Trouble:
    if answer.status is not Status.CONTRADICTORY or not answer.explanations:
        return trouble
    swapped = [one for one in answer.explanations if any(fault.kind is FaultKind.SWAPPED for fault in one.faults)]
    others = [one for one in answer.explanations if one not in swapped]
    if not swapped:
        return trouble
    sentence = trouble.sentence + (f"; or else {of_explanation(others[0])}" if others else "")
    sure = min(trouble.confidence, round(math.fsum(one.confidence for one in swapped), 4))
    return trouble._replace(sentence=sentence, confidence=sure, basis=Basis.EXPLANATION)


def _told_by_cards(explanation: Explanation) -> bool:
    return any(fault.kind in _TOLD_BY_CARDS for fault in explanation.faults)


def _trouble(best: Explanation, others: Sequence[Explanation], number: int, law: Law) -> Trouble:
    return Trouble(*said_of_fault(best.faults[number], best, others, law.deck, law.pickup), Basis.EXPLANATION)
