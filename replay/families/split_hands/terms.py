"""What the licensee filed, as the rules need it: typed, with the pay table as arrays by class of hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.filing import Filing, Paytable
from replay.ranking.five import Wheel
from replay.ranking.seven import FORTUNE_CLASS_NAMES, RoyalMatch
from schemas.money import dollars

CLASSES = len(FORTUNE_CLASS_NAMES)
LEAST_PAYOUT_LIMIT_CENTS = 5_000_000  # MA-PGP §16(j): "The maximum payout amount shall be at least $50,000"
_ROYAL_MATCH = {"king_queen": RoyalMatch.KING_QUEEN, "ace_king_natural": RoyalMatch.ACE_KING}


class Dealing(StrEnum):
    MANUAL_SHOE = "manual_shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated_shoe"


class Starting(StrEnum):
    DICE = "dice"
    RNG = "rng"
    BUTTON = "button"


class VigorishRounding(StrEnum):
    UP_TO_QUARTER = "up_to_quarter"
    EXACT = "exact"


class WrongStart(StrEnum):
    DEAD = "dead"
    STANDS = "stands"


class SurrenderedBonus(StrEnum):
    SETTLED = "settled"
    FORFEITED = "forfeited"


@dataclass(frozen=True, eq=False)
class FortuneTable:
    """A Fortune pay table by `FortuneClass`: where a class is not printed it loses."""

    numerator: npt.NDArray[np.int64]
    denominator: npt.NDArray[np.int64]
    push: npt.NDArray[np.bool_]
    envy_cents: npt.NDArray[np.int64]  # 0 where the table prints none
    cites: tuple[Citation, ...]  # a class

    @classmethod
    def of(cls, table: Paytable) -> FortuneTable:
        numerator = np.zeros(CLASSES, np.int64)
        denominator = np.ones(CLASSES, np.int64)
        push = np.zeros(CLASSES, bool)
        envy = np.zeros(CLASSES, np.int64)
        cites = [table.cite] * CLASSES
        for row in table.rows:
            number = FORTUNE_CLASS_NAMES.index(row.hand)
            numerator[number], denominator[number] = row.pays()
            push[number] = row.odds == "push"
            envy[number] = row.envy or 0
            cites[number] = table.cite_of(row)
        return cls(numerator, denominator, push, envy, tuple(cites))


@dataclass(frozen=True, eq=False)
class Terms:
    dealing: Dealing
    starting: Starting
    wheel: Wheel
    vigorish_rounding: VigorishRounding
    fortune: FortuneTable | None  # None: not offered
    royal_match: RoyalMatch
    surrendered_bonus: SurrenderedBonus
    wrong_start_without_dice: WrongStart
    table_limits_cents: tuple[int, int]
    fortune_limits_cents: tuple[int, int]
    decks: int
    maximum_payout_cents: int  # 0: no limit


def terms_of(filing: Filing) -> Terms:
    choice = filing.text("fortune_paytable")
    return Terms(
        dealing=Dealing(filing.text("dealing")),
        starting=Starting(filing.text("starting")),
        wheel=Wheel(filing.text("wheel")),
        vigorish_rounding=VigorishRounding(filing.text("vigorish_rounding")),
        fortune=None if choice == "none" else FortuneTable.of(filing.pack.paytables[f"fortune-{choice.lower()}"]),
        royal_match=_ROYAL_MATCH[filing.text("royal_match")],
        surrendered_bonus=SurrenderedBonus(filing.text("surrendered_bonus")),
        wrong_start_without_dice=WrongStart(filing.text("wrong_start_without_dice")),
        table_limits_cents=(filing.number("table_minimum_cents"), filing.number("table_maximum_cents")),
        fortune_limits_cents=(filing.number("fortune_minimum_cents"), filing.number("fortune_maximum_cents")),
        decks=filing.number("decks"),
        maximum_payout_cents=filing.number("maximum_payout_cents"),
    )


def problem_with(filing: Filing) -> str | None:
    """Why these choices cannot stand together, in words; None if they can."""
    terms = terms_of(filing)
    if terms.starting is Starting.BUTTON and terms.dealing is not Dealing.AUTOMATED_SHOE:
        return (
            f"option starting: button needs dealing: automated_shoe, not {terms.dealing} (MA-PGP §8c(d): the button is "
            "for tables with an automated card shuffling device and dealing shoe); file starting: dice or rng"
        )
    for name, (least, most) in (("table", terms.table_limits_cents), ("fortune", terms.fortune_limits_cents)):
        if least > most:
            return f"option {name}_minimum_cents ({dollars(least)}) is above {name}_maximum_cents ({dollars(most)})"
    if terms.maximum_payout_cents:
        best = 0
        if terms.fortune is not None:
            best = int((terms.fortune.numerator // terms.fortune.denominator).max()) * terms.fortune_limits_cents[0]
        floor = max(LEAST_PAYOUT_LIMIT_CENTS, best)
        if terms.maximum_payout_cents < floor:
            return (
                f"option maximum_payout_cents: {dollars(terms.maximum_payout_cents)} is below {dollars(floor)}, the "
                "least MA-PGP §16(j) allows ($50,000, or what one player could win with the smallest wager, if greater)"
            )
    return None
