"""Rounds of pai gow poker as the family checks them, beside what a plain reference settles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replay.families.split_hands.game import check
from replay.filing import Filing, file_under, load_pack
from replay.game import Checked
from replay.lines import Lines
from replay.rounds import OUTCOMES, Fact, RoundBatch, RoundRow, batch_of
from tests.packs.pai_gow_poker_table import Played


def filing(**options: str | int) -> Filing:
    return file_under(load_pack("ma/pai_gow_poker"), "1.0", {"fortune_minimum_cents": 100, **options})


def run(rows: Sequence[RoundRow], **options: str | int) -> tuple[RoundBatch, Checked]:
    batch = batch_of(rows)
    return batch, check(batch, filing(**options))


def codes(checked: Checked, row: int = 0) -> list[str]:
    return sorted(remark.code for remark in checked.remarks if remark.row == row)


Settlements = dict[tuple[int, str], tuple[frozenset[str], int, int]]


def settlements(batch: RoundBatch, lines: Lines, row: int) -> tuple[Settlements, dict[tuple[int, int], int]]:
    """The lines of one round, readable: wagers and envy bonuses."""
    wagers: Settlements = {}
    envy = {}
    for at in np.flatnonzero(lines.row == row).tolist():
        seat = int(lines.seat[at])
        if lines.kind[at] == Fact.ENVY:
            envy[seat, int(lines.for_seat[at])] = int(lines.paid[at])
            continue
        possible = frozenset(str(o) for number, o in enumerate(OUTCOMES) if lines.possible[at] >> number & 1)
        assert lines.possible[at] >> lines.outcome[at] & 1, "the outcome is one of the possible ones"
        wagers[seat, batch.names[lines.wager[at]]] = (possible, int(lines.paid[at]), int(lines.taken[at]))
    return wagers, envy


def agrees(batch: RoundBatch, lines: Lines, row: int, played: Played, unseen: set[int]) -> bool:
    """The lines are what the slow table settled; for seats whose setting nobody saw, they allow it."""
    wagers, envy = settlements(batch, lines, row)
    if envy != played.envy or set(wagers) != set(played.lines):
        return False
    for (seat, wager), (outcome, paid, taken) in played.lines.items():
        possible, line_paid, line_taken = wagers[seat, wager]
        if wager == "pai_gow" and seat in unseen:
            if outcome not in possible:
                return False
        elif (possible, line_paid, line_taken) != (frozenset({outcome}), paid, taken):
            return False
    return True
