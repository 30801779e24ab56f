"""Every dealing method against somebody who deals the cards at a table, one by one, as the text says.

The dealer here knows chairs in a circle and walks from one to the next; nothing of rings, shapes or permutations.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards.dealing.by_hand import deal_out
from replay.cards.dealing.method import AtTable, DealProblem, Method, Target
from replay.cards.dealing.order import shape_of, targets_of
from replay.cards.dealing.start import (
    counted_start,
    counted_start_california,
    next_button,
)
from replay.cards.solver.layout import BANKER, BOARD, BURNS, PLAYER
from schemas.cards import NO_CARD, codes_of
from schemas.places import Numbering, Ring
from tests.packs.quotations import plain, source_of
from tests.reconstruct.every_method import EVERY_METHOD

EAST = Ring(6)  # Massachusetts and New Jersey: numbered counterclockwise
WEST = Ring(7, Numbering.CLOCKWISE)
# Looking down at the table, clockwise from the house dealer (rulings.md ).
EAST_CHAIRS = [0, 6, 5, 4, 3, 2, 1]
WEST_CHAIRS = [0, 1, 2, 3, 4, 5, 6, 7]

Hands = dict[int, list[int]]


def walk(chairs: list[int], first: int, step: int = 1) -> Iterator[int]:
    """Chair after chair, for ever, from this one."""
    at = chairs.index(first)
    while True:
        yield chairs[at]
        at = (at + step) % len(chairs)


def deck(count: int, seed: int) -> list[int]:
    return random.Random(seed).sample(range(count), count)


def hands_of(method: Method, table: AtTable, cards: list[int]) -> Hands:
    """What the code under test makes of it, by one gather."""
    targets = targets_of(method, table)
    dealt = np.array([cards[: len(targets)]], dtype=np.uint8)
    return {target.place: hand[0].tolist() for target, hand in shape_of(targets).gather(dealt).items()}


seeds = st.integers(0, 2**32 - 1)
east_games = pytest.mark.parametrize(
    ("game", "each", "size"),
    [
        ("ma/pai_gow_poker", 7, 53),
        ("ma/face_up_pai_gow_poker", 7, 53),
        ("ma/supreme_pai_gow", 4, 54),
        ("nj/supreme_pai_gow", 4, 54),
    ],
)


@east_games
@given(start=st.integers(0, 6), seed=seeds)
def test_from_a_manual_shoe_every_place_gets_a_card_in_turn(
    game: str, each: int, size: int, start: int, seed: int
) -> None:
    cards = deck(size, seed)
    expected: Hands = {chair: [] for chair in EAST_CHAIRS}
    chairs = walk(EAST_CHAIRS, start)
    for card in cards[: 7 * each]:
        expected[next(chairs)].append(card)
    assert hands_of(EVERY_METHOD[f"{game}:manual_shoe"], AtTable(EAST, start=start), cards) == expected


@east_games
@given(start=st.integers(0, 6), seed=seeds)
def test_an_automated_shoe_gives_every_place_a_stack(game: str, each: int, size: int, start: int, seed: int) -> None:
    cards = deck(size, seed)
    coming = iter(cards)
    chairs = walk(EAST_CHAIRS, start)
    expected = {next(chairs): [next(coming) for _ in range(each)] for _ in range(7)}
    assert hands_of(EVERY_METHOD[f"{game}:automated_shoe"], AtTable(EAST, start=start), cards) == expected


def stacks_on_the_table(cards: list[int], each: int, zigzag: bool = True) -> list[list[int]]:
    """Seven stacks from the dealer's left to right."""
    coming = iter(cards)
    stacks: list[list[int]] = [[] for _ in range(7)]
    for row in range(each):
        order = stacks if row % 2 == 0 or not zigzag else stacks[::-1]
        for stack in order:
            stack.append(next(coming))
    return stacks


@east_games
@given(start=st.integers(0, 6), seed=seeds)
def test_stacks_from_the_hand(game: str, each: int, size: int, start: int, seed: int) -> None:
    """MA-PGP §8a(f): farthest left first, clockwise. MA-SPG §9(f): farthest right first, counterclockwise."""
    cards = deck(size, seed)
    stacks = stacks_on_the_table(cards, each)
    expected: Hands = {}
    if "supreme" in game:
        chairs = walk(EAST_CHAIRS, start, -1)
        while stacks:
            expected[next(chairs)] = stacks.pop()
    else:
        chairs = walk(EAST_CHAIRS, start)
        while stacks:
            expected[next(chairs)] = stacks.pop(0)
    assert hands_of(EVERY_METHOD[f"{game}:hand"], AtTable(EAST, start=start), cards) == expected


