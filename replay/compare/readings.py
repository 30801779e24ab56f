"""Rounds with several readings of their cards: which of them fits the reports best, and whether others do too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from replay.compare import compare
from replay.game import Checked
from replay.lines import Lines, join_lines, money_of
from replay.rounds import RoundBatch


def with_best_readings(batch: RoundBatch, checked: Checked) -> Checked:
    """Of each round's readings the one that fits the reports best; and where the money differs, that this is open.

    All readings give the same money: it does not matter which is true. Otherwise, when a reading agrees with every
    report, the evidence cannot tell them apart; when none does, the nearest one says what is wrong, as a possibility.
    """
    lines = [checked.lines]
    left_open = dict(checked.left_open)
    for row, readings in sorted(checked.alternatives.items()):
        alone = batch.take(np.array([row]))
        lines.append(min(readings, key=lambda reading: _differences(alone, checked, reading)))
        if len({money_of(reading) for reading in readings}) > 1:
            left_open[row] = f"{len(readings)} readings of the rack fit, and the money differs between them"
    return replace(checked, lines=join_lines(lines), left_open=left_open, alternatives={})


def _differences(alone: RoundBatch, checked: Checked, reading: Lines) -> tuple[int, int]:
    """How many reports of one round do not fit this reading of it, and by how much in all."""
    moved = replace(reading, columns={**reading.columns, "row": np.zeros_like(reading.row)})
    pots = None if checked.pots is None else {0: checked.pots[int(reading.row[0])]}
    alone_checked = replace(checked, lines=moved, remarks=[], left_open={}, no_rule={}, alternatives={}, pots=pots)
    trial = compare(alone, alone_checked)
    return len(trial.remarks), sum(abs(remark.difference_cents) for remark in trial.remarks)
