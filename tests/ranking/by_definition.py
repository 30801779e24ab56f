"""The same rules once more, slowly and on written cards (`As Kd X1`), to hold the rankers against.

Nothing here is shared with `replay.ranking`: scores are tuples, hands are lists of names, a joker is tried out.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations

ORDER = "23456789TJQKA"
KINDS = (
    *("high card", "pair", "two pairs", "three", "straight", "flush"),
    *("full house", "four", "straight flush", "royal flush", "five aces"),
)
COMPLETE = ("straight", "flush", "straight flush", "royal flush")
Score = tuple[int, tuple[int, ...]]  # place in KINDS, then what decides between two of a kind


def value(card: str) -> int:
    return 14 if card == "X1" else ORDER.index(card[0]) + 2


def natural_five(cards: tuple[str, ...], wheel_is_lowest: bool) -> Score:
    """Five cards without a joker; `A*` is an ace of no suit."""
    values = sorted((value(card) for card in cards), reverse=True)
    counts = Counter(values)
    groups = tuple(sorted(counts, key=lambda v: (counts[v], v), reverse=True))
    shape = tuple(sorted(counts.values(), reverse=True))
    one_suit = len({card[1] for card in cards}) == 1
    is_wheel = values == [14, 5, 4, 3, 2]
    straight = is_wheel or (len(counts) == 5 and values[0] - values[4] == 4)
    # the wheel stands half a step under the ace-high straight, or a step under the six-high one
    height = (10 if wheel_is_lowest else 27) if is_wheel else 2 * values[0]
    if shape == (5,):
        return KINDS.index("five aces"), ()
    if straight and one_suit:
        return (KINDS.index("royal flush"), ()) if height == 28 else (KINDS.index("straight flush"), (height,))
    if straight:
        return KINDS.index("straight"), (height,)
    if one_suit:
        return KINDS.index("flush"), groups
    named = {(4, 1): "four", (3, 2): "full house", (3, 1, 1): "three", (2, 2, 1): "two pairs", (2, 1, 1, 1): "pair"}
    return KINDS.index(named.get(shape, "high card")), groups


@cache
def score_five(cards: tuple[str, ...], wheel_is_lowest: bool) -> Score:
    """The best of: the joker as an ace of no suit, and as any card not held that completes the hand."""
    if "X1" not in cards:
        return natural_five(cards, wheel_is_lowest)
    held = tuple(card for card in cards if card != "X1")
    tries = [natural_five((*held, "A*"), wheel_is_lowest)]
    for rank in ORDER:
        for suit in {card[1] for card in held}:
            if rank + suit not in held:
                score = natural_five((*held, rank + suit), wheel_is_lowest)
                if KINDS[score[0]] in COMPLETE:
                    tries.append(score)
    return max(tries)


def kind_of_five(cards: tuple[str, ...]) -> str:
    return KINDS[score_five(cards, True)[0]]


def score_two(cards: tuple[str, ...]) -> Score:
    high, low = sorted((value(card) for card in cards), reverse=True)
    return (KINDS.index("pair"), (high,)) if high == low else (KINDS.index("high card"), (high, low))


def is_foul(low: tuple[str, ...], high: tuple[str, ...], wheel_is_lowest: bool) -> bool:
    kind, cards = score_two(low)
    back_kind, back_cards = score_five(high, wheel_is_lowest)
    if kind != back_kind:
        return kind > back_kind
    for card, back_card in zip(cards, back_cards, strict=False):  # over the cards both have
        if card != back_card:
            return card > back_card
    return False


def set_house_way(cards: tuple[str, ...], wheel_is_lowest: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The California table and R-34, R-50, read top to bottom for one hand: (front, back)."""
    seven = sorted(cards, key=value, reverse=True)
    by_value: dict[int, list[str]] = {}
    for card in seven:
        by_value.setdefault(value(card), []).append(card)
    of = {n: [held for _, held in sorted(by_value.items(), reverse=True) if len(held) == n] for n in range(1, 6)}
    singles = [held[0] for held in of[1]]

    def front(*chosen: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return chosen, tuple(card for card in seven if card not in chosen)

    def best_complete() -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        complete = [front(*two) for two in combinations(seven, 2)]
        complete = [split for split in complete if kind_of_five(split[1]) in COMPLETE]
        return max(complete, key=lambda s: (score_two(s[0]), score_five(s[1], wheel_is_lowest)), default=None)

    if of[5]:
        return front(*of[5][0][:2])
    if of[4]:
        four = of[4][0]
        if of[3] or of[2]:
            return front(*(of[3] or of[2])[0][:2])
        if complete := best_complete():
            naturals = [card for card in four if card != "X1"]
            assert len(naturals) == 3 and {card[0] for card in complete[0]} == {"A"}
            return complete
        rank = value(four[0])
        if rank >= 11 or (7 <= rank <= 10 and value(singles[0]) != 14):
            return front(*four[:2])
        return front(*singles[:2])
    if len(of[3]) == 2:
        return front(*of[3][0][:2])
    if of[3] and of[2]:
        return front(*of[2][0])
    if of[3]:
        if complete := best_complete():
            return complete
        return front(of[3][0][0], singles[0]) if value(of[3][0][0]) == 14 else front(*singles[:2])
    if len(of[2]) == 3:
        return front(*of[2][0])
    if len(of[2]) == 2:
        larger, smaller = of[2]
        needed = {14: 99, 13: 99, 12: 99, 11: 14, 10: 14, 9: 14, 8: 13, 7: 13, 6: 13, 5: 12, 4: 12, 3: 12}
        return front(*singles[:2]) if value(singles[0]) >= needed[value(larger[0])] else front(*smaller)
    if complete := best_complete():
        return complete
    return front(*singles[:2]) if of[2] else front(*seven[1:3])


PAY_ORDER = (
    *("seven_card_straight_flush_natural", "royal_flush_royal_match", "seven_card_straight_flush_joker", "five_aces"),
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "three_of_a_kind", "straight"),
    *("three_pair", "nothing"),
)
PAID_AS = {"four": "four_of_a_kind", "three": "three_of_a_kind"}


