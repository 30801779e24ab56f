"""The seven cards of MA-PGP in plain Python: what they form, by trying every card the joker may stand for.

Nothing here is shared with the pack, with `replay` or with the other slow rankers of the tests: cards are names, a hand
is a tuple of them, and every class is found from the words of §3 alone.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "X1"
DECK = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
LADDER = "A23456789TJQKA"
RUNS_OF_FIVE = [set(LADDER[at : at + 5]) for at in range(10)]
RUNS_OF_SEVEN = [set(LADDER[at : at + 7]) for at in range(8)]
Hand = tuple[str, ...]
Worth = tuple[int, list[int]]

HIGH_CARD, PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL, FIVE_ACES = range(11)
COMPLETED_BY_THE_JOKER = (STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL)  # §3(c)
NAMES = {
    TRIPS: "three_of_a_kind",
    STRAIGHT: "straight",
    FLUSH: "flush",
    FULL_HOUSE: "full_house",
    QUADS: "four_of_a_kind",
    STRAIGHT_FLUSH: "straight_flush",
    ROYAL: "royal_flush",
    FIVE_ACES: "five_aces",
}


def number(card: str) -> int:
    return 14 if card[0] in "XA" else RANKS.index(card[0]) + 2


def as_written(cards: Hand, wheel_lowest: bool) -> Worth:
    """What five cards are worth, none of them standing for another; a card `A-` is an ace of no suit."""
    numbers = sorted(map(number, cards), reverse=True)
    counted = Counter(numbers)
    by_count = sorted(counted, key=lambda one: (-counted[one], -one))
    most = sorted(counted.values(), reverse=True)
    flush = "-" not in "".join(cards) and len({card[1] for card in cards}) == 1
    straight = {card[0] for card in cards} in RUNS_OF_FIVE
    # §3(b)(7): A-2-3-4-5 is "the second highest straight", and by the option of §3(d) the lowest
    top = numbers[0] if numbers[:2] != [14, 5] else (5 if wheel_lowest else 13.5)
    height = [int(2 * top)]
    if most[0] == 5:
        return FIVE_ACES, []
    if straight and flush:
        return (ROYAL, []) if height == [28] else (STRAIGHT_FLUSH, height)
    if most[0] == 4:
        return QUADS, by_count
    if most == [3, 2]:
        return FULL_HOUSE, by_count
    if flush:
        return FLUSH, numbers
    if straight:
        return STRAIGHT, height
    kind = {(3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIRS, (2, 1, 1, 1): PAIR}.get(tuple(most), HIGH_CARD)
    return kind, by_count


@cache
def five(cards: Hand, wheel_lowest: bool = False) -> Worth:
    """The best of the ace and of every card with which the joker completes a hand of §3(c)."""
    if JOKER not in cards:
        return as_written(cards, wheel_lowest)
    rest = tuple(card for card in cards if card != JOKER)
    tried = [as_written((*rest, "A-"), wheel_lowest)]
    for card in DECK[:52]:
        if card not in rest:
            worth = as_written((*rest, card), wheel_lowest)
            if worth[0] in COMPLETED_BY_THE_JOKER:
                tried.append(worth)
    return max(tried)


def two(cards: Hand) -> Worth:
    """In a hand of two cards the joker is an ace (R-11)."""
    numbers = sorted(map(number, cards), reverse=True)
    return (PAIR, numbers[:1]) if numbers[0] == numbers[1] else (HIGH_CARD, numbers)


def foul(low: Hand, high: Hand, wheel_lowest: bool) -> bool:
    """Whether the high hand ranks under the low one (R-13): by category, then over the cards both have."""
    if (len(low), len(high)) != (2, 5):
        return True
    front, back = two(low), five(high, wheel_lowest)
    if front[0] != back[0]:
        return front[0] > back[0]
    shared = min(len(front[1]), len(back[1]))
    return front[1][:shared] > back[1][:shared]


def suited(cards: tuple[str, ...], ranks: str) -> bool:
    """Two natural cards of one suit and of these ranks."""
    return JOKER not in cards and {card[0] for card in cards} == set(ranks) and len({card[1] for card in cards}) == 1


def paired(cards: tuple[str, ...]) -> bool:
    return number(cards[0]) == number(cards[1])  # the joker and an ace are a pair of aces


@cache
def formed(cards: Hand) -> frozenset[str]:
    """Everything that seven cards can form and any pay table of the text pays."""
    found: set[str] = set()
    for high in combinations(cards, 5):
        rest = tuple(card for card in cards if card not in high)
        natural = JOKER not in high
        readings = {five(high)[0]}
        if not natural:  # what else the joker makes of these five, below the best
            held = tuple(card for card in high if card != JOKER)
            readings.add(as_written((*held, "A-"), False)[0])
            readings |= {
                kind
                for card in DECK[:52]
                if card not in held and (kind := as_written((*held, card), False)[0]) in COMPLETED_BY_THE_JOKER
            }
        for kind in readings:
            if kind not in NAMES:
                continue
            name = NAMES[kind]
            found |= {name} | ({f"{name}_and_pair"} if paired(rest) else set())
            if kind == ROYAL:
                found |= {f"royal_and_{ranks}" for ranks in ("KQ", "AK", "AQ") if suited(rest, ranks)}
                if natural:
                    found |= {"natural_royal"} | ({"natural_royal_and_pair"} if paired(rest) else set())
                    found |= {f"natural_royal_and_{ranks}" for ranks in ("AK", "AQ") if suited(rest, ranks)}
            if kind == STRAIGHT_FLUSH:
                found.add("straight_flush_natural" if natural else "straight_flush_joker")
                if natural and {card[0] for card in high} == set("A2345"):
                    found |= {"natural_wheel"} | ({"natural_wheel_and_AQ"} if suited(rest, "AQ") else set())
    by_number = Counter(number(card) for card in cards)
    if sum(count >= 2 for count in by_number.values()) == 3:
        found.add("three_pair")
    held = tuple(card for card in cards if card != JOKER)
    if len({card[1] for card in held}) == 1:
        ranks = {card[0] for card in held}
        if len(held) == 7 and ranks in RUNS_OF_SEVEN:
            found |= {"seven_natural", "seven"}
        if len(held) == 6 and any(ranks < run for run in RUNS_OF_SEVEN):
            found |= {"seven_joker", "seven"}
    return frozenset(found)


def pai_gow_high(cards: Hand, joker_is_an_ace: bool) -> str | None:
    """The highest card of seven that are no pair, no straight, no flush. For the insurance wager the joker "is ranked
    as an ace" (§3(h), R-19) and completes nothing; everywhere else it completes what it can."""
    numbers = Counter(map(number, cards))
    if len(numbers) < 7:
        return None
    for high in combinations(cards, 5):
        if joker_is_an_ace:
            worth = as_written(tuple("A-" if card == JOKER else card for card in high), False)
        else:
            worth = five(high)
        if worth[0] != HIGH_CARD:
            return None
    return RANKS[max(numbers) - 2]


def three_card_class(cards: Hand) -> str | None:
    """§18(b), best paying first; three in a row may be A-2-3 and A-K-Q."""
    held = [card for card in cards if card != JOKER]
    tries = [held] if len(held) == 3 else [[*held, card] for card in DECK[:52] if card not in held]
    found = set()
    runs = [set(LADDER[at : at + 3]) for at in range(12)]
    for cards_tried in tries:
        run = {card[0] for card in cards_tried} in runs
        flush = len({card[1] for card in cards_tried}) == 1
        if run and flush:
            found.add("straight_flush_natural" if len(held) == 3 else "straight_flush")
        found |= ({"straight"} if run else set()) | ({"flush"} if flush else set())
    same = max(Counter(map(number, cards)).values())
    found |= ({"three_of_a_kind"} if same == 3 else set()) | ({"pair"} if same == 2 else set())
    order = ("straight_flush_natural", "three_of_a_kind", "straight_flush", "straight", "flush", "pair")
    return next((name for name in order if name in found), None)
