"""Omaha Hi-Lo Split as it is played at a simulated table: the best high and the best low, eight or better, share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ingest.simulator.board.filed import PokerOptions, usual
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.omaha.game import OmahaTable
from ingest.simulator.poker import ACE
from ingest.simulator.registry import register


class OmahaHiLoTable(OmahaTable):
    """An Omaha Hi-Lo table; the card room takes the Hold'em fee at it."""

    pack = "ca/omaha_hi_lo"
    plays_for_low = True

    def low(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...] | None:
        """Five different ranks of eight or lower, the ace counting one; the highest card decides first."""
        found = []
        for two in combinations(hole, 2):
            for three in combinations(board, 3):
                ranks = {1 if card >> 2 == ACE else (card >> 2) + 2 for card in (*two, *three)}
                if len(ranks) == 5 and max(ranks) <= 8:
                    found.append(tuple(sorted(ranks, reverse=True)))
        return min(found, default=None)


register(
    OmahaHiLoTable,
    PokerOptions,
    usual,
    prefix="OH",
    faults=(Subject.FEES, Subject.POKER, Subject.OWN_CARDS, Subject.HIGH_LOW),
    wagers=False,
)
