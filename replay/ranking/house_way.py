"""The house way: how the dealer's, bank's or player-dealer's seven cards must be set.

The default for every seven-card pai gow game (rulings.md R-34) is the table "Pai Gow Poker 'House Way'" in CA Fortune
Pai Gow Poker, Dealing Procedures 6. `RULES` holds its rows, and the rulings where it is silent, one by one: when a rule
applies, and which of the twenty-one splits it allows. Of the splits it allows, the highest front is taken and then the
highest back (R-34). For every hand exactly one rule applies: none, or two, is an error.

How the table is read:

* The joker is an ace for pairs, threes and fours, and in front. "An ace or joker in front" is therefore an ace, and "a
  king or higher" is a king, ace or joker. It is another card only behind, in a straight or flush (R-11).
* *Complete hand*: a straight, flush, straight flush or royal flush, with or without the joker. None is preferred to
  another but by R-34: the highest front first, so a straight flush is broken for a straight that leaves more.
* Ranks are looked at before complete hands. Five aces, four of a kind, a full house, two threes and three pairs are set
  by their own rule even where a complete hand is there (R-50 says so of the full house; the table has no other row for
  three pairs with a straight). So are two pairs ("play according to two pairs strategy").
* A-A-A-joker with a complete hand is the one four of a kind that can hold one (R-50). With any other four of a kind, or
  with two threes, there are too few other cards.
* Four of a kind and three of a kind: the "other pair" of R-34 is two of the three.
* Four sevens to tens: "unless an ace or joker can go in front" is asked of the three other cards.
* Five aces and a pair: the row of five aces has no exception, so a pair of aces in front, a full house of aces behind.
* "The highest card" beside the ace of three aces is the highest of the four other cards.
* Two pairs kept behind: the two highest single cards go in front.

No rule can foul: the back is a complete hand, three or four of a kind or two pairs behind at most a pair; or a pair
behind no pair, a lower pair or (four of a kind split) the same pair; or it holds the highest card of a hand without a
pair. It is checked all the same, for every multiset of ranks and every hand with five of a suit.

Where cards of equal rank can change places, several settings are equally the house way. This one is returned for every
order of the same seven cards; compare a dealer's setting with it by strength (`rank_two`, `rank_five`), not by card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from replay.ranking.five import COMPLETE, Category, Wheel, category, rank_five
from replay.ranking.hands import Bools, Cards, Strengths, as_hands
from replay.ranking.keys import every_rank_multiset, key_of, table_by_sum, with_five_of_a_suit, word_sums
from replay.ranking.seven import rank_counts, seven_words
from replay.ranking.splits import SPLITS, all_splits
from replay.ranking.two import fouls, rank_two
from schemas.cards import RANKS, names_of

_BLOCK = 1 << 15
_NO_SPLIT = 255


class Shape(IntEnum):
    """What the ranks of seven cards are, the joker an ace: thousands count fives, then fours, threes, pairs."""

    NO_PAIR = 0
    ONE_PAIR = 1
    TWO_PAIRS = 2
    THREE_PAIRS = 3
    THREE_OF_A_KIND = 10
    FULL_HOUSE = 11
    FULL_HOUSE_AND_PAIR = 12
    TWO_THREES = 20
    FOUR_OF_A_KIND = 100
    FOUR_OF_A_KIND_AND_PAIR = 101
    FOUR_OF_A_KIND_AND_THREE = 110
    FIVE_ACES = 1000
    FIVE_ACES_AND_PAIR = 1001


def _any_split(splits: Bools) -> Bools:
    """(n, 21) to (n,)"""
    found: Bools = np.logical_or.reduce(splits, axis=1)
    return found


def _is_any_of(values: NDArray[np.int32] | NDArray[np.int64], few: Sequence[int]) -> Bools:
    """For one to four of them faster than `np.isin`, which sorts."""
    found: Bools = values == few[0]
    for one in few[1:]:
        found |= values == one
    return found


@dataclass(frozen=True)
class Sevens:
    """Seven-card hands, a row each, with what the rules ask about them. Ranks are 0..12 for 2..A, as in card codes."""

    cards: Cards  # (n, 7), highest code first
    low: Strengths  # (n, 21) strength of each front
    high: Strengths  # (n, 21) strength of each back

    @classmethod
    def of(cls, cards: Cards, wheel: Wheel) -> Sevens:
        low, high = all_splits(cards)
        low_strength = rank_two(low.reshape(-1, 2)).reshape(-1, 21)
        high_strength = rank_five(high.reshape(-1, 5), wheel).reshape(-1, 21)
        return cls(cards, low_strength, high_strength)

    def at(self, rows: NDArray[np.intp]) -> Sevens:
        return Sevens(self.cards[rows], self.low[rows], self.high[rows])

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        return rank_counts(self.cards)

    @cached_property
    def shape(self) -> NDArray[np.int64]:
        shape = np.zeros(len(self.cards), np.int64)
        for count, worth in ((5, 1000), (4, 100), (3, 10), (2, 1)):
            shape += worth * (self.counts == count).sum(axis=1)
        return shape

    def is_shape(self, *shapes: Shape) -> Bools:
        return _is_any_of(self.shape, shapes)

    def highest_held(self, times: int) -> NDArray[np.int64]:
        """The highest rank held so many times; -1 if none is."""
        rank: NDArray[np.int64] = np.where(self.counts == times, np.arange(13), -1).max(axis=1)
        return rank

    def holds(self, times: int, lowest: str, highest: str) -> Bools:
        """The highest rank held so many times lies between these two."""
        rank = self.highest_held(times)
        return (RANKS.index(lowest) <= rank) & (rank <= RANKS.index(highest))

    @cached_property
    def complete(self) -> Bools:
        """(n, 21) the back is a straight, flush, straight flush or royal flush."""
        return _is_any_of(category(self.high), COMPLETE)

    @cached_property
    def can_complete(self) -> Bools:
        return _any_split(self.complete)

    @cached_property
    def pair_in_front(self) -> Bools:
        in_front: Bools = category(self.low) == Category.PAIR
        return in_front

    @cached_property
    def pair_before_complete(self) -> Bools:
        """(n, 21) a pair in front and a complete hand behind."""
        return self.pair_in_front & self.complete

    def front_rank(self) -> NDArray[np.int32]:
        """(n, 21) rank of the pair, or of the higher card, in front."""
        return (self.low >> 16 & 15) - 2

    def back_rank(self) -> NDArray[np.int32]:
        """(n, 21) the rank the back compares by first."""
        return (self.high >> 16 & 15) - 2

    def back_is(self, *kinds: Category) -> Bools:
        return _is_any_of(category(self.high), kinds)

    def can_keep_both_pairs(self) -> Bools:
        """Two pairs: a card high enough for the larger pair is there to go in front."""
        front = self.highest_held(1)
        return (
            (self.holds(2, "9", "J") & (front >= RANKS.index("A")))
            | (self.holds(2, "6", "8") & (front >= RANKS.index("K")))
            | (self.holds(2, "3", "5") & (front >= RANKS.index("Q")))
        )

    def splits_four(self) -> Bools:
        """Four of a kind and no other pair: J-A, and 7-10 without an ace or joker for the front."""
        ace_for_front: Bools = self.highest_held(1) == RANKS.index("A")
        return self.holds(4, "J", "A") | (self.holds(4, "7", "T") & ~ace_for_front)


@dataclass(frozen=True)
class Rule:
    name: str
    cite: str
    text: str
    applies: Callable[[Sevens], Bools]  # (n,)
    allows: Callable[[Sevens], Bools]  # (n, 21)


TABLE = "CA Fortune Pai Gow Poker, House Way"

RULES: tuple[Rule, ...] = (
    Rule(
        "five aces",
        f"{TABLE}: Five Aces",
        "Put a pair of aces in front and three aces in back.",
        lambda sevens: sevens.is_shape(Shape.FIVE_ACES, Shape.FIVE_ACES_AND_PAIR),
        lambda sevens: sevens.pair_in_front & (sevens.front_rank() == RANKS.index("A")),
    ),
    Rule(
        "four of a kind with another pair",
        "rulings.md R-34",
        "with another pair → that pair in front",
        lambda sevens: sevens.is_shape(Shape.FOUR_OF_A_KIND_AND_PAIR, Shape.FOUR_OF_A_KIND_AND_THREE),
        lambda sevens: sevens.pair_in_front & sevens.back_is(Category.FOUR_OF_A_KIND),
    ),
    Rule(
        "A-A-A-joker with a complete hand",
        "rulings.md R-50",
        "pair of aces in front, complete hand behind",
        lambda sevens: sevens.is_shape(Shape.FOUR_OF_A_KIND) & sevens.can_complete,
        lambda sevens: sevens.pair_before_complete & (sevens.front_rank() == RANKS.index("A")),
    ),
    Rule(
        "four of a kind split",
        "rulings.md R-34",
        "J-A split into two pairs, 7-10 split unless an ace or joker can go in front",
        lambda sevens: sevens.is_shape(Shape.FOUR_OF_A_KIND) & ~sevens.can_complete & sevens.splits_four(),
        lambda sevens: sevens.pair_in_front & sevens.back_is(Category.PAIR),
    ),
    Rule(
        "four of a kind kept together",
        "rulings.md R-34",
        "7-10 split unless an ace or joker can go in front, 2-6 kept together",
        lambda sevens: sevens.is_shape(Shape.FOUR_OF_A_KIND) & ~sevens.can_complete & ~sevens.splits_four(),
        lambda sevens: sevens.back_is(Category.FOUR_OF_A_KIND),
    ),
    Rule(
        "full house",
        "rulings.md R-34, R-50",
        "full house → pair in front (the higher of two), three of a kind in back",
        lambda sevens: sevens.is_shape(Shape.FULL_HOUSE, Shape.FULL_HOUSE_AND_PAIR),
        lambda sevens: sevens.pair_in_front & sevens.back_is(Category.THREE_OF_A_KIND, Category.FULL_HOUSE),
    ),
    Rule(
        "three of a kind, two sets",
        f"{TABLE}: Three of a Kind - Two Sets",
        "Put the highest pair in front and put the lower three of a kind in the back.",
        lambda sevens: sevens.is_shape(Shape.TWO_THREES),
        lambda sevens: sevens.pair_in_front & sevens.back_is(Category.THREE_OF_A_KIND),
    ),
    Rule(
        "complete hand with three of a kind",
        f"{TABLE}: Straight, Flush, or Straight-Flush with Three of a Kind",
        "Play a pair in the front and a complete hand in the back",
        lambda sevens: sevens.is_shape(Shape.THREE_OF_A_KIND) & _any_split(sevens.pair_before_complete),
        lambda sevens: sevens.pair_before_complete,
    ),
    Rule(
        "complete hand with three aces, leaving no pair",
        "rulings.md R-50",
        "complete hand behind, highest two in front",
        lambda sevens: (
            sevens.is_shape(Shape.THREE_OF_A_KIND)
            & sevens.holds(3, "A", "A")
            & sevens.can_complete
            & ~_any_split(sevens.pair_before_complete)
        ),
        lambda sevens: sevens.complete,
    ),
    Rule(
        "three aces",
        f"{TABLE}: Three of a Kind",
        "If three aces, put one ace and the highest card in front and the pair of aces in the back.",
        lambda sevens: sevens.is_shape(Shape.THREE_OF_A_KIND) & sevens.holds(3, "A", "A") & ~sevens.can_complete,
        lambda sevens: sevens.back_is(Category.PAIR) & ~sevens.pair_in_front,
    ),
    Rule(
        "three of a kind",
        f"{TABLE}: Three of a Kind",
        "If three kings or lower, never split the three of a kind, place the three of a kind in back and the highest "
        "two cards in the front.",
        lambda sevens: sevens.is_shape(Shape.THREE_OF_A_KIND) & sevens.holds(3, "2", "K") & ~sevens.can_complete,
        lambda sevens: sevens.back_is(Category.THREE_OF_A_KIND),
    ),
    Rule(
        "three pairs",
        f"{TABLE}: Three Pairs",
        "Put the highest pair in the front and the two lower pairs in the back.",
        lambda sevens: sevens.is_shape(Shape.THREE_PAIRS),
        lambda sevens: sevens.pair_in_front & (sevens.front_rank() == sevens.highest_held(2)[:, None]),
    ),
    Rule(
        "two pairs, both behind",
        f"{TABLE}: Two Pairs",
        "put both pairs in back if you can put an ace or joker (jacks, 10's, 9's), a king or higher (8's, 7's, 6's), a "
        "queen or higher (5's, 4's, 3's) in front",
        lambda sevens: sevens.is_shape(Shape.TWO_PAIRS) & sevens.can_keep_both_pairs(),
        lambda sevens: sevens.back_is(Category.TWO_PAIRS),
    ),
    Rule(
        "two pairs, split",
        f"{TABLE}: Two Pairs",
        "otherwise, place the small pair in front and the higher pair in back",
        lambda sevens: sevens.is_shape(Shape.TWO_PAIRS) & ~sevens.can_keep_both_pairs(),
        lambda sevens: sevens.pair_in_front & (sevens.front_rank() < sevens.highest_held(2)[:, None]),
    ),
    Rule(
        "complete hand with one pair",
        f"{TABLE}: Straight, Flush, or Straight-Flush with One Pair",
        "Play the complete hand behind (straight or flush) in the back and the two highest remaining cards (pair or no "
        "pair) in front.",
        lambda sevens: sevens.is_shape(Shape.ONE_PAIR) & sevens.can_complete,
        lambda sevens: sevens.complete,
    ),
    Rule(
        "one pair",
        f"{TABLE}: One Pair",
        "Put the pair in the back and the highest two other cards in the front.",
        lambda sevens: sevens.is_shape(Shape.ONE_PAIR) & ~sevens.can_complete,
        lambda sevens: sevens.back_is(Category.PAIR),
    ),
    Rule(
        "complete hand with no pair",
        f"{TABLE}: Straight, Flush, or Straight-Flush with No Pair",
        "Play the complete hand (straight or flush) in the back and the two highest remaining single cards in front.",
        lambda sevens: sevens.is_shape(Shape.NO_PAIR) & sevens.can_complete,
        lambda sevens: sevens.complete,
    ),
    Rule(
        "no pair",
        f"{TABLE}: No Pairs",
        "Put 2nd and 3rd highest cards in front.",
        lambda sevens: sevens.is_shape(Shape.NO_PAIR) & ~sevens.can_complete,
        lambda sevens: sevens.back_rank() == sevens.highest_held(1)[:, None],
    ),
)


def house_way(cards: Cards, wheel: Wheel) -> Cards:
    """Each (n, 7) hand as the house way sets it: the same cards, two in front and then five behind, each highest first.

    Without five cards of a suit the setting follows from the ranks alone, and is looked up in a table that the rules
    filled; hands that may hold a flush go through the rules themselves.
    """
    hands = as_hands(cards, 7)
    words, split_by_ranks = seven_words(), _split_by_ranks(wheel)
    setting = np.empty_like(hands, order="C")
    for start in range(0, len(hands), _BLOCK):
        block = _highest_first(hands[start : start + _BLOCK])
        word = word_sums(block, words)
        split = split_by_ranks[key_of(word)]
        suited = with_five_of_a_suit(word)
        if suited.size:
            split[suited] = _split_by_rules(Sevens.of(block[suited], wheel))
        if split.size and split.max() == _NO_SPLIT:
            raise ValueError(f"{names_of(block[split.argmax()].tolist())} are not seven cards of one deck")
        setting[start : start + _BLOCK] = np.take_along_axis(block, SPLITS[split], axis=1)
    return setting


def house_way_rule(cards: Cards) -> NDArray[np.uint8]:
    """Which of `RULES` sets each (n, 7) hand: for explaining; slower than setting.

    The place of A-2-3-4-5 among straights has no part in it.
    """
    return _applying_rule(Sevens.of(_highest_first(as_hands(cards, 7)), Wheel.LOWEST))


def _highest_first(cards: Cards) -> Cards:
    return np.sort(cards, axis=1)[:, ::-1]


@cache
def _split_by_ranks(wheel: Wheel) -> NDArray[np.uint8]:
    """Place in `SPLITS` by sum of keys, for the cards highest first and no five of a suit."""
    hands = every_rank_multiset(7)
    return table_by_sum(hands, seven_words(), _split_by_rules(Sevens.of(hands, wheel)), absent=_NO_SPLIT)


def _applying_rule(sevens: Sevens) -> NDArray[np.uint8]:
    """The one rule that applies to each hand; an error where there is none or more than one."""
    applying = np.stack([rule.applies(sevens) for rule in RULES])
    times = applying.sum(axis=0)
    if (times != 1).any():
        row = int((times != 1).argmax())
        names = [rule.name for rule, applies in zip(RULES, applying[:, row], strict=True) if applies]
        hand = names_of(sevens.cards[row].tolist())
        raise ValueError(f"house way: {hand}: {' and '.join(names) or 'no rule'} applies; exactly one must")
    number: NDArray[np.uint8] = applying.argmax(axis=0).astype(np.uint8)
    return number


def _split_by_rules(sevens: Sevens) -> NDArray[np.uint8]:
    """Place in `SPLITS`: of the splits its rule allows, the highest front, then the highest back (rulings.md R-34)."""
    applying = _applying_rule(sevens)
    front_then_back = sevens.low.astype(np.int64) << 24 | sevens.high
    split = np.empty(len(sevens.cards), np.uint8)
    for number, rule in enumerate(RULES):
        rows = np.flatnonzero(applying == number)
        if not rows.size:
            continue
        allowed = np.where(rule.allows(sevens.at(rows)), front_then_back[rows], -1)
        split[rows] = allowed.argmax(axis=1)
        if (allowed.max(axis=1) < 0).any():
            hand = names_of(sevens.cards[rows[allowed.max(axis=1).argmin()]].tolist())
            raise ValueError(f"house way: {hand}: {rule.name} allows none of the 21 splits")
    every_row = np.arange(len(split))
    fouled = fouls(sevens.low[every_row, split], sevens.high[every_row, split])
    if fouled.any():
        raise ValueError(f"house way: {names_of(sevens.cards[fouled.argmax()].tolist())} would be set foul")
    return split
