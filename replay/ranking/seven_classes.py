"""Every class of seven cards that a pay table of pai gow poker or FLT-SPG names, and a fast way to find them.

The best-paying class a hand "can form from all its cards" (rulings.md R-16) is asked of its twenty-one splits: what the
five are, and what the other two are besides. A five-card hand belongs to the highest category it makes and to no lower
one, so a straight flush is no flush here: no printed table would choose otherwise.

What a class needs is written over all splits (`SevenSplits`). A hand without five of a suit is decided by its ranks
alone, so for those hands the tests run once, over the 67,600 rank sets (`replay.ranking.rank_sets`), and a hand is one
look-up; hands with five of a suit go through the tests themselves. Colours are asked of the cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from replay.ranking.five import Category, Wheel, category, pack, rank_five
from replay.ranking.hand_class import NO_CLASS, ClassList, HandClass, Places, first_formed
from replay.ranking.hands import Bools, Cards, Strengths
from replay.ranking.joker import Joker
from replay.ranking.keys import every_rank_multiset
from replay.ranking.rank_sets import rank_set_blocks, suit_bits
from replay.ranking.seven import rank_counts
from replay.ranking.splits import all_splits
from replay.ranking.two import rank_two
from schemas.cards import JOKER_1, RANKS

_ACE_TO_FIVE = pack(Category.STRAIGHT_FLUSH, [5, 4, 3, 2, 1])
_RED = np.array([code % 4 in (1, 2) and code < JOKER_1 for code in range(JOKER_1 + 1)])  # diamonds, hearts
_BLACK = np.array([code % 4 in (0, 3) and code < JOKER_1 for code in range(JOKER_1 + 1)])  # the joker is neither


@dataclass(frozen=True)
class SevenSplits:
    """Seven-card hands, a row each, with what the classes ask about them; the joker semi-wild unless it says
    otherwise."""

    cards: Cards  # (n, 7)

    @cached_property
    def splits(self) -> tuple[Cards, Cards]:
        """(n, 21, 2) the two other cards, (n, 21, 5) the five."""
        return all_splits(self.cards)

    @cached_property
    def five(self) -> Strengths:
        return rank_five(self.splits[1].reshape(-1, 5), Wheel.LOWEST).reshape(-1, 21)

    @cached_property
    def kind(self) -> NDArray[np.int32]:
        """(n, 21) `Category` of the five."""
        return category(self.five)

    @cached_property
    def kinds_formed(self) -> NDArray[np.int32]:
        """(n,) a bit for each `Category` that some five of the hand are."""
        formed: NDArray[np.int32] = np.bitwise_or.reduce(np.int32(1) << self.kind, axis=1)
        return formed

    @cached_property
    def natural(self) -> Bools:
        """(n, 21) the five are without a joker."""
        without: Bools = (self.splits[1] != JOKER_1).all(axis=2)
        return without

    @cached_property
    def pair(self) -> Bools:
        """(n, 21) the two others are a pair; joker and ace are a pair of aces (rulings.md R-16)."""
        two = rank_two(self.splits[0].reshape(-1, 2)).reshape(-1, 21)
        paired: Bools = category(two) == Category.PAIR
        return paired

    def others_suited(self, ranks: str) -> Bools:
        """(n, 21) the two others are these two ranks, of one suit and natural (R-17)."""
        two = self.splits[0]
        return _two_suited(ranks)[two[:, :, 0], two[:, :, 1]]

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        """(n, 13) how many of each rank, the joker an ace."""
        return rank_counts(self.cards)

    @cached_property
    def seven_card_straight_flush(self) -> Bools:
        """All seven of one suit and in a row, one of them the joker or none."""
        return _seven_in_a_row()[suit_bits(self.cards)]

    @cached_property
    def holds_joker(self) -> Bools:
        held: Bools = (self.cards == JOKER_1).any(axis=1)
        return held

    @cached_property
    def high_rank(self) -> NDArray[np.int64]:
        """The highest rank held, 0..12 for 2..A, the joker an ace."""
        highest: NDArray[np.int64] = 12 - (self.counts[:, ::-1] > 0).argmax(axis=1)
        return highest

    @cached_property
    def pai_gow(self) -> Bools:
        """No five are more than a high card, the joker semi-wild: so seven different ranks, no straight, no flush, also
        none that the joker would complete (rulings.md R-19, Protection and Face Up)."""
        nothing: Bools = self.kinds_formed == 1 << Category.HIGH_CARD
        return nothing

    @cached_property
    def pai_gow_ace_only(self) -> Bools:
        """The same with the joker an ace without a suit and nothing else (R-19, Insurance)."""
        ranks: NDArray[np.int64] = ((self.counts > 0) << np.arange(13)).sum(axis=1)
        different = self.counts.max(axis=1) == 1
        suits = np.stack([((self.cards % 4 == suit) & (self.cards < JOKER_1)).sum(axis=1) for suit in range(4)])
        found: Bools = different & ~_five_in_a_row()[ranks] & (suits.max(axis=0) < 5)
        return found


SevenTest = Callable[[SevenSplits], Bools]


def pai_gow_high(cards: Cards, joker: Joker) -> NDArray[np.uint8]:
    """The highest rank (9 .. 14) of each (n, 7) hand that is a pai gow; 0 where it is none. `joker` is SEMI_WILD for
    Protection, Face Up and Queen's Dragon, ACE_ONLY for Insurance."""
    names = list(_HIGHS)
    places = {Joker.SEMI_WILD: PAI_GOW_POKER, Joker.ACE_ONLY: PAI_GOW_INSURANCE}
    if joker not in places:
        raise ValueError(f"a pai gow hand has a joker that is semi_wild or ace_only, not {joker}")
    highs = np.array([9, 10, 11, 12, 13, 14, 0], np.uint8)  # the last is that of place -1
    return highs[places[joker].classify(cards, names)]


