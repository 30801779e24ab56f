"""What this family takes from a pack: how three cards rank, which hand qualifies, what is paid, and the words of the
text. A pack's rules.py builds one value of this, `LAW`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import ButtonByCard
from replay.checks.bank_turns import BankTurns
from replay.checks.wagers import LateWagers, WagersOffered
from replay.citations import Citation
from replay.filing.filed import Filing
from replay.ranking.classes import Game

Cards = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Strengths = npt.NDArray[np.int32]


class JudgedOn(StrEnum):
    """The cards a bonus bet is paid by."""

    OWN_CARDS = "own_cards"
    BOTH_HANDS = "both_hands"  # one's own and the player-dealer's together


@dataclass(frozen=True)
class SideWager:
    """A bonus bet, paid by a pay table."""

    name: str  # as events name it
    title: str  # in a sentence
    judged_on: JudgedOn
    classes: Game  # whose classes the rows of its pay table are
    table: Callable[[Filing], str]
    forfeited: Citation | None  # that a fold forfeits it; None where it survives one
    loses: Citation
    needs: Citation  # only beside an ante
    lowest: Citation  # the least it may be


@dataclass(frozen=True)
class PlayLaw:
    """The wager that keeps a hand in play once its player has seen it: as much as the ante."""

    name: str
    title: str
    equal: Citation
    moment: Citation  # after examination of the cards


@dataclass(frozen=True)
class Cites:
    """The words that lines and remarks rest on."""

    win: Citation
    lose: Citation
    tie: Citation
    not_qualified_ante: Citation
    not_qualified_play: Citation
    folded: Citation
    all_void: Citation
    hand_void: Citation
    not_offered: Citation
    table_limits: Citation
    cover: Citation
    shuffled: Citation  # by a machine, before each round
    dealt: Citation  # three cards to each
    delivery: Citation
    stub_racked: Citation
    pickup: Citation
    reconstruct: Citation
    deck: Citation


@dataclass(frozen=True)
class Law:
    method: str  # the way of dealing, as dealing.yaml names it
    hand_cards: int
    ante: str  # as events name it
    ante_title: str
    play: PlayLaw
    sides: tuple[SideWager, ...]  # in the order a bettor's are settled, after ante and play
    strength: Callable[[Cards], Strengths]  # a higher one is a higher hand
    qualifies: Callable[[Strengths], Bools]
    beats: Callable[[Strengths, Strengths], Bools]
    in_words: Callable[[int], str]  # a strength
    counts_for_fees: Callable[[str], bool]  # whether the play wager does, by the moment of the schedule
    no_more_than_the_table: str  # the bonus bet that may not exceed the table limit
    late: LateWagers
    offered: WagersOffered
    bank_turns: BankTurns
    button: ButtonByCard
    settlement_order: str  # of one bettor's wagers, for people
    cites: Cites

    @property
    def titles(self) -> dict[str, str]:
        """What the wagers are called in a sentence, by name."""
        sides = {side.name: f"the {side.title}" for side in self.sides}
        return {self.ante: f"the {self.ante_title}", self.play.name: f"the {self.play.title}", **sides}
