"""EZ Pai Gow Poker and Face Up: what they change of the pai gow poker wager; and what cannot be filed together."""

from __future__ import annotations

from functools import partial

import numpy as np

from replay.citations import cite, rule
from replay.families.split_hands.wager_law import Bools, Cards, Conflict, DealerPushes, Filed, Variant
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


# ---- what cannot be filed together ---------------------------------------------------------------------------------

_NOT_EZ, _NOT_FACE_UP = Filed.other_than("variant", "ez"), Filed.other_than("variant", "face_up")
_FACE_UP_TABLES = tuple(f"face_up_{number}" for number in range(1, 7))
CONFLICTS = (
    Conflict(
        (Filed.one_of("insurance_paytable", "A", "B"), Filed.one_of("emperors_paytable", "none")),
        _ma("§16(d)", "if the licensee is offering Emperor's Challenge Pai Gow Poker, the licensee may select from"),
        "file an emperors_paytable, or insurance_paytable: C, D or E with a Fortune wager, or none",
    ),
    Conflict(
        (Filed.one_of("insurance_paytable", "C", "D", "E"), Filed.one_of("fortune_paytable", "none")),
        _ma(
            "§16(d)",
            "or if the licensee is offering Fortune Pai Gow Poker, the licensee may select from paytables C, D or E",
        ),
        "file a fortune_paytable, or insurance_paytable: none",
    ),
    *(
        Conflict(
            (Filed.one_of(one, "offered"), _NOT_EZ),
            _ma("§7(e)(5)", "If EZ Pai Gow Poker is being played, a licensee may offer the following additional"),
            f"file variant: ez, or {one}: none",
        )
        for one in ("queens_dragon", "dynasty", "protection", "red_black")
    ),
    Conflict(
        (Filed.other_than("ace_high_paytable", "none"), _NOT_FACE_UP),
        _ma("§19(d)", "all side wagers are paid according to one of the paytables below in Table 1"),
        "file variant: face_up, or ace_high_paytable: none",
    ),
    Conflict(
        (Filed.one_of("ace_high_paytable", "none"), Filed.one_of("variant", "face_up")),
        _ma("§19(a)", "Game play begins with players placing the Main Hand wager, as well as the Ace-High wager"),
        "file ace_high_paytable: 1, 2, 3, 4 or 5",
    ),
    Conflict(
        (Filed.one_of("fortune_paytable", *_FACE_UP_TABLES), _NOT_FACE_UP),
        _ma("§19(e)", "Table 2 has the optional paytables for this wager."),
        "file fortune_paytable: A, B, C, D or none, or variant: face_up",
    ),
    Conflict(
        (Filed.one_of("fortune_paytable", "A", "B", "C", "D"), Filed.one_of("variant", "face_up")),
        _ma("§19(e)", "Table 2 has the optional paytables for this wager."),
        "file fortune_paytable: face_up_1 to face_up_6 (2 pays as A, 3 as B, 1 as C, 4 as D), or none",
    ),
    Conflict(
        (Filed.one_of("rng_wager", "offered"), Filed.other_than("starting", "rng")),
        _ma("§13(a)", "uses a random number generator to determine the starting position"),
        "file starting: rng, or rng_wager: none",
    ),
    Conflict(
        (Filed.other_than("banking", "none"), Filed.other_than("variant", "standard")),
        cite("rulings.md", "R-47", "Banking is not offered on EZ or Face Up tables."),
        "file banking: none, or variant: standard",
    ),
)
