"""A pai gow poker table in plain Python: plays rounds card by card, and settles them by the text, hand by hand.

Nothing here is shared with the pack or with `replay.ranking`: cards are names, hands are tuples, the rack is filled by
walking through the pickup procedure, settlement is a chain of ifs.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import combinations

from replay.rounds import (
    ACTION_CODE,
    OUTCOME_CODE,
    START_METHOD_CODE,
    Fact,
    FactRow,
    RoundRow,
    ShownRow,
    unknown_fixed,
)
from schemas.cards import codes_of
from schemas.events import Action, Outcome, StartMethod
from tests.ranking.by_definition import best_paying, is_foul, score_five, score_two, set_house_way

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + ["X1"]
PAYS = {  # Paytable A of MA-PGP §16(b): odds, envy dollars
    "seven_card_straight_flush_natural": (8000, 5000),
    "royal_flush_royal_match": (2000, 1000),
    "seven_card_straight_flush_joker": (1000, 500),
    "five_aces": (400, 250),
    "royal_flush": (150, 50),
    "straight_flush": (50, 20),
    "four_of_a_kind": (25, 5),
    "full_house": (5, 0),
    "flush": (4, 0),
    "three_of_a_kind": (3, 0),
    "straight": (2, 0),
}
Seven = tuple[str, ...]


@dataclass
class Bets:
    pai_gow: int = 0  # cents
    fortune: int = 0
    surrenders: bool = False


@dataclass
class Played:
    """One round as it was played, and what it should come to."""

    start: int
    number: int
    hands: dict[int, Seven]
    settings: dict[int, tuple[Seven, Seven]]  # place → low, high
    bets: dict[int, Bets]
    rack: list[str]
    dealt: list[str]
    surrender_order: list[int]
    lines: dict[tuple[int, str], tuple[str, int, int]] = field(default_factory=dict)  # outcome, paid, taken
    envy: dict[tuple[int, int], int] = field(default_factory=dict)  # (to, for) → cents


def deal(deck: list[str], method: str, start: int) -> dict[int, list[str]]:
    """The cards one by one, or stack by stack, as MA-PGP §8, §8a and §8b tell the dealer."""
    ring = [start]
    while len(ring) < 7:
        ring.append((ring[-1] - 1) % 7)  # clockwise: 3, 2, 1, dealer, 6, 5, 4
    hands: dict[int, list[str]] = {place: [] for place in range(7)}
    cards = iter(deck)
    if method == "manual_shoe":
        for _ in range(7):
            for place in ring:
                hands[place].append(next(cards))
    elif method == "automated_shoe":
        for place in ring:
            hands[place] = [next(cards) for _ in range(7)]
    else:
        stacks: list[list[str]] = [[] for _ in range(7)]  # left to right
        for sweep in range(7):
            for stack in stacks if sweep % 2 == 0 else reversed(stacks):
                stack.append(next(cards))
        for place, stack in zip(ring, stacks, strict=True):
            hands[place] = stack
    return hands


def deal_order(hands: dict[int, list[str]], method: str, start: int, stub: list[str]) -> list[str]:
    """The deck that gives these hands: a deck of numbers is dealt to see which card goes where."""
    where = deal([str(number) for number in range(49)], method, start)
    deck = [""] * 49
    for place, numbers in where.items():
        for number, card in zip(numbers, hands[place], strict=True):
            deck[int(number)] = card
    return deck + stub


def play(
    rng: random.Random,
    method: str = "manual_shoe",
    *,
    bets: dict[int, Bets] | None = None,
    rich: bool = False,
    wheel_is_lowest: bool = False,
    fortune_share: float = 0.5,
    foul_share: float = 0.05,
    forfeits: bool = False,
) -> Played:
    number = rng.randint(3, 18)
    start = [0, 1, 2, 3, 4, 5, 6][(number - 1) % 7]
    deck = DECK[:]
    rng.shuffle(deck)
    if rich:
        deck = _enrich(rng, deck, method, start)
    dealt = deal(deck, method, start)
    hands = {place: tuple(cards) for place, cards in dealt.items()}
    if bets is None:
        bets = _random_bets(rng, fortune_share)
    settings = {0: set_house_way(hands[0], wheel_is_lowest)}
    for seat in bets:
        settings[seat] = _set(rng, hands[seat], wheel_is_lowest, foul_share)
    leaving = [seat for seat, bet in bets.items() if bet.surrenders]
    rng.shuffle(leaving)
    played = Played(start, number, hands, settings, bets, [], deck[:49], leaving)
    settle(played, wheel_is_lowest, forfeits)
    played.rack = rack_of(played, deck[49:], rng, forfeits)
    return played


def _enrich(rng: random.Random, deck: list[str], method: str, start: int) -> list[str]:
    """Gives one or two places four of a kind, a straight flush or the like."""
    hands = deal(deck, method, start)
    stub = deck[49:]
    for place in rng.sample(range(7), rng.randint(1, 3)):
        suit, rank = rng.choice("cdhs"), rng.choice("23456789TJQKA")
        four = [rank + each for each in "cdhs"]
        wanted = rng.choice(
            [
                four,
                [rank + suit for rank in "TJQKA"],
                [rank + suit for rank in "45678"],
                [*(rank + suit for rank in "TJQK"), "X1"],
                ["Ac", "Ad", "Ah", "As", "X1"],
                [rank + suit for rank in "3456789"],
            ]
        )
        for card in wanted:
            for other, held in [*hands.items(), (None, stub)]:
                if card in held and other != place:
                    at = held.index(card)
                    free = next(i for i in range(7) if hands[place][i] not in wanted)
                    held[at], hands[place][free] = hands[place][free], card
    return deal_order(hands, method, start, stub)


def _random_bets(rng: random.Random, fortune_share: float) -> dict[int, Bets]:
    bets = {}
    for seat in sorted(rng.sample(range(1, 7), rng.randint(1, 6))):
        bet = Bets(rng.choice([1000, 2500, 3333, 10_000]))
        if rng.random() < fortune_share:
            bet.fortune = rng.choice([100, 499, 500, 2500])
        bet.surrenders = rng.random() < 0.15
        bets[seat] = bet
    return bets


def _set(rng: random.Random, hand: Seven, wheel_is_lowest: bool, foul_share: float) -> tuple[Seven, Seven]:
    splits = [(two, tuple(c for c in hand if c not in two)) for two in combinations(hand, 2)]
    rng.shuffle(splits)
    want_foul = rng.random() < foul_share
    for low, high in splits:
        if is_foul(low, high, wheel_is_lowest) == want_foul:
            return low, high
    return splits[0]


def is_live(bet: Bets, forfeits: bool) -> bool:
    return bet.fortune > 0 and not (bet.surrenders and forfeits)


def settle(played: Played, wheel_is_lowest: bool, forfeits: bool) -> None:
    """MA-PGP §9(g), §16(a), (b), one seat after the other."""
    dealer_low, dealer_high = played.settings[0]
    front, back = score_two(dealer_low), score_five(dealer_high, wheel_is_lowest)
    for seat, bet in played.bets.items():
        low, high = played.settings[seat]
        if bet.surrenders:
            played.lines[seat, "pai_gow"] = ("surrender", 0, bet.pai_gow)
        elif is_foul(low, high, wheel_is_lowest):
            played.lines[seat, "pai_gow"] = ("lose", 0, bet.pai_gow)
        else:
            better = (score_two(low) > front) + (score_five(high, wheel_is_lowest) > back)
            played.lines[seat, "pai_gow"] = [
                ("lose", 0, bet.pai_gow),
                ("push", 0, 0),
                ("win", bet.pai_gow, 0),
            ][better]
        if bet.fortune and not is_live(bet, forfeits):
            played.lines[seat, "fortune"] = ("lose", 0, bet.fortune)
        elif bet.fortune:
            odds, _ = PAYS.get(best_paying(played.hands[seat]), (0, 0))
            played.lines[seat, "fortune"] = ("win", odds * bet.fortune, 0) if odds else ("lose", 0, bet.fortune)
    for seat, bet in played.bets.items():
        if bet.fortune >= 500 and is_live(bet, forfeits):
            for other in envied(played, forfeits):
                if other != seat:
                    played.envy[seat, other] = PAYS[best_paying(played.hands[other])][1] * 100


def envied(played: Played, forfeits: bool) -> list[int]:
    """Seats whose exposed hand is four of a kind or better."""
    return [
        seat
        for seat, bet in sorted(played.bets.items())
        if (not bet.surrenders or is_live(bet, forfeits)) and PAYS.get(best_paying(played.hands[seat]), (0, 0))[1] > 0
    ]


def rearranged(played: Played, seat: int, forfeits: bool) -> bool:
    qualifying = any(bet.fortune >= 500 and is_live(bet, forfeits) for bet in played.bets.values())
    return qualifying or is_live(played.bets[seat], forfeits)


def rack_of(played: Played, stub: list[str], rng: random.Random, forfeits: bool) -> list[str]:
    """The discard rack, filled hand by hand: rulings.md R-5, R-51."""
    rack = list(stub)
    for seat in range(1, 7):
        if seat not in played.bets:
            rack += played.hands[seat]
    for seat in played.surrender_order:
        if not is_live(played.bets[seat], forfeits):
            rack += rng.sample(played.hands[seat], 7)
    qualifying = any(bet.fortune >= 500 and is_live(bet, forfeits) for bet in played.bets.values())
    staying = envied(played, forfeits) if qualifying else []
    in_turn = [s for s, b in sorted(played.bets.items()) if not b.surrenders or is_live(b, forfeits)]
    for seat in [s for s in in_turn if s not in staying] + staying:
        low, high = played.settings[seat]
        rack += rng.sample([*low, *high], 7) if rearranged(played, seat, forfeits) else [*low, *high]
    return [*rack, *played.settings[0][0], *played.settings[0][1]]


def row_of(played: Played, *, deal_read: bool = True, shown: set[int] | None = None, filing: str = "") -> RoundRow:
    """The round as assembled from devices that saw the deal or not, and these hands exposed (all unless given)."""
    row = RoundRow({"table_id": "PG-07", "round_id": "1", "filing": filing}, unknown_fixed())
    seq = 10
    for seat, bet in played.bets.items():
        for name, amount in (("pai_gow", bet.pai_gow), ("fortune", bet.fortune)):
            if amount:
                row.facts.append(FactRow(Fact.WAGER_PLACED, seq := seq + 1, seat, wager=name, amount=amount))
    row.fixed["bets_closed_seq"] = (seq := seq + 1)
    row.fixed.update(start_seq=(seq := seq + 1), start_method=START_METHOD_CODE[StartMethod.DICE])
    row.fixed.update(start_number=played.number, start_place=played.start, stub_count=4, first_seq=10)
    if deal_read:
        row.dealt = codes_of(played.dealt)
        row.dealt_place = [-1] * 49
        row.dealt_to = bytes(49)
        row.fixed.update(first_card_seq=(seq := seq + 1), last_card_seq=seq)
    for seat in played.surrender_order:
        row.facts.append(FactRow(Fact.ACTION, seq := seq + 1, seat, code=ACTION_CODE[Action.SURRENDER]))
    for place, (low, high) in sorted(played.settings.items()):
        if (shown is None or place in shown) and not (place and played.bets[place].surrenders):
            row.shown.append(ShownRow(place, 0, 2, codes_of([*low, *high]), seq := seq + 1))
    row.rack = codes_of(played.rack)
    row.fixed.update(last_seq=seq + 1, flags=1)
    return row


def reported(row: RoundRow, played: Played) -> RoundRow:
    """The round with its settlements, vigorish and envy bonuses reported, as this table settled it."""
    seq = row.fixed["last_seq"]
    for (seat, wager), (outcome, paid, taken) in played.lines.items():
        code = OUTCOME_CODE[Outcome(outcome)]
        row.facts.append(FactRow(Fact.SETTLED, seq := seq + 1, seat, wager=wager, code=code, amount=paid, taken=taken))
        if wager == "pai_gow" and outcome == "win":
            quarters = paid // 500 + (paid % 500 > 0)  # MA-PGP §16(a): 5%, up to the next 25¢
            row.facts.append(FactRow(Fact.VIGORISH, seq := seq + 1, seat, wager=wager, amount=25 * quarters))
    for (seat, other), cents in played.envy.items():
        row.facts.append(FactRow(Fact.ENVY, seq := seq + 1, seat, wager="fortune", amount=cents, other=other))
    row.fixed["last_seq"] = seq + 1
    return row
