"""What rack and deal of one odd round say by themselves: which hands they allow, and what is wrong, card by card.

Ordinary rounds never come here (see `hands`). The answer is every reading that rack and deal leave open, best first,
and what stands against one of them: the two hands picked up in swapped order, a hand picked up in another order, cards
in the other hand, cards missing or too many. Nothing is searched and no report of a wager is weighed here; the solver
does that, to whom `odd_racks` puts the same round.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from replay.cards.dealing.compare import compare, in_words
from replay.cards.solver.layout import BANKER, PLAYER
from replay.checks.shoe import Trouble, card_trouble
from replay.families.two_hands import drawing
from replay.families.two_hands.readings import Reading, as_row, deal_readings, lawful, lawful_or_all, rack_readings
from replay.families.two_hands.terms import TO_UNKNOWN, Terms
from schemas.cards import JOKER_1, names_of
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from schemas.plurals import counted


class AsRead(NamedTuple):
    readings: list[Reading]
    troubles: list[Trouble]
    why_not: str = ""  # why there is no reading


def as_read(
    rack: bytes,
    dealt: bytes,
    dealt_to: bytes,
    rack_unsure: bool,
    too_many: frozenset[int],
    terms: Terms,
) -> AsRead:
    """Everything one round's cards, without burned ones, allow. `too_many` are cards the rack holds more often than the
    shoe."""
    if rack_unsure:
        trouble = Trouble(
            "RACK-321",
            "a scan of the rack did not begin with the cards that were in it before, so its order cannot be relied on",
            terms.law.pickup,
        )
        if not dealt:
            return AsRead([], [trouble], f"{trouble.sentence}, and the deal was not read")
        found = _from_deal(dealt, dealt_to, terms)
        return AsRead(found.readings, [trouble, *found.troubles], found.why_not)
    if not rack:
        return _from_deal(dealt, dealt_to, terms)
    if not dealt:
        return _from_rack(rack, terms)
    if Counter(rack) == Counter(dealt):
        return _same_cards(rack, dealt, dealt_to, terms)
    return _other_cards(rack, dealt, dealt_to, too_many, terms)


def _from_rack(rack: bytes, terms: Terms) -> AsRead:
    readings = rack_readings(rack, terms.banker_first)
    if not readings:
        return _unreadable(rack, "rack", terms)
    other_way = [Reading(reading.banker, reading.player) for reading in readings]
    swapped = [reading for reading in other_way if lawful(terms.drawing, reading)]
    if swapped and not any(lawful(terms.drawing, reading) for reading in readings):
        wrong = drawing.explain(terms.drawing, as_row(readings[0].player), as_row(readings[0].banker)).said
        hands = f"Player {names_of(swapped[0].player)}, Banker {names_of(swapped[0].banker)}"
        first, second = _in_order(terms.banker_first)
        sentence = (
            f"the rack holds {names_of(rack)}: with the {first} hand first the drawing rules were broken ({wrong}), "
            f"with the {second} hand first they were kept ({hands})"
        )
        return AsRead([readings[0], swapped[0]], [Trouble("RACK-321", sentence, terms.law.pickup, POSSIBLE)])
    return AsRead(lawful_or_all(terms.drawing, readings), [])


def _from_deal(dealt: bytes, dealt_to: bytes, terms: Terms) -> AsRead:
    readings = deal_readings(dealt, dealt_to, terms.order)
    if readings:
        return AsRead(lawful_or_all(terms.drawing, readings), [])
    if not dealt:
        return AsRead([], [], "neither the rack nor the deal was read")
    return _unreadable(dealt, "deal", terms)


def _unreadable(cards: bytes, where: str, terms: Terms) -> AsRead:
    foreign = [card for card in cards if card >= JOKER_1]
    if foreign:
        sentence = f"{names_of(foreign)} in the {where} ({names_of(cards)}) belongs to no deck of this game"
        return AsRead([], [Trouble("CARD-313", sentence, terms.law.deck)], sentence)
    sentence = (
        f"the {where} holds {counted(len(cards), 'card')} ({names_of(cards)}), which make no two hands of two or three"
    )
    code, cite = ("DEAL-301", terms.drawing.cite) if where == "deal" else ("RACK-321", terms.law.pickup)
    return AsRead([], [Trouble(code, sentence, cite, LIKELY)], sentence)


def _same_cards(rack: bytes, dealt: bytes, dealt_to: bytes, terms: Terms) -> AsRead:
    deals = deal_readings(dealt, dealt_to, terms.order)
    if not deals:
        told_in_part = TO_UNKNOWN in dealt_to and 4 <= len(rack) <= 6
        return _from_rack(rack, terms) if told_in_part else _unreadable(dealt, "deal", terms)
    racks = rack_readings(rack, terms.banker_first)
    agreed = [deal for deal in deals if deal in racks]
    if agreed:
        return AsRead(lawful_or_all(terms.drawing, agreed), [])
    keeps_rules = next((reading for reading in racks if lawful(terms.drawing, reading)), None)
    best = lawful_or_all(terms.drawing, deals)[0]
    if keeps_rules and not lawful(terms.drawing, best) and not _same_sets(best, keeps_rules):
        # Two witnesses against each other: the shoe may have named the wrong hand for a third card.
        how = "as dealt the third cards break the drawing rules, as they lie they keep them"
        sentence = f"{_changed_hands(best, keeps_rules)}; {how}"
        return AsRead([best, keeps_rules], [Trouble("DEAL-302", sentence, terms.law.deal_and_rack_agree, LIKELY)])
    for deal in lawful_or_all(terms.drawing, deals):
        hands = f"Player {names_of(deal.player)}, Banker {names_of(deal.banker)}"
        if any(_same_sets(deal, reading) for reading in racks):
            sentence = f"the rack holds {names_of(rack)}, not in the order the cards were drawn ({hands})"
            return AsRead([deal], [Trouble("RACK-330", sentence, terms.law.pickup)])
        swapped = Reading(rack[len(deal.banker) :], rack[: len(deal.banker)])
        if terms.banker_first:
            swapped = Reading(rack[: len(deal.player)], rack[len(deal.player) :])
        if _same_sets(deal, swapped):
            first, second = _in_order(terms.banker_first)
            sentence = f"the {second} hand went to the rack before the {first} hand: {names_of(rack)} for {hands}"
            return AsRead([deal], [Trouble("RACK-321", sentence, terms.law.pickup)])
    lies = _as_dealt_in_size(racks, best)
    return AsRead([best, lies], [Trouble("DEAL-302", _changed_hands(best, lies), terms.law.deal_and_rack_agree)])


def _other_cards(rack: bytes, dealt: bytes, dealt_to: bytes, too_many: frozenset[int], terms: Terms) -> AsRead:
    deals = lawful_or_all(terms.drawing, deal_readings(dealt, dealt_to, terms.order))
    racks = rack_readings(rack, terms.banker_first)
    rules = terms.law.deal_and_rack_agree, terms.law.deck
    trouble = card_trouble(rack, dealt, too_many, *rules, CERTAIN if deals else POSSIBLE)
    if deals:
        # As many cards, but others, or a rack that reads as a round by itself (a shoe that missed a card): the hands
        # may have been played either way.
        as_many = [_as_dealt_in_size(racks, deals[0])] if racks and len(rack) == len(dealt) else []
        lies = as_many or [reading for reading in racks if lawful(terms.drawing, reading)]
        return AsRead([deals[0], *lies[:1]], [trouble])
    if len(dealt) < len(rack):
        cards_seen = f"{len(dealt)} card{'s' if len(dealt) > 1 else ''}"
        missed = f"{trouble.sentence}; the shoe reported {cards_seen} only, no two hands, and may have missed some"
        trouble = trouble._replace(sentence=missed)
    if racks:
        return AsRead(lawful_or_all(terms.drawing, racks), [trouble])
    return AsRead([], [trouble], f"neither the rack ({names_of(rack)}) nor the deal ({names_of(dealt)}) is two hands")


def _in_order(banker_first: bool) -> tuple[str, str]:
    """Which hand lies first in the rack, and which after it."""
    return ("Banker", "Player") if banker_first else ("Player", "Banker")


def _as_dealt_in_size(racks: list[Reading], deal: Reading) -> Reading:
    return next((reading for reading in racks if len(reading.player) == len(deal.player)), racks[0])


def _same_sets(one: Reading, other: Reading) -> bool:
    return sorted(one.player) == sorted(other.player) and sorted(one.banker) == sorted(other.banker)


def _changed_hands(deal: Reading, lies: Reading) -> str:
    found = compare(
        {(PLAYER, 0): deal.player, (BANKER, 0): deal.banker},
        {(PLAYER, 0): (("", lies.player),), (BANKER, 0): (("", lies.banker),)},
        {},
    )
    return "; ".join(in_words(difference) for difference in found)
