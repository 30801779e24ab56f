"""Hold'em as it is played at a simulated table in a California card room: the best five of two cards and the board."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ingest.simulator.board.filed import PokerOptions, usual
from ingest.simulator.board.table import PokerTable
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.poker import five_key
from ingest.simulator.registry import register


class HoldemTable(PokerTable):
    """A Hold'em table."""

    pack = "ca/holdem"
    hole = 2

    def high(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...]:
        """The best of the twenty-one fives: two, one or none of the own cards (CA Hold'em, Method of Play)."""
        return max(five_key(five, "lowest") for five in combinations([*hole, *board], 5))


register(HoldemTable, PokerOptions, usual, prefix="HE", faults=(Subject.FEES, Subject.POKER), wagers=False)
