"""The theory of one wager: what it pays in each outcome, how often, and what follows: return, house edge, variance.

Exact: counts are whole numbers and figures are fractions; floats are only for reading. The unit is the stake: *net* is
what the bettor gains for each unit staked (8000 for 8000 to 1, 0 for a push, -1 for a loss), the *return* is 1 + the
expected net, the *house edge* is minus the expected net, and the *variance* is that of the net of one wager.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from analytics.theory.counts import Counts, Method, digest_of
from replay.filing import Filing, OptionValue, Paytable


@dataclass(frozen=True)
class OutcomeTheory:
    outcome: str
    count: int
    net: Fraction


@dataclass(frozen=True)
class EnvyTheory:
    """What one other exposed hand is worth to a bettor with an envy bonus, beside the wager's own figures.

    Every hand of a deal is a seven of the same deck, so each has the classes with the same probabilities, and an
    expectation is a sum: n other hands are worth exactly n times this, although hands of one deal depend on each other.
    (The variance of the sum is another matter, and is not given.)
    """

    outcomes: tuple[tuple[str, int, int], ...]  # class, count, cents
    total: int
    qualifies: bool  # the stake is enough for an envy bonus

    @property
    def expected_cents(self) -> Fraction:
        """A hand. Also where the stake does not qualify: then nobody is paid it."""
        return Fraction(sum(count * cents for _, count, cents in self.outcomes), self.total)

    def document(self, stake_cents: int) -> dict[str, Any]:
        return {
            "qualifies": self.qualifies,
            "cents_per_other_hand": figure(self.expected_cents),
            "of_the_stake": figure(self.expected_cents / stake_cents if self.qualifies else Fraction(0)),
            "outcomes": [
                {"outcome": name, "count": count, "envy_cents": cents} for name, count, cents in self.outcomes
            ],
        }


@dataclass(frozen=True)
class MeterTheory:
    """What a progressive meter is worth to a wager that pays shares of it."""

    name: str
    held_cents: int  # what the figures of the wager take it to hold
    shares: tuple[tuple[str, int, int], ...]  # outcome, count, percent
    total: int
    short_cents: Fraction  # what a stake is expected to lose with nothing on this meter, the others as they are

    @property
    def hits(self) -> Fraction:
        return Fraction(sum(count for _, count, _ in self.shares), self.total)

    @property
    def worth(self) -> Fraction:
        """How much of the meter a wager is expected to win."""
        return Fraction(sum(count * percent for _, count, percent in self.shares), 100 * self.total)

    @property
    def break_even_cents(self) -> Fraction:
        """The meter at which the wager returns all of itself; negative where it does so without one."""
        return self.short_cents / self.worth

    def document(self) -> dict[str, Any]:
        return {
            "meter": self.name,
            "held_cents": self.held_cents,
            "hits": figure(self.hits),
            "of_the_meter": figure(self.worth),
            "break_even_cents": figure(self.break_even_cents),
            "outcomes": [{"outcome": name, "count": count, "percent": percent} for name, count, percent in self.shares],
        }


@dataclass(frozen=True)
class WagerTheory:
    filing: Filing
    wager: str
    stake_cents: int
    options: Mapping[str, OptionValue]  # those the figures depend on
    counts: Counts  # what the outcomes were taken from
    outcomes: tuple[OutcomeTheory, ...]
    notes: tuple[str, ...]  # what the figures take for granted
    paytable: Paytable | None = None
    envy: EnvyTheory | None = None
    meters: tuple[MeterTheory, ...] = ()

    def __post_init__(self) -> None:
        counted = sum(outcome.count for outcome in self.outcomes)
        if counted != self.counts.total:
            raise AssertionError(f"{self.wager}: the outcomes are {counted} of {self.counts.total} deals")

    @property
    def method(self) -> Method:
        return self.counts.method

    @property
    def total(self) -> int:
        return self.counts.total

    @cached_property
    def expected(self) -> Fraction:
        """Expected net of one unit staked."""
        return Fraction(sum((one.net * one.count for one in self.outcomes), Fraction(0)), self.total)

    @property
    def returned(self) -> Fraction:
        return 1 + self.expected

    @property
    def house_edge(self) -> Fraction:
        return -self.expected

    @cached_property
    def variance(self) -> Fraction:
        squares = sum((one.net**2 * one.count for one in self.outcomes), Fraction(0))
        return Fraction(squares, self.total) - self.expected**2

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)

    @property
    def win_probability(self) -> Fraction:
        return Fraction(sum(one.count for one in self.outcomes if one.net > 0), self.total)

    @cached_property
    def standard_error(self) -> float | None:
        """Of the expected net; None where every deal was counted. Only where the outcomes are those of the counts."""
        return self.counts.standard_error([one.net for one in self.outcomes])

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """Everything the figures follow from: a pay table, option, stake or count that changes, changes the digest."""
        rows = None
        if self.paytable is not None:
            table = self.paytable
            pays = [table.payout_in_words(row) if row.odds is None else row.odds for row in table.rows]
            rows = {
                "pays": table.pays,
                "rows": [[row.hand, paid, row.envy] for row, paid in zip(table.rows, pays, strict=True)],
            }
        return {
            "pack": self.filing.pack.id,
            "version": self.filing.pack.data.version,
            "wager": self.wager,
            "stake_cents": self.stake_cents,
            "options": dict(self.options),
            "paytable": rows,
            "nets": [[one.outcome, str(one.net)] for one in self.outcomes],
            "counts": self.counts.digest,
        }

    @property
    def digest(self) -> str:
        return digest_of(self.inputs)

    def document(self) -> dict[str, Any]:
        sample, places = self.counts.sample, range(len(self.outcomes))
        return {
            "pack": self.filing.pack.id,
            "version": self.filing.pack.data.version,
            "wager": self.wager,
            "title": self.filing.pack.data.wagers[self.wager].title,
            "options": dict(self.options),
            "stake_cents": self.stake_cents,
            "paytable": None if self.paytable is None else self.paytable.id,
            "method": self.method.value,
            "deal": self.counts.deal,
            "deals": self.total,
            "outcomes": [
                {
                    "outcome": one.outcome,
                    "count": one.count,
                    "probability": figure(Fraction(one.count, self.total)),
                    "standard_error": self.counts.standard_error([Fraction(at == place) for at in places]),
                    "net": figure(one.net),
                }
                for place, one in enumerate(self.outcomes)
            ],
            "return": figure(self.returned),
            "house_edge": figure(self.house_edge),
            "variance": figure(self.variance),
            "standard_deviation": self.standard_deviation,
            "win_probability": figure(self.win_probability),
            "standard_error": self.standard_error,
            "seed": None if sample is None else sample.seed,
            "rounds": None if sample is None else sample.rounds,
            "envy": None if self.envy is None else self.envy.document(self.stake_cents),
            "meters": [meter.document() for meter in self.meters],
            "notes": list(self.notes),
            "counts": {"name": self.counts.name, "digest": self.counts.digest, "inputs": dict(self.counts.inputs)},
            "digest": self.digest,
        }


def figure(value: Fraction) -> dict[str, str | float]:
    """A fraction for programs: exact as text (its terms outgrow 64 bits), and as a float to read."""
    return {"fraction": f"{value.numerator}/{value.denominator}", "value": float(value)}


def net_of(paid_cents: int, stake_cents: int, *, loses: bool) -> Fraction:
    """Net of one unit from what a stake is paid; a push is paid nothing and does not lose."""
    return Fraction(-1) if loses else Fraction(paid_cents, stake_cents)
