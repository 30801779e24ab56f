"""What the licensee filed, as the rules need it: typed, with the law of the pack bound to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache

from replay.cards.dealing.method import Method, Receives, StartRule
from replay.checks.areas import AreasLaw
from replay.families.split_hands.geometry import Geometry
from replay.families.split_hands.law import Banking, Dealing, Law, Ranking, Starting
from replay.families.split_hands.wager_law import ClassOf, EnvyLaw, JudgedOn, PayoutLaw, SideWager, Variant
from replay.filing import Filing, Paytable
from replay.lines import Cents
from replay.money.filed_meters import filed_meters_problem, meter_law_filed
from replay.money.meter import FiledMeter, MeterLaw
from replay.money.paytable import ClassTable
from replay.money.vigorish import VigorishRounding
from schemas.money import dollars
from schemas.places import DEALER

FIRST_CARDS = 3  # as many wagers are judged on, where they are judged on the cards dealt first


class WrongStart(StrEnum):
    DEAD = "dead"
    STANDS = "stands"


class SurrenderedBonus(StrEnum):
    SETTLED = "settled"
    FORFEITED = "forfeited"


@dataclass(frozen=True, eq=False)
class Side:
    """A side wager that is offered."""

    law: SideWager
    table: ClassTable
    class_of: Mapping[str, ClassOf]  # by what was chosen
    limits_cents: tuple[int, int]
    mandatory: bool = False
    round_limit_cents: int = 0  # on one player's in one round; 0: no limit
    classes: Sequence[str] = ()  # by number; the last one is nothing
    meters: MeterLaw | None = None  # where rows of its pay table are shares of a meter
    paytable: Paytable | None = None  # as filed

    @property
    def nothing(self) -> int:
        """The class of what the pay table pays nothing for in any case."""
        return len(self.classes) - 1

    def class_in_words(self, number: int) -> str:
        """`full house`, `royal flush royal match` ... for sentences and views."""
        return self.classes[number].replace("_", " ")

    @property
    def name(self) -> str:
        return self.law.name


@dataclass(frozen=True, eq=False)
class Terms:
    law: Law
    geometry: Geometry
    ranking: Ranking
    dealing: Dealing
    methods: tuple[Method, ...]  # of dealing: the one filed, and then the others the game has
    starting: Starting
    vigorish_rounding: VigorishRounding
    sides: tuple[Side, ...]  # the side wagers offered
    variant: Variant
    surrendered_bonus: SurrenderedBonus
    wrong_start_without_dice: WrongStart
    table_limits_cents: tuple[int, int]
    decks: int
    payout_limit_cents: int  # on one hand; 0: no limit
    banking: Banking
    rearranges: bool  # the dealer lays hands out anew for bonus wagers
    areas: AreasLaw | None  # in how many areas a person may bet
    stub_counted_by_shuffler: bool

    @cached_property
    def judges_first_cards(self) -> bool:
        return any(side.law.judged_on is JudgedOn.FIRST_CARDS for side in self.sides)

    @property
    def to_bettors_only(self) -> bool:
        """Whether only places with a wager are dealt a hand, and the dealer."""
        return self.methods[0].receives is Receives.BETTORS_AND_DEALER

    @property
    def begins_left_of_dealer(self) -> bool:
        return self.methods[0].starts is StartRule.LEFT_OF_DEALER

    @property
    def takes_vigorish(self) -> bool:
        return self.law.vigorish is not None and self.variant.vigorish

    def vigorish(self, won_cents: Cents) -> Cents:
        if self.law.vigorish is None or not self.variant.vigorish:
            return won_cents * 0
        return self.law.vigorish(won_cents, self.vigorish_rounding)

    @cached_property
    def envy(self) -> EnvyLaw | None:
        """Of the first side wager offered that earns envy bonuses, or of the first there is."""
        laws = (side.law for side in self.sides)
        return next((law.envy for law in (*laws, *self.law.sides) if law.envy is not None), None)

    @cached_property
    def highest_odds(self) -> int:
        return max((side.table.highest_odds for side in self.sides), default=1)

    @cached_property
    def meters(self) -> tuple[FiledMeter, ...]:
        """Those of all progressive wagers offered."""
        return tuple(meter for side in self.sides if side.meters is not None for meter in side.meters.meters)

    def side(self, name: str) -> Side | None:
        """The side wager of this name, None where it is not offered."""
        return next((side for side in self.sides if side.name == name), None)


@lru_cache(maxsize=4096)
def terms_of(filing: Filing, left_out: tuple[int, ...] = ()) -> Terms:
    """`left_out`: the places that were dealt no hand, in order, though the game may deal them one."""
    law, pack = filing.pack.law(Law), filing.pack
    dealing = Dealing(_filed(filing, "dealing", Dealing.HAND))
    if law.only_method is None:
        others = [other for other in Dealing if other is not dealing and other in pack.dealing]
        methods = tuple(pack.dealing[method] for method in (dealing, *others))
    else:
        methods = (pack.dealing[law.only_method],)
    absent = left_out if law.player_dealer is None else (DEALER, *left_out)
    terms = Terms(
        law=law,
        geometry=Geometry(filing.ring, law.hand_cards, law.low_cards, pack.data.deck.jokers, absent),
        ranking=law.ranking(filing),
        dealing=dealing,
        methods=methods,
        starting=Starting(_filed(filing, "starting", Starting.DICE)),
        vigorish_rounding=VigorishRounding(_filed(filing, "vigorish_rounding", VigorishRounding.EXACT)),
        sides=tuple(side for wager in law.sides if (side := _side(filing, wager)) is not None),
        variant=law.variant(filing),
        surrendered_bonus=SurrenderedBonus(_filed(filing, "surrendered_bonus", SurrenderedBonus.SETTLED)),
        wrong_start_without_dice=WrongStart(_filed(filing, "wrong_start_without_dice", WrongStart.STANDS)),
        table_limits_cents=_limits(filing, "table"),
        decks=int(filing.options.get("decks", 1)),
        payout_limit_cents=0,
        banking=Banking(_filed(filing, "banking", Banking.NONE)),
        rearranges=law.player_dealer is None or filing.options.get("rearranged", False) is True,
        areas=_areas(filing, law),
        stub_counted_by_shuffler=bool(filing.options.get("stub_counted_by_shuffler", False)),
    )
    return replace(terms, payout_limit_cents=_payout_limit(filing, terms))


def _side(filing: Filing, wager: SideWager) -> Side | None:
    table = wager.table(filing)
    if table is None:
        return None
    paytable = with_odds_filed(filing.pack.paytables[table], wager, filing)
    classes, class_of = _classes(wager, paytable, filing)
    by_class = ClassTable.of(paytable, classes, wager.whole_cents)
    limits = _limits(filing, wager.name)
    if paytable.unit is not None and paytable.scales is None:  # the one amount it is printed for
        limits = paytable.unit, paytable.unit
    return Side(
        wager,
        by_class,
        class_of,
        limits,
        wager.mandatory(filing),
        filing.number(wager.round_limit.option) if wager.round_limit is not None else 0,
        classes,
        meter_law_filed(filing, wager.name, paytable, by_class),
        paytable,
    )


def _classes(wager: SideWager, table: Paytable, filing: Filing) -> tuple[Sequence[str], Mapping[str, ClassOf]]:
    """Of a side wager as filed: its classes by number, and by what was chosen the function that finds them."""
    if wager.printed_rows is not None:
        rows = wager.printed_rows([row.hand for row in table.rows])
        return rows.names, dict.fromkeys(wager.choices, rows.of)
    if wager.class_of is None:
        raise ValueError(f"side wager {wager.name}: its law says neither class_of nor printed_rows")
    return wager.classes, {choice: wager.class_of(filing, choice) for choice in wager.choices}


def with_odds_filed(table: Paytable, wager: SideWager, filing: Filing) -> Paytable:
    """A table whose odds are the licensee's, within what the text allows."""
    if wager.odds is None:
        return table
    odds = Fraction(*wager.odds(filing))
    rows = [row.model_copy(update={"odds": [odds.numerator, odds.denominator]}) for row in table.rows]
    return table.model_copy(update={"rows": rows})


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
    limited = (side for side in terms.sides if side.law.limited)
    return max(payout.least_cents, *(side.table.highest_odds * side.limits_cents[0] for side in limited), 0)