# ---- the classes -----------------------------------------------------------------------------------------------------


def _any(splits: Bools) -> Bools:
    """(n, 21) to (n,)"""
    found: Bools = np.logical_or.reduce(splits, axis=1)
    return found


def _five(kind: Category) -> SevenTest:
    return lambda hands: hands.kinds_formed >> kind & 1 == 1


def _five_natural(kind: Category) -> SevenTest:
    return lambda hands: _any((hands.kind == kind) & hands.natural)


def _five_and_pair(kind: Category) -> SevenTest:
    return lambda hands: _any((hands.kind == kind) & hands.pair)


def _colour(codes: Bools, at_least: int) -> Callable[[Cards], Bools]:
    return lambda cards: codes[cards].sum(axis=1) >= at_least


def _one_colour(cards: Cards) -> Bools:
    return _colour(_RED, 7)(cards) | _colour(_BLACK, 7)(cards)


_HIGHS = {"nine_high": "9", "ten_high": "T", "jack_high": "J", "queen_high": "Q", "king_high": "K", "ace_high": "A"}


def _high(rank: str) -> SevenTest:
    return lambda hands: hands.pai_gow & (hands.high_rank == RANKS.index(rank))


def _high_ace_only(rank: str) -> SevenTest:
    return lambda hands: hands.pai_gow_ace_only & (hands.high_rank == RANKS.index(rank))


_PLAIN: tuple[HandClass[SevenSplits], ...] = tuple(
    HandClass(kind.name.lower().replace("two_pairs", "two_pair"), f"MA-PGP §3(b)({number})", text, _five(kind))
    for number, kind, text in (
        (1, Category.FIVE_ACES, "four aces and a joker"),
        (2, Category.ROYAL_FLUSH, "an ace, king, queen, jack and ten of the same suit"),
        (3, Category.STRAIGHT_FLUSH, "five cards of the same suit in consecutive ranking"),
        (4, Category.FOUR_OF_A_KIND, "four cards of the same rank regardless of suit"),
        (5, Category.FULL_HOUSE, 'a "three-of-a-kind" and a "pair"'),
        (6, Category.FLUSH, "five cards of the same suit"),
        (7, Category.STRAIGHT, "five cards of consecutive rank, regardless of suit"),
        (8, Category.THREE_OF_A_KIND, "three cards of the same rank regardless of suit"),
        (9, Category.TWO_PAIRS, 'two "pairs"'),
    )
)

_AND_PAIR: tuple[HandClass[SevenSplits], ...] = tuple(
    HandClass(
        f"{kind.name.lower()}_and_pair",
        "MA-PGP §14(d), rulings.md R-16",
        "the pair is formed by the two cards not used in the five",
        _five_and_pair(kind),
    )
    for kind in (
        *(Category.FIVE_ACES, Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH, Category.FOUR_OF_A_KIND),
        *(Category.FULL_HOUSE, Category.FLUSH, Category.STRAIGHT),
    )
)

