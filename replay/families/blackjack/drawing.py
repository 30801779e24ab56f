"""Charts over hands: whether a hand drew and stood as its chart says, card by card as they came."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.families.blackjack.law import Chart, Counted
from replay.ranking.blackjack import Totals, blackjack_totals, three_eights
from replay.rounds import Array, Cards, Ints
from schemas.cards import JOKER_1, NO_CARD

Bools = npt.NDArray[np.bool_]


def held(cards: Cards) -> Ints:
    return np.asarray((cards != NO_CARD).sum(axis=1)).astype(np.int64)


def counted(cards: Cards, split: Bools | None = None) -> Counted:
    """What hands count; those that are not known count as one ace, which no rule asks about."""
    safe = cards.copy()
    unknown = (safe[:, 0] >= JOKER_1) | ((safe >= JOKER_1) & (safe != NO_CARD)).any(axis=1)
    safe[unknown] = NO_CARD
    safe[unknown, 0] = JOKER_1 - 1
    return Counted(blackjack_totals(safe, split), three_eights(safe))


def first(cards: Cards, count: Array | int) -> Cards:
    """Only so many of each hand's cards."""
    within = np.arange(cards.shape[1]) < np.asarray(count).reshape(-1, 1)
    shown: Cards = np.where(within, cards, NO_CARD).astype(np.uint8)
    return shown


def after(cards: Cards, count: int, split: Bools | None = None) -> Totals:
    """What each hand came to with its first so many cards."""
    return counted(first(cards, count), split).totals


def drew_against(chart: Chart, cards: Cards, draws_from: int = 2, but_last: Bools | None = None) -> Ints:
    """(m,) with how many cards a hand first drew though it had to stand; 0 where it never did. The last card of those
    of `but_last` was not drawn by choice of hitting or standing (doubled)."""
    many = held(cards) - (0 if but_last is None else but_last)
    wrong = np.zeros(len(cards), np.int64)
    for count in range(draws_from, int(many.max(initial=0))):
        rows = np.flatnonzero((many > count) & (wrong == 0))
        stands = chart.must_stand(after(cards[rows], count))
        wrong[rows[stands]] = count
    return wrong


def stood_against(chart: Chart, cards: Cards, split: Bools | None = None) -> Bools:
    """(m,) hands that stood on what they had to draw to."""
    wrong: Bools = np.asarray(chart.must_hit(counted(cards, split).totals)) & (held(cards) >= 2)
    return wrong


def lawful(chart: Chart, cards: Cards) -> Bools:
    """(m,) hands of two cards or more that drew while they had to and stood as soon as they had to."""
    return np.asarray((drew_against(chart, cards) == 0) & ~stood_against(chart, cards) & (held(cards) >= 2))
