"""Cards and dice brought to the table: which, inspected by whom, and their seals: EQUIP-956, -960 and -961.

Only what devices tell of is held against the rules; that an inspection is missing only where they say that they report
inspections.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import Fact, RoundBatch, RoundFlag
from schemas.findings import LIKELY, Basis
from schemas.plurals import counted

_WHOSE = {"cards": "the cards", "dice": "the dice"}


@dataclass(frozen=True)
class InspectionLaw:
    """By which rule they are inspected before they are used; None where the text does not say so."""

    cards: Citation | None = None  # by one and verified by another
    dice: Citation | None = None
    dice_seals: Citation | None = None  # that dice whose seal was broken are inspected again

    def of(self, kind: str) -> Citation | None:
        return self.cards if kind == "cards" else self.dice


@dataclass(frozen=True)
class DeckLaw:
    """What each deck must be."""

    decks: int
    jokers: int
    cite: Citation
    backs: Citation | None  # two decks of different colours, where the text asks for it
    spare_jokers: int = 0  # so many more a deck may be made with, which are not used


@dataclass(frozen=True)
class _Said:
    """One thing said of the cards or the dice of a round."""

    row: int
    seq: int
    kind: str  # cards or dice
    item: str  # which
    choice: str
    bettor: str
    code: int
    amount: int
    other: int


def _said(batch: RoundBatch, kind: Fact) -> list[_Said]:
    facts = batch.facts.of(kind)
    names = batch.names
    return [
        _Said(
            row,
            seq,
            names[wager].partition(" ")[0],
            names[wager].partition(" ")[2],
            names[choice],
            names[bettor],
            code,
            amount,
            other,
        )
        for row, seq, wager, choice, bettor, code, amount, other in zip(
            facts.row.tolist(),
            facts.seq.tolist(),
            facts.wager.tolist(),
            facts.choice.tolist(),
            facts.bettor.tolist(),
            facts.code.tolist(),
            facts.amount.tolist(),
            facts.other.tolist(),
            strict=True,
        )
    ]


def decks_wrong(batch: RoundBatch, law: DeckLaw) -> Iterator[Remark]:
    """EQUIP-956, in the first round with the deck."""
    for said in _said(batch, Fact.BROUGHT):
        if said.kind != "cards":
            continue
        if said.amount != law.decks or not law.jokers <= said.other <= law.jokers + law.spare_jokers:
            deck = f"{counted(said.amount, 'deck')} with {counted(said.other, 'joker')} each"
            what = f"deck {said.item} was brought to the table as {deck}; it must be "
            what += f"{counted(law.decks, 'deck')} with {counted(law.jokers, 'joker')}"
            yield Remark(said.row, "EQUIP-956", what, law.cite, evidence=(said.seq,), basis=Basis.REPORTS)
        if said.bettor and law.backs is not None:
            what = f"deck {said.item} was brought to the table with the same backs as deck {said.bettor}"
            yield Remark(said.row, "EQUIP-956", what, law.backs, evidence=(said.seq,), basis=Basis.REPORTS)


def inspections_wrong(batch: RoundBatch, law: InspectionLaw) -> Iterator[Remark]:
    """EQUIP-960, of each inspection where cards and dice are used; EQUIP-961, in the first round with them."""
    inspected, seals = _said(batch, Fact.INSPECTED), [one for one in _said(batch, Fact.SEAL) if one.kind == "dice"]
    for one in inspected:
        cite = law.of(one.kind)
        if cite is None or one.code or (one.bettor and one.bettor != one.choice):
            continue
        what = f"{_WHOSE[one.kind]} were inspected by {one.choice}, and "
        what += "the same person is named as the witness" if one.bettor else "no witness is named"
        yield Remark(one.row, "EQUIP-960", what, cite, evidence=(one.seq,), basis=Basis.REPORTS)
    for seal in seals:
        if law.dice_seals is None or seal.code or any(one.seq > seal.seq and _same(one, seal) for one in inspected):
            continue
        what = "the seal of the dice was found broken, and they were used without another inspection"
        yield Remark(seal.row, "EQUIP-961", what, law.dice_seals, evidence=(seal.seq,), basis=Basis.REPORTS)
    unknown = batch.has(RoundFlag.GAP | RoundFlag.MISSING_BEFORE)
    for said in _said(batch, Fact.BROUGHT):
        cite = law.of(said.kind)
        if cite is None or not said.code or unknown[said.row] or any(_same(one, said) for one in (*inspected, *seals)):
            continue
        what = f"{_WHOSE[said.kind]} ({said.item}) were used, and no inspection of them is reported; at this table "
        what += "inspections are reported"
        yield Remark(said.row, "EQUIP-961", what, cite, evidence=(said.seq,), confidence=LIKELY, basis=Basis.REPORTS)


def _same(one: _Said, other: _Said) -> bool:
    return (one.row, one.kind, one.item) == (other.row, other.kind, other.item)