_SPECIAL: tuple[HandClass[SevenSplits], ...] = (
    HandClass(
        "seven_card_straight_flush_natural",
        "MA-PGP §3(f)(1), §3(k)(2)",
        "seven cards of the same suit in consecutive ranking, with no joker being used",
        lambda hands: hands.seven_card_straight_flush & ~hands.holds_joker,
    ),
    HandClass(
        "seven_card_straight_flush_joker",
        "MA-PGP §3(f)(3), §3(k)(4)",
        "seven cards of the same suit in consecutive ranking with a joker being used",
        lambda hands: hands.seven_card_straight_flush & hands.holds_joker,
    ),
    HandClass(
        "seven_card_straight_flush",
        "MA-PGP §3(j)(1)",
        "seven cards of the same suit in consecutive ranking, with or without a joker",
        lambda hands: hands.seven_card_straight_flush,
    ),
    HandClass(
        "royal_flush_royal_match",
        "MA-PGP §3(f)(2)(i), rulings.md R-17",
        "a royal flush, with or without a joker, and an additional king and queen of a same suit",
        lambda hands: _any((hands.kind == Category.ROYAL_FLUSH) & hands.others_suited("KQ")),
    ),
    HandClass(
        "royal_flush_ace_king_suited",
        "MA-PGP §3(f)(2)(ii), §3(i)(2), FLT-SPG App. C 3",
        "a royal flush, with or without a joker, and an additional ace and king of the same suit without a joker",
        lambda hands: _any((hands.kind == Category.ROYAL_FLUSH) & hands.others_suited("AK")),
    ),
    HandClass(
        "royal_flush_natural",
        "MA-PGP §3(b)(2)",
        "a royal flush which does not use a joker",
        _five_natural(Category.ROYAL_FLUSH),
    ),
    HandClass(
        "royal_flush_natural_and_pair",
        "MA-PGP §14(d), rulings.md R-16",
        "a royal flush which does not use a joker; the pair is formed by the two other cards",
        lambda hands: _any((hands.kind == Category.ROYAL_FLUSH) & hands.natural & hands.pair),
    ),
    HandClass(
        "royal_flush_natural_ace_queen_suited",
        "MA-PGP §3(k)(3), §16(g), rulings.md R-18",
        "a royal flush without a joker, and an additional ace and queen of the same suit without a joker",
        lambda hands: _any((hands.kind == Category.ROYAL_FLUSH) & hands.natural & hands.others_suited("AQ")),
    ),
    HandClass(
        "ace_five_straight_flush_natural",
        "MA-PGP §3(k)(5), rulings.md R-18",
        "an ace, 2, 3, 4 and 5 of one suit, without a joker",
        lambda hands: _any((hands.five == _ACE_TO_FIVE) & hands.natural),
    ),
    HandClass(
        "ace_five_straight_flush_natural_ace_queen_suited",
        "MA-PGP §3(k)(1), rulings.md R-18",
        "an ace, 2, 3, 4 and 5 of one suit, and an additional ace and queen of the same suit, all without a joker",
        lambda hands: _any((hands.five == _ACE_TO_FIVE) & hands.natural & hands.others_suited("AQ")),
    ),
    HandClass(
        "straight_flush_natural",
        "MA-PGP §3(g)",
        "five cards of the same suit in consecutive ranking, none of which is the joker",
        _five_natural(Category.STRAIGHT_FLUSH),
    ),
    HandClass(
        "straight_flush_joker",
        "MA-PGP §3(g)",
        "five cards of the same suit in consecutive ranking, one of which is the joker",
        lambda hands: _any((hands.kind == Category.STRAIGHT_FLUSH) & ~hands.natural),
    ),
    HandClass(
        "three_pair",
        "MA-PGP §16(b) Paytable C, FLT-SPG App. C",
        "three pairs among the seven cards",
        lambda hands: (hands.counts >= 2).sum(axis=1) >= 3,
    ),
)

_PAI_GOW: tuple[HandClass[SevenSplits], ...] = (
    *(
        HandClass(
            name,
            "MA-PGP §16(h), §19(d), rulings.md R-19",
            "seven different ranks, no straight, no flush, the joker semi-wild",
            _high(rank),
        )
        for name, rank in _HIGHS.items()
    ),
    HandClass(
        "queens_dragon",
        "MA-PGP §1, §16(f), rulings.md R-19",
        "seven cards of different ranks which do not form a straight, a flush, a straight flush or a royal flush but "
        "contain a queen high card",
        _high("Q"),
    ),
    HandClass(
        "ace_high_joker",
        "MA-PGP §19(d)",
        "an ace-high pai gow that holds the joker",
        lambda hands: _high("A")(hands) & hands.holds_joker,
    ),
    HandClass(
        "ace_high_natural",
        "MA-PGP §19(d)",
        "an ace-high pai gow without the joker",
        lambda hands: _high("A")(hands) & ~hands.holds_joker,
    ),
    HandClass(
        "pai_gow_ace_five_straight_flush_natural",
        "MA-PGP §16(h), §9(l)(7), rulings.md R-19",
        "printed in the Protection table, whose hands hold no straight and no flush: it can never be reached",
        lambda hands: hands.pai_gow & _any((hands.five == _ACE_TO_FIVE) & hands.natural),
    ),
)