@east_games
@given(start=st.integers(0, 6), bank=st.integers(1, 6), named=st.integers(1, 7), seed=seeds)
def test_a_bank_names_the_first_stack(
    game: str, each: int, size: int, start: int, bank: int, named: int, seed: int
) -> None:
    """MA-PGP §10(h)(5), MA-SPG §13(i)(5): then the stacks to its right, then from the far left; clockwise."""
    cards = deck(size, seed)
    stacks = stacks_on_the_table(cards, each)
    to_the_right, from_the_left = stacks[named:], stacks[: named - 1]
    chairs = walk(EAST_CHAIRS, start)
    expected = {next(chairs): stack for stack in [stacks[named - 1], *to_the_right, *from_the_left]}
    table = AtTable(EAST, start=start, bank=bank, first_stack=named)
    assert hands_of(EVERY_METHOD[f"{game}:hand"], table, cards) == expected


@given(start=st.integers(1, 7), bank=st.integers(1, 7), named=st.integers(1, 7), seed=seeds)
@pytest.mark.parametrize(
    "method", ["ca/double_hand_poker:piles", "ca/double_hand_poker:rotation", "ca/fortune_pai_gow:piles"]
)
def test_california_piles_follow_the_action_pile(method: str, start: int, bank: int, named: int, seed: int) -> None:
    cards = deck(53, seed)
    piles = stacks_on_the_table(cards, 7, zigzag=not method.endswith("rotation"))
    seats = walk(WEST_CHAIRS[1:], start)  # the house dealer gets no pile
    expected = {next(seats): pile for pile in [piles[named - 1], *piles[named:], *piles[: named - 1]]}
    table = AtTable(WEST, start=start, bank=bank, first_stack=named)
    assert hands_of(EVERY_METHOD[method], table, cards) == expected


@given(bettors=st.sets(st.integers(1, 6)), bank=st.integers(0, 6), seed=seeds)
def test_bonus_deals_go_to_those_who_bet(bettors: set[int], bank: int, seed: int) -> None:
    """MA-PGP §17: from the dealer's left, stacks of three, and then four more each; the dealer last."""
    cards = deck(53, seed)
    coming = iter(cards)
    expected: Hands = {}
    for count in (3, 4):
        for chair in [6, 5, 4, 3, 2, 1, 0]:
            if chair in bettors or chair in (0, bank):
                expected.setdefault(chair, []).extend(next(coming) for _ in range(count))
    table = AtTable(EAST, bettors=tuple(sorted(bettors)), bank=bank)
    assert hands_of(EVERY_METHOD["ma/pai_gow_poker:bonus_hand"], table, cards) == expected


@given(bettors=st.sets(st.integers(1, 6), min_size=1), data=st.data(), seed=seeds)
def test_the_ante_and_raise_game_deals_eight_to_the_dealer(bettors: set[int], data: st.DataObject, seed: int) -> None:
    staying = data.draw(st.sets(st.sampled_from(sorted(bettors))))
    cards = deck(53, seed)
    coming = iter(cards)
    left_to_right = [chair for chair in (6, 5, 4, 3, 2, 1) if chair in bettors]
    expected: Hands = {chair: [next(coming) for _ in range(4)] for chair in left_to_right}
    expected[0] = [next(coming) for _ in range(8)]
    for chair in left_to_right:
        if chair in staying:
            expected[chair] += [next(coming) for _ in range(3)]
    table = AtTable(EAST, bettors=tuple(bettors), staying=tuple(staying))
    assert hands_of(EVERY_METHOD["flt/supreme_pai_gow:stacks"], table, cards) == expected


@given(bettors=st.sets(st.integers(1, 7), min_size=1), bank=st.integers(1, 7), seed=seeds)
def test_three_card_poker_ends_with_the_player_dealer(bettors: set[int], bank: int, seed: int) -> None:
    cards = deck(52, seed)
    coming = iter(cards)
    seats = walk(WEST_CHAIRS[1:], bank)
    next(seats)
    order = [seat for seat in (next(seats) for _ in range(7)) if seat in bettors or seat == bank]
    expected = {seat: [next(coming) for _ in range(3)] for seat in order}
    assert order[-1] == bank
    table = AtTable(WEST, bettors=tuple(bettors), bank=bank)
    assert hands_of(EVERY_METHOD["ca/three_card_poker_6_card_bonus:shuffler"], table, cards) == expected


