"""Odd racks of poker, put to the solver one by one: what it must be told of the game, and what becomes of its answers.

The solver (`replay.cards.solver.explanations`) knows no game. It is told here which layouts the procedure allows, one
for each set of winners, that a layout goes with the hands that win, and what pots were pushed to whom. Cards that are
missing or too many are told card by card (`replay.checks.rack`); the round is then settled as dealt, if that was read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from replay.cards.dealing.compare import Difference, Kind, compare, in_words
from replay.cards.dealing.seen import deal_events
from replay.cards.explaining import said_of_fault
from replay.cards.solver.answers import Answer
from replay.cards.solver.budget import Budget, Searches
from replay.cards.solver.evidence import Denied, Look, Objections, Parts, RackEvidence, ShownHand
from replay.cards.solver.evidence import Reading as Lying
from replay.cards.solver.explanations import MOST_LAYOUTS, explain
from replay.cards.solver.faults import FaultKind
from replay.cards.solver.layout import BOARD, Layout
from replay.cards.solver.sentences import of_causes
from replay.checks.rack import cards_wrong
from replay.families.board.hands import DECK, MOST_AT_SHOWDOWN, Hands, Read, Reading, judged_winners, subsets
from replay.families.board.rounds_read import Reported
from replay.naming import set_of
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Fact
from schemas.cards import JOKER_1
from schemas.findings import LIKELY, Basis
from schemas.places import DEALER

_FEW_ASTRAY = 2  # two cards that changed places, or one that was exchanged with the cards left over
_TOLD_BY_CARDS = (FaultKind.MISSING, FaultKind.DUPLICATE, FaultKind.FOREIGN)


@dataclass
class Explained:
    """What the solver made of the odd racks of a batch."""

    remarks: list[Remark] = field(default_factory=list)
    answers: dict[int, Answer] = field(default_factory=dict)
    settled_otherwise: set[int] = field(default_factory=set)


def explain_odd_racks(hands: Hands, searches: Searches) -> Explained:
    """Puts every odd rack to the solver, and its answer into the rounds read."""
    found = Explained()
    for at, read in enumerate(hands.read):
        row = read.reported.row
        if not read.odd or not hands.rack(row):
            continue
        whole = _told_card_by_card(hands, read, found)
        if read.reported.hand.unsure:
            continue  # not sure who folded and when, so in which order the hands should lie
        lies = _as_it_lies(hands, read) if whole else []
        if lies:
            found.remarks += _moved(hands, read, lies[0].holes)
            hands.read[at] = replace(read, readings=lies, basis=Basis.RACK)
            continue
        budget = searches.budget(row)
        if budget is None:
            continue
        answer = _Search(hands, read).answer(budget)
        found.answers[row] = answer
        hands.read[at] = _with_answer(hands, read, answer, whole, found)
    return found


def _as_it_lies(hands: Hands, read: Read) -> list[Reading]:
    """The rack as the procedure has it, where a few cards lie in other hands than they were dealt to: the deal was read
    whole, so neither reader saw wrong. Of several such readings the one that fits the awards comes first. None where
    whole hands lie elsewhere, or so many cards that the rack may not be in order."""
    one = read.reported
    packets = hands.packets(one)
    if one.deal is None or packets is None or len(one.hand.still_in) > MOST_AT_SHOWDOWN:
        return []
    dealt = b"".join(one.deal.hands.values()) + one.deal.board + one.deal.burns
    same_hands = sorted(map(sorted, packets.hands)) == sorted(map(sorted, one.deal.hands.values()))
    if same_hands or len(set(dealt)) < len(dealt) or max(dealt) >= JOKER_1:
        return []
    fitting = sorted(
        hands.fitting(one, packets), key=lambda reading: (_astray(one, reading), len(_denied(one, reading)))
    )
    fewest = _astray(one, fitting[0]) if fitting else JOKER_1
    return [reading for reading in fitting if _astray(one, reading) == fewest] if fewest <= _FEW_ASTRAY else []


def _denied(one: Reported, reading: Reading) -> list[int]:
    """The seats that were pushed another sum than this reading gives them."""
    won: dict[int, int] = {}
    for share in reading.won:
        won[share.seat] = won.get(share.seat, 0) + share.amount
    return sorted(seat for seat in {*won, *one.awarded} if won.get(seat, 0) != one.awarded.get(seat, 0))


def _astray(one: Reported, reading: Reading) -> int:
    """How many cards lie in other hands than they were dealt to."""
    dealt = one.deal.hands if one.deal is not None else {}
    return sum(len(set(cards) - set(reading.holes[seat])) for seat, cards in dealt.items())


def _told_card_by_card(hands: Hands, read: Read, found: Explained) -> bool:
    """Whether the rack is the whole deck; what is missing or too many is told."""
    row, rack, deal = read.reported.row, hands.rack(read.reported.row), read.reported.deal
    if len(rack) == JOKER_1 and set(rack) == DECK:
        return True
    dealt = [0] * hands.terms.ring.size
    for seat, cards in (deal.hands if deal is not None else {}).items():
        dealt[seat] = set_of(cards)
    found.remarks += cards_wrong(hands.batch, row, dealt, JOKER_1, hands.terms.law.deck)
    return False


def _with_answer(hands: Hands, read: Read, answer: Answer, whole: bool, found: Explained) -> Read:
    one, law = read.reported, hands.terms.law
    by_deal = one.deal is not None and bool(read.readings)
    if not answer.explanations:
        if whole:
            found.remarks.append(_unexplained(hands, read))
        return read
    best, others = answer.explanations[0], answer.explanations[1:]
    causes = of_causes(answer)
    if not whole and causes and found.remarks and found.remarks[-1].row == one.row:
        found.remarks[-1] = replace(found.remarks[-1], sentence=f"{found.remarks[-1].sentence}; {causes}")
    for fault in best.faults:
        if not whole and fault.kind in (*_TOLD_BY_CARDS, FaultKind.MISREAD, FaultKind.READ_TWICE):
            continue
        said = said_of_fault(fault, best, others, law.deck, law.pickup)
        seat = next((place for place in fault.places if place > DEALER), None) if len(fault.places) == 1 else None
        found.remarks.append(
            Remark(
                one.row,
                *said[:3],
                seat=seat,
                evidence=best.evidence,
                confidence=said.confidence,
                basis=Basis.EXPLANATION,
            )
        )
    lies = answer.reading or best.reading
    holes = {seat: lies.cards(seat) for seat in one.hand.seats}
    reading = hands.reading(one, holes, lies.cards(BOARD))
    misread = any(fault.kind is FaultKind.DEALT_MISREAD for fault in best.faults)
    moved = [] if misread or not by_deal or not whole else _moved(hands, read, holes)
    found.remarks += moved
    if by_deal and not (whole and (moved or misread) and reading is not None):
        found.settled_otherwise.add(one.row)
        return read
    if reading is None:
        return read
    why_not = "" if answer.reading is not None or not one.at_showdown else "several explanations of the rack are left"
    return replace(read, readings=[reading], why_not=why_not)


def _unexplained(hands: Hands, read: Read) -> Remark:
    row = read.reported.row
    return Remark(
        row,
        "RACK-321",
        "the rack was not filled in the order of the pickup procedure, and no likely slip explains it; settled as far "
        "as deal or hands shown allow",
        hands.terms.law.pickup,
        evidence=deal_events(hands.batch, row),
        confidence=LIKELY,
        basis=Basis.COMPARED,
    )


def _moved(hands: Hands, read: Read, holes: Mapping[int, bytes]) -> list[Remark]:
    """Cards that lie in other hands than they were dealt to."""
    one = read.reported
    assert one.deal is not None
    dealt = {(seat, 0): cards for seat, cards in one.deal.hands.items()}
    racked: dict[tuple[int, int], Parts] = {(seat, 0): (("", holes[seat]),) for seat in one.hand.seats}
    shown = {(seat, 0): ShownHand(cards) for seat, cards in one.shown.items() if seat > DEALER}
    left_over = DECK - set(b"".join(holes.values()))
    by_code: dict[str, list[Difference]] = {}
    for move in compare(dealt, racked, shown, left_over=left_over, deck=sorted(DECK)):
        if move.kind not in (Kind.SHOWN_OTHERWISE, Kind.SHOWN_ELSEWHERE):
            by_code.setdefault(move.code, []).append(move)
    return [
        Remark(
            one.row,
            code,
            f"deal and rack disagree: {'; '.join(map(in_words, moves))}; settled by the hands in the rack",
            hands.terms.law.deal_and_rack_agree,
            seat=next(iter(seats)) if len(seats := {move.seat for move in moves}) == 1 else None,
            evidence=deal_events(hands.batch, one.row),
            basis=Basis.COMPARED,
        )
        for code, moves in by_code.items()
    ]


class _Search:
    """One odd rack, with everything that is known of its round."""

    def __init__(self, hands: Hands, read: Read) -> None:
        self.hands, self.read, self.one = hands, read, read.reported
        self.winners: dict[Layout, set[frozenset[int]]] = {}
        for winners in self._possible_winners():
            self.winners.setdefault(hands.layout(self.one, winners), set()).add(winners)

    def _possible_winners(self) -> Sequence[frozenset[int]]:
        still_in, judged = self.one.hand.still_in, judged_winners(self.one)
        first = [self.read.readings[0].winners] if self.one.deal is not None and self.read.readings else []
        if judged:
            first.append(judged)
        if self.one.deal is None and len(still_in) <= MOST_AT_SHOWDOWN:
            first += [winners for winners in subsets(still_in) if winners not in first]
        if not first:
            first = [frozenset(still_in[:1])]
        return first

    def answer(self, budget: Budget) -> Answer:
        hands, one = self.hands, self.one
        row, deal = one.row, one.deal
        dealt: dict[int, bytes] = {}
        if deal is not None:
            dealt = dict(deal.hands)
            if deal.board:
                dealt[BOARD] = deal.board
        shown = {
            seat: ShownHand(cards, 0, one.shown_seq[seat])
            for seat, cards in one.shown.items()
            if seat in one.hand.seats
        }
        settled = hands.batch.facts.of(Fact.POT)
        evidence = RackEvidence(
            hands.rack(row),
            tuple(self.winners)[:MOST_LAYOUTS],
            DECK,
            bytes(range(JOKER_1)),
            dealt=dealt,
            shown=shown,
            settled=tuple(settled.seq[settled.row == row].tolist()),
            rack_seq=_seqs(hands, row, "rack_first_seq", "rack_last_seq"),
            dealt_seq=deal_events(hands.batch, row) if dealt else (),
        )
        return explain(evidence, self.weigh, self.hold_against, budget=budget)

    def _made(self, readings: Sequence[Lying]) -> list[Reading | None]:
        one, made = self.one, []
        for lying in readings:
            self.hands.strengths.ask([lying.cards(seat) for seat in one.hand.still_in], lying.cards(BOARD))
        self.hands.strengths.rank()
        for lying in readings:
            holes = {seat: lying.cards(seat) for seat in one.hand.seats}
            made.append(self.hands.reading(one, holes, lying.cards(BOARD)) if one.at_showdown else None)
        return made

    def weigh(self, readings: Sequence[Lying]) -> Sequence[Look]:
        """A layout goes with the hands that win in it, or that were taken to win."""
        judged = judged_winners(self.one)
        looks = []
        for lying, made in zip(readings, self._made(readings), strict=True):
            allowed = self.winners.get(lying.layout, set())
            if made is None or made.winners in allowed or judged in allowed:
                looks.append(Look())
            else:
                looks.append(Look(-math.inf, "a hand lies where it would if it had fared otherwise"))
        return looks

    def hold_against(self, readings: Sequence[Lying]) -> Sequence[Objections]:
        """The seats that were pushed other sums than a reading gives them."""
        awarded = self.one.awarded
        found = []
        for made in self._made(readings):
            if made is None or not awarded:
                found.append(Objections())
                continue
            denied = tuple(Denied(seat) for seat in _denied(self.one, made))
            found.append(Objections(denied, misjudged=1 if denied else 0, among=max(len(self.one.hand.still_in), 1)))
        return found


def _seqs(hands: Hands, row: int, *columns: str) -> tuple[int, ...]:
    known: Mapping[str, int] = {column: int(hands.batch.fixed[column][row]) for column in columns}
    return tuple(sorted({seq for seq in known.values() if seq != UNKNOWN}))
