"""The rack of Supreme Baccarat under the pickup procedure filed: two hands, each in the order drawn (rulings.md R-7).

The standard procedure puts the Player hand in first; a house may file the Banker hand first.
"""

from __future__ import annotations

import numpy as np

from replay.cards.pickup.procedure import Laid, Procedure, What
from replay.rounds import Array, Cards
from schemas.cards import NO_CARD

_HANDS = (What.PLAYER_HAND, What.BANKER_HAND)


def problem_with(procedure: Procedure) -> str | None:
    """Why this game cannot be played under such a procedure, in words; None if it can."""
    whats = [step.what for step in procedure.steps]
    if sorted(whats) != sorted(_HANDS):
        return (
            f"pickup procedure {procedure.id} picks up {', '.join(whats)}; baccarat has two hands to pick up, "
            f"{' and '.join(_HANDS)}, and nothing else"
        )
    if any(step.laid is not Laid.AS_DRAWN for step in procedure.steps):
        return (
            f"pickup procedure {procedure.id} does not say laid: as_drawn of both hands; in any other order the rack "
            "would not show which card was the third"
        )
    return None


def banker_first(procedure: Procedure) -> bool:
    return procedure.steps[0].what is What.BANKER_HAND


def rack_hands(rack: Cards, count: Array, three_two: bool, banker_lies_first: bool) -> Cards:
    """(n, 6): the Player hand and the Banker hand as they lie in the first six cards of each rack; of five cards the
    Player hand has three (`three_two`) or two."""
    player_three = ((count == 6) | ((count == 5) & three_two))[:, None]
    if not banker_lies_first:
        third = np.where(player_three, rack[:, 2:3], NO_CARD)
        banker = np.where(player_three, rack[:, 3:6], rack[:, 2:5])
        return np.concatenate([rack[:, :2], third, banker], axis=1).astype(np.uint8)
    banker_three = ((count == 6) | ((count == 5) & (not three_two)))[:, None]
    third = np.where(banker_three, rack[:, 2:3], NO_CARD)
    player = np.where(banker_three, rack[:, 3:6], rack[:, 2:5])
    return np.concatenate([player, rack[:, :2], third], axis=1).astype(np.uint8)
