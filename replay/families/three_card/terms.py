"""What the licensee filed, as the rules need it: typed, with the law of the pack bound to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from replay.cards.dealing.method import Method
from replay.cards.pickup.procedure import Procedure
from replay.families.three_card.law import JudgedOn, Law, SideWager
from replay.filing import FeeSchedule, Filing, Paytable
from replay.money.fees import limits, limits_problem
from replay.money.paytable import ClassTable
from replay.ranking import RowClasses
from schemas.cards import JOKER_1
from schemas.places import Ring


@dataclass(frozen=True, eq=False)
class Side:
    """A bonus bet with its pay table."""

    law: SideWager
    paytable: Paytable
    classes: RowClasses
    table: ClassTable

    @property
    def name(self) -> str:
        return self.law.name

    @property
    def on_both_hands(self) -> bool:
        return self.law.judged_on is JudgedOn.BOTH_HANDS

    @property
    def nothing(self) -> int:
        """The class of what the table has no row for."""
        return len(self.classes.rows)

    def class_in_words(self, number: int) -> str:
        return self.classes.names[number].replace("_", " ")


@dataclass(frozen=True, eq=False)
class Terms:
    law: Law
    ring: Ring
    decks: int
    method: Method  # of dealing
    pickup: Procedure
    sides: tuple[Side, ...]
    schedule: FeeSchedule
    limits_cents: dict[str, tuple[int, int]]  # of every wager that has limits
    drop_box: str

    @property
    def places(self) -> int:
        return self.ring.size

    @property
    def hand(self) -> int:
        """How many cards each hand has."""
        return self.law.hand_cards

    @property
    def rack_size(self) -> int:
        """All decks go into the rack."""
        return JOKER_1 * self.decks

    @cached_property
    def deck(self) -> bytes:
        """Every card that must lie in the rack."""
        return bytes(range(JOKER_1)) * self.decks


@lru_cache(maxsize=1024)
def terms_of(filing: Filing) -> Terms:
    law, pack = filing.pack.law(Law), filing.pack
    schedule = pack.fees[filing.text("schedule")]
    return Terms(
        law,
        filing.ring,
        filing.number("decks"),
        pack.dealing[law.method],
        filing.pickup,
        tuple(_side(filing, wager) for wager in law.sides),
        schedule,
        _limits(filing, schedule, law),
        filing.text("drop_box"),
    )


def _side(filing: Filing, wager: SideWager) -> Side:
    table = filing.pack.paytables[wager.table(filing)]
    classes = RowClasses(wager.classes, tuple(row.hand for row in table.rows))
    return Side(wager, table, classes, ClassTable.of(table, classes.names))


def _limits(filing: Filing, schedule: FeeSchedule, law: Law) -> dict[str, tuple[int, int]]:
    least, most = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    found = {law.ante: limits(schedule, law.ante, least, most)}
    for side in law.sides:
        lowest, highest = limits(schedule, side.name, 0, 0)
        if side.name == law.no_more_than_the_table:
            highest = min(highest, found[law.ante][1])
        found[side.name] = lowest, highest
    return found


def problem_with(filing: Filing) -> str | None:
    """Why these choices cannot stand together, in words; None if they can."""
    terms = terms_of(filing)
    for wager in (terms.law.ante, *(side.name for side in terms.law.sides)):
        if wager not in terms.schedule.limits:
            return f"schedule {terms.schedule.id} prints no limits for the wager {wager}"
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    return limits_problem(terms.schedule, terms.law.ante, *filed)
