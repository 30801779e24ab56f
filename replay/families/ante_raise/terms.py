"""What the licensee filed, as the rules need it: typed, with the law of the pack bound to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from replay.cards.dealing.method import Method
from replay.families.ante_raise.law import Aggregate, Law, SideWager
from replay.filing import Filing, Paytable
from replay.money.filed_meters import filed_meters_problem, meter_law_filed
from replay.money.meter import FiledMeter, MeterLaw
from replay.money.paytable import ClassTable
from replay.ranking.row_classes import RowClasses
from schemas.cards import JOKER_1
from schemas.money import dollars
from schemas.places import Ring


class Per(StrEnum):
    HAND = "hand"
    ROUND = "round"


@dataclass(frozen=True, eq=False)
class Limit:
    """A posted aggregate limit."""

    law: Aggregate
    cents: int  # 0: none
    per: Per


@dataclass(frozen=True, eq=False)
class Paid:
    """A pay table with the classes of its rows."""

    table: ClassTable
    classes: RowClasses
    limit: Limit | None  # of all that its appendix pays

    @property
    def nothing(self) -> int:
        """The class of what the table has no row for."""
        return len(self.classes.rows)

    def class_in_words(self, number: int) -> str:
        return self.classes.names[number].replace("_", " ")


@dataclass(frozen=True, eq=False)
class Side:
    """A side wager that is offered."""

    law: SideWager
    paid: Paid
    paytable: Paytable
    limits_cents: tuple[int, int]
    meters: MeterLaw | None = None  # where rows of its pay table are shares of a meter

    @property
    def name(self) -> str:
        return self.law.name

    @property
    def on_own_cards(self) -> bool:
        return self.law.on_own_cards


@dataclass(frozen=True, eq=False)
class Terms:
    law: Law
    ring: Ring
    deck_size: int
    method: Method  # of dealing
    royalty: Paid
    sides: tuple[Side, ...]  # the side wagers offered
    whole_multiples: bool
    table_limits_cents: tuple[int, int]
    rearranges: bool  # the dealer lays hands out anew for bonus wagers

    @property
    def places(self) -> int:
        return self.ring.size

    @property
    def widest(self) -> int:
        """The most cards a place has."""
        return self.law.cards.dealer

    @cached_property
    def deck(self) -> bytes:
        return bytes(range(self.deck_size))

    @property
    def meters(self) -> tuple[FiledMeter, ...]:
        """Every meter filed."""
        return tuple(meter for side in self.sides if side.meters is not None for meter in side.meters.meters)

    @cached_property
    def envy(self) -> Side | None:
        """The side wager offered that earns envy bonuses."""
        return next((side for side in self.sides if side.law.envy is not None), None)


@lru_cache(maxsize=1024)
def terms_of(filing: Filing) -> Terms:
    law, pack = filing.pack.law(Law), filing.pack
    royalty = pack.paytables[law.royalty.table(filing)]
    names = law.royalty.classes(royalty)
    return Terms(
        law,
        filing.ring,
        JOKER_1 + pack.data.deck.jokers,
        pack.dealing[law.method],
        Paid(ClassTable.of(royalty, names.names), names, _limit(filing, law.royalty.aggregate)),
        tuple(side for wager in law.sides if (side := _side(filing, wager)) is not None),
        law.raised.whole_multiples(filing),
        _limits(filing, "table"),
        filing.options["rearranged"] is True,
    )


def _side(filing: Filing, wager: SideWager) -> Side | None:
    filed = wager.table(filing)
    if filed is None:
        return None
    table = filing.pack.paytables[filed]
    names = wager.classes(table)
    limit = None if wager.aggregate is None else _limit(filing, wager.aggregate)
    by_class = ClassTable.of(table, names.names)
    if wager.unit is None:
        limits = _limits(filing, wager.limits_of)
    else:  # "seed/reseed and pays should be multiplied accordingly"
        unit = wager.unit(filing)
        limits = unit, unit
        by_class = replace(by_class, unit_cents=unit, amount_cents=by_class.amount_cents * unit // by_class.unit_cents)
    meters = meter_law_filed(filing, wager.name, table, by_class)
    return Side(wager, Paid(by_class, names, limit), table, limits, meters)


def _limit(filing: Filing, law: Aggregate) -> Limit | None:
    cents = filing.number(f"{law.name}_aggregate_cents")
    return Limit(law, cents, Per(filing.text(f"{law.name}_aggregate_per"))) if cents else None


def _limits(filing: Filing, name: str) -> tuple[int, int]:
    return filing.number(f"{name}_minimum_cents"), filing.number(f"{name}_maximum_cents")


def problem_with(filing: Filing) -> str | None:
    """Why these choices cannot stand together, in words; None if they can."""
    terms = terms_of(filing)
    limits = [("table", terms.table_limits_cents), *((side.law.limits_of, side.limits_cents) for side in terms.sides)]
    for name, (least, most) in limits:
        if least > most:
            above = f"option {name}_minimum_cents ({dollars(least)}) is above {name}_maximum_cents ({dollars(most)})"
            return f"{above} ({filing.pack.data.options[f'{name}_minimum_cents'].cite})"
    return filed_meters_problem([(side.meters, side.paytable) for side in terms.sides if side.meters is not None])
