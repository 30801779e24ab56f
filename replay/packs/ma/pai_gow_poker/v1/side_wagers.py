"""The wagers beside the pai gow poker wager that the house banks by a pay table, but those of §17.

In the order in which a seat's are settled: §13 before any card, §9(l) as numbered there, §19 with the dealer's hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from replay.citations import Citation, cite, rule
from replay.families.split_hands.wager_law import Cards, ClassOf, EnvyLaw, JudgedOn, SideWager, by_cards
from replay.filing.filed import Filing
from replay.packs.ma.pai_gow_poker.v1.progressives import PROGRESSIVES
from replay.ranking import (
    FORTUNE_CLASS_NAMES,
    NOTHING,
    FortuneClass,
    Game,
    Joker,
    RowClasses,
    RoyalMatch,
    fortune_class,
    row_classes,
)

NUMBERS = tuple(str(number) for number in range(1, 8))
_PAI_GOWS = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
_EMPERORS = tuple(name.replace("royal_match", "ace_king_suited") for name in FORTUNE_CLASS_NAMES)
_INSURANCE = row_classes(_PAI_GOWS, Joker.ACE_ONLY)  # §3(h): "a joker is ranked as an ace"
_PROTECTION = row_classes(("pai_gow_ace_five_straight_flush_natural", *_PAI_GOWS))
_DRAGON = row_classes(("queens_dragon",))
_COLOUR = row_classes(tuple(f"{number}_of_chosen_color" for number in ("seven", "six", "five", "four")))
_ACE_HIGH = RowClasses(Game.FACE_UP_ACE_HIGH, ("both_ace_high", "dealer_ace_high_joker", "dealer_ace_high_natural"))
_DYNASTY = row_classes(
    (
        "ace_five_straight_flush_natural_ace_queen_suited",
        "seven_card_straight_flush_natural",
        "royal_flush_natural_ace_queen_suited",
        "seven_card_straight_flush_joker",
        "five_aces",
        "ace_five_straight_flush_natural",
        *("royal_flush", "straight_flush", "four_of_a_kind"),
        *("full_house", "flush", "three_of_a_kind", "straight"),
    )
)

_ma = partial(cite, "MA-PGP")
TABLE_LIMITS = cite("rulings.md", "R-37", "minimums ($1 bonus, $5 Fortune, $1/$5 progressive) and table limits")
_ONE_DOLLAR = _ma("§15(b)", "A bonus wager shall be no less than $1.00.")
_WITH_PAI_GOW = _ma("§7(e)", "offer to each player who placed a Pai Gow Poker Wager")
_BONUS_WITH_PAI_GOW = _ma(
    "§7(e), §15(b)",
    "Any player who has made a pai gow poker wager pursuant to Section 7 may, at the same time, make",
)
_QUALIFYING = _ma("§1", "An Emperor's Treasure Wager, Fortune Bonus Wager or a Dynasty Bonus Wager of at least $5")


# ---- what is filed -------------------------------------------------------------------------------------------------


def paytable_filed(option: str, prefix: str) -> Callable[[Filing], str | None]:
    """The pay table an option names: `fortune-a`, `ace-high-3`; None for `none`."""

    def filed(filing: Filing) -> str | None:
        chosen = filing.text(option)
        return None if chosen == "none" else f"{prefix}-{chosen.lower().replace('_', '-')}"

    return filed


def _offered(option: str, table: str) -> Callable[[Filing], str | None]:
    """Of a wager with one pay table only."""
    return lambda filing: table if filing.text(option) == "offered" else None


def royal_match_filed(filing: Filing) -> RoyalMatch:
    named = {"king_queen": RoyalMatch.KING_QUEEN, "ace_king_natural": RoyalMatch.ACE_KING}
    return named[filing.text("royal_match")]


def fortune_class_filed(filing: Filing) -> ClassOf:
    return partial(fortune_class, royal_match=royal_match_filed(filing))


@rule("MA-PGP", "§13(b)(6)", "at odds of no less than 5 1/2 to 1 and no more than 6 to 1")
def rng_odds(filing: Filing) -> tuple[int, int]:
    return filing.number("rng_odds_hundredths"), 100


@rule("MA-PGP", "§19(a)", "may be optional or mandatory at the sole discretion of the operator")
def ace_high_is_mandatory(filing: Filing) -> bool:
    return filing.text("ace_high") == "mandatory"


# ---- what they are judged by ---------------------------------------------------------------------------------------


@rule("MA-PGP", "§13(b)(3)", "the same number selected and displayed by the random number generator")
def number_selected(numbers: Cards, chosen: int) -> npt.NDArray[np.uint8]:
    return np.where(numbers[:, 0] == chosen, 0, 1).astype(np.uint8)


@rule("MA-PGP", "§9(l)(8)", "contain four or more of the cards of the player's chosen color")
def colour_class(cards: Cards, red: bool) -> npt.NDArray[np.uint8]:
    """The joker has no colour (rulings.md R-46)."""
    return _COLOUR.of(cards, np.full(len(cards), red))


# ---- the wagers ----------------------------------------------------------------------------------------------------


_AFTER_BASE = _ma(
    "§15(d)(2)",
    "After settling the pai gow poker wager of a player who has placed a pai gow insurance wager or a bonus wager",
)


def _envy(title: str, wagers: str, section: str, lowest_class: int, earned_by: Citation = _QUALIFYING) -> EnvyLaw:
    return EnvyLaw(
        least_cents=500,
        cite=earned_by,
        lowest_class=lowest_class,
        class_cite=_ma("§1", "with a rank of four-of-a-kind or higher formed from the seven cards dealt to a player"),
        own_wager_only=False,
        why_they_stay=f"although {title} of at least $5.00 was on the table and such hands stay face up until the envy "
        f"bonuses are paid (MA-PGP {section}(i), (iii))",
        section=f"MA-PGP {section}(i)",
        after_all=_ma(f"{section}(ii)", f"After all {wagers} have been settled"),
    )


# Laid out anew are hands with an insurance or a bonus wager (§15(d)(2)), whose premium hands stay; others as they are.
_as_it_lies = partial(SideWager, rearranges=False, keeps_premium=False, limits=TABLE_LIMITS, needs=_WITH_PAI_GOW)

RNG = _as_it_lies(
    name="rng",
    title="additional wager on the number",
    judged_on=JudgedOn.START_NUMBER,
    classes=("number_selected", NOTHING),
    class_of=lambda filing, choice: partial(number_selected, chosen=int(choice)),
    table=_offered("rng_wager", "rng"),
    odds=rng_odds,
    loses=_ma("§13(b)(3)", "All other additional wagers shall lose."),
    needs=_ma("§13(b)(1)", "any player who has made a pai gow poker wager pursuant to Section 7 may, at the same time"),
    choices=NUMBERS,
    limited=False,  # §16(j) is about (b) to (i)
    whole_cents=100,  # §13(b)(6): "shall be rounded down to the nearest whole dollar"
    settled_before_the_deal=_ma("§13(b)(5)", "and prior to any card being dealt to any player at the table"),
    losing_first=_ma("§13(b)(5)", "shall be paid immediately after collection of any losing additional wagers"),
)
FORTUNE = SideWager(
    name="fortune",
    title="Fortune wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=FORTUNE_CLASS_NAMES,
    class_of=by_cards(fortune_class_filed),
    table=paytable_filed("fortune_paytable", "fortune"),
    loses=_ma(
        "§9(l)(1)(i)a",
        "Does not have a straight or higher, as described in Section 3(d) (relating to Pai Gow Poker rankings), the "
        "dealer shall collect the Fortune Bonus Wager",
    ),
    needs=_BONUS_WITH_PAI_GOW,
    limits=_ma("§3(l)(1), §15(b)", "may be an amount no less than $5 to no more than $200."),
    envy=_envy(
        "a Fortune wager",
        "Fortune Bonus Wagers",
        "§9(l)(1)",
        FortuneClass.FOUR_OF_A_KIND,
        _ma("§15(c)", "Any player who makes a bonus wager of at least $5.00 shall qualify to receive an envy bonus"),
    ),
    after_base=_AFTER_BASE,
)
EMPERORS = SideWager(
    name="emperors",
    title="Emperor's Treasure wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=_EMPERORS,
    class_of=lambda filing, choice: partial(fortune_class, royal_match=RoyalMatch.ACE_KING),  # §3(i)(2)
    table=paytable_filed("emperors_paytable", "emperors-treasure"),
    loses=_ma("§9(l)(2)(i)a", "the dealer shall collect the Emperor's Treasure Wager"),
    needs=_BONUS_WITH_PAI_GOW,
    limits=_ONE_DOLLAR,
    envy=_envy("an Emperor's Treasure wager", "Emperor's Treasure Wagers", "§9(l)(2)", FortuneClass.FOUR_OF_A_KIND),
    after_base=_AFTER_BASE,
)
INSURANCE = SideWager(
    name="insurance",
    title="pai gow insurance wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=_INSURANCE.names,
    class_of=lambda filing, choice: _INSURANCE.of,
    table=paytable_filed("insurance_paytable", "insurance"),
    loses=_ma("§9(l)(3)(i)", "the dealer shall collect the Pai Gow Insurance Wager"),
    needs=_ma(
        "§15(b)", "Any player who has made a pai gow poker wager pursuant to Section 7 may, at the same time, make"
    ),
    limits=TABLE_LIMITS,
    after_base=_AFTER_BASE,
    keeps_every_hand=True,  # §15(d)(1)(ii), as any bonus wager of at least $5 does
)
QUEENS_DRAGON = _as_it_lies(
    name="queens_dragon",
    title="Queen's Dragon wager",
    judged_on=JudgedOn.DEALER_CARDS,
    classes=_DRAGON.names,
    class_of=lambda filing, choice: _DRAGON.of,
    table=_offered("queens_dragon", "queens-dragon"),
    loses=_ma("§9(l)(5)", "If the dealer does not have Queen's Dragon, the dealer shall collect the Queen's Dragon"),
)
DYNASTY = SideWager(
    name="dynasty",
    title="Dynasty wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=_DYNASTY.names,
    class_of=lambda filing, choice: _DYNASTY.of,
    table=_offered("dynasty", "dynasty"),
    loses=_ma("§9(l)(6)(i)a", "the dealer shall collect the Dynasty Wager"),
    needs=_WITH_PAI_GOW,
    limits=_ONE_DOLLAR,
    envy=_envy("a Dynasty wager", "Dynasty Bonus Wagers", "§9(l)(6)", _DYNASTY.names.index("four_of_a_kind")),
)
PROTECTION = _as_it_lies(
    name="protection",
    title="Protection wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=_PROTECTION.names,
    class_of=lambda filing, choice: _PROTECTION.of,
    table=_offered("protection", "protection"),
    loses=_ma("§9(l)(7)", "the dealer shall collect the Protection Wager"),
)
RED_BLACK = _as_it_lies(
    name="red_black",
    title="Red/Black wager",
    judged_on=JudgedOn.OWN_CARDS,
    classes=_COLOUR.names,
    class_of=lambda filing, choice: partial(colour_class, red=choice == "red"),
    table=_offered("red_black", "red-black"),
    loses=_ma("§9(l)(8)", "the dealer shall collect the Red/Black Wager"),
    choices=("red", "black"),
)
ACE_HIGH = _as_it_lies(
    name="ace_high",
    title="Ace-High wager",
    judged_on=JudgedOn.DEALER_AND_OWN,
    classes=_ACE_HIGH.names,
    class_of=lambda filing, choice: _ACE_HIGH.of,
    table=paytable_filed("ace_high_paytable", "ace-high"),
    loses=_ma("§19(f)", "any optional Ace-High wagers are collected"),
    needs=_ma("§19(a)", "Game play begins with players placing the Main Hand wager, as well as the Ace-High wager"),
    mandatory=ace_high_is_mandatory,
    limited=False,  # §16(j) is about (b) to (i)
)
SIDES = (RNG, FORTUNE, EMPERORS, INSURANCE, *PROGRESSIVES, QUEENS_DRAGON, DYNASTY, PROTECTION, RED_BLACK, ACE_HIGH)
