"""A case as the round the devices would have reported: what the rack, the layout camera and the chips would show."""

from __future__ import annotations

import numpy as np

from replay.cards.pickup.picking import pick_up
from replay.cards.pickup.situation import Key
from replay.cards.solver.layout import STUB
from replay.families.ante_raise.hands import words_of
from replay.families.ante_raise.pickup import situation_of
from replay.families.ante_raise.seats import Seats, seats_of
from replay.families.ante_raise.terms import Terms, terms_of
from replay.filing import Filing, canonical_filing
from replay.money.case_meters import contributions
from replay.rounds import (
    ACTION_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    batch_of,
    unknown_fixed,
)
from schemas.cards import codes_of, name_of
from schemas.cases import Case, CaseDealer, CaseError, CaseSeat
from schemas.events import Action
from schemas.places import DEALER


def row_of_case(case: Case, filing: Filing) -> RoundRow:
    terms = terms_of(filing)
    if case.bank is not None or case.hands or case.dice is not None:
        raise CaseError(f"case {case.name!r}: {filing.pack.id} knows no bank, no dice and no hands beside the seats'")
    filed = canonical_filing(filing.pack.id, filing.pack.data.version, filing.options)
    row = RoundRow({"table_id": "CASE", "round_id": "case", "filing": filed}, unknown_fixed())
    row.facts = _wagers(case, 2, before_the_cards=True, raised=terms.law.raised.name)
    seq = len(row.facts) + 2
    row.fixed.update(first_seq=1, bets_closed_seq=seq, decks=1, jokers=1)
    row.fixed.update(flags=int(RoundFlag.CLOSED | RoundFlag.RACK_READ | RoundFlag.CONTEXT_UNKNOWN))
    row.facts += contributions(case, seq + 1, ((side.name, side.meters) for side in terms.sides))
    row.facts += _wagers(case, len(row.facts) + 3, before_the_cards=False, raised=terms.law.raised.name)
    row.facts += _actions(case, len(row.facts) + 3)
    seats = seats_of(batch_of([row]).mentioning(filing.pack.data.wagers), terms)
    _lay_out(row, case, filing, terms, seats, len(row.facts) + 4)
    return row


def _wagers(case: Case, seq: int, before_the_cards: bool, raised: str) -> list[FactRow]:
    facts: list[FactRow] = []
    for seat, at in sorted(case.seats.items()):
        if at.backline:
            raise CaseError(f"case {case.name!r}, seat {seat}: nobody bets on another's hand in this game")
        if at.first is not None:
            raise CaseError(f"case {case.name!r}, seat {seat}: no wager is on the first cards; leave `first` out")
        for name, amount in at.wagers.items():
            if (name != raised) is before_the_cards:
                facts.append(FactRow(Fact.WAGER_PLACED, seq + len(facts), seat, "", name, amount=amount))
    return facts


def _actions(case: Case, seq: int) -> list[FactRow]:
    facts: list[FactRow] = []
    for seat, at in sorted(case.seats.items()):
        match at.acted:
            case None:
                pass
            case "fold":
                facts.append(FactRow(Fact.ACTION, seq + len(facts), seat, code=ACTION_CODE[Action.FOLD]))
            case "void_hand":
                facts.append(FactRow(Fact.VOIDED, seq + len(facts), seat, choice="player_option"))
            case other:
                raise CaseError(f"case {case.name!r}, seat {seat}: {other!r} is neither fold nor void_hand")
    return facts


def _lay_out(row: RoundRow, case: Case, filing: Filing, terms: Terms, seats: Seats, seq: int) -> None:
    """The hands shown, and the rack as the pickup procedure fills it; hands the case leaves out get what is left."""
    due, hands = tuple(seats.sizes[0].tolist()), dict[int, bytes]()
    used: set[int] = set()
    for place, at in [(DEALER, case.dealer), *sorted(case.seats.items())]:
        if at is None or place >= terms.places or not due[place]:
            continue
        cards, low = _cards(case, place, at, due[place], terms)
        if not cards:
            continue
        for card in cards:
            if card in used or card >= terms.deck_size:
                raise CaseError(
                    f"case {case.name!r}: {name_of(card)} is there twice or not in the deck of {terms.deck_size}"
                )
            used.add(card)
        hands[place] = cards
        if low or seats.live[0, place]:  # hands are exposed when their wagers are settled
            row.shown.append(ShownRow(place, 0, low, cards, seq + len(row.shown)))
    left = [card for card in range(terms.deck_size) if card not in used]
    for place, size in enumerate(due):
        if size and place not in hands:
            if place == DEALER or seats.raised[0, place] or seats.needs_whole[0, place]:
                who = f"seat {place}" if place else "the dealer"
                raise CaseError(f"case {case.name!r}: {who} needs {size} cards: give low and high, or cards")
            hands[place] = bytes(left[-size:])
            del left[-size:]
    on_table = {Key(STUB): bytes(left)} | {Key(place): cards for place, cards in hands.items()}
    whole = {place: cards for place, cards in hands.items() if place and len(cards) == terms.law.cards.whole}
    stay = {
        Key(place): {word for word, so in words_of(cards, seats, 0, place).items() if so}
        for place, cards in whole.items()
    }
    row.rack = pick_up(filing.pickup, situation_of(seats, 0, due), on_table, stay)
    row.fixed["last_seq"] = seq + len(row.shown)


def _cards(case: Case, place: int, at: CaseSeat | CaseDealer, due: int, terms: Terms) -> tuple[bytes, int]:
    """The cards of a place, low hand first, and how many of them are the low hand (0: not said). Of a dealer whose
    hand is given as low and high, `cards` is the card left over."""
    if (at.low is None) != (at.high is None):
        raise CaseError(f"case {case.name!r}, place {place}: low and high go together")
    if at.low is not None and at.cards is not None and place != DEALER:
        raise CaseError(f"case {case.name!r}, place {place}: give low and high, or cards, not both")
    cards, low = codes_of([*(at.low or []), *(at.high or []), *(at.cards or [])]), len(at.low or [])
    if cards and len(cards) != due:
        raise CaseError(f"case {case.name!r}, place {place}: this hand has {due} cards, not {len(cards)}")
    if cards and place == DEALER and not low:  # the house sets its hand the house way
        hand = terms.law.ranking.house_way(np.frombuffer(cards, np.uint8)[None, :])
        return hand[0].tobytes(), terms.law.cards.low
    return cards, low
