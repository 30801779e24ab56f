"""What this family takes from a pack: how hands rank, what is paid, what limits there are, and the words of the text.

A pack's rules.py builds one value of this, `LAW`. The number of seats and of jokers is in pack.yaml.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from replay.checks.areas import AreasLaw
from replay.checks.bank_eligible import BankEligible
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation
from replay.filing.filed import Filing
from replay.lines import Cents
from replay.money.vigorish import VigorishRounding

Cards = npt.NDArray[np.uint8]
Strengths = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]


class Dealing(StrEnum):
    MANUAL_SHOE = "manual_shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated_shoe"


class Starting(StrEnum):
    DICE = "dice"
    RNG = "rng"
    BUTTON = "button"


@dataclass(frozen=True)
class Ranking:
    """How hands rank under what a licensee filed. A higher strength is a higher hand, equal ones are a copy hand."""

    low: Callable[[Cards], Strengths]
    high: Callable[[Cards], Strengths]
    house_way: Callable[[Cards], Cards]  # hands as the house must set them, the low hand's cards first
    settings: Callable[[Cards], tuple[Cards, Cards]]  # every low and every high hand of each hand
    bonus_class: Callable[[Cards], Bytes]  # what a bonus wager is paid by


@dataclass(frozen=True)
class WagerNames:
    """The two wagers of the game: as events name them, and in sentences."""

    base: str
    base_title: str
    bonus: str
    bonus_title: str


@dataclass(frozen=True)
class EnvyLaw:
    """Fixed sums for others' hands of a high class, which stay on the table until these are paid."""

    least_cents: int  # the smallest bonus wager that earns them
    cite: Citation
    lowest_class: int  # the lowest class that gives them
    class_cite: Citation
    own_bonus_only: bool  # only hands with a bonus wager of their own give them
    is_premium: Callable[[Cards], Bools]  # hands of such a class, whatever was filed
    hands: str  # "a hand of four of a kind or better"
    why_they_stay: str  # for a sentence: "although a Fortune wager ... and such hands stay face up ... (MA-PGP §...)"
    section: str  # "MA-PGP §9(l)(1)(i)": of hands that stay


@dataclass(frozen=True)
class PayoutLaw:
    """A limit of what is paid on a hand: at least so much, or what the smallest wager may win if that is more."""

    least_cents: int
    section: str
    filed: bool  # the licensee files one, or none; else the least is the limit
    shared_class: int | None = None  # hands of this class share the limit where they come to more together


class Banking(StrEnum):
    NONE = "none"
    BANK = "bank"
    BANK_AND_CO_BANK = "bank_and_co_bank"


@dataclass(frozen=True)
class BankLaw:
    """Players who bank: everybody plays against the bank's hand."""

    wager: str  # what the line on the bank's own seat is called
    surplus: Citation  # what is left in the centre
    shortfall: Citation
    even: Citation
    co_surplus: Citation
    co_shortfall: Citation
    eligible: BankEligible


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


@dataclass(frozen=True)
class Cites:
    """The words that lines and remarks rest on."""

    win: Citation
    lose: Citation
    tie: Citation
    foul: Citation
    surrender: Citation
    surrender_until: Citation
    bonus_loses: Citation
    forfeited: Citation
    payout_limit: Citation
    vigorish: Citation
    all_void: Citation
    hand_void: Citation
    not_offered: Citation
    needs_base: Citation
    table_limits: Citation
    bonus_limits: Citation
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


@dataclass(frozen=True)
class Law:
    only_method: str | None  # the one way of dealing, where the licensee has no choice
    hand_cards: int
    low_cards: int
    right_settings: int  # of the ways to set a hand, about so many are not foul
    wagers: WagerNames
    late: LateWagers
    offered: WagersOffered
    ranking: Callable[[Filing], Ranking]
    fouled: Callable[[Strengths, Strengths], Bools]  # low, high
    compare: Callable[[Strengths, Strengths, Strengths, Strengths], Bytes]  # against low, high: LOSES, TIES or WINS
    in_words: Callable[[int], str]  # a strength
    classes: Sequence[str]  # of bonus wagers, as pay tables spell them, by number; the last one is nothing
    bonus_table: Callable[[Filing], str | None]  # the pay table filed, None where no bonus wager is offered
    vigorish: Callable[[Cents, VigorishRounding], Cents] | None
    envy: EnvyLaw | None
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
    areas: AreasLaw | None = None  # in how many areas a person may bet, where the text says so

    @property
    def titles(self) -> dict[str, str]:
        """What the wagers are called in a sentence, by name."""
        names = self.wagers
        return {names.base: f"the {names.base_title}", names.bonus: f"the {names.bonus_title}"}

    def class_in_words(self, number: int) -> str:
        """`full house`, `royal flush royal match` ... for sentences and views."""
        return self.classes[number].replace("_", " ")
