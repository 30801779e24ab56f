"""Cards of games dealt from a shoe: one more often than the shoe has it, over its rounds or in one alone (CARD-312),
and those that are in a round's rack and not in its deal, or the other way about (CARD-311 to CARD-313)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import Cards, Fact, Ints, RoundBatch
from schemas.cards import JOKER_1, name_of, names_of
from schemas.findings import CERTAIN, Basis

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
        for copies in sorted({int(held) + 1 for held in np.unique(decks)} & set(range(2, most + 1))):
            # as many alike lie together, and one fewer is all the shoe holds
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


class Trouble(NamedTuple):
    """What does not fit: a remark without its round."""

    code: str
    sentence: str
    cite: Citation
    confidence: float = CERTAIN
    basis: Basis | None = None  # what was read, unless something else is said


def missing_and_extra(rack: bytes, dealt: bytes) -> tuple[bytes, bytes]:
    """Cards dealt that are not in the rack, and cards in the rack that were not dealt."""
    return (
        bytes(sorted((Counter(dealt) - Counter(rack)).elements())),
        bytes(sorted((Counter(rack) - Counter(dealt)).elements())),
    )


def card_trouble(
    rack: bytes,
    dealt: bytes,
    too_many: frozenset[int],
    agree: Citation,
    deck: Citation,
    confidence: float = CERTAIN,
) -> Trouble:
    """One remark for cards that are in the rack and not in the deal, or the other way about. `agree` is the rule that
    the two do, `deck` the one on which cards there are; `too_many` the rack holds more often than the shoe."""
    missing, extra = missing_and_extra(rack, dealt)
    lost = f"{names_of(missing)} {'was' if len(missing) == 1 else 'were'} dealt and {_is(missing)} not in the rack"
    if not extra:
        return Trouble("CARD-311", lost, agree, confidence)
    found = f"{names_of(extra)} {_is(extra)} in the rack and {'was' if len(extra) == 1 else 'were'} never dealt"
    foreign = [card for card in extra if card >= JOKER_1]
    if foreign:
        found += f" ({names_of(foreign)} belongs to no deck of this game)"
    twice = not foreign and all(card in dealt or card in too_many for card in extra)
    return Trouble(
        "CARD-312" if twice else "CARD-313",
        f"{found}, while {lost}" if missing else found,
        deck if foreign else agree,
        confidence,
    )


def _is(cards: bytes) -> str:
    return "is" if len(cards) == 1 else "are"
