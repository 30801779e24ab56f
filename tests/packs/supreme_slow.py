"""Supreme Pai Gow of MA-SPG (and NJ-SPG, the same law) in plain Python: one round without a bank, sentence by sentence.

Nothing here is shared with the pack, with `replay` or with the simulator: cards are names, hands are tuples, and the
payout odds are typed from §14(a) once more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product

Hand = tuple[str, ...]
JOKERS = ("X1", "X2")
ODDS = {
    "four aces": 1000,
    "royal flush": 500,
    "two jokers and two aces": 200,
    "four of a kind": 100,
    "straight flush": 25,
    "three of a kind": 10,
    "flush": 8,
    "two pair": 7,
    "straight": 6,
    "two jokers": 4,
    "any other pair": 1,
}
FACES = {"KQ": 3, "KJ": 2, "QJ": 1}


def pips(card: str) -> int:
    """§3(a)(3): an ace is 1, a face card or ten 0."""
    return 0 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0])


def joker_beside(other: str) -> int:
    """§3(a)(3)(iv): 3 or 6, whichever gives more."""
    return max((3, 6), key=lambda value: (value + pips(other)) % 10)


def rank(two: Hand) -> tuple[int, int]:
    """§3(a): pairs above face cards above points."""
    one, other = two
    if set(two) == set(JOKERS):
        return 2, 15
    if one not in JOKERS and one[0] == other[0]:
        return 2, "23456789TJQKA".index(one[0]) + 2
    faces = "".join(sorted((one[0], other[0]), key="KQJ".find))
    if faces in FACES:
        return 1, FACES[faces]
    if one in JOKERS or other in JOKERS:
        natural = other if one in JOKERS else one
        return 0, (joker_beside(natural) + pips(natural)) % 10
    return 0, (pips(one) + pips(other)) % 10


def cards_by_height(two: Hand) -> list[int]:
    """§3(b): king, queen … two and ace; a joker is the 3 or 6 it was given."""
    heights = []
    for card, other in (two, two[::-1]):
        if card in JOKERS:
            heights.append(15 if other in JOKERS else joker_beside(other))
        else:
            heights.append("A23456789TJQK".index(card[0]) + 1)
    return sorted(heights, reverse=True)


def full_rank(two: Hand) -> tuple[tuple[int, int], list[int]]:
    return rank(two), cards_by_height(two)


def is_foul(low: Hand, high: Hand) -> bool:
    """§12(a), by §3(a) alone (R-13)."""
    return rank(high) < rank(low)


def outcome(low: Hand, high: Hand, dealers_low: Hand, dealers_high: Hand) -> str:
    if is_foul(low, high):
        return "lose"
    no_points = rank(low) == (0, 0)  # §3(d)
    better = (full_rank(low) > full_rank(dealers_low) and not no_points) + (full_rank(high) > full_rank(dealers_high))
    return ("lose", "push", "win")[better]


def house_way(four: Hand) -> tuple[Hand, Hand]:
    """R-35."""
    by_rank = Counter("X" if card in JOKERS else card[0] for card in four)
    pairs = [name for name, count in by_rank.items() if count >= 2]
    splits = [(low, tuple(card for card in four if card not in low)) for low in combinations(four, 2)]
    if len(pairs) == 2:
        return next(
            (low, high) for low, high in splits if rank(low)[0] == rank(high)[0] == 2 and rank(low) < rank(high)
        )
    if pairs:  # of a pair, of three or of four alike: a pair behind
        return max(((low, high) for low, high in splits if rank(high)[0] == 2), key=lambda split: full_rank(split[0]))
    return max((split for split in splits if not is_foul(*split)), key=lambda split: (*map(full_rank, split),))


def bonus_hand(four: Hand) -> str | None:
    """§3(c): the best-paid class; a joker is itself, or a 3 or a 6 in a straight or a straight flush (R-15)."""
    naturals = [card for card in four if card not in JOKERS]
    jokers = 4 - len(naturals)
    alike = sorted(Counter(card[0] for card in naturals).values(), reverse=True)
    found = []
    if alike[:1] == [4]:
        found.append("four aces" if naturals[0][0] == "A" else "four of a kind")
    if alike[:1] == [3]:
        found.append("three of a kind")
    if jokers == 2:
        found.append("two jokers")
        if alike == [2]:
            found.append("two jokers and two aces" if naturals[0][0] == "A" else "two pair")
    if alike == [2, 2]:
        found.append("two pair")
    if alike[:1] == [2]:
        found.append("any other pair")
    if not jokers and len({card[1] for card in four}) == 1:
        found.append("flush")
    for as_ranks in product("36", repeat=jokers):
        ranks = {card[0] for card in naturals} | set(as_ranks)
        runs = ["A23456789TJQKA"[start : start + 4] for start in range(11)]
        run = next((run for run in runs if set(run) == ranks), None)
        if run is not None and len(ranks) == 4:
            one_suit = len({card[1] for card in naturals}) == 1
            found.append("straight flush" if one_suit else "straight")
            if one_suit and run == "JQKA":
                found.append("royal flush")
    return max(found, key=lambda name: ODDS[name], default=None)


@dataclass
class Place:
    wager: int  # cents
    bonus: int  # 0: none
    low: Hand
    high: Hand
    surrendered: bool = False

    @property
    def four(self) -> Hand:
        return *self.low, *self.high


Line = tuple[str, int, int, int]  # outcome, paid, taken, vigorish, in cents


def settle(
    places: dict[int, Place], dealers: Hand, to_quarters: bool, bonus_minimum: int
) -> dict[tuple[int, str], Line]:
    dealers_low, dealers_high = house_way(dealers)
    lines: dict[tuple[int, str], Line] = {}
    for seat, place in places.items():
        won = outcome(place.low, place.high, dealers_low, dealers_high)
        if place.surrendered:
            lines[seat, "supreme_pai_gow"] = ("surrender", 0, place.wager, 0)
        elif won == "win":
            vigorish = -(-place.wager * 5 // 2500) * 25 if to_quarters else (place.wager * 5 + 50) // 100
            lines[seat, "supreme_pai_gow"] = ("win", place.wager, 0, vigorish)
        else:
            lines[seat, "supreme_pai_gow"] = (won, 0, place.wager if won == "lose" else 0, 0)
    most = max(5_000_000, 1000 * bonus_minimum)  # §14(b)
    royals = {}
    for seat, place in places.items():
        hand = bonus_hand(place.four) if place.bonus else None
        if place.bonus:
            due = min(ODDS[hand] * place.bonus, most) if hand else 0
            lines[seat, "bonus"] = ("win", due, 0, 0) if hand else ("lose", 0, place.bonus, 0)
        if hand == "royal flush":
            royals[seat] = place.bonus
    if len(royals) > 1 and 500 * sum(royals.values()) > most:
        shares = {seat: most * cents // sum(royals.values()) for seat, cents in royals.items()}
        shares[min(shares)] += most - sum(shares.values())
        for seat, cents in shares.items():
            lines[seat, "bonus"] = ("win", cents, 0, 0)
    return lines
