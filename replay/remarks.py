"""Remarks on a round: what is no difference in one line, such as a procedure not followed or cards that do not fit."""

from __future__ import annotations

from dataclasses import dataclass

from replay.citations import Citation
from schemas.findings import CERTAIN, Basis


@dataclass(frozen=True)
class Remark:
    """A finding about the round that is not a difference in one line; becomes a `Finding` once it is placed."""

    row: int
    code: str
    sentence: str  # without table and round, which are put in front
    cite: Citation
    seat: int | None = None
    bettor: str | None = None
    wager: str | None = None
    expected_cents: int | None = None
    actual_cents: int | None = None
    difference_cents: int = 0
    evidence: tuple[int, ...] = ()
    confidence: float = CERTAIN
    basis: Basis = Basis.HANDS
    accounts: tuple[tuple[str, int], ...] = ()  # who has how much too much or too little for it (replay.money.ledger)
    leaves_open: bool = False  # it says that the evidence leaves the round open, and nothing against it
    whatever_the_hands: bool = False  # wrong whatever they were; by how much may depend on them
    whatever_is_missing: bool = False  # no event that may be missing from the round could explain it
