"""CARD-312 in games dealt from a shoe: one card more often than the shoe has it, over its rounds or in one alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import Cards, Fact, Ints, RoundBatch
from schemas.cards import JOKER_1, name_of
from schemas.findings import Basis

TooMany = Mapping[int, frozenset[int]]
"""Of each round that has any: the cards there are too many of."""


def too_many_over_rounds(batch: RoundBatch, cite: Citation) -> tuple[TooMany, list[Remark]]:
    """Cards the rack holds more often than the shoe, counted over all rounds since the shoe was new."""
    facts = batch.facts.of(Fact.TOO_MANY)
    cards: dict[int, set[int]] = defaultdict(set)
    remarks = []
    columns = (facts.row, facts.card, facts.other, facts.seq)
    for row, card, copies, seq in zip(*(column.tolist() for column in columns), strict=True):
        cards[row].add(card)
        decks = int(batch.decks[row])
        if copies <= decks:  # not too many, but two with the mark of one deck
            sentence = f"one and the same {name_of(card)}, by the mark of its deck, is in the rack {copies} times"
        else:
            holds = f"and the shoe holds {decks}" if decks > 0 else "more than the shoe holds"
            sentence = f"{name_of(card)} is in the rack {copies} times, {holds}"
        remarks.append(Remark(row, "CARD-312", sentence, cite, evidence=(seq,), basis=Basis.RACK))
    return {row: frozenset(found) for row, found in cards.items()}, remarks


def too_many_in_one_round(
    seen: Iterable[tuple[str, Basis, Cards]],
    known: TooMany,
    decks: Ints,
    cite: Citation,
    evidence: Callable[[int], tuple[int, ...]],
) -> tuple[TooMany, list[Remark]]:
    """Those of `known`, and every other card that one round alone holds more often than its shoe of so many decks.
    `seen` has, for each place (`in the rack`), what that was read by and the cards of each round, NO_CARD for none."""
    found = dict(known)
    remarks = []
    for where, by, cards in seen:
        ordered, most = np.sort(cards, axis=1), cards.shape[1]
        for copies in range(2, most + 1):  # as many alike lie together, and one fewer is all the shoe holds
            alike = ordered[:, copies - 1 :] == ordered[:, : most + 1 - copies]
            alike &= ordered[:, copies - 1 :] < JOKER_1
            for row in np.flatnonzero(alike.any(axis=1) & (decks == copies - 1)).tolist():
                card = int(ordered[row, copies - 1 :][alike[row]][0])
                if card in found.get(row, frozenset()):
                    continue
                found[row] = found.get(row, frozenset()) | {card}
                count = int((cards[row] == card).sum())
                sentence = f"{name_of(card)} is {where} {count} times in this round, and the shoe holds {decks[row]}"
                remarks.append(Remark(row, "CARD-312", sentence, cite, evidence=evidence(row), basis=by))
    return found, remarks
