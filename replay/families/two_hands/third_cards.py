"""DEAL-303: third cards that were not drawn as the rules say, or not drawn though they say so."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replay.families.two_hands import drawing
from replay.families.two_hands.hands import Hands, basis, card_events, confidence
from replay.families.two_hands.law import Drawing
from replay.money.bets import Bets, Voids
from replay.remarks import Remark, Subject
from replay.rounds import RoundBatch
from schemas.money import dollars


def third_cards(batch: RoundBatch, hands: Hands, bets: Bets, voids: Voids, law: Drawing) -> Iterator[Remark]:
    """DEAL-303: a round every reading of which breaks the drawing rules; it is settled on the cards as they lie."""
    rows = np.flatnonzero(hands.known & ~voids.rounds)
    wrong = rows[~drawing.fits(law, hands.player[rows], hands.banker[rows])]
    wagered = np.zeros(len(batch), dtype=np.int64)
    np.add.at(wagered, bets.row, bets.amount)
    other = hands.with_other(1)
    remarked = {remark.row for remark in hands.remarks if remark.subject is Subject.THIRD_CARD}
    two_ways = set(hands.others) - {remark.row for remark in hands.remarks}  # else rack and deal differ
    for row in wrong.tolist():
        if row in remarked:
            continue  # with what else it may be
        if row in hands.others and drawing.fits(law, other.player[row : row + 1], other.banker[row : row + 1])[0]:
            continue  # rack and deal differ, which is remarked, and by one of them the rules were kept
        said = drawing.explain(law, hands.player[row : row + 1], hands.banker[row : row + 1])
        sentence = said.sentence
        if row in two_ways:
            also = drawing.explain(law, other.player[row : row + 1], other.banker[row : row + 1])
            sentence = f"five cards read two ways, and neither keeps the rules. Either {sentence}; or {also.sentence}"
        yield Remark(
            row,
            "DEAL-303",
            f"{sentence}. {dollars(int(wagered[row]))} was wagered",
            said.cite,
            evidence=card_events(batch, row),
            confidence=confidence(hands, row),
            basis=basis(hands, row),
        )
