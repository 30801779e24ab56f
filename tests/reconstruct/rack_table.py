"""Racks of games that have no pack yet, by the rulings' pickup order, for tests of the solver.

Written from rulings.md R-5, R-6 and R-9 alone; the solver is told the layout, as a procedure would give it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from replay.cards.solver.evidence import RackEvidence, ShownHand
from replay.cards.solver.layout import BOARD, BURNS, STUB, Layout, Slot
from tests.reconstruct.rack_faults import Card, Packet, Rack

DECK = bytes(range(52))
GAMES = ("supreme_pai_gow", "three_card_poker", "holdem", "omaha")


@dataclass
class Round:
    layout: Layout
    rack: Rack

    def evidence(self, *, dealt: bool = False, shown: tuple[int, ...] = ()) -> RackEvidence:
        hands = {place: bytes(card.face for card in cards) for place, cards in self.hands.items()}
        return RackEvidence(
            self.rack.faces(),
            (self.layout,),
            frozenset(DECK),
            DECK,
            dealt=hands if dealt else {},
            shown={place: ShownHand(hands[place]) for place in shown},
        )

    def __post_init__(self) -> None:
        self.hands = {packet.place: list(packet.cards) for packet in self.rack.packets if packet.place != STUB}


def play(game: str, seed: int) -> Round:
    """One round: its layout, and its rack as filled."""
    rng = Random(seed)
    deck = rng.sample(DECK, len(DECK))
    seats = sorted(rng.sample(range(1, 7), rng.randrange(2, 6)))
    rng.shuffle(seats)  # those who folded first, in the order they did, then the others
    match game:
        case "supreme_pai_gow":  # the stub, hands 1..6, the dealer's last; two low cards and two high
            sizes = [(place, 4) for place in [*sorted(seats), 0]]
        case "three_card_poker":
            sizes = [(place, 3) for place in [*seats, 0]]
        case "holdem":  # hands, then board, burns and stub
            sizes = [*((place, 2) for place in seats), (BOARD, 5), (BURNS, 3)]
        case _:
            sizes = [*((place, 4) for place in seats), (BOARD, 5), (BURNS, 3)]
    left = len(DECK) - sum(size for _, size in sizes)
    first = game in ("supreme_pai_gow", "three_card_poker")
    sizes = [(STUB, left), *sizes] if first else [*sizes, (STUB, left)]
    packets = []
    for place, size in sizes:
        packets.append(Packet(place, [Card(deck.pop(), place) for _ in range(size)]))
    layout: list[Slot] = []
    for place, size in sizes:
        if game == "supreme_pai_gow" and place >= 0:
            layout += [Slot(place, 2, part="low"), Slot(place, 2, part="high")]
        else:
            layout.append(Slot(place, size))
    return Round(tuple(layout), Rack(packets, tuple(DECK)))
