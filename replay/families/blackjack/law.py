"""What a game of this family takes from its pack: a `Law`, which the pack's rules.py has under that name.

Every rule and number of the game is in here, with what it rests on; the family knows none by itself. Hands are columns
(`Totals` of `replay.ranking.blackjack`), one entry per hand; totals are in half points, so that 21.5 is 43.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation
from replay.lines import Cents
from replay.ranking.blackjack import Totals
from replay.rounds import Cards

Bools = npt.NDArray[np.bool_]
Result = Callable[["Counted", "Counted"], Bools]
"""Whether a result came about, by a player's hand and the player-dealer's."""

INSURED_NATURAL = "insured_natural"
EVEN_MONEY = "even_money"
"""Rows of pay tables that no two hands decide: insurance against a natural, and a natural paid before it is known."""


@dataclass(frozen=True)
class Counted:
    """What hands count, one entry per hand."""

    totals: Totals
    three_eights: Bools


@dataclass(frozen=True, eq=False)
class Chart:
    """On which totals a hand must draw and on which it must stand; between the two there is a choice."""

    must_hit: Callable[[Totals], Bools]
    must_stand: Callable[[Totals], Bools]
    hit_rule: Citation
    stand_rule: Citation


@dataclass(frozen=True)
class Doubling:
    """A further wager on the first two cards of a hand, which then gets one card more."""

    least_cents: int
    least: Citation
    most: Citation  # and no more than the wager on the hand
    first_two: Citation
    one_card: Citation


@dataclass(frozen=True, eq=False)
class Splitting:
    alike: Callable[[Cards, Cards], Bools]  # whether two cards may be split
    alike_rule: Citation
    equal: Citation  # the wager on the new hand is as large as the first one
    most: int  # splits at one seat
    most_rule: Citation
    aces: Citation  # split once, and one card more on each


@dataclass(frozen=True, eq=False)
class Surrendering:
    forfeits: Callable[[Cents], Cents]  # of a wager
    cite: Citation
    first_two: Citation
    before: Citation  # the player-dealer's down card is exposed


@dataclass(frozen=True, eq=False)
class Insuring:
    """Insurance, and even money, which is offered with it."""

    offered: Callable[[Cards], Bools]  # by the player-dealer's up card
    offered_rule: Citation
    most: Callable[[Cents], Cents]  # by the wager on the hand
    most_rule: Citation
    even_money: Citation


@dataclass(frozen=True)
class WagerKind:
    """One wager that may be made."""

    name: str  # in pack.yaml, in events, and of its pay table
    title: str  # in a sentence


@dataclass(frozen=True, eq=False)
class Law:
    base: WagerKind
    double: WagerKind
    insurance: WagerKind
    results: Mapping[str, Result]  # every result a pay table may name in its `hand` column
    lost: Mapping[str, tuple[Result, Citation]]  # the results by which a wager on a hand loses
    players: Chart
    player_dealer: Chart
    doubling: Doubling
    splitting: Splitting
    surrender: Surrendering
    insuring: Insuring
    checked: Citation  # the down card is looked at before anybody plays
    in_turn: Citation
    play: Citation  # what a hand may do at all
    late: LateWagers
    offered: WagersOffered
    bank_turns: BankTurns
    button: ButtonByCard
    cover: Citation
    table_limits: Citation  # that a table may file its own
    own_rates: Citation  # collection rates that the casino determines
    pickup: Citation
    deal_and_rack_agree: Citation
    deck: Citation

    @property
    def wagers(self) -> tuple[WagerKind, ...]:
        """In the order their numbers follow."""
        return (self.base, self.double, self.insurance)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(kind.name for kind in self.wagers)

    @property
    def titles(self) -> dict[str, str]:
        return {kind.name: kind.title for kind in self.wagers}


BASE, DOUBLE, INSURANCE = range(3)
"""Numbers of the wagers, in the order of `Law.wagers`."""
