"""The Fortune pay tables as printed: MA-PGP §16(b), and FPG-02 of CA Fortune Pai Gow Poker."""

from __future__ import annotations

from ingest.simulator.poker import (
    FIVE_ACES_CLASS,
    FLUSH_CLASS,
    FULL_HOUSE_CLASS,
    QUADS_CLASS,
    ROYAL_AND_MATCH,
    ROYAL_CLASS,
    SEVEN_CARD_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    STRAIGHT_CLASS,
    STRAIGHT_FLUSH_CLASS,
    THREE_PAIR_CLASS,
    TRIPS_CLASS,
)

_CLASSES = (
    SEVEN_CARD_STRAIGHT_FLUSH,
    ROYAL_AND_MATCH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    FIVE_ACES_CLASS,
    ROYAL_CLASS,
    STRAIGHT_FLUSH_CLASS,
    QUADS_CLASS,
    FULL_HOUSE_CLASS,
    FLUSH_CLASS,
    TRIPS_CLASS,
    STRAIGHT_CLASS,
)

_ODDS_TO_ONE = {  # in the printed order, down to the straight
    "A": (8000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2),
    "B": (5000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2),
    "C": (5000, 1000, 750, 250, 100, 50, 20, 5, 4, 3, 2),
    "D": (2500, 1000, 750, 250, 125, 50, 25, 5, 4, 3, 2),
}
_ENVY_DOLLARS = {  # in the printed order, down to four of a kind
    "A": (5000, 1000, 500, 250, 50, 20, 5),
    "B": (3000, 1000, 500, 250, 50, 20, 5),
    "C": (1000, 250, 100, 50, 25, 10, 5),
    "D": (1000, 750, 250, 100, 50, 20, 5),
}

FORTUNE_ODDS: dict[str, dict[str, int]] = {
    table: dict(zip(_CLASSES, odds, strict=True)) for table, odds in _ODDS_TO_ONE.items()
}
FORTUNE_ODDS["C"][THREE_PAIR_CLASS] = 0  # "Three pair: Push"

ENVY_CENTS: dict[str, dict[str, int]] = {
    table: {name: 100 * dollars for name, dollars in zip(_CLASSES, envy, strict=False)}
    for table, envy in _ENVY_DOLLARS.items()
}

# CA Fortune Pai Gow Poker, Bonus Bet Paytable FPG-02
FPG_02 = dict(zip(_CLASSES, (8000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2), strict=True))
FPG_02_ENVY_CENTS = dict(zip(_CLASSES, (500_000, 100_000, 50_000, 25_000, 5_000, 2_000, 500), strict=False))

QUALIFYING_CENTS = 500  # MA-PGP §1 Qualifying Wager, §15(c): "a bonus wager of at least $5.00"
