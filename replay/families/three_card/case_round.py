"""A case as the round the devices would have reported: what the rack, the deal, the layout camera and the chips would
show, without settlements and fees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from replay.cards.pickup.picking import pick_up
from replay.cards.pickup.situation import Key
from replay.cards.solver.layout import STUB
from replay.families.three_card.deal import deals_of
from replay.families.three_card.hands import seat_due
from replay.families.three_card.pickup import situation_of
from replay.families.three_card.seats import Seats, seats_of
from replay.families.three_card.terms import Terms, terms_of
from replay.filing import Filing, canonical_filing
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    UNKNOWN,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    batch_of,
    unknown_fixed,
)
from schemas.cards import codes_of, name_of
from schemas.cases import Case, CaseError
from schemas.events import Action, BankKind


def row_of_case(case: Case, filing: Filing) -> RoundRow:
    """Bank, wagers, deal, decisions, action button (where the player-dealer's last card puts it) and rack, in that
    order."""
    terms = terms_of(filing)
    if case.dealer is not None or case.hands or case.dice is not None:
        raise CaseError(f"case {case.name!r}: all hands here are at seats; {filing.pack.id} knows no dice either")
    filed = canonical_filing(filing.pack.id, filing.pack.data.version, filing.options)
    row = RoundRow({"table_id": "CASE", "round_id": "case", "filing": filed}, unknown_fixed())
    row.fixed.update(first_seq=1, decks=terms.decks, jokers=0)
    _bank(row, case)
    row.facts = list(_wagers(case, terms, 2, before_the_cards=True))
    closed = len(row.facts) + 2
    row.fixed.update(bets_closed_seq=closed, first_card_seq=closed + 1, last_card_seq=closed + 1)
    row.facts += _wagers(case, terms, closed + 2, before_the_cards=False)
    row.facts += _actions(case, closed + 2 + len(row.facts))
    row.fixed.update(flags=int(RoundFlag.CLOSED | RoundFlag.RACK_READ | RoundFlag.DEAL_READ))
    row.fixed["flags"] |= int(RoundFlag.CONTEXT_UNKNOWN)
    _lay_out(row, case, filing, terms, closed + 3 + len(row.facts))
    return row


def _bank(row: RoundRow, case: Case) -> None:
    if case.bank is None:
        return
    if case.bank.kind != BankKind.PLAYER_DEALER:
        raise CaseError(f"case {case.name!r}: bank.kind is player_dealer in this game, not {case.bank.kind!r}")
    row.fixed.update(bank_seat=case.bank.seat, bank_kind=BANK_KIND_CODE[BankKind.PLAYER_DEALER], bank_seq=1)
    row.fixed["bank_posted_cents"] = UNKNOWN if case.bank.posted is None else case.bank.posted


def _wagers(case: Case, terms: Terms, seq: int, before_the_cards: bool) -> Iterator[FactRow]:
    for seat, at in sorted(case.seats.items()):
        own = [("", name, amount) for name, amount in at.wagers.items()]
        behind = [(who, name, amount) for who, other in at.backline.items() for name, amount in other.wagers.items()]
        for bettor, name, amount in (*own, *behind):
            if (name != terms.law.play.name) is before_the_cards:
                yield FactRow(Fact.WAGER_PLACED, seq, seat, bettor, name, amount=amount)
                seq += 1


def _actions(case: Case, seq: int) -> Iterator[FactRow]:
    for seat, at in sorted(case.seats.items()):
        match at.acted:
            case None:
                continue
            case "fold":
                yield FactRow(Fact.ACTION, seq, seat, code=ACTION_CODE[Action.FOLD])
            case "void_hand":
                yield FactRow(Fact.VOIDED, seq, seat, choice="player_option")
            case other:
                raise CaseError(f"case {case.name!r}, seat {seat}: {other!r} is neither fold nor void_hand")
        seq += 1


def _lay_out(row: RoundRow, case: Case, filing: Filing, terms: Terms, seq: int) -> None:
    """The deal, the hands shown, the button and the rack; hands that a case leaves out get what is left."""
    batch = batch_of([row]).mentioning(filing.pack.data.wagers)
    seats = seats_of(batch, terms)
    hands = _hands(case, terms, seats)
    against = int(seats.against[0])
    if against and hands:
        third = np.array([hands[against][-1]], np.uint8)
        button = int(seat_due(third, seats.against, terms)[0])
        row.facts.append(FactRow(Fact.BUTTON, seq, button, choice="action", card=int(third[0])))
    else:
        button = 0
    order = deals_of(batch, seats).positions[0]
    dealt = bytearray(terms.hand * len(hands))
    for place, cards in hands.items():
        for at, card in zip(order[place].tolist(), cards, strict=True):
            dealt[at] = card
    row.dealt, row.dealt_place, row.dealt_to = bytes(dealt), [UNKNOWN] * len(dealt), bytes(len(dealt))
    shown = [place for place in sorted(hands) if place == against or seats.in_play[0, place] or seats.live[0, place]]
    row.shown = [ShownRow(place, 0, 0, hands[place], seq + 1 + at) for at, place in enumerate(shown)]
    left = list(terms.deck)
    for card in b"".join(hands.values()):
        left.remove(card)
    on_table = {Key(STUB): bytes(left)} | {Key(place): cards for place, cards in hands.items()}
    row.rack = pick_up(terms.pickup, situation_of(seats, 0, button), on_table, {}, button) if hands else b""
    row.fixed["last_seq"] = seq + 1 + len(shown)


def _hands(case: Case, terms: Terms, seats: Seats) -> dict[int, bytes]:
    """The hands of the case, by place."""
    left, found = list(terms.deck), dict[int, bytes]()
    places = np.flatnonzero(seats.dealt_in[0]).tolist()
    for seat, at in sorted(case.seats.items()):
        if at.low is not None or at.high is not None or at.choices:
            raise CaseError(f"case {case.name!r}, seat {seat}: a hand is given as cards, and nothing is chosen")
        cards = codes_of(at.cards or [])
        if cards and len(cards) != terms.hand:
            raise CaseError(f"case {case.name!r}, seat {seat}: a hand has {terms.hand} cards, not {len(cards)}")
        if seat not in places:
            continue
        for card in cards:
            if card not in left:
                often = "twice" if terms.decks == 1 else f"more than {terms.decks} times"
                raise CaseError(f"case {case.name!r}: {name_of(card)} is there {often} or in no deck of this game")
            left.remove(card)
        found[seat] = cards
    for place in places:
        if not found.get(place):
            if seats.in_play[0, place] or seats.live[0, place] or seats.is_against[0, place]:
                raise CaseError(f"case {case.name!r}: seat {place} needs {terms.hand} cards")
            found[place] = bytes(left[-terms.hand :])
            del left[-terms.hand :]
    return found
