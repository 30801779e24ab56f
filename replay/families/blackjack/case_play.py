"""A seat of a case played out: which of its cards went to which of its hands, and what the devices report of it.

`cards` are all the seat got, in the order they were dealt to it; `acted` is what its player did, in turn: `hit`,
`stand`, `double` (or `double $10` for less), `split`, `surrender`, `even money`. A hand is over when it stands, is
doubled or surrendered, goes over, or is an ace that was split; then the next one gets its second card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from replay.families.blackjack.play import FIRST_CARDS
from replay.ranking.blackjack import blackjack_totals
from schemas.cards import JOKER_1
from schemas.cases import CaseError
from schemas.events import Action
from schemas.money import parse_dollars

_ACE = JOKER_1 - 4  # aces have the highest codes


class Step(NamedTuple):
    """One thing done with a hand: what the player did, and what was wagered for it."""

    action: Action
    hand: int
    cents: int | None = None  # of a double or a split, where it is not the whole wager
    drew: int = 0  # how many cards were dealt after it


@dataclass
class PlayedSeat:
    hands: list[list[int]]
    steps: list[Step] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)  # cards drawn in play, in order


def played_out(cards: bytes, acted: str, where: str) -> PlayedSeat:
    """A CaseError names what does not work out."""
    if len(cards) < FIRST_CARDS:
        raise CaseError(f"{where}: a hand begins with two cards")
    return _Playing(cards, where).through([word.strip() for word in acted.split(",") if word.strip()])


class _Playing:
    def __init__(self, cards: bytes, where: str) -> None:
        self._where, self._left = where, list(cards[FIRST_CARDS:])
        self._seat = PlayedSeat([list(cards[:FIRST_CARDS])])
        self._at = 0

    def through(self, words: Sequence[str]) -> PlayedSeat:
        for word in words:
            self._do(word)
        if self._left:
            raise CaseError(f"{self._where}: {len(self._left)} more cards than `acted` draws")
        return self._seat

    def _do(self, word: str) -> None:
        hands = self._seat.hands
        if self._at >= len(hands):
            self._at = len(hands) - 1  # done with a hand that is over
        name, _, amount = word.partition(" $")
        action = _ACTIONS.get(name)
        if action is None:
            raise CaseError(f"{self._where}: {word!r} is none of {', '.join(_ACTIONS)}")
        cents = parse_dollars(amount) if amount else None
        hand, before = self._at, len(self._seat.dealt)
        self._seat.steps.append(Step(action, hand, cents))
        match action:
            case Action.HIT:
                hands[hand].append(self._draw())
                if _over(hands[hand]):
                    self._next()
            case Action.DOUBLE:
                hands[hand].append(self._draw())
                self._next()
            case Action.SPLIT:
                hands.append([hands[hand].pop()])
                hands[hand].append(self._draw())
                if hands[hand][0] >= _ACE:
                    self._next()
            case _:
                self._next()
        self._seat.steps[-1] = self._seat.steps[-1]._replace(drew=len(self._seat.dealt) - before)

    def _next(self) -> None:
        hands = self._seat.hands
        self._at += 1
        if self._at < len(hands) and len(hands[self._at]) < FIRST_CARDS:
            hands[self._at].append(self._draw())
            if hands[self._at][0] >= _ACE:
                self._next()

    def _draw(self) -> int:
        if not self._left:
            raise CaseError(f"{self._where}: `acted` draws more cards than the hand has")
        self._seat.dealt.append(self._left[0])
        return self._left.pop(0)


def _over(hand: Sequence[int]) -> bool:
    return bool(blackjack_totals(np.array([hand], np.uint8)).bust[0])


_ACTIONS = {
    "hit": Action.HIT,
    "stand": Action.STAND,
    "double": Action.DOUBLE,
    "split": Action.SPLIT,
    "surrender": Action.SURRENDER,
    "even money": Action.EVEN_MONEY,
}
