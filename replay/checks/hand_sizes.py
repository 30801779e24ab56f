"""Hands with another number of cards than they are due: DEAL-312, where the cards dealt later went to a hand they were
not due to or not to one they were, and DEAL-301."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replay.cards.dealing.seen import deal_events
from replay.citations import Citation
from replay.naming import place_name
from replay.remarks import Remark
from replay.rounds import Ints, RoundBatch
from schemas.findings import Basis
from schemas.plurals import counted


def sizes_wrong(
    batch: RoundBatch, held: Ints, due: Ints, later: tuple[int, int], cite: Citation, misdeal: Citation
) -> Iterator[Remark]:
    """`held` and `due` are (n, places), 0 in `held` where nothing says; `later` the sizes of a hand without and with
    the cards that are dealt later."""
    for row, place in np.argwhere((held > 0) & (held != due)).tolist():
        got, should = int(held[row, place]), int(due[row, place])
        who = place_name(place)
        if {got, should} == set(later):
            more = abs(got - should)
            why = "which were not due" if got > should else "and never got those that were left to be dealt"
            said = f"{who} got {counted(more, 'card')} more, {why}" if got > should else f"{who} got {got} cards, {why}"
            code, by = "DEAL-312", cite
        else:
            said = f"{who} got {counted(got, 'card')} instead of {should}, and the round was played on"
            code, by = "DEAL-301", misdeal
        seat = place or None
        yield Remark(row, code, said, by, seat=seat, evidence=deal_events(batch, row), basis=Basis.HANDS)
