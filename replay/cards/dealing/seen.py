"""Which events a deal was read in."""

from __future__ import annotations

from replay.rounds import UNKNOWN, RoundBatch


def deal_events(batch: RoundBatch, row: int) -> tuple[int, ...]:
    """The events the deal was read in, as far as the columns name them: the first and the last."""
    return tuple(sorted({int(seq) for seq in (batch.first_card_seq[row], batch.last_card_seq[row]) if seq != UNKNOWN}))
