"""Omaha as it is played at a simulated table in California: exactly two of four own cards, and three of the board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ingest.simulator.board.filed import PokerOptions, without_fee
from ingest.simulator.board.played import PokerPlayed
from ingest.simulator.board.table import PokerTable
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.poker import five_key
from ingest.simulator.registry import register


class OmahaTable(PokerTable):
    """An Omaha table; no fee is printed for it, so most file none (R-42)."""

    pack = "ca/omaha"
    hole = 4

    def high(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...]:
        """The best of the sixty fives of two own cards and three of the board."""
        return max(
            five_key([*two, *three], "lowest") for two in combinations(hole, 2) for three in combinations(board, 3)
        )

    def wins_by_other_cards(self, played: PokerPlayed, seat: int) -> bool:
        keys = {
            other: max(five_key(five, "lowest") for five in combinations([*played.hands[other], *played.board], 5))
            for other in played.chips.left
        }
        return keys[seat] == max(keys.values())


register(OmahaTable, PokerOptions, without_fee, prefix="OM", faults=(Subject.POKER, Subject.OWN_CARDS), wagers=False)
