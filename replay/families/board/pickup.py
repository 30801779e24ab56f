"""The rack of poker with a board under the pickup procedure filed: which packet lies where (rulings.md R-9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from replay.cards.pickup.procedure import Laid, Order, Procedure, What
from replay.cards.pickup.words import Word
from replay.cards.solver.layout import BOARD, BURNS, STUB, Layout, Slot
from replay.families.board.betting import Hand

_KINDS: dict[str, frozenset[Word]] = {
    "folded": frozenset({Word.FOLDED}),
    "loses": frozenset({Word.LOSES}),
    "wins": frozenset({Word.WINS}),
}
_COMMUNITY = {What.BOARD: BOARD, What.BURNS: BURNS, What.STUB: STUB}


@dataclass(frozen=True)
class Packing:
    """The steps of a procedure, for the three ways a hand may end and for what belongs to nobody."""

    step: Mapping[str, int]
    order: Mapping[str, Order]
    before: tuple[int, ...]  # of board, burns and stub those that go in before the hands,
    after: tuple[int, ...]  # and after them
    in_order: frozenset[int]  # of these, those that lie as they were turned

    def turns(self, hand: Hand, winners: Collection[int]) -> list[int]:
        """The seats in the order in which their hands go in."""

        def turn(seat: int) -> tuple[int, int, int]:
            kind = "folded" if seat in hand.folded else "wins" if seat in winners else "loses"
            match self.order[kind]:
                case Order.AS_ACTED:
                    key = hand.folded.get(seat, 0)
                case Order.BY_PLACE_DOWN:
                    key = -seat
                case Order.FROM_BUTTON:
                    key = hand.seats.index(seat)
                case _:
                    key = seat
            return self.step[kind], key, seat

        return sorted(hand.seats, key=turn)

    def layout(self, turns: list[int], hole: int, board: int, burns: int, size: int) -> Layout:
        """The slots of a rack of so many cards; what is not in a hand, on the board or burned is the stub."""
        counts = {BOARD: board, BURNS: burns, STUB: size - len(turns) * hole - board - burns}

        def slots(places: tuple[int, ...]) -> tuple[Slot, ...]:
            return tuple(
                Slot(place, counts[place], in_order=place in self.in_order) for place in places if counts[place] > 0
            )

        hands = tuple(Slot(seat, hole, in_order=False) for seat in turns)
        return (*slots(self.before), *hands, *slots(self.after))


@lru_cache(maxsize=256)
def packing_of(procedure: Procedure) -> Packing:
    step = {
        kind: next(number for number, one in enumerate(procedure.steps) if one.takes(1, true))
        for kind, true in _KINDS.items()
    }
    order = {kind: procedure.steps[number].order for kind, number in step.items()}
    places = [(number, _COMMUNITY[one.what]) for number, one in enumerate(procedure.steps) if one.what in _COMMUNITY]
    first = min(step.values())
    in_order = {
        _COMMUNITY[one.what]
        for one in procedure.steps
        if one.what in (What.BOARD, What.BURNS) and one.laid is Laid.AS_DRAWN
    }
    return Packing(
        step,
        order,
        tuple(place for number, place in places if number < first),
        tuple(place for number, place in places if number > first),
        frozenset(in_order),
    )


def problem_with(procedure: Procedure) -> str | None:
    """Why this game cannot be played under such a procedure, in words; None if it can."""
    named = [step.what for step in procedure.steps if step.what is not What.HANDS]
    if sorted(named) != sorted(_COMMUNITY):
        return (
            f"pickup procedure {procedure.id} picks up {', '.join(named) or 'nothing'} beside the hands; this game has "
            "the board, the burns and the stub to pick up, each once"
        )
    hands = [number for number, step in enumerate(procedure.steps) if step.what is What.HANDS]
    if hands != list(range(hands[0], hands[0] + len(hands))):
        return f"pickup procedure {procedure.id} has board, burns or stub between the hands; pick the hands up together"
    if any(procedure.steps[number].order is Order.ANY_TIME for number in hands):
        return (
            f"pickup procedure {procedure.id} has hands picked up at any time; the rack would not show whose they are"
        )
    return None
