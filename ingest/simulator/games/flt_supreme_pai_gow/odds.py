"""What FLT-SPG prints in its appendices A to G, column by column."""

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

TWO_PAIR_CLASS = "two_pair"
_HIGHEST = (SEVEN_CARD_STRAIGHT_FLUSH, ROYAL_AND_MATCH, SEVEN_CARD_STRAIGHT_FLUSH_JOKER)
_FIVES = (FIVE_ACES_CLASS, ROYAL_CLASS, STRAIGHT_FLUSH_CLASS, QUADS_CLASS)

_ROYALTIES = ((100, 50, 15, 5), (50, 25, 15, 5), (100, 30, 15, 4), (100, 25, 10, 5), (100, 25, 10, 4))
ROYALTY_ODDS = {
    f"PT-FLT-AR-0{number}": dict(zip(_FIVES, odds, strict=True)) for number, odds in enumerate(_ROYALTIES, 1)
}

_HIGHS = range(7, 13)  # nine-high to ace-high, as ranks
_INSURANCES = (
    (400, 40, 20, 5, 3, 2),
    (250, 75, 25, 5, 3, 2),
    (100, 50, 25, 10, 5, 1),
    (100, 25, 15, 6, 5, 3),
    (100, 25, 15, 7, 5, 3),
)
INSURANCE_ODDS = {
    f"PT-FLT-EC-PGI-0{number}": dict(zip(_HIGHS, odds, strict=True)) for number, odds in enumerate(_INSURANCES, 1)
}

_EMPERORS_ROWS = (*_HIGHEST, *_FIVES, FULL_HOUSE_CLASS, FLUSH_CLASS, TRIPS_CLASS, STRAIGHT_CLASS)
_EMPERORS = (  # down to four of a kind; below they are all alike
    (5000, 1000, 750, 250, 100, 50, 20),
    (8000, 2000, 1000, 400, 150, 50, 25),
    (5000, 2000, 1000, 400, 150, 50, 25),
    (2500, 1000, 750, 250, 100, 50, 25),
    (5000, 2000, 1000, 400, 150, 50, 25),
    (5000, 1000, 500, 300, 110, 45, 25),
    (5000, 2000, 1000, 400, 150, 50, 25),
    (2500, 1000, 750, 250, 125, 50, 25),
)
EMPERORS_ODDS = {
    f"PT-FLT-EC-ET-0{number}": dict(zip(_EMPERORS_ROWS, (*odds, 5, 4, 3, 2), strict=True))
    for number, odds in enumerate(_EMPERORS, 1)
}
EMPERORS_ODDS["PT-FLT-EC-ET-01"][THREE_PAIR_CLASS] = 0  # "3 Pair: Push"
_ENVIES = (
    (1000, 250, 100, 50, 25, 10, 5),
    (5000, 1000, 500, 250, 50, 20, 5),
    (3000, 1000, 500, 250, 50, 20, 5),
    (1000, 750, 250, 100, 50, 20, 5),
    (2500, 500, 250, 150, 55, 25, 6),
    (2500, 500, 250, 150, 55, 25, 6),
    (5000, 1000, 500, 250, 50, 20, 5),
    (1000, 750, 250, 100, 50, 20, 5),
)
ENVIES_CENTS = {
    f"PT-FLT-EC-ET-0{number}": {name: 100 * dollars for name, dollars in zip((*_HIGHEST, *_FIVES), envies, strict=True)}
    for number, envies in enumerate(_ENVIES, 1)
}

