"""Deals that cannot have been as they were read, for one deck has no card twice: is it the reader or the deck?

Where the rack is the deck and its hands are those dealt but for one card, the reader of the shoe or shuffler took that
card for another: the deal counts as it must have been, and the reader is told of (DEAL-311). Where the same card lies
twice in the rack as well, it was in the deck before it was dealt: nobody at the table brought it in. Else the solver is
asked (`odd_racks`), and where it is not sure either the deal is not counted, and that is told too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from replay.cards.dealing.seen import deal_events
from replay.families.split_hands.deal import Bools, Deal, cards_of_turn
from replay.families.split_hands.geometry import Masks
from replay.families.split_hands.pickup import Rack
from replay.families.split_hands.terms import Terms
from replay.naming import cards_of, listed, names, whose
from replay.remarks import Remark, Subject
from replay.rounds import UNKNOWN, Ints, RoundBatch
from schemas.findings import Basis

_NAMED = 7  # of many cards that were read oddly, so many


@dataclass(frozen=True)
class OddDeals:
    deal: Deal  # as they must have been; `odd` are left those of which nothing tells
    remarks: list[Remark]
    twice_in_deck: Mapping[int, int]  # rounds whose deck held a card twice before it was dealt, and the card


def explain_deals(
    batch: RoundBatch, deal: Deal, rack: Rack, racked: Masks, presumed: Ints, counts: Bools, terms: Terms
) -> OddDeals:
    """`racked` (n, 7) are the hands by place where the rack is whole, `presumed` where each deal should have begun,
    `counts` the rounds in which every place should have seven cards."""
    rows = np.flatnonzero(deal.odd & counts)
    if not len(rows):
        return OddDeals(deal, [], {})
    turns, read, odd, cards = deal.turns.copy(), deal.read.copy(), deal.odd.copy(), deal.cards.copy()
    remarks: list[Remark] = []
    twice: dict[int, int] = {}
    for row in rows.tolist():
        start = int(presumed[row])
        again = _twice_in_deck(deal, batch, racked[row], start, row)
        if again is not None:
            read[row], odd[row], twice[row] = True, False, again
            continue
        misread = _misread(deal, racked[row], start, row) if rack.whole[row] else None
        if misread is None:
            remarks.append(_not_counted(batch, deal, terms, row))
            continue
        turn, at, said, true = misread
        remarks.append(_told(batch, row, _place_of(turn, start, deal), said, true, terms))
        turns[row, turn, at] = true
        read[row], odd[row] = True, False
        if deal.hand_counts[row, -1] == UNKNOWN:  # the turns come from the order of the cards
            cards[row, cards_of_turn(terms)[turn, at]] = true
    mended = replace(deal, turns=turns, masks=terms.geometry.turn_masks(turns), read=read, odd=odd, cards=cards)
    return OddDeals(mended, remarks, twice)


def _place_of(turn: int, start: int, deal: Deal) -> int:
    return int(np.flatnonzero(deal.geometry.turn_of_place[start] == turn)[0])


def _twice_in_deck(deal: Deal, batch: RoundBatch, racked: Masks, start: int, row: int) -> int | None:
    """The card that was dealt twice and lies in the rack twice, in the hands it was dealt to."""
    if start == UNKNOWN or len(batch.rack[row]) != deal.geometry.deck_size:
        return None
    counts = np.bincount(deal.turns[row, : deal.geometry.hands].reshape(-1), minlength=256)
    (twice,) = np.nonzero(counts > 1)
    alike = deal.masks[row, deal.geometry.turn_of_place[start]] == racked
    if len(twice) != 1 or twice[0] >= deal.geometry.deck_size or not alike.all():
        return None
    return int(twice[0])


def _misread(deal: Deal, racked: Masks, start: int, row: int) -> tuple[int, int, int, int] | None:
    """The turn, which of its cards, what it was read as and what it was: the one change with which the deal gives every
    place the hand that lies in the rack for it."""
    if start == UNKNOWN:
        return None
    turn_of_place = deal.geometry.turn_of_place[start]
    astray = [place for place in range(len(racked)) if deal.masks[row, turn_of_place[place]] != racked[place]]
    if len(astray) != 1:
        return None
    turn = int(turn_of_place[astray[0]])
    hand, others = (
        deal.turns[row, turn].tolist(),
        np.delete(deal.turns[row, : deal.geometry.hands], turn, axis=0).reshape(-1).tolist(),
    )
    held = int(racked[astray[0]])
    strange = [
        at for at, card in enumerate(hand) if card in others or card >= deal.geometry.deck_size or hand.index(card) < at
    ]
    for at in strange:
        rest = hand[:at] + hand[at + 1 :]
        came = [card for card in cards_of(held) if card not in rest]
        if len(came) == 1 and came[0] not in others:
            return turn, at, hand[at], came[0]
    return None


def _told(batch: RoundBatch, row: int, place: int, read: int, true: int, terms: Terms) -> Remark:
    if read >= terms.geometry.deck_size:
        what = f"could not read a card of {whose(place)}; by the rack it is {names([true])}"
    else:
        what = f"read {names([read])} twice in one deal; by the rack it took {names([true])} of {whose(place)} for it"
    return Remark(
        row,
        "DEAL-311",
        f"the shoe or shuffler {what}",
        terms.law.cites.reconstruct,
        seat=place or None,
        evidence=deal_events(batch, row),
        basis=Basis.COMPARED,
    )


def _not_counted(batch: RoundBatch, deal: Deal, terms: Terms, row: int) -> Remark:
    size = terms.geometry.deck_size
    counts = np.bincount(deal.turns[row, : deal.geometry.hands].reshape(-1), minlength=256)
    said = [f"{names([card])} {counts[card]} times" for card in np.flatnonzero(counts[:size] > 1).tolist()[:_NAMED]]
    strange = int(counts[size:].sum())
    if strange:
        said.append("a card that is not of the deck" if strange == 1 else f"{strange} cards that are not of the deck")
    return Remark(
        row,
        "DEAL-311",
        f"the shoe or shuffler read {listed(said)} in one deal; which card it took for which, the rack does not tell, "
        "and the deal is not counted",
        terms.law.cites.reconstruct,
        evidence=deal_events(batch, row),
        basis=Basis.COMPARED,
    )


def with_decks(remarks: Iterable[Remark], twice_in_deck: Mapping[int, int]) -> Iterator[Remark]:
    """Remarks on cards that are there twice, with what the deal says of them."""
    for remark in remarks:
        card = twice_in_deck.get(remark.row) if remark.subject is Subject.CARD_TWICE else None
        if card is None:
            yield remark
        else:
            both = f"both {names([card])} were dealt: the deck held it twice before the round, and nobody brought it in"
            yield replace(remark, sentence=f"{remark.sentence}; {both}")
