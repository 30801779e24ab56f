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


_SHARE, _SHARE_TOO, _ALL, _SUM, _LIMITED = "share", "another share", "all", "sum", "limited"
_HANDS_OF_14 = {
    _SHARE: royal(0),
    _SHARE_TOO: royal(1),
    _ALL: [*royal(2), *alike(0)[:2]],
}
_HANDS_OF_OTHERS = {
    _SHARE: FIVE_ACES,
    _SHARE_TOO: FIVE_ACES,
    _ALL: run(2, 1, 7),
}
_FULL_HOUSE = [*alike(11)[:3], *alike(2)[:2], 5 << 2, 1]
_ROYAL_AND_ACE_KING = [*royal(1), ACE << 2, 11 << 2]
_NEEDED = {
    "meter_share_wrong": (_SHARE,),
    "meter_not_taken_off": (_SHARE,),
    "meter_share_before_earlier": (_ALL, _SHARE_TOO),
    "meter_seed_wrong": (_ALL,),
    "meter_seed_too_low": (_ALL,),
    "meter_taken_off_unduly": (_SUM,),
    "progressive_by_another_table": (_SUM,),
    "progressive_beyond_limit": (_LIMITED,),
}
"""The hands that faults cannot do without, in the order of seats."""


def seats_needed(kind: str) -> int:
    """How many seats have to have a progressive wager for a fault, 0 where it is not about one."""
    about = kind.startswith(("meter_", "progressive_")) or kind == "surrendered_beside_progressive"
    return max(len(_NEEDED.get(kind, ())), 1) if about else 0


def deal_what_meters_need(
    kind: str, of_section_14: bool, table: SplitHandsTable, played: SplitPlayed, deck: list[int], seats: Sequence[int]
) -> None:
    shares = _HANDS_OF_14 if of_section_14 else _HANDS_OF_OTHERS
    hands = {**shares, _SUM: _FULL_HOUSE, _LIMITED: _ROYAL_AND_ACE_KING}
    for seat, name in zip(seats, _NEEDED.get(kind, ()), strict=False):
        table.give(deck, played, seat, hands[name])
