"""What this family takes from a pack: how hands rank, what is paid, what may be raised, and the words of the text.

A pack's rules.py builds one value of this, `LAW`. The number of seats and of jokers is in pack.yaml, who is dealt how
many cards in dealing.yaml.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation
from replay.filing.filed import Filing
from replay.filing.paytables import Paytable
from replay.ranking.row_classes import RowClasses

Cards = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Strengths = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Ranking:
    """A higher strength is a higher hand, equal ones are a copy hand."""

    low: Callable[[Cards], Strengths]
    high: Callable[[Cards], Strengths]
    house_way: Callable[[Cards], Cards]  # the dealer's cards as they must be set: low, high, and the card left over
    settings: Callable[[Cards], tuple[Cards, Cards]]  # every low and every high hand of a player's cards


class JudgedOn(StrEnum):
    """What a wager or royalty is paid by."""

    OWN_CARDS = "own_cards"  # the bettor's whole hand, however it was set, raised or not
    CARD_LEFT_OVER = "card_left_over"  # the card the house way leaves out of the dealer's hands


@dataclass(frozen=True)
class Aggregate:
    """The most that is paid in all by one appendix, on one hand or in one round, where the operator posts it: options
    `NAME_aggregate_cents` (0: none) and `NAME_aggregate_per`."""

    name: str
    cite: Citation


@dataclass(frozen=True)
class EnvyLaw:
    """Fixed sums for other players' hands of a high class, which stay on the table until these are paid."""

    least_cents: int  # the smallest wager that earns them
    hands: str  # "a hand of four of a kind or better"
    cite: Citation


@dataclass(frozen=True)
class SideWager:
    """An optional wager that is paid by a pay table, whether its player raises or folds."""

    name: str  # as events name it
    title: str  # in a sentence
    judged_on: JudgedOn
    classes: Callable[[Paytable], RowClasses]  # those of the pay table filed
    table: Callable[[Filing], str | None]  # the pay table filed, None where it is not offered
    limits_of: str  # its smallest and largest amount: options `LIMITS_OF_minimum_cents` and `..._maximum_cents`
    aggregate: Aggregate | None
    loses: Citation
    needs: Citation  # who may place it: only with an ante
    limits: Citation
    envy: EnvyLaw | None = None
    unit: Callable[[Filing], int] | None = None  # of a progressive: the one amount it may be, in cents

    @property
    def on_own_cards(self) -> bool:
        return self.judged_on is JudgedOn.OWN_CARDS


@dataclass(frozen=True)
class RoyaltyLaw:
    """What is paid on the ante for a high hand, with no wager of its own, to whoever raised."""

    name: str
    title: str
    classes: Callable[[Paytable], RowClasses]
    table: Callable[[Filing], str]
    aggregate: Aggregate
    not_due: Citation  # "based on their qualifying hand"


@dataclass(frozen=True)
class RaiseLaw:
    """The wager that keeps a hand in play, after its first cards."""

    name: str
    title: str
    least: int  # times the ante
    most: int
    whole_multiples: Callable[[Filing], bool]
    multiple: Citation
    moment: Citation  # after the first cards, before the others


@dataclass(frozen=True)
class CardsLaw:
    """How many cards a hand has: at first, of a player who raised or has a wager that needs them all, and the
    dealer's. The low hand is part of either."""

    first: int
    whole: int
    low: int
    dealer: int


@dataclass(frozen=True)
class Cites:
    """The words that lines and remarks rest on."""

    both_win: Citation
    both_lose: Citation
    one_wins: Citation
    foul: Citation
    folded: Citation
    all_void: Citation
    hand_void: Citation
    not_offered: Citation
    table_limits: Citation
    more_cards: Citation  # to whom the remaining cards are dealt
    dealt: Citation  # how many cards each is dealt at first
    delivery: Citation
    stub_racked: Citation
    pickup: Citation
    reconstruct: Citation
    one_deck: Citation
    house_way: Citation


@dataclass(frozen=True)
class Law:
    method: str  # the way of dealing, as dealing.yaml names it
    cards: CardsLaw
    ante: str  # as events name it
    ante_title: str
    raised: RaiseLaw
    royalty: RoyaltyLaw
    sides: tuple[SideWager, ...]  # in the order a seat's are settled
    late: LateWagers
    offered: WagersOffered
    ranking: Ranking
    fouled: Callable[[Strengths, Strengths], Bools]  # low, high
    beats: Callable[[Strengths, Strengths], Bools]  # a player's hand, the dealer's
    in_words: Callable[[int], str]  # a strength
    settlement_order: str  # of one seat's wagers, for people
    meter_payout: Citation  # hands that are paid off a meter stay until that is documented
    cites: Cites

    @property
    def titles(self) -> dict[str, str]:
        """What the wagers are called in a sentence, by name."""
        sides = {side.name: f"the {side.title}" for side in self.sides}
        own = {self.ante: f"the {self.ante_title}", self.raised.name: f"the {self.raised.title}"}
        return {**own, self.royalty.name: f"the {self.royalty.title}", **sides}
