"""Deal against rack against hands shown: every kind of difference, injected by hand and found as itself."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.cards.dealing.compare import Difference, Kind, compare, in_words
from replay.cards.dealing.delivery import (
    AS_FILED,
    OTHER_DIRECTION,
    OTHER_METHOD,
    find_ways,
    ways_of,
)
from replay.cards.solver.evidence import Hand, Parts, ShownHand
from replay.cards.solver.layout import BANKER, PLAYER
from replay.rounds import UNKNOWN, Cards
from schemas.cards import code_of, codes_of
from schemas.findings import CATALOGUE
from schemas.places import Numbering, Ring
from tests.reconstruct.every_method import EVERY_METHOD

DECK = bytes(range(53))


def a_round(seed: int) -> tuple[dict[Hand, bytes], dict[Hand, Parts], dict[Hand, ShownHand], list[int]]:
    """Seven hands dealt, set, shown and racked as they should be, and the four cards left over."""
    cards = list(DECK)
    random.Random(seed).shuffle(cards)
    dealt = {(place, 0): bytes(cards[7 * place : 7 * place + 7]) for place in range(7)}
    racked: dict[Hand, Parts] = {}
    shown = {}
    for hand, held in dealt.items():
        ordered = bytes(sorted(held, reverse=True))
        racked[hand] = (("low", ordered[1:3]), ("high", ordered[:1] + ordered[3:]))
        shown[hand] = ShownHand(ordered[1:3] + ordered[:1] + ordered[3:], 2)
    return dealt, racked, shown, cards[49:]


def flat(cards: bytes) -> Parts:
    return (("low", cards[:2]), ("high", cards[2:]))


def without_parts(parts: Parts) -> bytes:
    return b"".join(cards for _, cards in parts)


def exchanged(racked: dict[Hand, Parts], one: Hand, other: Hand) -> tuple[dict[Hand, Parts], int, int]:
    """The first cards of two hands change places."""
    mine, theirs = without_parts(racked[one]), without_parts(racked[other])
    changed = dict(racked)
    changed[one] = flat(theirs[:1] + mine[1:])
    changed[other] = flat(mine[:1] + theirs[1:])
    return changed, mine[0], theirs[0]


@given(st.integers(0, 10**6))
def test_a_round_as_it_should_be_has_no_difference(seed: int) -> None:
    dealt, racked, shown, left = a_round(seed)
    assert compare(dealt, racked, shown, left_over=left, deck=DECK) == []
    assert compare(None, racked, shown) == []
    assert compare(dealt, None, shown) == []
    assert compare(None, None, shown) == []
    assert compare({}, {}, {}) == []


@given(seed=st.integers(0, 10**6), one=st.integers(0, 6), other=st.integers(0, 6))
def test_two_cards_that_changed_hands_are_found_with_where_from_and_where_to(seed: int, one: int, other: int) -> None:
    if one == other:
        return
    dealt, racked, _, left = a_round(seed)
    changed, mine, theirs = exchanged(racked, (one, 0), (other, 0))
    found = compare(dealt, changed, {}, left_over=left, deck=DECK)
    moves = {(d.cards, d.came, d.went) for d in found}
    assert moves == {((mine,), (one, 0), (other, 0)), ((theirs,), (other, 0), (one, 0))}
    assert {d.code for d in found} == {"DEAL-302"}
    assert all(d.borne_out is None for d in found)


def test_hands_shown_say_whether_it_was_the_cards_or_the_rack() -> None:
    dealt, racked, shown, left = a_round(3)
    changed, mine, _ = exchanged(racked, (2, 0), (5, 0))
    as_dealt = [d for d in compare(dealt, changed, shown, left_over=left, deck=DECK) if d.kind is Kind.CARD_MOVED]
    assert [d.borne_out for d in as_dealt] == [False, False]
    as_it_lies = {hand: ShownHand(without_parts(parts), 2) for hand, parts in changed.items()}
    found = compare(dealt, changed, as_it_lies, left_over=left, deck=DECK)
    assert [d.borne_out for d in found] == [True, True]
    words = in_words(next(d for d in found if d.cards == (mine,)))
    assert "was dealt to seat 2 and lies with seat 5, and the hands were shown as they lie" in words


def test_a_card_may_move_between_a_players_own_split_hands() -> None:
    dealt = {(3, 0): codes_of("8s Kd 2c"), (3, 1): codes_of("8h 5d"), (0, 0): codes_of("9c 9d")}
    racked: dict[Hand, Parts] = {
        (3, 0): (("", codes_of("8s 5d 2c")),),
        (3, 1): (("", codes_of("8h Kd")),),
        (0, 0): (("", codes_of("9c 9d")),),
    }
    found = compare(dealt, racked, {})
    assert {(d.code, d.cards, d.came, d.went) for d in found} == {
        ("DEAL-307", (code_of("Kd"),), (3, 0), (3, 1)),
        ("DEAL-307", (code_of("5d"),), (3, 1), (3, 0)),
    }
    assert [d.seat for d in found] == [3, 3]
    assert "seat 3's second hand" in in_words(found[0])


def test_of_several_copies_the_one_that_moved_within_the_seat_is_taken() -> None:
    """A shoe: Kd was dealt to seat 3's first hand and to seat 4, and lies in seat 3's second hand and in seat 4."""
    dealt = {(3, 0): codes_of("Kd 2c"), (3, 1): codes_of("5d 3c"), (4, 0): codes_of("Kd 4c")}
    racked: dict[Hand, Parts] = {
        (3, 0): (("", codes_of("5d 2c")),),
        (3, 1): (("", codes_of("Kd 3c")),),
        (4, 0): (("", codes_of("4c Kd")),),
    }
    assert {(d.code, d.came, d.went) for d in compare(dealt, racked, {})} == {
        ("DEAL-307", (3, 0), (3, 1)),
        ("DEAL-307", (3, 1), (3, 0)),
    }


def test_a_card_that_changed_from_low_to_high_after_the_hand_was_shown() -> None:
    racked: dict[Hand, Parts] = {(4, 0): (("low", codes_of("Ks Qd")), ("high", codes_of("As Ad Kd 5h 2d")))}
    shown = {(4, 0): ShownHand(codes_of("Ks Kd As Ad Qd 5h 2d"), 2)}
    found = compare(None, racked, shown)
    assert [(d.code, d.cards, d.parts) for d in found] == [
        ("DEAL-307", (code_of("Kd"),), ("low", "high")),
        ("DEAL-307", (code_of("Qd"),), ("high", "low")),
    ]
    assert in_words(found[0]) == "Kd was in the low hand of seat 4 when it was shown and lies in the high hand"
    unset = {(4, 0): ShownHand(codes_of("Ks Kd As Ad Qd 5h 2d"))}
    assert compare(None, racked, unset) == [], "a hand shown without its setting says nothing of it"


@given(seed=st.integers(0, 10**6), place=st.integers(0, 6))
def test_a_card_exchanged_with_the_stub_left_and_came_in(seed: int, place: int) -> None:
    """Mucking: a card goes to the cards nobody plays, and one of those comes into the hand."""
    dealt, racked, _, left = a_round(seed)
    mine = without_parts(racked[place, 0])
    racked[place, 0] = flat(bytes([left[0]]) + mine[1:])
    found = compare(dealt, racked, {}, left_over=[mine[0], *left[1:]], deck=DECK)
    assert {(d.kind, d.code, d.cards) for d in found} == {
        (Kind.LEFT, "DEAL-308", (mine[0],)),
        (Kind.CAME_IN, "DEAL-308", (left[0],)),
    }


@given(seed=st.integers(0, 10**6), place=st.integers(0, 6))
def test_a_card_held_out_is_gone_and_one_brought_in_was_dealt_to_nobody(seed: int, place: int) -> None:
    dealt, racked, _, left = a_round(seed)
    mine = without_parts(racked[place, 0])
    racked[place, 0] = flat(mine[1:])
    (gone,) = compare(dealt, racked, {}, left_over=left, deck=DECK)
    assert (gone.code, gone.cards, gone.came, gone.went) == ("CARD-311", (mine[0],), (place, 0), None)
    racked[place, 0] = flat(codes_of("X2") + mine[1:])
    kinds = {(d.kind, d.cards) for d in compare(dealt, racked, {}, left_over=left, deck=DECK)}
    assert kinds == {(Kind.GONE, (mine[0],)), (Kind.APPEARED, (code_of("X2"),))}
    twice = dealt[((place + 1) % 7, 0)][0]
    racked[place, 0] = flat(bytes([twice]) + mine[1:])
    kinds = {(d.kind, d.cards) for d in compare(dealt, racked, {}, left_over=left, deck=DECK)}
    assert kinds == {(Kind.GONE, (mine[0],)), (Kind.TWICE, (twice,))}


@given(seed=st.integers(0, 10**6), order=st.permutations(range(7)))
def test_whole_hands_elsewhere_are_told_as_hands(seed: int, order: list[int]) -> None:
    dealt, racked, _, left = a_round(seed)
    moved: dict[Hand, Parts] = {(place, 0): racked[order[place], 0] for place in range(7)}
    found = compare(dealt, moved, {}, left_over=left, deck=DECK)
    assert {(d.code, d.came, d.went) for d in found} == {
        ("DEAL-306", (order[place], 0), (place, 0)) for place in range(7) if order[place] != place
    }


def test_a_hand_shown_at_another_place_or_with_strange_cards() -> None:
    dealt, racked, shown, left = a_round(8)
    elsewhere = {(2, 0): shown[5, 0]}
    (found,) = compare(dealt, racked, elsewhere, left_over=left, deck=DECK)
    assert (found.kind, found.code, found.came, found.went) == (Kind.SHOWN_ELSEWHERE, "DEAL-306", (5, 0), (2, 0))
    cards = bytes([left[0]]) + shown[2, 0].cards[1:]
    (found,) = compare(dealt, racked, {(2, 0): ShownHand(cards)}, left_over=left, deck=DECK)
    assert (found.code, found.cards, found.went) == ("RACK-323", (left[0],), (2, 0))
    assert compare(dealt, racked, {(2, 0): ShownHand(shown[2, 0].cards[:3])}) == [], "part of a hand is no difference"


def test_the_same_hand_in_another_order_matters_only_where_cards_lie_as_drawn() -> None:
    dealt = {(PLAYER, 0): codes_of("6s Kd 2c"), (BANKER, 0): codes_of("7c Th")}
    racked: dict[Hand, Parts] = {(PLAYER, 0): (("", codes_of("Kd 6s 2c")),), (BANKER, 0): (("", codes_of("7c Th")),)}
    assert compare(dealt, racked, {}) == []
    (found,) = compare(dealt, racked, {}, as_drawn=True)
    assert (found.code, found.went) == ("RACK-330", (PLAYER, 0))
    assert in_words(found) == "the Player's cards lie in another order than they were drawn: Kd 6s 2c"


def test_a_boxed_card_that_stayed_in_a_hand_is_one_finding() -> None:
    """Double Hand 37: 9c was exposed and 4h, the first card left over, had to take its place; it did not."""
    dealt, racked, _, left = a_round(4)
    mine = without_parts(racked[3, 0])
    exposed, instead = mine[0], left[0]
    dealt[3, 0] = bytes(instead if card == exposed else card for card in dealt[3, 0])
    (found,) = compare(dealt, racked, {}, left_over=left, deck=DECK, barred={exposed: instead})
    assert (found.code, found.cards, found.went, found.instead) == ("DEAL-309", (exposed,), (3, 0), instead)
    assert "had to take its place" in in_words(found)


def test_every_difference_has_a_code_of_the_catalogue_and_words() -> None:
    for kind in Kind:
        difference = Difference(kind, (0, 5), (1, 0), (2, 1), ("low", "high"), 7, None)
        assert difference.code in CATALOGUE
        assert "2c 3d" in in_words(difference)
        assert in_words(difference._replace(came=None, went=None, cards=(3,)))


# ---- the way it was delivered --------------------------------------------------------------------------------------


def masks_of(cards: Cards) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    found: np.ndarray[tuple[int, ...], np.dtype[np.uint64]] = np.bitwise_or.reduce(
        np.uint64(1) << cards.astype(np.uint64), axis=-1
    )
    return found


def deal_at_the_table(cards: list[int], each: int, start: int, step: int, how: str, last_first: bool) -> list[int]:
    """Sets of cards by place: step 1 is clockwise at a table numbered counterclockwise."""
    clockwise = [0, 6, 5, 4, 3, 2, 1]
    stacks: list[list[int]] = [[] for _ in range(7)]
    coming = iter(cards)
    for row in range(each):
        for stack in stacks[::-1] if how == "zigzag" and row % 2 else stacks:
            if how == "stacks":
                break
            stack.append(next(coming))
    if how == "stacks":
        stacks = [[next(coming) for _ in range(each)] for _ in range(7)]
    if last_first:
        stacks.reverse()
    at = clockwise.index(start)
    hands = [0] * 7
    for stack in stacks:
        hands[clockwise[at % 7]] = sum(1 << card for card in stack)
        at += step
    return hands


FILED = {
    "ma/pai_gow_poker:manual_shoe": ("rows", 7, 1, False),
    "ma/pai_gow_poker:hand": ("zigzag", 7, 1, False),
    "ma/pai_gow_poker:automated_shoe": ("stacks", 7, 1, False),
    "nj/supreme_pai_gow:hand": ("zigzag", 4, -1, True),
}


@pytest.mark.parametrize("name", FILED)
@given(seed=st.integers(0, 10**6), start=st.integers(0, 6), wrong=st.sampled_from(["", "direction", "method"]))
def test_start_direction_and_method_are_told_apart(name: str, seed: int, start: int, wrong: str) -> None:
    how, each, step, last_first = FILED[name]
    method = EVERY_METHOD[name]
    others = tuple(
        other
        for other in EVERY_METHOD.values()
        if other.id.split(":")[0] == method.id.split(":")[0] and other != method and "bonus" not in other.id
    )
    cards = random.Random(seed).sample(range(method.deck), 7 * each)
    expected = AS_FILED
    if wrong == "direction":
        step, expected = -step, OTHER_DIRECTION
    if wrong == "method":
        other = {"rows": ["stacks", "zigzag"], "zigzag": ["stacks", "rows"], "stacks": ["rows", "zigzag"]}[how]
        how, expected = other[seed % 2], OTHER_METHOD
        step = -1 if how == "zigzag" and "supreme" in name else 1
        last_first = step == -1
    hands = deal_at_the_table(cards, each, start, step, how, last_first)
    ways = ways_of(method, others)
    places, ring = tuple(range(7)), Ring(6, Numbering.COUNTERCLOCKWISE)
    way, found = find_ways(np.array([cards], np.uint8), np.array([hands], np.uint64), ways, places, ring, masks_of)
    assert ways[way[0]].kind == expected
    if how == "rows" and last_first is False and "supreme" in name:
        # Stacks dealt left to right and delivered from the right, counterclockwise, from the place before: the same.
        assert found.tolist() == [(start + 1) % 7]
    else:
        assert found.tolist() == [start]


def test_hands_that_no_delivery_gives_are_left_alone() -> None:
    method = EVERY_METHOD["ma/pai_gow_poker:manual_shoe"]
    cards = random.Random(1).sample(range(53), 49)
    hands = deal_at_the_table(cards, 7, 3, 1, "rows", False)
    hands[1], hands[2] = hands[2], hands[1]
    places, ring = tuple(range(7)), Ring(6, Numbering.COUNTERCLOCKWISE)
    way, start = find_ways(
        np.array([cards], np.uint8), np.array([hands], np.uint64), ways_of(method), places, ring, masks_of
    )
    assert (way.tolist(), start.tolist()) == ([UNKNOWN], [UNKNOWN])
    nobody = find_ways(
        np.zeros((0, 49), np.uint8), np.zeros((0, 7), np.uint64), ways_of(method), places, ring, masks_of
    )
    assert [len(column) for column in nobody] == [0, 0]
