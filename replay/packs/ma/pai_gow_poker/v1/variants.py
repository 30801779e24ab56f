"""EZ Pai Gow Poker and Face Up: what they change of the pai gow poker wager."""

from __future__ import annotations

from functools import partial

import numpy as np

from replay.citations import cite, rule
from replay.families.split_hands.wager_law import Bools, Cards, DealerPushes, Variant
from replay.filing.filed import Filing
from replay.ranking import Joker, pai_gow_high

QUEEN, ACE = 12, 14
_ma = partial(cite, "MA-PGP")


@rule("MA-PGP", "§1, §9(g)(2)(iii)", "The dealer has a Queen's Dragon and the table is designated for play as an EZ")
def queens_dragon(cards: Cards) -> Bools:
    """Seven different ranks, queen the highest, no straight and no flush (rulings.md R-19)."""
    return np.asarray(pai_gow_high(cards, Joker.SEMI_WILD) == QUEEN)


@rule("MA-PGP", "§19(b)", "a 7-card hand with Ace High, no pairs, straights, or flushes")
def ace_high_pai_gow(cards: Cards) -> Bools:
    """The joker is an ace, or completes a straight or a flush, which is no pai gow (rulings.md R-19)."""
    return np.asarray(pai_gow_high(cards, Joker.SEMI_WILD) == ACE)


_VARIANTS = {
    "standard": Variant(),
    "ez": Variant(  # §1: "in which vigorish is not collected"
        vigorish=False,
        pushes=DealerPushes(
            queens_dragon,
            _ma(
                "§9(g)(1)(v), (2)(iii), (3)",
                "if the dealer has a Queen's Dragon, the player's Pai Gow Poker Wager shall push and be returned to "
                "the player",
            ),
            "a Queen's Dragon: all push",
        ),
    ),
    "face_up": Variant(  # §19(c): "paid 1 to 1 with no commission paid"
        vigorish=False,
        pushes=DealerPushes(
            ace_high_pai_gow, _ma("§19(b)", "then all Main wagers push"), "an ace-high pai gow: all push"
        ),
        dealer_first=_ma("§19(a)", "the dealer will turn over their cards and set their hand"),
    ),
}


def variant_filed(filing: Filing) -> Variant:
    return _VARIANTS[filing.text("variant")]