_SEVENS = (SEVEN_CARD_STRAIGHT_FLUSH, SEVEN_CARD_STRAIGHT_FLUSH_JOKER)
_BONUS_ROWS = (*_FIVES, FULL_HOUSE_CLASS, FLUSH_CLASS, STRAIGHT_CLASS, TRIPS_CLASS, TWO_PAIR_CLASS)
_BONUSES = (
    (500, 150, 25, 15, 2, 1, 1, 1, 1),
    (500, 200, 25, 10, 2, 1, 1, 1, 1),
    (500, 150, 25, 10, 2, 1, 1, 1, 1),
    (500, 150, 30, 15, 2, 1, 1, 1, 1),
    (500, 200, 25, 10, 2, 1, 1, 1, 1),
    (500, 150, 25, 10, 2, 1, 1, 1, 1),
    (500, 200, 50, 30, 5, 4, 3, 2),
    (500, 150, 50, 30, 5, 4, 3, 2),
    (500, 150, 50, 25, 5, 4, 3, 2),
    (500, 200, 50, 30, 5, 4, 3, 2),
    (500, 150, 50, 30, 5, 4, 3, 2),
    (500, 150, 50, 25, 5, 4, 3, 2),
)
BONUS_ODDS = {
    f"PT-FLT-7CB-{number:02d}": dict(zip(_BONUS_ROWS, odds, strict=False)) for number, odds in enumerate(_BONUSES, 1)
}
for _number in (1, 2, 3, 7, 8, 9):  # the others have dashes there
    BONUS_ODDS[f"PT-FLT-7CB-{_number:02d}"] |= dict(zip(_SEVENS, (5000, 1000), strict=True))

EIGHTH_3_OR_10, EIGHTH_2_OR_4, EIGHTH_2_5_OR_7, EIGHTH_FIELD = (
    "eighth_3_or_10",
    "eighth_2_or_4",
    "eighth_2_5_or_7",
    "eighth_field",
)


def _by_rank(**odds: int) -> dict[str, int]:
    """T_3=3: a ten or a three pays 3 to 1."""
    return {rank: paid for ranks, paid in odds.items() for rank in ranks.replace("r", "")}


_FIELD_1 = _by_rank(A=15, K=10, Q=5, J=3, r56789=2)
_FIELD_2 = _by_rank(A=25, K=10, QJ=5, r89=3, r6=2, r4=1)
EIGHTH_ODDS: dict[str, dict[str, dict[str, int]]] = {  # by the rank of the eighth card, X the joker
    f"PT-FLT-D8C1-0{number}": {
        EIGHTH_3_OR_10: _by_rank(T=3, r3=3),
        EIGHTH_2_OR_4: _by_rank(r24=1),
        EIGHTH_FIELD: _FIELD_1 | {"X": joker},
    }
    for number, joker in enumerate((100, 50, 25), 1)
} | {
    f"PT-FLT-D8C2-0{number}": {
        EIGHTH_3_OR_10: _by_rank(T=3, r3=3),
        EIGHTH_2_5_OR_7: _by_rank(r257=1),
        EIGHTH_FIELD: _FIELD_2 | {"X": joker},
    }
    for number, joker in enumerate((100, 50), 1)
}

NINE_HIGH_OF_ONE_COLOUR = "nine_high_of_one_colour"


class Share(int):
    """So many percent of the meter; other rows are whole dollars for each dollar of the unit."""


_PROGRESSIVE_INSURANCES: tuple[tuple[int, ...], ...] = (
    (Share(100), Share(10), 125, 30, 7),
    (Share(100), Share(10), 100, 25, 10),
    (Share(100), 250, 125, 30, 7),
    (Share(100), 500, 125, 25, 5),
    (Share(100), 1000, 100, 25, 5),
)
INSURANCE_PROGRESSIVE: dict[str, dict[str | int, int]] = {
    f"PT-BJS-EC-PGI-0{number}": dict(zip((NINE_HIGH_OF_ONE_COLOUR, 7, 8, 9, 10), pays, strict=True))
    for number, pays in enumerate(_PROGRESSIVE_INSURANCES, 1)
}
_PROGRESSIVE_EMPERORS: tuple[tuple[int, ...], ...] = (
    (Share(100), Share(50), Share(25), 1000, 175, 150, 75, 5),
    (Share(100), Share(50), Share(25), 2000, 250, 150, 65, 5),
)
EMPERORS_PROGRESSIVE = {
    f"PT-BJS-EC-ET-0{number}": dict(zip((*_HIGHEST, *_FIVES, FULL_HOUSE_CLASS), pays, strict=True))
    for number, pays in enumerate(_PROGRESSIVE_EMPERORS, 1)
}
EMPERORS_PROGRESSIVE["PT-BJS-EC-ET-03"] = dict(
    zip((*_SEVENS, *_FIVES, FULL_HOUSE_CLASS), (Share(100), Share(100), Share(10), 500, 100, 75, 4), strict=True)
)
