"""What this family takes from a pack about wagers: the one against the dealer, and those beside it.

A pack lists its side wagers in `Law.sides`, in the order in which a seat's are settled. Which of them a licensee offers
its options say: `table` gives the pay table filed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.filing.filed import Filing
from replay.ranking import RowClasses

Cards = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
ClassOf = Callable[[Cards], Bytes]
"""Of rows of what a wager is judged on the numbers of their classes."""

NO_CHOICE = ("",)


class JudgedOn(StrEnum):
    """What decides a side wager, and so what a row is that its class function is given."""

    OWN_CARDS = "own_cards"  # the bettor's whole hand, however it was set
    DEALER_CARDS = "dealer_cards"  # the hand everyone plays against
    DEALER_AND_OWN = "dealer_and_own"  # that hand and then the bettor's
    FIRST_CARDS = "first_cards"  # the first three cards dealt to the bettor
    START_NUMBER = "start_number"  # one column: the number that said where the deal begins

    @property
    def on_own_hand(self) -> bool:
        """The bettor's hand is looked at again for it after it was compared: until then it stays on the table."""
        return self in (JudgedOn.OWN_CARDS, JudgedOn.DEALER_AND_OWN)

    @property
    def settled_early(self) -> bool:
        """It is settled before a hand can be surrendered or voided, which then does not touch it."""
        return self in (JudgedOn.FIRST_CARDS, JudgedOn.START_NUMBER)


@dataclass(frozen=True)
class BaseWager:
    """The wager against the dealer's hand: as events name it, and in sentences."""

    name: str
    title: str


@dataclass(frozen=True)
class EnvyLaw:
    """Fixed sums for others' hands of a high class, which stay on the table until these are paid."""

    least_cents: int  # the smallest wager that earns them
    cite: Citation
    lowest_class: int  # the lowest class that gives them
    class_cite: Citation
    own_wager_only: bool  # only hands with such a wager of their own give them
    why_they_stay: str  # for a sentence: "although a Fortune wager ... and such hands stay face up ... (MA-PGP §...)"
    section: str  # "MA-PGP §9(l)(1)(i)": of hands that stay
    after_all: Citation | None = None  # where the text has them paid once all such wagers are settled


@dataclass(frozen=True)
class PremiumLaw:
    """Hands that stay on the table until envy bonuses are paid."""

    is_premium: Callable[[Cards], Bools]  # whatever was filed
    hands: str  # "a hand of four of a kind or better"


@dataclass(frozen=True)
class RoundLimit:
    """The most that wagers of one kind are paid one player in one round, where the licensee files a limit."""

    option: str  # in cents; 0: none
    least_cents: int  # a limit filed is at least so much, or what the smallest wager may win if that is more
    section: str
    cite: Citation


@dataclass(frozen=True)
class SideWager:
    """A wager of a seat that is paid by a pay table."""

    name: str  # as events name it
    title: str  # in a sentence
    judged_on: JudgedOn
    table: Callable[[Filing], str | None]  # the pay table filed, None where it is not offered
    loses: Citation
    needs: Citation  # who may place it: only with a wager against the dealer
    limits: Citation  # of its amount
    classes: Sequence[str] = ()  # as pay tables spell them, by number; the last one is nothing
    class_of: Callable[[Filing, str], ClassOf] | None = None  # under what was filed, for what was chosen
    printed_rows: Callable[[Sequence[str]], RowClasses] | None = None
    """In the place of the two before: classes that are the rows of the pay table filed, in the order printed, as where
    a row is a share of a meter (rulings.md R-16)."""

    envy: EnvyLaw | None = None
    choices: Sequence[str] = NO_CHOICE  # what its bettor may choose
    rearranges: bool = True  # the dealer may lay the bettor's hand out anew for it
    keeps_premium: bool = True  # a premium hand under it may stay on the table for envy bonuses
    keeps_every_hand: bool = False  # while one is at the table, every hand stays until bonus wagers are settled
    limited: bool = True  # counts towards the most that is paid on one hand
    whole_cents: int = 1  # what is paid is rounded down to whole ones of these
    odds: Callable[[Filing], tuple[int, int]] | None = None  # of its one row, where the licensee files them
    mandatory: Callable[[Filing], bool] = lambda filing: False  # whoever wagers against the dealer has to place it
    settled_before_the_deal: Citation | None = None  # where the text has it settled before a card is dealt
    settled_before_more_cards: Citation | None = None  # where the text has it settled on the first cards
    round_limit: RoundLimit | None = None
    losing_first: Citation | None = None  # where the text has those of the table that lost collected before any is paid
    bars_surrender: Citation | None = None  # where the text lets nobody surrender who has placed it
    after_base: Citation | None = None  # where the text has a seat's settled once its wager against the dealer is
    before_base: Citation | None = None  # where it is offered, the text has those settled first


@dataclass(frozen=True)
class PayoutLaw:
    """A limit of what is paid on a hand: at least so much, or what the smallest wager may win if that is more."""

    least_cents: int
    section: str
    filed: bool  # the licensee files one, or none; else the least is the limit
    shared_class: int | None = None  # hands of this class share the limit where they come to more together


@dataclass(frozen=True)
class DealerPushes:
    """Hands of the dealer's at which every wager against it goes back, foul hands' too, but not surrendered ones."""

    holds: Callable[[Cards], Bools]
    cite: Citation
    called: str = "a hand at which all push"


@dataclass(frozen=True)
class Variant:
    """What a way of playing the game, which the licensee files, makes of the wager against the dealer."""

    vigorish: bool = True
    pushes: DealerPushes | None = None
    dealer_first: Citation | None = None  # the dealer's hand is turned over before players set theirs


def standard(filing: Filing) -> Variant:
    """Of games that are played in one way only."""
    return Variant()


def by_cards(of: Callable[[Filing], ClassOf]) -> Callable[[Filing, str], ClassOf]:
    """The class function of a wager with nothing to choose."""
    return lambda filing, choice: of(filing)
