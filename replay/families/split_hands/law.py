"""What this family takes from a pack: how hands rank, what is paid, what limits there are, and the words of the text.

A pack's rules.py builds one value of this, `LAW`. The number of seats and of jokers is in pack.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from replay.checks.areas import AreasLaw
from replay.checks.bank_eligible import BankEligible
from replay.checks.bank_turns import BankTurns
from replay.checks.shuffling import CutLaw
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation
from replay.families.split_hands.wager_law import (
    BaseWager,
    Bools,
    Bytes,
    Cards,
    PayoutLaw,
    PremiumLaw,
    SideWager,
    Variant,
    standard,
)
from replay.filing.filed import Filing
from replay.lines import Cents
from replay.money.vigorish import VigorishRounding

Strengths = npt.NDArray[np.int32]
Places = npt.NDArray[np.int64]


class Dealing(StrEnum):
    MANUAL_SHOE = "manual_shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated_shoe"
    BONUS_SHOE = "bonus_shoe"  # three cards each and then four more, to whoever bet: from the shoe
    BONUS_HAND = "bonus_hand"  # or the four from the dealer's hand


class Starting(StrEnum):
    DICE = "dice"
    RNG = "rng"
    BUTTON = "button"
    LEFT_OF_DEALER = "left_of_dealer"  # always: nothing is thrown, drawn or moved


@dataclass(frozen=True)
class Ranking:
    """How hands rank under what a licensee filed. A higher strength is a higher hand, equal ones are a copy hand."""

    low: Callable[[Cards], Strengths]
    high: Callable[[Cards], Strengths]
    house_way: Callable[[Cards], Cards]  # hands as the house must set them, the low hand's cards first
    settings: Callable[[Cards], tuple[Cards, Cards]]  # every low and every high hand of each hand


class Banking(StrEnum):
    NONE = "none"
    BANK = "bank"
    BANK_AND_CO_BANK = "bank_and_co_bank"


@dataclass(frozen=True)
class BankLaw:
    """Players who bank: everybody plays against the bank's hand."""

    wager: str  # what the line on the bank's own seat is called
    may: Citation  # players bank where the licensee offers it
    may_share: Citation  # with the house covering one half, where it offers that
    surplus: Citation  # what is left in the centre
    shortfall: Citation
    even: Citation
    co_surplus: Citation
    co_shortfall: Citation
    eligible: BankEligible
    co_bank_alone: Citation | None = None  # the dealer may not wager against a co-bank


@dataclass(frozen=True)
class StartLaw:
    of_number: Callable[[Places, Places], Places]  # the number, and the place that is number one
    next_button: Callable[[Places], Places]
    case_dice_total: int  # cases that say nothing of the start are dealt from the dealer's place: what dice gave that
    button_section: str  # where the text keeps the button for automated shoes


@dataclass(frozen=True)
class PlayerDealerLaw:
    """A player deals against the others to the extent of a posted wager; the house takes fees and plays no hand."""

    bank_turns: BankTurns
    table_limits: Citation
    cover: Citation
    button: Citation


@dataclass(frozen=True)
class StubLaw:
    """How often the cards left over must be counted, unless a shuffler counts the deck."""

    rounds: int
    cite: Citation
    dealing: frozenset[Dealing] = frozenset(Dealing)  # the ways of dealing it is asked of


@dataclass(frozen=True)
class Cites:
    """The words that lines and remarks rest on."""

    win: Citation
    lose: Citation
    tie: Citation
    foul: Citation
    surrender: Citation
    surrender_until: Citation
    forfeited: Citation
    payout_limit: Citation
    vigorish: Citation
    all_void: Citation
    hand_void: Citation
    not_offered: Citation
    table_limits: Citation
    start: Mapping[Starting, Citation]
    misdeal: Citation
    stub: Mapping[Dealing, Citation]
    own_cards: Citation
    dealer_exposed: Citation
    boxed_set_aside: Citation
    delivery: Mapping[Dealing, Citation]
    not_as_filed: Mapping[Dealing, Citation]
    boxed: Citation
    stacks_exposed: Citation
    shoe_fault: Citation
    stub_racked: Citation
    pickup: Citation
    reconstruct: Citation
    one_deck: Citation
    house_way: Citation
    card_age: Mapping[Dealing, Citation]
    dice_age: Citation
    decks_alternate: Citation
    not_reshuffled: Citation | None = None  # what follows where the shuffling device failed, where the text says so
    cut_offered: Citation | None = None  # to whom the cut is offered, where it is
    documented: Citation | None = None  # hands with a payout off a meter stay until that is documented
    # of what a text does not say there is no citation, and what it says nothing of is not looked at
    not_shuffled: Citation | None = None  # that cards are shuffled after every round
    shuffled_by_hand: Citation | None = None  # that a shuffling device is removed before another method is used
    backs_differ: Citation | None = None  # of two decks
    cards_inspected: Citation | None = None  # by one, and verified by another
    dice_inspected: Citation | None = None
    broken_seal: Citation | None = None  # what becomes of dice or cards that were in it
    bets_closed_first: Mapping[Dealing, Citation] | None = None  # before the start is determined and cards are dealt
    dealer_first: Citation | None = None  # the dealer's hand is set before players' are exposed
    in_turn: Citation | None = None  # wagers are settled from the dealer's right on
    deck_removed: Mapping[Dealing, Citation] | None = None  # where its count is wrong and it was not misdealt
    void_by_choice: Citation | None = None  # a hand may be, whose card was exposed
    no_roll: Citation | None = None  # that dice which did not lie flat are shaken again
    number_range: Citation | None = None  # of a random number generator


@dataclass(frozen=True)
class Law:
    only_method: str | None  # the one way of dealing, where the licensee has no choice
    hand_cards: int
    low_cards: int
    right_settings: int  # of the ways to set a hand, about so many are not foul
    base: BaseWager
    sides: tuple[SideWager, ...]  # in the order a seat's are settled
    late: LateWagers
    offered: WagersOffered
    ranking: Callable[[Filing], Ranking]
    fouled: Callable[[Strengths, Strengths], Bools]  # low, high
    compare: Callable[[Strengths, Strengths, Strengths, Strengths], Bytes]  # against low, high: LOSES, TIES or WINS
    in_words: Callable[[int], str]  # a strength
    vigorish: Callable[[Cents, VigorishRounding], Cents] | None
    premium: PremiumLaw | None  # hands that stay on the table for envy bonuses, where a side wager earns them
    payout: PayoutLaw | None
    resets_winners_only: bool  # hands are laid out anew for winning bonus wagers only
    bonus_outlives_exposure: bool  # bonus wagers are settled though an exposed card of the dealer's voids the hands
    bank: BankLaw | None
    player_dealer: PlayerDealerLaw | None
    start: StartLaw
    stub_counted: StubLaw | None
    card_age_limit_s: Mapping[Dealing, int]
    dice_age_limit_s: int  # 0: the text says nothing of it, as an empty card_age_limit_s does
    settlement_order: str  # of one seat's wagers, for people
    cites: Cites
    says_what_is_void: bool = True  # misdeals, cards exposed, a wrong start: what the text makes of them
    cut: CutLaw | None = None  # how deep, where the text says so
    spare_jokers: int = 0  # so many more a deck may be made with, and they are not used
    areas: AreasLaw | None = None  # in how many areas a person may bet, where the text says so
    variant: Callable[[Filing], Variant] = standard

    @property
    def titles(self) -> dict[str, str]:
        """What the wagers are called in a sentence, by name."""
        sides = {side.name: f"the {side.title}" for side in self.sides}
        return {self.base.name: f"the {self.base.title}", **sides}
