"""A scan of the rack after several rounds, cut into the rounds it holds.

Where the shoe was read, a round's part holds the cards it was dealt; where not, it must be two hands that drew as the
rules say. A Player hand of five or less before a natural reads as two rounds or as one and a third card, and then
nobody can tell where a round ended.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replay.cards import cutting
from replay.families.two_hands import drawing
from replay.families.two_hands.law import Drawing
from replay.families.two_hands.pickup import rack_hands
from schemas.cards import JOKER_1, NO_CARD

FEWEST, MOST = 4, 6  # cards of a round in order


def cut(cards: bytes, dealt: Sequence[bytes], banker_lies_first: bool, law: Drawing) -> list[int] | None:
    """How many cards each round put in; `dealt` is what the shoe read in each, empty where it read nothing. None when
    no cut, or more than one, is best."""

    def cost(part: bytes) -> int:
        return 0 if _in_order(part, banker_lies_first, law) else MOST

    return cutting.cut(cards, dealt, (range(FEWEST, MOST + 1), cost))


def _in_order(part: bytes, banker_lies_first: bool, law: Drawing) -> bool:
    """Whether these cards are a Player and a Banker hand that drew as they must."""
    if not FEWEST <= len(part) <= MOST or max(part) >= JOKER_1:
        return False
    rack = np.full((1, MOST), NO_CARD, np.uint8)
    rack[0, : len(part)] = np.frombuffer(part, np.uint8)
    for three_two in (True, False):
        hands = rack_hands(rack, np.array([len(part)]), three_two, banker_lies_first)
        if drawing.fits(law, hands[:, :3], hands[:, 3:])[0]:
            return True
    return False
