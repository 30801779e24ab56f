"""What seven cards are for the side wagers of pai gow poker, as the simulated house sees it.

Examples worked out by hand, and random hands against the look-ups of the replay, which share nothing with it.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from ingest.simulator.games.pai_gow_poker.classes import (
    cards_of_colour,
    dynasty_class,
    is_ace_high,
    is_queens_dragon,
)
from ingest.simulator.games.pai_gow_poker.odds import DYNASTY_ODDS
from ingest.simulator.poker import pai_gow_rank
from replay.ranking import Joker, pai_gow_high, row_classes
from schemas.cards import codes_of

DYNASTY_ROWS = (
    "ace_five_straight_flush_natural_ace_queen_suited",
    "seven_card_straight_flush_natural",
    "royal_flush_natural_ace_queen_suited",
    "seven_card_straight_flush_joker",
    "five_aces",
    "ace_five_straight_flush_natural",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "three_of_a_kind",
    "straight",
)


def cards(text: str) -> list[int]:
    return list(codes_of(text.split()))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ad 2d 3d 4d 5d Ac Qc", "wheel_and_ace_queen"),
        ("Ad 2d 3d 4d 5d Ac Qh", "wheel"),
        ("2d 3d 4d 5d 6d 7d 8d", "seven_natural"),
        ("Ah Kh Qh Jh Th Ad Qd", "royal_and_ace_queen"),
        ("Ah Kh Qh Jh Th Ad Kd", "royal_flush"),
        ("X1 Kh Qh Jh Th Ad Qd", "royal_flush"),
        ("2d 3d 4d X1 6d 7d 8d", "seven"),
        ("Ad Ac Ah As X1 2c 3d", "five_aces"),
        ("Ad 2d X1 4d 5d 9c Jh", "straight_flush"),
        ("Ad 2d 3c 4d 5d 9c Jh", "straight"),
        ("9d 9c 9h 9s 2c 3d 4h", "four_of_a_kind"),
        ("9d 9c 4h 4s 2c 2d Kh", None),
    ],
)
def test_dynasty(text: str, name: str | None) -> None:
    assert dynasty_class(cards(text)) == name


@pytest.mark.parametrize(
    ("text", "insurance", "protection"),
    [
        ("9c 8d 7h 6s 4c 3d 2h", "9", "9"),
        ("9c 8d 7h 6s 5c 3d 2h", None, None),
        ("X1 9s 8d 7c 6h Kc 2d", "A", None),
        ("X1 9s 8s 5s 3s Kc 7d", "A", None),
        ("X1 Kc Qd Jh Ts 7c 2d", None, None),
        ("X1 Ac 8h 5d 2s Kc 9d", None, None),
        ("Qd Jh 9s 7c 5d 3h 2s", "Q", "Q"),
    ],
)
def test_pai_gows(text: str, insurance: str | None, protection: str | None) -> None:
    for said, completes in ((insurance, False), (protection, True)):
        assert pai_gow_rank(cards(text), completes) == (None if said is None else "23456789TJQKA".index(said))


def test_random_hands_are_what_the_look_ups_say() -> None:
    rng = random.Random(13)
    hands = [rng.sample(range(53), 7) for _ in range(1500)]
    for _ in range(1500):  # many of one suit, where the rare classes are
        suit = rng.randrange(4)
        suited = [rank * 4 + suit for rank in rng.sample(range(13), 5)]
        others = rng.sample([card for card in range(53) if card not in suited], 2)
        hands.append([*suited, *others])
    held = np.array(hands, np.uint8)
    names = [*DYNASTY_ODDS, None]
    assert [dynasty_class(hand) for hand in hands] == [names[number] for number in row_classes(DYNASTY_ROWS).of(held)]
    for joker, completes in ((Joker.ACE_ONLY, False), (Joker.SEMI_WILD, True)):
        ranks = [pai_gow_rank(hand, completes) for hand in hands]
        assert [0 if rank is None else rank + 2 for rank in ranks] == pai_gow_high(held, joker).tolist()
    high = pai_gow_high(held, Joker.SEMI_WILD)
    assert [is_queens_dragon(hand) for hand in hands] == (high == 12).tolist()
    assert [is_ace_high(hand) for hand in hands] == (high == 14).tolist()


def test_colours() -> None:
    hand = cards("Kd Jh X1 9d 8s 5c 2s")
    assert cards_of_colour(hand, "red") == cards_of_colour(hand, "black") == 3
