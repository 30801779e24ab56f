"""The rules of the commission-free Supreme Pai Gow over columns, a row a hand; each with the words it rests on.

Strengths are those of `replay.ranking`: a higher number is a higher hand, equal numbers are a copy hand.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import cite, rule, rule_of
from replay.families.ante_raise.law import (
    Aggregate,
    Bools,
    CardsLaw,
    Cites,
    EnvyLaw,
    JudgedOn,
    Law,
    RaiseLaw,
    Ranking,
    RoyaltyLaw,
    SideWager,
    Strengths,
)
from replay.filing.cites import cites_beside
from replay.filing.filed import Filing
from replay.filing.paytables import Paytable
from replay.ranking import (
    Game,
    Joker,
    RowClasses,
    Wheel,
    all_splits,
    fouls,
    house_way_eight,
    rank_five,
    rank_two,
    row_classes,
    strength_in_words,
)

_flt = partial(cite, "FLT-SPG")
_OFFERED = _flt("Rules of Play 1", "may place any of the available optional bonus and/or progressive wagers")
_LIMITS = _flt("Optional Bonus Wagers", "set all minimum and maximum wagering limits")
_PER_HAND_OR_ROUND = "Operators may choose to post a maximum aggregate per hand or per round."
_PAYABLE = "Operators may choose to post a maximum aggregate payable per hand or per round."

RANKING = Ranking(
    low=rank_two,
    high=partial(rank_five, wheel=Wheel.SECOND_HIGHEST),  # rulings.md R-12
    house_way=partial(house_way_eight, wheel=Wheel.SECOND_HIGHEST),  # rulings.md R-36
    settings=all_splits,
)


# ---- ante and raise ------------------------------------------------------------------------------------------------


@rule("FLT-SPG", "Rules of Play 5", "If the low hand is incorrectly set to be of greater value than the high hand")
def fouled(low: Strengths, high: Strengths) -> Bools:
    """A five-card hand that is equal as far as the two cards go is not lower (rulings.md R-13)."""
    return fouls(low, high)


@rule("FLT-SPG", "Rules of Play 7b", "*lose or tie* the dealer's respective hands")
def beats(hand: Strengths, dealers: Strengths) -> Bools:
    """A copy hand loses."""
    return np.asarray(hand > dealers)


@rule("FLT-SPG", "Rules of Play 3a", "equal to 1x to 4x their *Ante* wager")
def whole_multiples(filing: Filing) -> bool:
    return filing.text("raise_multiples") == "whole"


RAISE = RaiseLaw(
    name="raise",
    title="Raise",
    least=1,
    most=4,
    whole_multiples=whole_multiples,
    multiple=rule_of(whole_multiples),
    moment=_flt("Rules of Play 3", "After examining their four cards, each player must decide"),
)


# ---- what is paid by a pay table -----------------------------------------------------------------------------------


def _filed(option: str) -> Callable[[Filing], str | None]:
    """The pay table an option names; None for `none`."""

    def table(filing: Filing) -> str | None:
        chosen = filing.text(option)
        return None if chosen == "none" else chosen

    return table


@rule("FLT-SPG", "App. A 3", "Only the highest qualifying hand is paid.")
def seven_card_classes(table: Paytable) -> RowClasses:
    """The rows of a table in the order printed; the joker is semi-wild (rulings.md R-11)."""
    return row_classes(tuple(row.hand for row in table.rows))


@rule("FLT-SPG", "App. B 3", "Ace is always considered high, and the Joker is always considered an Ace.")
def insurance_classes(table: Paytable) -> RowClasses:
    """The joker fills no straight but that of an ace, and no flush (rulings.md R-19)."""
    return row_classes(tuple(row.hand for row in table.rows), Joker.ACE_ONLY)


@rule("FLT-SPG", "Dealer's 8th Card", "based on the value of the dealer's unused 8th card")
def eighth_card_classes(table: Paytable) -> RowClasses:
    return RowClasses(Game.EIGHTH_CARD, tuple(row.hand for row in table.rows))


@rule("FLT-SPG", "App. A", 'All pays are "for 1," relative to the Ante wager.')
def royalty_table(filing: Filing) -> str:
    return filing.text("ante_royalty_paytable")


ROYALTY = RoyaltyLaw(
    name="ante_royalty",
    title="Ante Royalty",
    classes=seven_card_classes,
    table=royalty_table,
    aggregate=Aggregate("ante_royalty", _flt("App. A 4", _PER_HAND_OR_ROUND)),
    not_due=_flt("App. A 2", "are eligible to receive an *Ante Royalty* pay based on their qualifying hand"),
)


@rule("FLT-SPG", "App. E 3", "Each asterisked item represents a separate wager.")
def eighth_card_table(on: str, tables: str = "PT-FLT-D8C") -> Callable[[Filing], str | None]:
    """The part of the table filed that one of the three wagers is paid by; None where the table does not print it."""

    def table(filing: Filing) -> str | None:
        chosen = filing.text("eighth_card_paytable")
        return f"{chosen}-{on}" if chosen.startswith(tables) else None

    return table


def _optional(name: str, title: str, section: str, loses: str) -> Callable[..., SideWager]:
    """A wager on one's own seven cards."""
    return partial(
        SideWager,
        name=name,
        title=title,
        judged_on=JudgedOn.OWN_CARDS,
        table=_filed(f"{name}_paytable"),
        limits_of=name,
        loses=_flt(section, loses),
        needs=_OFFERED,
        limits=_LIMITS,
    )