@given(bettors=st.sets(st.integers(1, 7), min_size=1), bank=st.integers(1, 7), data=st.data(), seed=seeds)
def test_pure_21_5_deals_two_and_then_as_the_hands_are_played(
    bettors: set[int], bank: int, data: st.DataObject, seed: int
) -> None:
    cards = deck(52, seed)
    drew = data.draw(st.lists(st.sampled_from([*sorted(bettors), bank]), max_size=8))
    coming = iter(cards)
    seats = walk(WEST_CHAIRS[1:], bank)
    next(seats)
    order = [seat for seat in (next(seats) for _ in range(7)) if seat in bettors or seat == bank]
    expected: Hands = {seat: [] for seat in order}
    for seat in [*order, *order, *drew]:
        expected[seat].append(next(coming))
    table = AtTable(WEST, bettors=tuple(bettors), bank=bank, draws=tuple(Target(seat) for seat in drew))
    assert hands_of(EVERY_METHOD["ca/pure_21_5_blackjack:shoe"], table, cards) == expected


def test_split_hands_are_hands_of_their_own() -> None:
    drew = (Target(3), Target(3, 1), Target(3, 1), Target(5))
    table = AtTable(WEST, bettors=(3,), bank=5, draws=drew)
    targets = targets_of(EVERY_METHOD["ca/pure_21_5_blackjack:shoe"], table)
    dealt = np.arange(len(targets), dtype=np.uint8)[None]
    hands = {target: hand[0].tolist() for target, hand in shape_of(targets).gather(dealt).items()}
    assert hands == {Target(3): [0, 2, 4], Target(5): [1, 3, 7], Target(3, 1): [5, 6]}


@pytest.mark.parametrize(("game", "each"), [("ca/holdem", 2), ("ca/omaha", 4), ("ca/omaha_hi_lo", 4)])
@given(players=st.sets(st.integers(1, 7), min_size=2), data=st.data(), seed=seeds)
def test_poker_burns_before_every_street(
    game: str, each: int, players: set[int], data: st.DataObject, seed: int
) -> None:
    button = data.draw(st.sampled_from(sorted(players)))
    cards = deck(52, seed)
    coming = iter(cards)
    seats = walk(WEST_CHAIRS[1:], button)
    next(seats)
    order = [seat for seat in (next(seats) for _ in range(7)) if seat in players]
    expected: Hands = {seat: [] for seat in order}
    for _ in range(each):
        for seat in order:
            expected[seat].append(next(coming))
    burns, board = [], []
    for street in (3, 1, 1):
        burns.append(next(coming))
        board += [next(coming) for _ in range(street)]
    expected |= {BURNS: burns, BOARD: board}
    table = AtTable(WEST, bettors=tuple(players), button=button)
    assert hands_of(EVERY_METHOD[f"{game}:hand"], table, cards) == expected


def test_baccarat_alternates_and_then_draws() -> None:
    table = AtTable(Ring(8, Numbering.CLOCKWISE), draws=(Target(PLAYER), Target(BANKER)))
    cards = [10, 11, 12, 13, 14, 15]
    assert hands_of(EVERY_METHOD["ca/supreme_baccarat:shoe"], table, cards) == {
        PLAYER: [10, 12, 14],
        BANKER: [11, 13, 15],
    }


# ---- starts --------------------------------------------------------------------------------------------------------


@given(total=st.integers(3, 18), one=st.integers(0, 6))
def test_dice_are_counted_counterclockwise_from_number_one(total: int, one: int) -> None:
    chairs = walk(EAST_CHAIRS, one, -1)
    ends_on = [next(chairs) for _ in range(total)][-1]
    assert counted_start(np.array([total]), np.array([one]), EAST).tolist() == [ends_on]


def test_the_text_says_eight_is_the_dealer_and_fourteen_the_sixth_position() -> None:
    assert counted_start(np.array([8, 14]), np.array([0, 0]), EAST).tolist() == [0, 6]


@given(total=st.integers(3, 18), bank=st.integers(1, 7))
def test_california_counts_clockwise_from_the_player_dealer(total: int, bank: int) -> None:
    seats = walk(WEST_CHAIRS[1:], bank)
    ends_on = [next(seats) for _ in range(total)][-1]
    assert counted_start_california(np.array([total]), np.array([bank]), WEST).tolist() == [ends_on]
    if total in (8, 15):
        assert ends_on == bank


def test_the_button_moves_clockwise() -> None:
    chairs = walk(EAST_CHAIRS, 0)
    moved = [next(chairs) for _ in range(9)]
    assert next_button(np.array(moved[:-1]), EAST).tolist() == moved[1:]


# ---- boxed and exposed cards ---------------------------------------------------------------------------------------


