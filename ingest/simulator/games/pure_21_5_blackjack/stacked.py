"""Shoes put in order for the rounds in which something rare is to go wrong."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ingest.simulator.games.pure_21_5_blackjack.rules import ACE, EIGHT, rank

_BONUS = range(8, 12)  # ranks of ten to king
_SMALL = range(4)  # two to five
_NINE = 7

# For each fault: the ranks of the player-dealer's first cards, and of those of the first seat to play.
STACKED: dict[str, tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]] = {
    "played_against_natural": (([ACE], _BONUS), (_SMALL, [_NINE])),
    "natural_paid_even": (([_NINE], [_NINE]), ([ACE], _BONUS)),
    "natural_not_pushed": (([ACE], _BONUS), ([ACE], _BONUS)),
    "insurance_not_paid": (([ACE], _BONUS), (_SMALL, [_NINE])),
    "even_money_at_6_to_5": (([ACE], [_NINE]), ([ACE], _BONUS)),
    "over_taken_against_888": (([EIGHT], [EIGHT]), (_BONUS, [EIGHT - 2])),
    "split_unlike": (([_NINE], [_NINE]), ([_NINE], [EIGHT])),
    "split_for_less": (([_NINE], [_NINE]), ([EIGHT], [EIGHT])),
}


def stack(kind: str, shoe: list[int], seats: Sequence[int], rng: Random) -> None:
    """Puts these cards where the next deal takes them from; the shoe deals from its end."""
    dealer, player = STACKED[kind]
    around = len(seats) + 1
    wanted = [(0, player[0]), (around - 1, dealer[0]), (around, player[1]), (2 * around - 1, dealer[1])]
    taken: set[int] = set()
    for turn, ranks in wanted:
        at = len(shoe) - 1 - turn
        own = [one for one, card in enumerate(shoe) if rank(card) in ranks and one not in taken]
        if own:
            found = rng.choice(own)
            shoe[at], shoe[found] = shoe[found], shoe[at]
        taken.add(at)


def third_eight(shoe: list[int], dealer: Sequence[int]) -> None:
    """Has the player-dealer with two eights draw a third."""
    if [rank(card) for card in dealer] == [EIGHT] * 2:
        at = next((one for one, card in enumerate(shoe) if rank(card) == EIGHT), -1)
        shoe[at], shoe[-1] = shoe[-1], shoe[at]
