"""What a filing says of a game of two community hands: its law, and how cards are dealt and picked up at this table."""

from __future__ import annotations

from dataclasses import dataclass

from replay.cards.dealing.method import AtTable, Method, Target, To
from replay.cards.dealing.order import targets_of
from replay.cards.pickup.procedure import Procedure
from replay.cards.solver.layout import BANKER, PLAYER
from replay.families.two_hands.drawing import draws_at_all
from replay.families.two_hands.law import Drawing, Law
from replay.families.two_hands.pickup import banker_first
from replay.filing import Filing, Pack
from replay.rounds import DEALT_TO
from schemas.places import Ring

TO_PLAYER, TO_BANKER, TO_BURN = DEALT_TO.index("player"), DEALT_TO.index("banker"), DEALT_TO.index("burn")
TO_UNKNOWN = DEALT_TO.index("")
_BOTH_DRAW = AtTable(Ring(1), draws=(Target(PLAYER), Target(BANKER)))


@dataclass(frozen=True)
class Terms:
    law: Law
    pack: Pack
    shoe: Method
    pickup: Procedure
    ring: Ring  # of the seats
    decks: int
    order: tuple[int, ...]  # to which hand each of six cards is dealt: four, and a third card each where both draw
    banker_first: bool  # which hand is picked up first

    @property
    def dealing_problem(self) -> str | None:
        """That third cards are drawn by the law and the dealing has no place for them; None where they agree."""
        if _deals_third_cards(self.shoe) or not draws_at_all(self.drawing):
            return None
        return f"the dealing {self.shoe.id} has no step `to: draws`, and hands draw third cards by the rules"

    @property
    def seats(self) -> int:
        return self.ring.seats

    @property
    def drawing(self) -> Drawing:
        return self.law.drawing


def _deals_third_cards(shoe: Method) -> bool:
    return any(step.to is To.DRAWS for step in shoe.steps)


def terms_of(filing: Filing) -> Terms:
    shoe = filing.pack.dealing["shoe"]
    order = tuple(TO_PLAYER if to.place == PLAYER else TO_BANKER for to in targets_of(shoe, _BOTH_DRAW))
    if not _deals_third_cards(shoe):
        order += (TO_PLAYER, TO_BANKER)  # as a third card would be named, should there be one that nobody may draw
    decks, pickup = filing.number("decks"), filing.pickup
    return Terms(filing.pack.law(Law), filing.pack, shoe, pickup, filing.ring, decks, order, banker_first(pickup))
