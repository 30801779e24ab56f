"""A deck over time, from the facts `replay.cards.deck_history` folded into the rounds: CARD-314 to CARD-317.

A card that was missing in one round's rack and is there in the next may never have been away: the reader passed over
it. So where the deck is known to have been whole before the next deal (counted at the shuffle, the stub as large as it
must be, the card itself seen dealt) one round's absence is left at the finding it had in its own round. Two rounds
running are not a reader's slip.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Fact, Facts, RoundBatch, RoundFlag
from schemas.cards import name_of
from schemas.findings import CERTAIN, LIKELY, POSSIBLE, Basis
from schemas.plurals import counted

Bools = npt.NDArray[np.bool_]

_KINDS = (Fact.CAME_BACK, Fact.OTHER_DECK, Fact.DECK_COUNTED, Fact.DECK_REMOVED, Fact.SHOE_TOTAL)


def deck_remarks(
    batch: RoundBatch, cite: Citation, dealt_whole: Bools | None = None, deck_size: int = 0
) -> list[Remark]:
    """What the rounds' decks have against them. `dealt_whole` (n,) says of which deals the pack knows, from its own
    rules, that no card was missing; `deck_size` how many cards it plays with, where the deck may hold a joker more."""
    facts = batch.facts.of(*_KINDS)
    remarks = []
    for at in range(len(facts)):
        row = int(facts.row[at])
        name = batch.name("deck", row)
        deck = f"deck {name}" if name else "the deck"
        match Fact(int(facts.kind[at])):
            case Fact.CAME_BACK:
                whole = bool(facts.code[at]) or (dealt_whole is not None and bool(dealt_whole[row]))
                if whole and facts.other[at] == 1:
                    continue
                remarks.append(_came_back(batch, facts, at, deck, cite, whole))
            case Fact.OTHER_DECK:
                remarks.append(_other_deck(batch, facts, at, deck, cite))
            case Fact.DECK_COUNTED:
                if facts.other[at] == deck_size:
                    continue
                held, due = counted(int(facts.other[at]), "card"), deck_size or int(facts.amount[at])
                sentence = f"{deck} was counted at the shuffle and had {held} instead of {due}; it was not taken off "
                sentence += "the table and the round was played with it"
                seen = (int(facts.seq[at]),)
                remarks.append(Remark(row, "CARD-316", sentence, cite, evidence=seen, basis=Basis.REPORTS))
            case Fact.DECK_REMOVED:
                why = batch.names[facts.choice[at]].replace("_", " ")
                sentence = (
                    f"{deck} was taken off the table ({why}) before the wagers were settled, and the hands were not "
                    "declared void"
                )
                seen = (int(facts.seq[at]),)
                remarks.append(Remark(row, "CARD-316", sentence, cite, evidence=seen, basis=Basis.REPORTS))
            case _:
                remarks.append(_shoe_total(batch, facts, at, cite))
    return remarks


def deck_kept(batch: RoundBatch, cite: Citation, deck_size: int) -> Iterator[Remark]:
    """CARD-316: a deck whose count had made the hands of its last round void was dealt again. Where the rack of that
    round was not read, a whole deck in this one's speaks for a miscount or a misdeal, after which a deck may stay."""
    facts = batch.facts.of(Fact.MISCOUNTED)
    unknown = RoundFlag.GAP | RoundFlag.MISSING_BEFORE | RoundFlag.CONTEXT_UNKNOWN | RoundFlag.NEVER_OPENED
    unsure = batch.has(unknown)
    for at in range(len(facts)):
        row, racked, left = int(facts.row[at]), int(facts.other[at]), int(facts.amount[at])
        rack = batch.rack[row]
        whole = len(rack) == len(np.unique(rack)) == deck_size
        played = batch.dealt.counts[row] or batch.rack.counts[row]
        if unsure[row] or not played or racked == deck_size or (whole and not racked):
            continue
        name = batch.name("deck", row)
        counts = [f"{counted(left, 'card')} had been left after the deal"] if left != UNKNOWN else []
        counts += [f"its rack held {counted(racked, 'card')}"] if racked else []
        sentence = (
            f"{f'deck {name}' if name else 'the deck'} was dealt again and was not taken off the table, although its "
            f"count had made all hands of round {batch.names[facts.choice[at]]} void"
        )
        sentence += f" ({', and '.join(counts)})" if counts else ""
        seen = (int(facts.seq[at]),)
        yield Remark(row, "CARD-316", sentence, cite, evidence=seen, confidence=LIKELY, basis=Basis.REPORTS)


def _came_back(batch: RoundBatch, facts: Facts, at: int, deck: str, cite: Citation, whole: bool) -> Remark:
    card, rounds, since = name_of(int(facts.card[at])), int(facts.other[at]), batch.names[facts.choice[at]]
    missed = f"in round {since}" if rounds == 1 else f"in {rounds} rounds from round {since} on"
    sentence = f"{card} was missing {missed} and is in {deck} again"
    confidence = CERTAIN if rounds > 1 else LIKELY
    if facts.hand[at]:
        sentence += "; another card lay in its place then, so that the reader may have taken one for the other"
        confidence = LIKELY if rounds > 1 else POSSIBLE
    elif rounds == 1:
        sentence += "; unless the reader passed over it then, it was brought back during this round or just before"
    if whole:
        sentence += "; it was back before the cards of this round were dealt"
    row = int(facts.row[at])
    evidence = (int(facts.amount[at]), int(facts.seq[at]))
    return Remark(row, "CARD-314", sentence, cite, evidence=evidence, confidence=confidence, basis=Basis.RACK)


def _other_deck(batch: RoundBatch, facts: Facts, at: int, deck: str, cite: Citation) -> Remark:
    card, other, there = name_of(int(facts.card[at])), batch.names[facts.wager[at]], batch.names[facts.choice[at]]
    if facts.code[at]:
        how = f"is in the rack once more than {deck} has it, and was missing from deck {other} in round {there}"
    else:
        how = f"is missing from {deck}, and deck {other} had it once too often in round {there}"
    evidence = (int(facts.amount[at]), int(facts.seq[at]))
    sentence = f"{card} {how}: a card of one deck was in the other"
    row = int(facts.row[at])
    return Remark(row, "CARD-315", sentence, cite, evidence=evidence, confidence=LIKELY, basis=Basis.RACK)


def _shoe_total(batch: RoundBatch, facts: Facts, at: int, cite: Citation) -> Remark:
    total, size = int(facts.amount[at]), int(facts.taken[at])
    burned, left = int(facts.hand[at]), int(facts.other[at])
    parts = [f"{total - burned - left} in the rack"]
    if burned:
        parts.append(f"{burned} burned")
    parts.append(f"{left} left over")
    which = batch.names[facts.choice[at]]
    short = size - total
    how = f"{short} short" if short > 0 else f"{-short} too many"
    sentence = f"the shoe holds {size} cards, and there are {', '.join(parts)}: {total}, {how}"
    if which:
        sentence += f" ({which})"
    seen = (int(facts.seq[at]),)
    return Remark(int(facts.row[at]), "CARD-317", sentence, cite, evidence=seen, basis=Basis.RACK)
