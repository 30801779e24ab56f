"""Racks that are not the deck (CARD-311 to -313), and rounds of which neither rack nor deal was read (RACK-322)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replay.citations import Citation
from replay.naming import listed, names, place_name
from replay.remarks import Remark
from replay.rounds import RoundBatch, RoundFlag
from schemas.findings import CERTAIN, LIKELY, Basis

_NAMED = 7  # of many cards that are missing, so many


def unread(row: int, stake: str, cite: Citation) -> Remark:
    sentence = f"neither the rack nor the deal was read, and {stake}"
    return Remark(row, "RACK-322", sentence, cite, basis=Basis.UNREAD)


def cards_wrong(
    batch: RoundBatch, row: int, dealt: Sequence[int], deck_size: int, cite: Citation, decks: int = 1
) -> list[Remark]:
    """A rack that is not so many decks of cards 0 to `deck_size` - 1. `dealt` is the set of cards dealt to each
    place, empty where that is not known."""

    def dealt_where(card: int) -> str:
        places = [place_name(place) for place, cards in enumerate(dealt) if cards >> card & 1]
        return f"{names([card])}, dealt to {places[0]}" if places else names([card])

    cards = batch.rack[row]
    counts = np.bincount(cards[cards < deck_size], minlength=deck_size)
    total = f"the rack holds {len(cards)} of {deck_size * decks} cards"
    confidence = LIKELY if batch.flags[row] & RoundFlag.RACK_UNSURE else CERTAIN
    found = []
    missing = np.repeat(np.arange(deck_size), np.maximum(decks - counts, 0)).tolist()
    which = ""
    if missing:
        if len(missing) <= _NAMED:
            which = "; ".join(dealt_where(card) for card in missing)
        else:
            which = f"{names(missing[:_NAMED])} and {len(missing) - _NAMED} more"
    twice = np.flatnonzero(counts > decks).tolist()
    foreign = cards[cards >= deck_size].tolist()
    # A card that stands in another's place is one fault, told with the card it stands for.
    in_place = len(missing) > 0 and len(missing) == len(foreign) + int((counts[twice] - decks).sum())
    instead = f"; missing: {which}" if in_place else ""
    if missing and not in_place and batch.flags[row] & RoundFlag.CLOSED:  # an unfinished round has not collected all
        found.append(("CARD-311", f"{total}; missing: {which}"))
    if twice:
        held = listed([f"{names([card])} is there {counts[card]} times" for card in twice[:14]])
        has = "the deck has one of each card" if decks == 1 else f"there are {decks} of each card in play"
        found.append(("CARD-312", f"{has}, but {held}; {total}{instead}"))
    if foreign:
        strange = f"{names(foreign)} in the rack does not belong to the deck in play"
        found.append(("CARD-313", f"{strange}; {total}{instead if not twice else ''}"))
    return [Remark(row, code, sentence, cite, confidence=confidence, basis=Basis.RACK) for code, sentence in found]