_COLOURS: tuple[HandClass[SevenSplits], ...] = tuple(
    HandClass(
        f"{written}_{colour}",
        "MA-PGP §16(i), rulings.md R-46",
        f"{written} cards of the chosen color; the joker has no colour",
        lambda hands: np.ones(len(hands.cards), bool),
        _colour(codes, number),
    )
    for colour, codes in (("red", _RED), ("black", _BLACK))
    for number, written in ((7, "seven"), (6, "six"), (5, "five"), (4, "four"))
)

_INSURANCE: tuple[HandClass[SevenSplits], ...] = (
    *(
        HandClass(
            name,
            "MA-PGP §16(d), FLT-SPG App. B, rulings.md R-19",
            "seven different ranks, no straight, no flush, the joker an ace without a suit and nothing else",
            _high_ace_only(rank),
        )
        for name, rank in _HIGHS.items()
    ),
    HandClass(
        "nine_high_one_color",
        "FLT-SPG App. F",
        "9-High (Same Color): all seven cards red, or all black",
        _high_ace_only("9"),
        _one_colour,
    ),
)


# ---- finding them ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SevenClassList(ClassList[SevenSplits]):
    """A class list that looks hands without five of a suit up by their rank set."""

    def classify(self, cards: Cards, names: Sequence[str]) -> Places:
        chosen = self.chosen(names)
        hands = self.check_shape(cards)
        plain = [place for place, each in enumerate(chosen) if each.colour is None]
        by_rank_set = _first_by_rank_set(tuple(chosen[place] for place in plain))
        plain_places = np.array([*plain, NO_CLASS], np.int16)  # the last is that of place -1
        coloured = [
            (place, each.colour, _formed_by_rank_set(each))
            for place, each in enumerate(chosen)
            if each.colour is not None
        ]
        places = np.empty(len(hands), np.int16)
        for block in rank_set_blocks(hands):
            found = plain_places[by_rank_set.take(block.numbers)]
            for place, colour, formed in coloured:
                rows = np.flatnonzero(formed.take(block.numbers) & ((found == NO_CLASS) | (found > place)))
                found[rows[colour(block.cards[rows])]] = place
            if block.suited.size:
                suited = block.cards[block.suited]
                found[block.suited] = first_formed(suited, SevenSplits(suited), chosen)
            places[block.rows] = found
        return places


@cache
def _rank_sets() -> SevenSplits:
    return SevenSplits(every_rank_multiset(7))


@cache
def _formed_by_rank_set(each: HandClass[SevenSplits]) -> Bools:
    return each.formed(_rank_sets())


@cache
def _first_by_rank_set(classes: tuple[HandClass[SevenSplits], ...]) -> Places:
    places = np.full(len(_rank_sets().cards), NO_CLASS, np.int16)
    for place in range(len(classes) - 1, -1, -1):
        places[_formed_by_rank_set(classes[place])] = place
    return places


@cache
def _two_suited(ranks: str) -> Bools:
    """By two codes: they are these two ranks of one suit, whichever comes first."""
    found = np.zeros((JOKER_1 + 1, JOKER_1 + 1), bool)
    for suit in range(4):
        one, other = (RANKS.index(rank) * 4 + suit for rank in ranks)
        found[one, other] = found[other, one] = True
    return found


def _runs(length: int) -> list[int]:
    """Rank bits of so many in a row; the ace is the highest or stands below the deuce (MA-PGP §3(a))."""
    with_low_ace = [(1 << length) - 1 << low for low in range(15 - length)]  # bit 0: the ace below the deuce
    return [run >> 1 | (run & 1) << 12 for run in with_low_ace]


@cache
def _five_in_a_row() -> Bools:
    """By the thirteen bits of the ranks held."""
    held = np.arange(1 << 13)
    found: Bools = np.logical_or.reduce([held & run == run for run in _runs(5)])
    return found


@cache
def _seven_in_a_row() -> Bools:
    """By `suit_bits`: a run of seven is there whole, or but for one card and with the joker."""
    held = np.arange(2 << 13)
    joker = held >> 13
    missing = [np.bitwise_count(run & ~held) for run in _runs(7)]
    found: Bools = np.logical_or.reduce([lacks <= joker for lacks in missing])
    return found


PAI_GOW_POKER = SevenClassList(
    size=7,
    classes=(*_PLAIN, *_AND_PAIR, *_SPECIAL, *_PAI_GOW, *_COLOURS),
    look=SevenSplits,
    jokers=1,
    joker=Joker.SEMI_WILD,
)
PAI_GOW_INSURANCE = SevenClassList(size=7, classes=_INSURANCE, look=SevenSplits, jokers=1, joker=Joker.ACE_ONLY)
