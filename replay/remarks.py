"""Remarks on a round: what is no difference in one line, such as a procedure not followed or cards that do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from replay.citations import Citation
from schemas.findings import CERTAIN, Basis


class Subject(Enum):
    """What a remark is about, where it matters to what else is said of the round. Codes are for people: nothing is
    decided by them."""

    CARD_MISSING = auto()
    CARD_TWICE = auto()
    CARD_FOREIGN = auto()
    OTHER_CARD = auto()  # marks, decks, cards set aside
    HAND_PLACES = auto()  # where hands lie in the rack, or were shown: another explanation may do away with it
    CARD_CHANGED_HANDS = auto()  # a card left a hand or came into it: that as well
    THIRD_CARD = auto()
    DEAL_MISREAD = auto()
    SETTLED_FOR = auto()  # for how much a wager was settled
    SETTLED_AS = auto()  # how it was settled, or that it was at all
    OTHER = auto()


WRONG_CARDS = frozenset({Subject.CARD_MISSING, Subject.CARD_TWICE, Subject.CARD_FOREIGN})
ANY_CARDS = WRONG_CARDS | {Subject.OTHER_CARD}
SETTLED_WRONG = frozenset({Subject.SETTLED_FOR, Subject.SETTLED_AS})
WHERE_HANDS_LIE = frozenset({Subject.HAND_PLACES, Subject.CARD_CHANGED_HANDS})
_SUBJECTS = {
    "CARD-311": Subject.CARD_MISSING,
    "CARD-312": Subject.CARD_TWICE,
    "CARD-313": Subject.CARD_FOREIGN,
    **dict.fromkeys((f"CARD-{number}" for number in range(314, 320)), Subject.OTHER_CARD),
    **dict.fromkeys(("RACK-321", "RACK-323", "DEAL-302", "DEAL-306", "DEAL-307"), Subject.HAND_PLACES),
    "DEAL-308": Subject.CARD_CHANGED_HANDS,
    "DEAL-303": Subject.THIRD_CARD,
    "DEAL-311": Subject.DEAL_MISREAD,
    **dict.fromkeys(("SETTLE-101", "METER-104"), Subject.SETTLED_FOR),
    **dict.fromkeys(("SETTLE-102", "SETTLE-103", "SETTLE-104"), Subject.SETTLED_AS),
}


def subject_of(code: str) -> Subject:
    """What findings of this code are about: the one place where a code says so."""
    return _SUBJECTS.get(code, Subject.OTHER)


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

    @property
    def subject(self) -> Subject:
        return subject_of(self.code)
