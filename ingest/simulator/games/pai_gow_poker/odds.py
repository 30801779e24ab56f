"""What the wagers of Massachusetts pai gow poker pay beside Fortune, as printed: MA-PGP §16(c) to (i), §19(d), (e)."""

from __future__ import annotations

from ingest.simulator.paytables import ENVY_CENTS, FORTUNE_ODDS
from ingest.simulator.poker import THREE_PAIR_CLASS

EMPERORS_ODDS = {  # §16(c) prints the numbers of §16(b), without the three pair of Paytable C
    table: {name: odds for name, odds in rows.items() if name != THREE_PAIR_CLASS}
    for table, rows in FORTUNE_ODDS.items()
}
_CLASSES = tuple(EMPERORS_ODDS["A"])
_LOW = (5, 4, 3, 2)
_FACE_UP = {  # §19(e) Table 2, down to four of a kind
    "face_up_1": ((5000, 1000, 750, 250, 100, 50, 20), (1000, 250, 100, 50, 25, 10, 5)),
    "face_up_2": ((8000, 2000, 1000, 400, 150, 50, 25), (5000, 1000, 500, 250, 50, 20, 5)),
    "face_up_3": ((5000, 2000, 1000, 400, 150, 50, 25), (3000, 1000, 500, 250, 50, 20, 5)),
    "face_up_4": ((2500, 1000, 750, 250, 125, 50, 25), (1000, 750, 250, 100, 50, 20, 5)),
    "face_up_5": ((5000, 1000, 500, 300, 110, 45, 25), (2500, 500, 250, 150, 55, 25, 6)),
    "face_up_6": ((5000, 2000, 1000, 400, 150, 50, 25), (2500, 500, 250, 150, 55, 25, 6)),
}
ALL_FORTUNE_ODDS = FORTUNE_ODDS | {
    table: dict(zip(_CLASSES, (*odds, *_LOW), strict=True)) for table, (odds, _) in _FACE_UP.items()
}
ALL_FORTUNE_ODDS["face_up_1"][THREE_PAIR_CLASS] = 0  # "Three Pair: Push"
ALL_ENVY_CENTS = ENVY_CENTS | {
    table: {name: 100 * dollars for name, dollars in zip(_CLASSES, envy, strict=False)}
    for table, (_, envy) in _FACE_UP.items()
}
_DYNASTY = {  # odds, envy bonus in dollars
    "wheel_and_ace_queen": (2000, 500),
    "seven_natural": (2000, 400),
    "royal_and_ace_queen": (1000, 300),
    "seven": (1000, 200),
    "five_aces": (500, 100),
    "wheel": (120, 75),
    "royal_flush": (120, 50),
    "straight_flush": (50, 20),
    "four_of_a_kind": (25, 5),
    "full_house": (5, 0),
    "flush": (4, 0),
    "three_of_a_kind": (3, 0),
    "straight": (2, 0),
}
DYNASTY_ODDS = {name: odds for name, (odds, _) in _DYNASTY.items()}
DYNASTY_ENVY_CENTS = {name: 100 * dollars for name, (_, dollars) in _DYNASTY.items() if dollars}
_HIGHS = range(7, 13)  # nine-high to ace-high, as ranks
INSURANCE_ODDS = {
    table: dict(zip(_HIGHS, odds, strict=True))
    for table, odds in {
        "A": (100, 25, 15, 6, 5, 3),
        "B": (100, 25, 15, 7, 5, 3),
        "C": (100, 40, 10, 7, 6, 3),
        "D": (100, 50, 10, 7, 5, 3),
        "E": (100, 40, 10, 7, 5, 3),
    }.items()
}
PROTECTION_ODDS = dict(zip(_HIGHS, (100, 25, 15, 7, 5, 3), strict=True))
COLOUR_ODDS = {7: 5, 6: 1, 5: 1, 4: 1}
DRAGON_ODDS = 50
ACE_HIGH_ODDS = {  # both; only the dealer, with the joker; without
    "1": (20, 10, 8),
    "2": (40, 15, 5),
    "3": (30, 15, 6),
    "4": (25, 10, 7),
    "5": (40, 12, 5),
}