def test_a_boxed_card_is_set_aside_and_the_next_one_takes_its_place() -> None:
    cards = deck(53, 5)
    method, table = EVERY_METHOD["ma/pai_gow_poker:manual_shoe"], AtTable(EAST, start=2)
    out = deal_out(method, table, cards, boxed=[cards[10]])
    rest = [card for card in cards if card != cards[10]]
    assert {target.place: hand for target, hand in out.hands.items()} == hands_of(method, table, rest)
    assert (out.dead, out.left, out.void) == ([cards[10]], cards[50:], "")
    assert "2 cards" in deal_out(method, table, cards, boxed=cards[10:12]).void


def test_double_hand_replaces_from_the_four_left_over() -> None:
    cards = [card for card in deck(53, 6) if card not in codes_of("Ac Ad Ah As X1")] + list(codes_of("Ac Ad Ah As X1"))
    method, table = EVERY_METHOD["ca/double_hand_poker:piles"], AtTable(WEST, start=4, bank=2, first_stack=3)
    as_dealt = hands_of(method, table, cards)
    for boxed, exposed in (([cards[7]], []), ([], [cards[7]])):
        out = deal_out(method, table, cards, boxed, exposed)
        expected = {seat: [cards[49] if card == cards[7] else card for card in hand] for seat, hand in as_dealt.items()}
        assert {target.place: hand for target, hand in out.hands.items()} == expected
        assert (out.dead, out.left, out.replaced) == ([cards[7]], cards[50:], {cards[7]: cards[49]})
    assert "As" in deal_out(method, table, cards, boxed=codes_of("As")).void
    assert "2 cards" in deal_out(method, table, cards, boxed=[cards[3]], exposed=[cards[8]]).void
    unread = deal_out(method, table, cards[:49], exposed=[cards[7]])
    assert unread.replaced == {cards[7]: NO_CARD}, "what came in its place nobody saw"


def test_a_hole_card_exposed_becomes_the_first_burn() -> None:
    """Two players: 0 2 and 1 3; card 1 was exposed, so 4 takes its place, 1 is burned and the flop begins with 5."""
    table = AtTable(WEST, bettors=(1, 2), button=2)
    out = deal_out(EVERY_METHOD["ca/holdem:hand"], table, list(range(52)), exposed=[1])
    assert out.hands[Target(1)] == [0, 2]
    assert out.hands[Target(2)] == [4, 3]
    assert out.hands[Target(BURNS)] == [1, 8, 10]
    assert out.hands[Target(BOARD)] == [5, 6, 7, 9, 11]
    boxed = deal_out(EVERY_METHOD["ca/holdem:hand"], table, list(range(52)), boxed=[1])
    assert (boxed.hands[Target(2)], boxed.dead) == ([2, 4], [1])


def test_a_deal_read_in_part_says_how_much_is_not_there() -> None:
    out = deal_out(EVERY_METHOD["ma/pai_gow_poker:manual_shoe"], AtTable(EAST, start=0), [1, 2, 3])
    assert out.short == 46
    assert deal_out(EVERY_METHOD["ma/pai_gow_poker:manual_shoe"], AtTable(EAST, start=0), []).short == 49


# ---- what cannot be ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "table", "says"),
    [
        ("ma/pai_gow_poker:manual_shoe", AtTable(EAST), "cannot begin at place -1"),
        ("ma/pai_gow_poker:hand", AtTable(EAST, start=1, bank=3), "names the first of 7 stacks, and it .* none"),
        ("ca/fortune_pai_gow:piles", AtTable(WEST, start=0, bank=3, first_stack=1), "cannot begin at place 0"),
        ("ca/three_card_poker_6_card_bonus:shuffler", AtTable(WEST, bettors=(1,)), "no seat is said to be that"),
        ("ca/holdem:hand", AtTable(WEST, bettors=(1, 2)), "nobody said where the button is"),
        ("ca/holdem:hand", AtTable(WEST, bettors=(1, 9), button=1), "no place 9 at a table of 7 seats"),
    ],
)  # fmt: skip
def test_a_deal_that_cannot_be_laid_out_says_why(method: str, table: AtTable, says: str) -> None:
    with pytest.raises(DealProblem, match=says):
        targets_of(EVERY_METHOD[method], table)


def test_a_shape_takes_only_deals_of_its_size() -> None:
    shape = shape_of(targets_of(EVERY_METHOD["ma/pai_gow_poker:hand"], AtTable(EAST, start=0)))
    with pytest.raises(DealProblem, match="49 cards are dealt in this shape, not 48"):
        shape.gather(np.zeros((2, 48), np.uint8))


def test_every_method_quotes_its_text() -> None:
    wrong = []
    for method in EVERY_METHOD.values():
        assert method.cites, method.id
        for citation in method.cites:
            source = source_of(citation.text)
            assert citation.words, f"{method.id}: {citation}"
            if source is not None and plain(citation.words) not in source:
                wrong.append(f"{method.id}: {citation}: {citation.words}")
    assert wrong == []
