"""Totals of Pure 21.5 Blackjack, in half points."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from replay.ranking import NATURAL_HALVES, Totals, blackjack_totals, three_eights
from replay.ranking.hands import Cards
from schemas.cards import CARD_NAMES, codes_of


def hands(*written: str) -> Cards:
    longest = max(len(hand.split()) for hand in written)
    return np.array([[*codes_of(hand), *[255] * (longest - len(hand.split()))] for hand in written], np.uint8)


def kind(found: Totals, row: int = 0) -> str:
    return "natural" if found.natural[row] else "bust" if found.bust[row] else "soft" if found.soft[row] else "hard"


@pytest.mark.parametrize(
    ("hand", "points", "said"),
    [
        ("As Kd", 21.5, "natural"),
        ("Td Ac", 21.5, "natural"),  # the ten is a bonus card too
        ("As 9d", 20, "soft"),
        ("As 9d As", 21, "soft"),
        ("As Kd 5c", 16, "hard"),
        ("As 5d 5c", 21, "soft"),  # 21 in three cards is no natural
        ("Ks Qd", 20, "hard"),
        ("Ks Qd 2c", 22, "bust"),
        ("Ks 6d 5c", 21, "hard"),
        ("As Ad", 12, "soft"),
        ("As 6d", 17, "soft"),  # the player-dealer hits it, chart 1B
        ("8s 8d 8c", 24, "bust"),
        ("9s", 9, "hard"),
        ("As", 11, "soft"),
    ],
)
def test_a_hand(hand: str, points: float, said: str) -> None:
    found = blackjack_totals(hands(hand))
    assert (found.halves[0] / 2, kind(found)) == (points, said)


def test_by_definition() -> None:
    """Every ace tried as 1 and as 11: the best total not over 21, else the least."""
    rng = random.Random(21)
    written = [[rng.choice(CARD_NAMES[:52]) for _ in range(rng.randint(1, 8))] for _ in range(5_000)]
    written += [[rng.choice(("As", "Ad", "Kc", "2h", "9d")) for _ in range(rng.randint(1, 5))] for _ in range(5_000)]
    found = blackjack_totals(hands(*(" ".join(hand) for hand in written)))
    for row, hand in enumerate(written):
        choices = [(1, 11) if card[0] == "A" else (10 if card[0] in "TJQK" else int(card[0]),) for card in hand]
        tried = [(sum(values), 11 in values) for values in product(*choices)]
        total, soft = max((one for one in tried if one[0] <= 21), default=min(tried))
        natural = len(hand) == 2 and {card[0] in "TJQK" for card in hand} == {True, False} and "A" in hand[0] + hand[1]
        assert found.halves[row] == (NATURAL_HALVES if natural else 2 * total), hand
        expected = "natural" if natural else "bust" if total > 21 else "soft" if soft else "hard"
        assert kind(found, row) == expected, hand


def test_split_hands_make_no_naturals() -> None:
    found = blackjack_totals(hands("As Kd", "As Kd"), split=np.array([False, True]))
    assert found.natural.tolist() == [True, False]
    assert found.halves.tolist() == [43, 42]


def test_three_eights() -> None:
    assert three_eights(hands("8s 8d 8c", "8s 8s 8s", "8s 8d", "8s 8d 8c 2c", "8s 8d 9c")).tolist() == [
        *(True, True, False, False, False)
    ]


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match=r"hand 0, card 2: X1 \(code 52\) is not in this game"):
        blackjack_totals(hands("As X1"))
    with pytest.raises(ValueError, match="code 77 is not a card"):
        blackjack_totals(np.array([[0, 77]], np.uint8))
    with pytest.raises(ValueError, match=r"hand 1 .* NO_CARD \(255\) may only follow"):
        blackjack_totals(np.array([[0, 1, 2], [0, 255, 2]], np.uint8))
    with pytest.raises(ValueError, match="hand 0 has no card"):
        blackjack_totals(np.array([[255, 255]], np.uint8))
    with pytest.raises(ValueError, match=r"shape \(n, 1..24\), not \(3,\)"):
        blackjack_totals(np.zeros(3, np.uint8))
    with pytest.raises(ValueError, match="dtype int64"):
        three_eights(np.zeros((1, 3), np.int64))
    with pytest.raises(ValueError, match=r"`split` has shape \(1,\)"):
        blackjack_totals(hands("As Kd", "As Kd"), split=np.array([True]))