def classes_of_seven(cards: tuple[str, ...], added: str) -> set[str]:
    """Every class the seven can form; `added` is KQ or AK."""
    found = {"nothing"}
    for five in combinations(cards, 5):
        kind = kind_of_five(five)
        name = PAID_AS.get(kind, kind.replace(" ", "_"))
        if name in PAY_ORDER:
            found.add(name)
        rest = [card for card in cards if card not in five]
        if name == "royal_flush" and sorted(card[0] for card in rest) == sorted(added) and rest[0][1] == rest[1][1]:
            found.add("royal_flush_royal_match")
    if sum(count >= 2 for count in Counter(value(card) for card in cards).values()) >= 3:
        found.add("three_pair")
    ladder = "A" + ORDER
    runs = [set(ladder[start : start + 7]) for start in range(8)]
    held = [card for card in cards if card != "X1"]
    if len({card[1] for card in held}) == 1:
        ranks = {card[0] for card in held}
        if len(held) == 7 and ranks in runs:
            found.add("seven_card_straight_flush_natural")
        if len(held) == 6 and any(ranks | {rank} in runs for rank in ORDER):
            found.add("seven_card_straight_flush_joker")
    return found


def best_paying(cards: tuple[str, ...], added: str = "KQ") -> str:
    return min(classes_of_seven(cards, added), key=PAY_ORDER.index)


def deals(seed: int, hands: int, size: int, joker_share: float = 0.5) -> list[tuple[str, ...]]:
    """Random hands, with the joker more often than in play; most of them from few ranks, few suits or with many aces,
    so that the rare classes come up."""
    rng = random.Random(seed)
    dealt = []
    for number in range(hands):
        deck = [rank + suit for rank in ORDER for suit in "cdhs"]
        if number % 4 == 1:
            ranks = rng.sample(ORDER, rng.randint(3, 6))
            deck = [card for card in deck if card[0] in ranks]
        elif number % 4 == 3:
            start = rng.randrange(len(ORDER))
            near = {ORDER[(start + step) % len(ORDER)] for step in range(rng.randint(5, 9))}
            suits = rng.sample("cdhs", rng.randint(1, 2))
            near_suited = [card for card in deck if card[0] in near and card[1] in suits]
            deck = near_suited if len(near_suited) >= size else [card for card in deck if card[1] in suits]
        elif number % 4 == 2:
            aces = rng.sample(["Ac", "Ad", "Ah", "As"], rng.randint(2, 4))
            deck = rng.sample([card for card in deck if card[0] in "23459TJQK"], size - 1 - len(aces)) + aces + ["X1"]
        hand = rng.sample(deck, size)
        if "X1" not in hand and rng.random() < joker_share:
            hand[rng.randrange(size)] = "X1"
        dealt.append(tuple(hand))
    return dealt
