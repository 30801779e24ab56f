"""The classes, small games and house ways once more, slowly and on written cards, beside `by_definition`.

Nothing here is shared with `replay.ranking`: a joker is tried out as every card it may be, a hand as every split.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from tests.ranking.by_definition import (
    KINDS,
    ORDER,
    Score,
    kind_of_five,
    natural_five,
    score_five,
    score_two,
    set_house_way,
    value,
)

Hand = tuple[str, ...]
NAMES = {"four": "four_of_a_kind", "three": "three_of_a_kind", "two pairs": "two_pair"}
HIGHS = {9: "nine_high", 10: "ten_high", 11: "jack_high", 12: "queen_high", 13: "king_high", 14: "ace_high"}
COUNTED = {7: "seven", 6: "six", 5: "five", 4: "four"}


# ---- seven cards -----------------------------------------------------------------------------------------------------


def best_of(cards: Hand, wheel_is_lowest: bool) -> Score:
    return max(score_five(five, wheel_is_lowest) for five in combinations(cards, 5))


def formed_by_seven(cards: Hand) -> set[str]:
    """Every class of pai gow poker that the seven can form, the joker semi-wild."""
    found: set[str] = set()
    kinds = []
    for five in combinations(cards, 5):
        kind = kind_of_five(five)
        kinds.append(kind)
        name = NAMES.get(kind, kind.replace(" ", "_"))
        rest = [card for card in cards if card not in five]
        pair = value(rest[0]) == value(rest[1])
        natural = "X1" not in five
        suited = rest[0][1] == rest[1][1] and "X1" not in rest
        added = "".join(sorted((card[0] for card in rest), key=ORDER.index, reverse=True)) if suited else ""
        if kind in ("high card", "pair"):
            continue
        found.add(name)
        if pair and kind not in ("three", "two pairs"):
            found.add(f"{name}_and_pair")
        if kind == "royal flush":
            found |= {"royal_flush_royal_match"} if added == "KQ" else set()
            found |= {"royal_flush_ace_king_suited"} if added == "AK" else set()
            if natural:
                found.add("royal_flush_natural")
                found |= {"royal_flush_natural_and_pair"} if pair else set()
                found |= {"royal_flush_natural_ace_queen_suited"} if added == "AQ" else set()
        if kind == "straight flush":
            found.add("straight_flush_natural" if natural else "straight_flush_joker")
            if natural and {card[0] for card in five} == set("A2345"):
                found.add("ace_five_straight_flush_natural")
                found |= {"ace_five_straight_flush_natural_ace_queen_suited"} if added == "AQ" else set()
    if sum(count >= 2 for count in Counter(value(card) for card in cards).values()) >= 3:
        found.add("three_pair")
    found |= _seven_card_straight_flushes(cards)
    if set(kinds) == {"high card"}:
        high = max(value(card) for card in cards)
        found.add(HIGHS[high])
        found |= {"queens_dragon"} if high == 12 else set()
        if high == 14:
            found.add("ace_high_joker" if "X1" in cards else "ace_high_natural")
    for colour, suits in (("red", "dh"), ("black", "cs")):
        held = sum(card[1] in suits for card in cards if card != "X1")
        found |= {f"{COUNTED[number]}_{colour}" for number in range(4, held + 1)}
    return found


def _seven_card_straight_flushes(cards: Hand) -> set[str]:
    ladder = "A" + ORDER
    runs = [set(ladder[start : start + 7]) for start in range(8)]
    held = [card for card in cards if card != "X1"]
    ranks = {card[0] for card in held}
    if len({card[1] for card in held}) > 1 or len(ranks) < len(held):
        return set()
    if len(held) == 7 and ranks in runs:
        return {"seven_card_straight_flush", "seven_card_straight_flush_natural"}
    if len(held) == 6 and any(ranks | {rank} in runs for rank in ORDER if rank not in ranks):
        return {"seven_card_straight_flush", "seven_card_straight_flush_joker"}
    return set()


def formed_for_insurance(cards: Hand) -> set[str]:
    """The joker is an ace of no suit, and nothing else."""
    seven = tuple("A*" if card == "X1" else card for card in cards)
    if any(KINDS[natural_five(five, True)[0]] != "high card" for five in combinations(seven, 5)):
        return set()
    found = {HIGHS[max(value(card) for card in seven)]}
    if found == {"nine_high"} and len({card[1] in "dh" for card in seven}) == 1:
        found.add("nine_high_one_color")
    return found


# ---- three cards -----------------------------------------------------------------------------------------------------

THREE_KINDS = ("high card", "pair", "flush", "straight", "three", "straight flush")


def natural_three(cards: Hand) -> Score:
    values = sorted((value(card) for card in cards), reverse=True)
    one_suit = len({card[1] for card in cards}) == 1
    low_ace = values == [14, 3, 2]
    straight = low_ace or [values[0] - v for v in values] == [0, 1, 2]
    shape = tuple(sorted(values, key=lambda v: (values.count(v), v), reverse=True))
    if straight:
        return THREE_KINDS.index("straight flush" if one_suit else "straight"), (3 if low_ace else values[0],)
    if len(set(values)) == 1:
        return THREE_KINDS.index("three"), shape
    if one_suit:
        return THREE_KINDS.index("flush"), tuple(values)
    return THREE_KINDS.index("pair" if len(set(values)) == 2 else "high card"), shape


def score_three(cards: Hand) -> Score:
    """The joker is an ace of no suit, or any card not held that completes a straight, flush or straight flush."""
    if "X1" not in cards:
        return natural_three(cards)
    held = tuple(card for card in cards if card != "X1")
    tries = [natural_three((*held, "A*"))]
    for rank, suit in product(ORDER, "cdhs"):
        if rank + suit not in held:
            score = natural_three((*held, rank + suit))
            if THREE_KINDS[score[0]] in ("straight", "flush", "straight flush"):
                tries.append(score)
    return max(tries)


# ---- six cards, several decks ----------------------------------------------------------------------------------------


def class_of_six(cards: Hand) -> str | None:
    """The best of its fives; five alike count as four, and cards held twice may lie in a flush."""
    order = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")
    found = []
    for five in combinations(cards, 5):
        counts = sorted(Counter(card[0] for card in five).values(), reverse=True)
        ranks = {card[0] for card in five}
        one_suit = len({card[1] for card in five}) == 1
        runs = [set(("A" + ORDER)[start : start + 5]) for start in range(10)]
        if ranks in runs:
            found.append(("royal_flush" if ranks == runs[-1] else "straight_flush") if one_suit else "straight")
        found += ["flush"] if one_suit else []
        found += ["four_of_a_kind"] if counts[0] >= 4 else []
        found += ["full_house"] if counts == [3, 2] else []
        found += ["three_of_a_kind"] if counts[0] >= 3 else []
    return min(found, key=order.index, default=None)


# ---- Omaha -----------------------------------------------------------------------------------------------------------


def score_omaha(hole: Hand, board: Hand) -> Score:
    return max(natural_five((*two, *three), True) for two in combinations(hole, 2) for three in combinations(board, 3))


def best_low(hole: Hand, board: Hand) -> tuple[int, ...]:
    """Ranks of the best eight-or-better low, highest first, ace 1; none if there is none."""
    lows = []
    for two, three in product(combinations(hole, 2), combinations(board, 3)):
        ranks = sorted(((value(card) - 1) % 13 + 1 for card in (*two, *three)), reverse=True)
        if len(set(ranks)) == 5 and ranks[0] <= 8:
            lows.append(tuple(ranks))
    return min(lows, default=())


# ---- Supreme Pai Gow -------------------------------------------------------------------------------------------------

FIGURES = "A23456789TJQK"  # lowest first, MA-SPG §3(b)


def score_supreme(cards: Hand) -> tuple[tuple[int, int], tuple[int, ...]]:
    """What §3(a) decides, and the cards of §3(b)."""
    jokers = sum(card[0] == "X" for card in cards)
    if jokers == 2:
        return (2, 99), ()
    if jokers == 1:
        other = next(card for card in cards if card[0] != "X")
        return max((_by_points((other, stand_in)) for stand_in in ("3*", "6*")), key=lambda score: score[0])
    if cards[0][0] == cards[1][0]:
        return (2, ORDER.index(cards[0][0])), ()
    faces = [{"Q", "J"}, {"K", "J"}, {"K", "Q"}]
    if {card[0] for card in cards} in faces:
        return (1, faces.index({card[0] for card in cards})), ()
    return _by_points(cards)


def _by_points(cards: Hand) -> tuple[tuple[int, int], tuple[int, ...]]:
    figures = sorted((FIGURES.index(card[0]) + 1 for card in cards), reverse=True)
    return (0, sum(figure if figure < 10 else 0 for figure in figures) % 10), tuple(figures)


def set_four(cards: Hand) -> tuple[Hand, Hand]:
    """R-35, read sentence by sentence: (low, high)."""
    splits = []
    for low in combinations(cards, 2):
        high = tuple(card for card in cards if card not in low)
        splits.append((low, high))
    pairs = Counter("X" if card[0] == "X" else card[0] for card in cards)
    paired = sum(count // 2 for count in pairs.values())

    def is_pair(two: Hand) -> bool:
        return score_supreme(two)[0][0] == 2

    if paired == 2:
        splits = [s for s in splits if is_pair(s[0]) and is_pair(s[1]) and score_supreme(s[1]) >= score_supreme(s[0])]
    elif paired == 1:
        splits = [s for s in splits if is_pair(s[1])]
    else:
        splits = [s for s in splits if score_supreme(s[1])[0] >= score_supreme(s[0])[0]]
    return max(splits, key=lambda s: (score_supreme(s[0]), score_supreme(s[1])))


SUPREME_BONUS = (
    *("four_aces", "royal_flush", "two_jokers_and_two_aces", "four_of_a_kind", "straight_flush", "three_of_a_kind"),
    *("flush", "two_pair", "straight", "two_jokers", "any_pair"),
)


def supreme_bonus(cards: Hand) -> str | None:
    """The best-paying class, with each joker tried as itself, every 3 and every 6."""
    found = []
    held = [card for card in cards if card[0] != "X"]
    jokers = 4 - len(held)
    ranks = [card[0] for card in held]
    counts = sorted(Counter(ranks).values(), reverse=True)
    if ranks == ["A"] * 4:
        found.append("four_aces")
    elif counts[0] == 4:
        found.append("four_of_a_kind")
    if jokers == 2:
        found += ["two_jokers"]
        found += ["two_jokers_and_two_aces"] if ranks == ["A"] * 2 else []
        found += ["two_pair"] if counts == [2] else []
    found += ["three_of_a_kind"] if 3 in counts else []
    found += ["two_pair"] if counts.count(2) == 2 else []
    found += ["any_pair"] if 2 in counts else []
    found += ["flush"] if jokers == 0 and len({card[1] for card in held}) == 1 else []
    runs = [set(("A" + ORDER)[start : start + 4]) for start in range(11)]
    for stand_ins in product([rank + suit for rank in "36" for suit in "cdhs"], repeat=jokers):
        four = (*held, *stand_ins)
        if {card[0] for card in four} in runs:
            found.append("straight")
            if len({card[1] for card in four}) == 1:
                found.append("royal_flush" if {card[0] for card in four} == set("JQKA") else "straight_flush")
    return min(found, key=SUPREME_BONUS.index, default=None)


# ---- eight cards -----------------------------------------------------------------------------------------------------


def set_eight(cards: Hand, wheel_is_lowest: bool) -> tuple[Score, Score, int]:
    """R-36: the score of the front and of the back, and the value of the card left out."""
    settings = []
    for left_out in cards:
        front, back = set_house_way(tuple(card for card in cards if card != left_out), wheel_is_lowest)
        settings.append((score_two(front), score_five(back, wheel_is_lowest), -value(left_out)))
    front_score, back_score, lowest = max(settings)
    return front_score, back_score, -lowest
