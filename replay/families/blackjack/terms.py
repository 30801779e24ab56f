"""What a filing says of a game of this family: its law, the shoe, the limits and the collection schedule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from replay.cards.dealing.method import Method, To
from replay.cards.pickup.procedure import Order, Procedure, What
from replay.cards.pickup.words import Word
from replay.checks.wagers import Bound, Bounds
from replay.families.blackjack.law import Law
from replay.families.blackjack.paid import PayTables, pay_tables
from replay.filing import FeeBand, FeePart, FeeSchedule, Filing, Pack
from replay.money.fees import limits, limits_problem
from schemas.money import dollars
from schemas.places import Ring

OWN = "own"
"""The schedule whose rates the casino determines: they are filed as options."""
_OWN_RATES = 3
_KNOWN_BEFORE_PLAY = frozenset({Word.AGAINST, Word.WAGERED, Word.SURRENDERED, Word.OUT_OF_PLAY, Word.SPLIT})


@dataclass(frozen=True, eq=False)
class Terms:
    law: Law
    pack: Pack
    shoe: Method
    pickup: Procedure
    ring: Ring
    decks: int
    schedule: FeeSchedule
    limits_cents: tuple[int, int]  # of the wager on a hand

    @property
    def seats(self) -> int:
        return self.ring.seats

    @cached_property
    def tables(self) -> PayTables:
        return pay_tables(self.pack, self.law)

    @property
    def bounds(self) -> dict[str, Bounds]:
        """The limits of the wager on a hand; those of the others follow from it."""
        law, printed = self.law, self.schedule.limits[self.law.base.name]
        lowest, highest = (
            Bound(cents, f"schedule {self.schedule.id}", self.schedule.limits_cite)
            if cents in printed
            else Bound(cents, f"filed for this table under schedule {self.schedule.id}", law.table_limits)
            for cents in self.limits_cents
        )
        return {law.base.name: Bounds(lowest, highest)}


@lru_cache(maxsize=1024)
def terms_of(filing: Filing) -> Terms:
    law, schedule = filing.pack.law(Law), schedule_of(filing)
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    return Terms(
        law,
        filing.pack,
        filing.pack.dealing["shoe"],
        filing.pickup,
        filing.ring,
        filing.number("decks"),
        schedule,
        limits(schedule, law.base.name, *filed),
    )


def schedule_of(filing: Filing) -> FeeSchedule:
    """The collection schedule in use; of the casino's own, with the rates it has filed."""
    schedule = filing.pack.fees[filing.text("schedule")]
    if schedule.id != OWN:
        return schedule
    parts = [_with_rates(filing, part) for part in schedule.parts]
    return schedule.model_copy(update={"parts": [part for part in parts if part.bands]})


def _with_rates(filing: Filing, part: FeePart) -> FeePart:
    if part.payer == "player_dealer":
        rates = [(0, filing.number("own_player_dealer_cents"))]
    else:
        rates = [
            (filing.number(f"own_rate_{number}_from_cents"), filing.number(f"own_rate_{number}_cents"))
            for number in range(1, _OWN_RATES + 1)
        ]
    filed = ({"floor": dollars(floor), "fee": dollars(fee)} for floor, fee in rates if fee)
    bands = [FeeBand.model_validate(band) for band in filed]
    return part.model_copy(update={"bands": bands})


def problem_with(filing: Filing) -> str | None:
    """What is wrong with the options taken together, in words; None if nothing is."""
    law, schedule = filing.pack.law(Law), schedule_of(filing)
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    return (
        _problem_with_own_rates(filing, law, schedule)
        or limits_problem(schedule, law.base.name, *filed)
        or _problem_with_dealing(filing.pack.dealing["shoe"])
        or problem_with_pickup(filing.pickup)
    )


def _problem_with_own_rates(filing: Filing, law: Law, schedule: FeeSchedule) -> str | None:
    if schedule.id != OWN:
        return None  # its rates stay filed while a table uses another schedule
    if not any(part.payer == "player" for part in schedule.parts):
        return (
            f"schedule own has no rate for the players ({law.own_rates}: “{law.own_rates.words}”); file "
            "own_rate_1_cents, and own_rate_1_from_cents, from which wager on"
        )
    most = schedule.most_rates
    if most is not None and len(schedule.rates) > most.count:
        said = ", ".join(map(dollars, schedule.rates))
        return f"schedule own has {len(schedule.rates)} rates ({said}), and {most.cite} allows {most.count}; file fewer"
    for part in schedule.parts:
        floors = [band.floor for band in part.bands if band.floor is not None]
        if floors != sorted(set(floors)):
            said = ", ".join(map(dollars, floors))
            return f"the rates of schedule own begin at {said}; file each from a higher wager on than the one before"
    return None


def _problem_with_dealing(shoe: Method) -> str | None:
    if any(step.to is To.DRAWS for step in shoe.steps):
        return None
    return f"the dealing {shoe.id} has no step `to: draws`, and hands draw cards"


def problem_with_pickup(procedure: Procedure) -> str | None:
    """Why this game cannot be played under such a procedure; None if it can. How many cards the player-dealer has is
    known from what is left, so that hand goes in last."""
    strange = sorted({step.what for step in procedure.steps} - {What.HANDS})
    if strange:
        return f"pickup procedure {procedure.id} picks up {', '.join(strange)}, which this game does not have"
    unknown = sorted(procedure.words - _KNOWN_BEFORE_PLAY)
    if unknown:
        return (
            f"pickup procedure {procedure.id} goes by what hands come to ({', '.join(unknown)}); here they are picked "
            "up as they are settled or surrendered, busted ones too (rulings.md R-8)"
        )
    against = frozenset({Word.AGAINST})
    last = len(procedure.steps) - 1
    takes = next((at for at, step in enumerate(procedure.steps) if step.takes(1, against)), None)
    others = any(
        procedure.steps[last].takes(1, true) and not any(step.takes(1, true) for step in procedure.steps[:last])
        for true in procedure.worlds()
        if Word.AGAINST not in true
    )
    if takes != last or others or procedure.steps[last].order is Order.ANY_TIME:
        return (
            f"pickup procedure {procedure.id} does not put the player-dealer's hand in last; in another order the rack "
            "would not show how many cards it has"
        )
    if any(step.laid != "as_drawn" for step in procedure.steps):
        return (
            f"pickup procedure {procedure.id} does not lay every hand as_drawn; only so the rack shows how it was drawn"
        )
    return None
