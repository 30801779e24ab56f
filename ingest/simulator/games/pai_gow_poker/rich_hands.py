"""Hands that win from a meter, dealt on purpose: they are too rare to wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ingest.simulator.played import SplitPlayed
from ingest.simulator.poker import ACE, JOKER

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable

TEN = 8


def royal(suit: int) -> list[int]:
    return [rank << 2 | suit for rank in range(TEN, ACE + 1)]


def royal_with_joker(suit: int) -> list[int]:
    return [*royal(suit)[:-1], JOKER]


def run(suit: int, lowest: int, length: int) -> list[int]:
    return [rank << 2 | suit for rank in range(lowest, lowest + length)]


def alike(rank: int) -> list[int]:
    return [rank << 2 | suit for suit in range(4)]


FIVE_ACES = [*alike(ACE), JOKER]


def deal_rich_hands(table: SplitHandsTable, played: SplitPlayed, deck: list[int], seats: Sequence[int]) -> None:
    """To some of these seats, as far as the cards go round."""
    rng, used = table.rng, set[int]()
    for seat in rng.sample(list(seats), len(seats))[: rng.randrange(1, 4)]:
        suit = rng.randrange(4)
        hand = rng.choice(
            [
                royal(suit),
                [*royal(suit), *alike(rng.randrange(TEN))[:2]],
                royal_with_joker(suit),
                FIVE_ACES,
                [*FIVE_ACES, *alike(rng.randrange(TEN))[:2]],
                run(suit, rng.randrange(6), 7),
                run(suit, rng.randrange(7), 5),
                [*run(suit, rng.randrange(3, 7), 5), *alike(0)[:2]],
                alike(rng.randrange(ACE)),
                [*alike(rng.randrange(4, ACE)), *alike(rng.randrange(4))[:2]],
                [*alike(rng.randrange(4, ACE))[:3], *alike(rng.randrange(4))[:2]],
            ]
        )
        if not used.intersection(hand) and len(set(hand)) == len(hand):
            used.update(hand)
            table.give(deck, played, seat, hand)
