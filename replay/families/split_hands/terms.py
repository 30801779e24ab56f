"""What the licensee filed, as the rules need it: typed, with the law of the pack bound to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from replay.cards.dealing.method import Method
from replay.checks.areas import AreasLaw
from replay.families.split_hands.geometry import Geometry
from replay.families.split_hands.law import Banking, Dealing, Law, PayoutLaw, Ranking, Starting
from replay.filing import Filing
from replay.lines import Cents
from replay.money.paytable import ClassTable
from replay.money.vigorish import VigorishRounding
from schemas.money import dollars


class WrongStart(StrEnum):
    DEAD = "dead"
    STANDS = "stands"


class SurrenderedBonus(StrEnum):
    SETTLED = "settled"
    FORFEITED = "forfeited"


@dataclass(frozen=True, eq=False)
class Terms:
    law: Law
    geometry: Geometry
    ranking: Ranking
    dealing: Dealing
    methods: tuple[Method, ...]  # of dealing: the one filed, and then the others the game has
    starting: Starting
    vigorish_rounding: VigorishRounding
    bonus: ClassTable | None  # None: not offered
    surrendered_bonus: SurrenderedBonus
    wrong_start_without_dice: WrongStart
    table_limits_cents: tuple[int, int]
    bonus_limits_cents: tuple[int, int]
    decks: int
    payout_limit_cents: int  # on one hand; 0: no limit
    banking: Banking
    rearranges: bool  # the dealer lays hands out anew for bonus wagers
    areas: AreasLaw | None  # in how many areas a person may bet
    stub_counted_by_shuffler: bool

    def vigorish(self, won_cents: Cents) -> Cents:
        return self.law.vigorish(won_cents, self.vigorish_rounding) if self.law.vigorish else won_cents * 0


@lru_cache(maxsize=1024)
def terms_of(filing: Filing) -> Terms:
    law, pack = filing.pack.law(Law), filing.pack
    table, bonus = law.bonus_table(filing), law.wagers.bonus
    dealing = Dealing(_filed(filing, "dealing", Dealing.HAND))
    if law.only_method is None:
        others = [other for other in Dealing if other is not dealing]
        methods = tuple(pack.dealing[method] for method in (dealing, *others))
    else:
        methods = (pack.dealing[law.only_method],)
    first = 0 if law.player_dealer is None else 1
    terms = Terms(
        law=law,
        geometry=Geometry(filing.ring, law.hand_cards, law.low_cards, pack.data.deck.jokers, first),
        ranking=law.ranking(filing),
        dealing=dealing,
        methods=methods,
        starting=Starting(_filed(filing, "starting", Starting.DICE)),
        vigorish_rounding=VigorishRounding(_filed(filing, "vigorish_rounding", VigorishRounding.EXACT)),
        bonus=None if table is None else ClassTable.of(pack.paytables[table], law.classes),
        surrendered_bonus=SurrenderedBonus(_filed(filing, "surrendered_bonus", SurrenderedBonus.SETTLED)),
        wrong_start_without_dice=WrongStart(_filed(filing, "wrong_start_without_dice", WrongStart.STANDS)),
        table_limits_cents=_limits(filing, "table"),
        bonus_limits_cents=_limits(filing, bonus),
        decks=int(filing.options.get("decks", 1)),
        payout_limit_cents=0,
        banking=Banking(_filed(filing, "banking", Banking.NONE)),
        rearranges=law.player_dealer is None or filing.options.get("rearranged", False) is True,
        areas=_areas(filing, law),
        stub_counted_by_shuffler=bool(filing.options.get("stub_counted_by_shuffler", False)),
    )
    return replace(terms, payout_limit_cents=_payout_limit(filing, terms))


def _limits(filing: Filing, wager: str) -> tuple[int, int]:
    """The smallest and the largest wager filed; (0, 0) where a schedule has them."""
    if f"{wager}_minimum_cents" not in filing.pack.data.options:
        return 0, 0
    return filing.number(f"{wager}_minimum_cents"), filing.number(f"{wager}_maximum_cents")


def _filed(filing: Filing, option: str, otherwise: str) -> str:
    """What was filed, in games that leave it to the licensee."""
    return filing.text(option) if option in filing.pack.data.options else otherwise


def _areas(filing: Filing, law: Law) -> AreasLaw | None:
    one_only = law.areas is not None and filing.options.get("two_areas", True) is False
    return replace(law.areas, most=1) if one_only and law.areas is not None else law.areas


def _payout_limit(filing: Filing, terms: Terms) -> int:
    payout = terms.law.payout
    if payout is None:
        return 0
    return filing.number("maximum_payout_cents") if payout.filed else _least_limit(payout, terms)


def _least_limit(payout: PayoutLaw, terms: Terms) -> int:
    best = terms.bonus.highest_odds * terms.bonus_limits_cents[0] if terms.bonus is not None else 0
    return max(payout.least_cents, best)


def problem_with(filing: Filing) -> str | None:
    """Why these choices cannot stand together, in words; None if they can."""
    terms = terms_of(filing)
    if terms.starting is Starting.BUTTON and terms.dealing is not Dealing.AUTOMATED_SHOE:
        return (
            f"option starting: button needs dealing: automated_shoe, not {terms.dealing} "
            f"({terms.law.start.button_section}: the button is for tables with an automated card shuffling device and "
            "dealing shoe); file starting: dice or rng"
        )
    limits = (("table", terms.table_limits_cents), (terms.law.wagers.bonus, terms.bonus_limits_cents))
    for name, (least, most) in limits:
        if least > most:
            return f"option {name}_minimum_cents ({dollars(least)}) is above {name}_maximum_cents ({dollars(most)})"
    return _payout_problem(terms)


def _payout_problem(terms: Terms) -> str | None:
    payout = terms.law.payout
    if payout is None or not terms.payout_limit_cents:
        return None
    floor = _least_limit(payout, terms)
    if terms.payout_limit_cents >= floor:
        return None
    return (
        f"option maximum_payout_cents: {dollars(terms.payout_limit_cents)} is below {dollars(floor)}, the least "
        f"{payout.section} allows ({dollars(payout.least_cents).removesuffix('.00')}, or what one player could win "
        "with the smallest wager, if greater)"
    )
