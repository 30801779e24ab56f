"""Hands with another number of cards than they are due, some of which are dealt later and only to some: DEAL-301."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replay.cards.dealing.seen import deal_events
from replay.citations import Citation
from replay.naming import place_name
from replay.remarks import Remark
from replay.rounds import Ints, RoundBatch
from schemas.findings import Basis
from schemas.plurals import counted, in_words


def sizes_wrong(
    batch: RoundBatch, held: Ints, due: Ints, later: tuple[int, int], cite: Citation, misdeal: Citation
) -> Iterator[Remark]:
    """DEAL-301. `held` and `due` are (n, places), 0 in `held` where nothing says; `later` the sizes of a hand without
    and with the cards that are dealt later, of which `cite` says who gets them."""
    for row, place in np.argwhere((held > 0) & (held != due)).tolist():
        got, should = int(held[row, place]), int(due[row, place])
        said, by = f"{place_name(place)} got {counted(got, 'card')} instead of {should}", misdeal
        if (got, should) == later:
            said, by = f"{place_name(place)} never got the {in_words(should - got)} cards left to be dealt to it", cite
        elif (should, got) == later:
            said, by = f"{place_name(place)} got {in_words(got - should)} more cards that were not due to it", cite
        yield Remark(
            row,
            "DEAL-301",
            f"{said}, and the round was played on",
            by,
            seat=place or None,
            evidence=deal_events(batch, row),
            basis=Basis.HANDS,
        )
