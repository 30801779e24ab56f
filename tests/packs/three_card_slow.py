"""Three Card Poker 6 Card Bonus by the text, sentence by sentence and slowly: what every wager and fee comes to.

Written from the Californian text and rulings.md R-20, R-28, R-30, R-32, R-38, R-39 and R-41 alone. Cards are names
(`As`); seats are numbered clockwise from the house dealer's left; money is in cents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, pairwise

Hand = tuple[str, ...]
Result = tuple[str, int, int]  # outcome, paid, taken
RANKS = "23456789TJQKA"
SEATS = 8
IN_TURN = ("ante", "play", "pair_plus", "six_card_bonus")
PAIR_PLUS = (
    ("royal flush", 200),
    ("straight flush", 40),
    ("three of a kind", 30),
    ("straight", 6),
    ("flush", 3),
    ("pair", 1),
)
SIX_CARD_BONUS = (
    ("royal flush", 1000),
    ("straight flush", 200),
    ("four of a kind", 50),
    ("full house", 25),
    ("flush", 20),
    ("straight", 10),
    ("three of a kind", 5),
)
FEES = {  # from so many dollars on, so many dollars
    "own_1": ((1, 1), (100, 3), (300, 6), (500, 10), (700, 12)),
    "california_games_1": ((1, 1), (51, 2), (101, 3), (301, 6), (601, 12)),
}


@dataclass
class Bettor:
    """Somebody who bets on a hand: the one who sits there (no name), or a backline bettor."""

    name: str
    wagers: dict[str, int]


@dataclass
class Round:
    bank: int
    hands: dict[int, Hand]
    bettors: dict[int, list[Bettor]]  # by seat, the seated player's first, then as they bet
    posted: int | None = None
    schedule: str = "own_1"
    folded: set[int] = field(default_factory=set)


def numbers(hand: Hand) -> list[int]:
    return sorted((RANKS.index(card[0]) + 2 for card in hand), reverse=True)


def in_sequence(hand: Hand) -> int:
    """The highest card of a straight, 0 where they are none. "An ace may be counted as high or low"."""
    for ranks in (numbers(hand), sorted((1 if rank == 14 else rank for rank in numbers(hand)), reverse=True)):
        if all(one == other + 1 for one, other in pairwise(ranks)):
            return ranks[0]
    return 0


def of_one_suit(hand: Hand) -> bool:
    return len({card[1] for card in hand}) == 1


def times(hand: Hand) -> list[int]:
    return sorted((numbers(hand).count(rank) for rank in set(numbers(hand))), reverse=True)


def rank_of_three(hand: Hand) -> tuple[int, list[int]]:
    """ "Hands of cards shall rank, from highest to lowest"."""
    top, ranks = in_sequence(hand), numbers(hand)
    if top and of_one_suit(hand):
        return 5, [top]
    if times(hand) == [3]:
        return 4, ranks[:1]
    if top:
        return 3, [top]
    if of_one_suit(hand):
        return 2, ranks
    if times(hand) == [2, 1]:
        pair = next(rank for rank in ranks if ranks.count(rank) == 2)
        return 1, [pair, next(rank for rank in ranks if rank != pair)]
    return 0, ranks


def qualifies(hand: Hand) -> bool:
    """ "a minimum of queen-high"."""
    kind, ranks = rank_of_three(hand)
    return kind > 0 or ranks[0] >= 12


def pair_plus_odds(hand: Hand) -> int:
    kind, ranks = rank_of_three(hand)
    name = ("", "pair", "flush", "straight", "three of a kind", "straight flush")[kind]
    return dict(PAIR_PLUS).get("royal flush" if kind == 5 and ranks == [14] else name, 0)


def five_cards(hand: Hand) -> str:
    top = in_sequence(hand)
    if top and of_one_suit(hand):
        return "royal flush" if top == 14 else "straight flush"
    if times(hand)[0] >= 4:  # five alike from several decks count as four
        return "four of a kind"
    if times(hand) == [3, 2]:
        return "full house"
    if of_one_suit(hand):
        return "flush"
    if top:
        return "straight"
    return "three of a kind" if times(hand)[0] == 3 else ""


def six_card_odds(own: Hand, player_dealers: Hand) -> int:
    """ "any of those six cards ... to make the best possible five card poker hand"."""
    formed = {five_cards(five) for five in combinations(own + player_dealers, 5)}
    return max((odds for name, odds in SIX_CARD_BONUS if name in formed), default=0)


def comes_to(wager: str, cents: int, played: bool, own: Hand, against: Hand) -> Result:
    """What a wager comes to with no limit of the player-dealer's."""
    if wager in ("ante", "play", "pair_plus") and not played:
        return "lose", 0, cents
    if wager in ("pair_plus", "six_card_bonus"):
        odds = pair_plus_odds(own) if wager == "pair_plus" else six_card_odds(own, against)
        return ("win", odds * cents, 0) if odds else ("lose", 0, cents)
    if not qualifies(against):
        return ("win", cents, 0) if wager == "ante" else ("no_action", 0, 0)
    mine, other = rank_of_three(own), rank_of_three(against)
    return ("push", 0, 0) if mine == other else ("win", cents, 0) if mine > other else ("lose", 0, cents)


def button(card: str, bank: int) -> int:
    """Counted from the house dealer's left, the player-dealer never."""
    value = 1 if card[0] == "A" else RANKS.index(card[0]) + 2
    seat = 0
    while value:
        seat = seat % SEATS + 1
        value -= seat != bank
    return seat


def settle(played: Round) -> dict[tuple[int, str, str], Result]:
    """By seat, bettor and wager."""
    against = played.hands[played.bank]
    every: dict[tuple[int, str, str], Result] = {}
    first: list[tuple[int, str, str]] = []  # what a fold has lost is charged first, in the order it was offered
    for seat in sorted(played.bettors):
        for bettor in played.bettors[seat]:
            for wager in IN_TURN:
                if wager in bettor.wagers:
                    key, plays = (seat, bettor.name, wager), "play" in bettor.wagers
                    every[key] = comes_to(wager, bettor.wagers[wager], plays, played.hands[seat], against)
                    if not plays and wager in ("ante", "pair_plus"):
                        first.append(key)
    start = button(against[-1], played.bank)
    then: list[tuple[int, str, str]] = []
    for step in range(SEATS):
        seat = (start - 1 + step) % SEATS + 1
        for bettor in played.bettors.get(seat, []):
            then += [(seat, bettor.name, wager) for wager in IN_TURN if wager in bettor.wagers]
    if played.posted is None:
        return every
    left, settled = played.posted, {}
    for key in [*first, *(key for key in then if key not in first)]:
        outcome, paid, taken = every[key]
        moves = min(paid + taken, left)
        left -= moves
        if paid + taken and not moves:
            settled[key] = ("no_action", 0, 0)
        else:
            settled[key] = (outcome, moves if paid else 0, moves if taken else 0)
    return settled


def fee(played: Round) -> int:
    """What the player-dealer pays. Before the deal no Play wager is there to be counted (R-41)."""
    total = 0
    for bettors in played.bettors.values():
        for bettor in bettors:
            for wager, cents in bettor.wagers.items():
                if wager != "play" or played.schedule == "california_games_1":
                    total += cents
    due = 0
    for floor, dollars in FEES[played.schedule]:
        if total >= floor * 100:
            due = dollars * 100
    return due
