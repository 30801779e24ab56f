"""The theory of one pay table: how often each of its rows is paid, what it returns, and what its meters are worth.

A wager that is paid by the class of a hand needs no more than its pay table and how its hands are counted; which wager
of which pack it is does not matter. So every printed table has a theory, offered by a pack or not.

A share of a meter is worth what the meter holds: figures are for the seed, or for what is said, and the *break-even* is
the meter at which the wager returns all of itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property

import numpy as np

from analytics.theory import ace_high, eighth_card, few_cards, seven_classes
from analytics.theory.counts import Counts, TheoryError
from analytics.theory.store import CountsStore
from analytics.theory.wager import MeterTheory, OutcomeTheory
from replay.filing import Paytable
from replay.money.paytable import ClassTable, class_pays, meter_share
from replay.money.results import LOSES, TIES
from replay.ranking import NOTHING, Game, RowClasses, class_names
from schemas.cards import JOKER_1


class CountedBy(StrEnum):
    """What a row of a pay table is a class of."""

    SEVEN_CARDS = "seven cards"  # the joker semi-wild
    INSURANCE = "seven cards, the joker an ace"
    CHOSEN_COLOR = "colours of seven cards"
    THREE_CARDS = "three cards"
    ACE_HIGH = "the dealer's and the player's seven cards"
    EIGHTH_CARD = "the dealer's eighth card"


_BY_ID = (
    (r"(insurance-|PT-(FLT|BJS)-EC-PGI-).*", CountedBy.INSURANCE),
    (r"red-black", CountedBy.CHOSEN_COLOR),
    (r"three-card-bonus", CountedBy.THREE_CARDS),
    (r"ace-high-.*", CountedBy.ACE_HIGH),
    (r"PT-FLT-D8C.*", CountedBy.EIGHTH_CARD),
)
_NO_STAKE = re.compile(r"PT-FLT-AR-.*")  # the ante royalty has none of its own (rulings.md R-22)


def counted_by(table: Paytable) -> CountedBy:
    return next((how for pattern, how in _BY_ID if re.fullmatch(pattern, table.id)), CountedBy.SEVEN_CARDS)


@dataclass(frozen=True)
class TableTheory:
    table: Paytable
    counts: Counts
    rows: Mapping[str, int]  # deals paid by each row, in printed order, and by none
    whole_cents: int = 1  # what is paid is rounded down to whole ones of these

    @classmethod
    def of(cls, table: Paytable, store: CountsStore) -> TableTheory:
        counts, rows = _counted(table, store)
        return cls(table, counts, rows)

    @property
    def total(self) -> int:
        return sum(self.rows.values())

    @cached_property
    def classes(self) -> ClassTable:
        return ClassTable.of(self.table, list(self.rows), self.whole_cents)

    @property
    def own_stake(self) -> bool:
        return _NO_STAKE.fullmatch(self.table.id) is None

    @property
    def usual_stake_cents(self) -> int:
        return self.classes.unit_cents or 100

    @property
    def seeds(self) -> dict[str, int]:
        """What each meter is taken to hold where nothing is said: its least seed; 0 where none is printed."""
        terms = self.table.progressive
        seed = terms.seed.amount if terms is not None and terms.seed is not None else 0
        return dict.fromkeys(self.table.meters, seed)

    @property
    def hits(self) -> Fraction:
        """How often it is paid something, a push not counted."""
        none = {row.hand for row in self.table.rows if row.odds == "push"} | {NOTHING}
        return 1 - Fraction(sum(count for name, count in self.rows.items() if name in none), self.total)

    def outcomes(
        self, stake_cents: int, meters: Mapping[str, int] | None = None, limit_cents: int = 0
    ) -> tuple[OutcomeTheory, ...]:
        """Each row with what it nets for a unit staked. The payout limit leaves shares of a meter alone (R-46)."""
        held = self.seeds | dict(meters or {})
        if unknown := sorted(set(held) - set(self.table.meters)):
            raise TheoryError(f"pay table {self.table.id} has no meter {unknown[0]!r}; {_meters_in_words(self.table)}")
        numbers = np.arange(len(self.rows), dtype=np.uint8)
        paid, result = class_pays(np.full(len(numbers), stake_cents), numbers, self.classes, limit_cents)
        holds = np.array([held[self.table.meters[at]] if at >= 0 else 0 for at in self.classes.meter.tolist()])
        paid = paid + meter_share(holds, numbers, self.classes)
        taken = (self.classes.takes_wager or result == LOSES) & self.own_stake & (result != TIES)
        net = [
            Fraction(int(cents) - stake_cents * int(lost), stake_cents) for cents, lost in zip(paid, taken, strict=True)
        ]
        return tuple(
            OutcomeTheory(name, count, each) for (name, count), each in zip(self.rows.items(), net, strict=True)
        )

    def returned(self, stake_cents: int, meters: Mapping[str, int] | None = None) -> Fraction:
        """What comes back of a unit staked; of the ante royalty, what it adds to the ante."""
        net = sum((one.net * one.count for one in self.outcomes(stake_cents, meters)), Fraction(0)) / self.total
        return net + int(self.own_stake)

    def meter_theories(self, stake_cents: int, meters: Mapping[str, int] | None = None) -> tuple[MeterTheory, ...]:
        held = self.seeds | dict(meters or {})
        made = []
        for meter in self.table.meters:
            shares = tuple(
                (row.hand, self.rows[row.hand], row.meter)
                for row in self.table.rows
                if row.meter is not None and (row.of or self.table.meters[0]) == meter
            )
            without = self.returned(stake_cents, {**held, meter: 0})
            made.append(MeterTheory(meter, held[meter], shares, self.total, (1 - without) * stake_cents))
        return tuple(made)


def _counted(table: Paytable, store: CountsStore) -> tuple[Counts, dict[str, int]]:
    rows = [row.hand for row in table.rows]
    match counted_by(table):
        case CountedBy.SEVEN_CARDS:
            unknown = [row for row in rows if row not in class_names(Game.PAI_GOW_POKER)]
            if unknown:
                raise TheoryError(f"pay table {table.id} is not counted here: {unknown[0]} is no class of seven cards")
            counts = store.get(seven_classes.recipe(Game.PAI_GOW_POKER))
            return counts, seven_classes.by_rows(counts, rows)
        case CountedBy.INSURANCE:
            counts = store.get(seven_classes.recipe(Game.PAI_GOW_INSURANCE))
            by_rows = seven_classes.by_rows(counts, rows)
            if few_cards.ONE_COLOR in rows:
                by_rows = few_cards.with_one_color(by_rows, store.get(few_cards.nine_high_color()))
            return counts, by_rows
        case CountedBy.CHOSEN_COLOR:
            counts = store.get(few_cards.chosen_color())
        case CountedBy.THREE_CARDS:
            counts = store.get(few_cards.three_card_bonus())
        case CountedBy.ACE_HIGH:
            counts = store.get(ace_high.recipe())
        case CountedBy.EIGHTH_CARD:
            counts = store.get(eighth_card.recipe())
            return counts, _by_eighth_card(counts, rows)
    if list(counts.outcomes) != [*rows, NOTHING]:
        raise AssertionError(f"pay table {table.id} has other rows than {counts.name} counts")
    return counts, dict(counts.outcomes)


def _by_eighth_card(counts: Counts, rows: Sequence[str]) -> dict[str, int]:
    classes = RowClasses(Game.EIGHTH_CARD, tuple(rows))
    found = dict.fromkeys(classes.names, 0)
    cards = np.arange(0, JOKER_1 + 1, 4, dtype=np.uint8)[:, None]  # a card of each rank, the joker last
    for number, count in zip(classes.of(cards).tolist(), counts.outcomes.values(), strict=True):
        found[classes.names[number]] += count
    return found


def _meters_in_words(table: Paytable) -> str:
    return f"it has {', '.join(table.meters)}" if table.meters else "it has none"
