"""What a filing says of poker with a board: its law, the betting structure, how cards are dealt and picked up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from replay.families.board.betting import Structure
from replay.families.board.law import Law
from replay.families.board.pickup import Packing, packing_of
from replay.filing import Filing
from schemas.places import Ring

LIMIT, ALLOWED = "limit", "allowed"


@dataclass(frozen=True)
class Terms:
    law: Law
    ring: Ring
    structure: Structure
    straddles: bool
    unit: int  # the smallest chip a pot is split in
    packing: Packing

    @property
    def hole(self) -> int:
        return self.law.hole


@lru_cache(maxsize=1024)
def terms_of(filing: Filing) -> Terms:
    law = filing.pack.law(Law)
    big = filing.number("big_blind_cents")
    structure = Structure(
        filing.number("small_blind_cents"),
        big,
        filing.number("upper_bet_cents") or 2 * big,
        filing.text("betting") == LIMIT,
    )
    return Terms(
        law,
        filing.ring,
        structure,
        filing.text("straddle") == ALLOWED,
        filing.number("chip_unit_cents"),
        packing_of(filing.pickup),
    )


def blinds_problem(filing: Filing) -> str | None:
    """Why blinds and bets filed cannot stand together; None if they can."""
    structure = terms_of(filing).structure
    if structure.small_blind >= structure.big_blind:
        return (
            f"small_blind_cents {structure.small_blind} is not below big_blind_cents {structure.big_blind}; file a "
            "smaller one"
        )
    if structure.upper_bet < structure.big_blind:
        return (
            f"upper_bet_cents {structure.upper_bet} is below big_blind_cents {structure.big_blind}, which is the bet "
            "of the first two rounds; file 0 for twice that"
        )
    return None