def problem_with(filing: Filing) -> str | None:
    """Why these choices cannot stand together, in words; None if they can."""
    terms = terms_of(filing)
    if terms.starting is Starting.BUTTON and terms.dealing is not Dealing.AUTOMATED_SHOE:
        return (
            f"option starting: button needs dealing: automated_shoe, not {terms.dealing} "
            f"({terms.law.start.button_section}: the button is for tables with an automated card shuffling device and "
            "dealing shoe); file starting: dice or rng"
        )
    limits = [
        ("table", terms.table_limits_cents),
        *((wager.name, _limits(filing, wager.name)) for wager in terms.law.sides),
    ]
    for name, (least, most) in limits:
        if least > most:
            return f"option {name}_minimum_cents ({dollars(least)}) is above {name}_maximum_cents ({dollars(most)})"
    filed = [(side.meters, side.paytable) for side in terms.sides]
    metered = [(law, table) for law, table in filed if law is not None and table is not None]
    limits_problem = next(filter(None, map(_round_limit_problem, terms.sides)), None)
    return filed_meters_problem(metered) or _payout_problem(terms) or limits_problem


def _round_limit_problem(side: Side) -> str | None:
    limit = side.law.round_limit
    if limit is None or not side.round_limit_cents:
        return None
    return _below_least(
        limit.option,
        side.round_limit_cents,
        limit.least_cents,
        max(limit.least_cents, side.table.highest_odds * side.limits_cents[0]),
        limit.section,
    )


def _payout_problem(terms: Terms) -> str | None:
    payout = terms.law.payout
    if payout is None or not terms.payout_limit_cents:
        return None
    floor = _least_limit(payout, terms)
    return _below_least("maximum_payout_cents", terms.payout_limit_cents, payout.least_cents, floor, payout.section)


def _below_least(option: str, filed_cents: int, printed_cents: int, floor_cents: int, section: str) -> str | None:
    if filed_cents >= floor_cents:
        return None
    return (
        f"option {option}: {dollars(filed_cents)} is below {dollars(floor_cents)}, the least {section} allows "
        f"({dollars(printed_cents).removesuffix('.00')}, or what one player could win with the smallest wager, if "
        "greater)"
    )