INSURANCE = _optional(
    "insurance", "Pai Gow Insurance wager", "Pai Gow Insurance", "Players win if their 7-card hand is a Pai Gow"
)(classes=insurance_classes, aggregate=Aggregate("insurance", _flt("App. B 5", _PER_HAND_OR_ROUND)))

EMPERORS = _optional(
    "emperors",
    "Emperor's Treasure wager",
    "Emperor's Treasure (with Envy Bonus)",
    "Players win if their 7-card hand achieves a winning event based on the corresponding paytable(s) in Appendix C",
)(
    classes=seven_card_classes,
    aggregate=Aggregate("emperors", _flt("App. C 5", _PAYABLE)),
    envy=EnvyLaw(
        least_cents=500,
        hands="a hand of four of a kind or better",
        cite=_flt("Envy Bonus", "If the player's *Emperor's Treasure* wager is \\$5 or more"),
    ),
)

SEVEN_CARD_BONUS = _optional(
    "seven_card_bonus",
    "7-Card Bonus wager",
    "7-Card Bonus",
    "Players win if their 7-card hand achieves a winning event based on the corresponding paytable(s) in Appendix D",
)(classes=seven_card_classes, aggregate=Aggregate("seven_card_bonus", _flt("App. D 3", _PAYABLE)))


def _unit(name: str) -> Callable[[Filing], int]:
    """The one amount a progressive wager may be."""
    return lambda filing: filing.number(f"{name}_unit_cents")


INSURANCE_PROGRESSIVE = _optional(
    "insurance_progressive",
    "Pai Gow Insurance Progressive wager",
    "Pai Gow Insurance Progressive",
    "Players win if their 7-card hand is a Queen High Pai Gow or less",
)(classes=insurance_classes, aggregate=None, unit=_unit("insurance_progressive"))

EMPERORS_PROGRESSIVE = _optional(
    "emperors_progressive",
    "Emperor's Treasure Progressive wager",
    "Emperor's Treasure Progressive",
    "Players win if their 7-card hand achieves a winning event based on the corresponding paytable(s) in Appendix G",
)(classes=seven_card_classes, aggregate=None, unit=_unit("emperors_progressive"))


def _eighth_card(name: str, title: str, on: str, tables: str = "PT-FLT-D8C") -> SideWager:
    return SideWager(
        name=name,
        title=f"wager on the dealer's eighth card ({title})",
        judged_on=JudgedOn.CARD_LEFT_OVER,
        classes=eighth_card_classes,
        table=eighth_card_table(on, tables),
        limits_of="eighth_card",
        aggregate=Aggregate("eighth_card", _flt("App. E 4", _PER_HAND_OR_ROUND)),
        loses=_flt("Dealer's 8th Card", "that are paid according to the corresponding paytable(s) in Appendix E"),
        needs=_OFFERED,
        limits=_LIMITS,
    )


EIGHTH_CARD = (
    _eighth_card("eighth_3_or_10", "3 or 10", "3-or-10"),
    _eighth_card("eighth_2_or_4", "2 or 4", "2-or-4", "PT-FLT-D8C1"),
    _eighth_card("eighth_2_5_or_7", "2, 5 or 7", "2-5-or-7", "PT-FLT-D8C2"),
    _eighth_card("eighth_field", "the field", "field"),
)

LAW = Law(
    method="stacks",
    cards=CardsLaw(first=4, whole=7, low=2, dealer=8),
    ante="ante",
    ante_title="Ante",
    raised=RAISE,
    royalty=ROYALTY,
    sides=(INSURANCE, EMPERORS, SEVEN_CARD_BONUS, *EIGHTH_CARD, INSURANCE_PROGRESSIVE, EMPERORS_PROGRESSIVE),
    late=LateWagers(_flt("Rules of Play 2", "After all wagers are placed"), "betting had closed"),
    offered=WagersOffered(
        no_such_wager=_flt("Optional Bonus Wagers", "Operators choose which optional bonus wager(s) they will offer"),
        no_such_seat=cite("rulings.md", "R-1", "Betting positions are numbered 1..6"),
        seated_only=_flt("Rules of Play 1", "each player must place an *Ante* wager"),
    ),
    ranking=RANKING,
    fouled=fouled,
    beats=beats,
    in_words=strength_in_words,
    settlement_order="Ante and Raise, the Ante Royalty, then the optional wagers; envy bonuses after the last seat",
    meter_payout=cite(
        "rulings.md", "R-5", "hands that must stay face up for an envy bonus or until a meter payout is documented"
    ),
    cites=cites_beside(__file__, Cites),
)
