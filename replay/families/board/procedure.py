"""What was not done as the rules say: actions, the board, hands shown with other cards, racks not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from replay.checks.deck import deck_remarks
from replay.checks.rack import unread
from replay.citations import Citation
from replay.families.board.hands import Hands, Read
from replay.naming import names
from replay.remarks import Remark
from replay.rounds import Fact, RoundBatch
from schemas.findings import Basis


def procedure_remarks(batch: RoundBatch, hands: Hands, void: Sequence[bool]) -> list[Remark]:
    remarks = deck_remarks(batch, hands.terms.law.deck)
    for read in hands.read:
        if not void[read.reported.row]:
            remarks += _of_actions(read)
            remarks += _of_cards(hands, read)
    return remarks


def _of_actions(read: Read) -> Iterator[Remark]:
    for one in read.reported.problems:
        yield Remark(
            read.reported.row,
            one.code,
            one.said,
            one.cite,
            seat=one.seat or None,
            evidence=one.evidence,
            confidence=one.confidence,
            basis=Basis.REPORTS,
            whatever_the_hands=True,
        )


def _of_cards(hands: Hands, read: Read) -> Iterator[Remark]:
    """Hands shown with cards they do not have, and showdowns of which no card was read."""
    one, law = read.reported, hands.terms.law
    if not hands.rack(one.row) and one.deal is None and one.at_showdown and not one.why_not:
        yield unread(one.row, "pots were played for to the showdown", law.deal_and_rack_agree)
    if not read.readings or len(read.readings) > 1:
        return
    yield from _not_replaced(hands, read)
    for seat, cards in sorted(one.shown.items()):
        held = read.readings[0].holes.get(seat, b"") if seat else read.readings[0].board
        strange = set(cards) - set(held)
        if held and strange:
            whose = f"seat {seat}'s hand" if seat else "the board"
            yield Remark(
                one.row,
                "RACK-323",
                f"{whose} was shown as {names(cards)}, but rack or deal gives it {names(held)}: "
                f"{names(sorted(strange))} does not belong to it",
                law.deal_and_rack_agree,
                seat=seat or None,
                evidence=(one.shown_seq[seat],),
                basis=Basis.COMPARED,
            )


def _not_replaced(hands: Hands, read: Read) -> Iterator[Remark]:
    """DEAL-309: a boxed card, or a hole card the dealer exposed, that was played with."""
    one, law = read.reported, hands.terms.law
    reading = read.readings[0]
    for place, card in one.exposed:
        if card in reading.holes.get(place, b""):
            said = f"{names([card])} of seat {place} was exposed in the deal and not exchanged for the top card"
            yield _kept(one.row, place, said, law.deal.exposed)
    boxed = hands.batch.facts.of(Fact.BOXED)
    for card in boxed.card[boxed.row == one.row].tolist():
        seat = next((seat for seat, held in reading.holes.items() if card in held), 0)
        if seat or card in reading.board:
            where = f"in seat {seat}'s hand" if seat else "on the board"
            yield _kept(
                one.row, seat, f"{names([card])} was found face up in the deck and played {where}", law.deal.boxed
            )


def _kept(row: int, seat: int, said: str, cite: Citation) -> Remark:
    return Remark(row, "DEAL-309", said, cite, seat=seat or None)
