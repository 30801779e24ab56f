"""The simulation of Pure 21.5 Blackjack beside hands played one by one, and beside what can be counted."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from analytics.theory import ca_pure_21_5_blackjack, drawn_hands
from analytics.theory.store import CountsStore
from analytics.theory.wager import WagerTheory
from replay.filing import Filing, file_under, load_pack

ROUNDS = 3_000


def filed(decks: int) -> Filing:
    pack = load_pack("ca/pure_21_5_blackjack")
    return file_under(pack, pack.version, {"decks": decks})


def theory(wager: str, decks: int) -> WagerTheory:
    return ca_pure_21_5_blackjack.theory(filed(decks), wager, 1_000, CountsStore(None))


# ---- played by hand: ace 1, bonus cards 10, as the text has it -------------------------------------------------------


def total(hand: list[int]) -> tuple[int, bool]:
    """The best total, and whether an ace counts eleven in it."""
    low = sum(hand)
    return (low + 10, True) if 1 in hand and low <= 11 else (low, False)


def natural(hand: list[int]) -> bool:
    return sorted(hand) == [1, 10]


def player_draws(hand: list[int], up: int) -> bool:
    points, soft = total(hand)
    if soft:
        return points <= 17
    if points <= 11:
        return True
    if up == 1 or up >= 7:
        return points <= 16
    return points == 12 and up <= 3


def dealer_draws(hand: list[int]) -> bool:
    points, soft = total(hand)
    return points <= 17 if soft else points <= 16


def result(player: list[int], dealer: list[int]) -> str:
    if natural(dealer):
        return "both_pure_21_5" if natural(player) else "loses_to_pure_21_5"
    if natural(player):
        return "pure_21_5_wins"
    mine, theirs = total(player)[0], total(dealer)[0]
    if mine > 21 and theirs > 21:
        return "over_against_three_eights" if dealer == [8, 8, 8] else "both_over"
    if mine > 21:
        return "player_over"
    if theirs > 21:
        return "player_dealer_over"
    return "same_total" if mine == theirs else "closest_wins" if mine > theirs else "closest_loses"


def played(cards: list[int], doubled: bool) -> str:
    player, dealer, rest = [cards[0], cards[2]], [cards[1], cards[3]], cards[4:]
    if doubled:
        player.append(rest.pop(0))
    elif not natural(player) and not natural(dealer):
        while total(player)[0] <= 21 and player_draws(player, dealer[0]):
            player.append(rest.pop(0))
    while dealer_draws(dealer):
        dealer.append(rest.pop(0))
    return result(player, dealer)


@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize("decks", [1, 8])
def test_hands_end_as_they_do_one_by_one(decks: int, doubled: bool) -> None:
    rules = ca_pure_21_5_blackjack.rules()
    names = list(rules.results)
    found = drawn_hands.block_results(rules, decks, doubled, 7, 0)
    values = drawn_hands.block_values(decks, 7, 0)
    if doubled:
        first = values[:, [0, 2]]
        kept = (first != 1).all(axis=1) & np.isin(first.sum(axis=1), [9, 10, 11])
        kept &= np.array([not natural([int(up), int(down)]) for up, down in values[:, [1, 3]]])
        values = values[kept]
    expected = [played(row, doubled) for row in values[:ROUNDS].tolist()]
    assert [names[number] for number in found[:ROUNDS].tolist()] == expected
    assert doubled or set(expected) > {"pure_21_5_wins", "both_over", "player_over", "same_total"}


def test_no_card_of_a_shoe_is_drawn_twice() -> None:
    values = drawn_hands.block_values(1, 3, 0)
    assert all((values == value).sum(axis=1).max() <= 4 for value in range(1, 10))
    assert (values == 10).sum(axis=1).max() <= 16


@pytest.mark.parametrize("decks", range(1, 9))
def test_naturals_come_as_often_as_can_be_counted(decks: int) -> None:
    counts = {one.outcome: one.count for one in theory("blackjack", decks).outcomes}
    rounds = sum(counts.values())
    share = Fraction(2 * 4 * 16 * decks * decks, 52 * decks * (52 * decks - 1))
    error = math.sqrt(share * (1 - share) / rounds)
    assert abs((counts["pure_21_5_wins"] + counts["both_pure_21_5"]) / rounds - share) < 4 * error
    assert abs((counts["loses_to_pure_21_5"] + counts["both_pure_21_5"]) / rounds - share) < 4 * error


def test_insurance_is_counted() -> None:
    """Of one deck, 16 of the 51 cards that can be down under an ace are bonus cards: 2 × 16 - 35 of 51."""
    assert theory("insurance", 1).expected == Fraction(2 * 16 - 35, 51)
    assert theory("insurance", 8).expected == Fraction(2 * 128 - 287, 415)
    assert theory("insurance", 1).standard_error is None
