"""A case as the round the devices would have reported: what the rack, the layout camera and the chips would show."""

from __future__ import annotations

import numpy as np

from replay.cards.pickup.picking import pick_up
from replay.cards.pickup.procedure import Procedure
from replay.cards.pickup.situation import Key
from replay.cards.pickup.words import Word
from replay.cards.solver.layout import STUB as STUB_PLACE
from replay.families.split_hands.dealt_in import terms_dealt
from replay.families.split_hands.hands import wins_nothing
from replay.families.split_hands.law import Banking, Starting
from replay.families.split_hands.pickup import Results, compared_with_bank, pickup_of, situation_of
from replay.families.split_hands.player_dealer import button_due
from replay.families.split_hands.seats import seats_of
from replay.families.split_hands.staying import kept_places, what_keeps
from replay.families.split_hands.terms import FIRST_CARDS, Terms, terms_of
from replay.filing import Filing, canonical_filing
from replay.money.case_meters import contributions
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    START_METHOD_CODE,
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
from schemas.cases import Case, CaseBank, CaseDealer, CaseError, CaseSeat
from schemas.events import Action, BankKind, StartMethod
from schemas.places import DEALER


def row_of_case(case: Case, filing: Filing) -> RoundRow:
    terms = terms_of(filing)
    nobody_banks = terms.banking is Banking.NONE and terms.law.player_dealer is None
    if (case.bank is not None and nobody_banks) or case.hands:
        raise CaseError(
            f"case {case.name!r}: as filed {filing.pack.id} knows neither a bank nor hands beside the seats'"
        )
    filed = canonical_filing(filing.pack.id, filing.pack.data.version, filing.options)
    row = RoundRow({"table_id": "CASE", "round_id": "case", "filing": filed}, unknown_fixed())
    row.facts = _wagers(case)
    terms = terms_dealt(batch_of([row]), filing)
    seq = len(row.facts) + 2
    row.fixed.update(first_seq=1, bets_closed_seq=seq, start_seq=seq + 1, start_place=0, stub_count=terms.geometry.stub)
    row.fixed.update(flags=int(RoundFlag.CLOSED | RoundFlag.RACK_READ | RoundFlag.CONTEXT_UNKNOWN))
    if terms.begins_left_of_dealer:
        row.fixed["start_place"] = UNKNOWN
    else:
        row.fixed["start_method"] = START_METHOD_CODE[StartMethod(terms.starting)]
        number = {Starting.DICE: terms.law.start.case_dice_total, Starting.RNG: 1, Starting.BUTTON: UNKNOWN}
        row.fixed["start_number"] = number[terms.starting]
    if case.bank is not None:
        _bank(row, case, case.bank, terms)
    row.facts += contributions(case, seq + 2, ((side.name, side.meters) for side in terms.sides))
    row.facts += _actions(case, seq + 2 + len(row.facts))
    _lay_out(row, case, terms, filing.pickup, seq + 2 + len(row.facts))
    return row


def _bank(row: RoundRow, case: Case, bank: CaseBank, terms: Terms) -> None:
    if terms.law.player_dealer is not None:
        if bank.kind != BankKind.PLAYER_DEALER:
            raise CaseError(f"case {case.name!r}: bank.kind is player_dealer in this game, not {bank.kind!r}")
        total = case.dice or terms.law.start.case_dice_total
        place = int(terms.law.start.of_number(np.array([total]), np.array([bank.seat]))[0])
        row.fixed.update(start_number=total, start_place=place, bank_seat=bank.seat, bank_seq=1, first_stack=1)
        row.fixed.update(bank_kind=BANK_KIND_CODE[BankKind.PLAYER_DEALER])
        row.fixed["bank_posted_cents"] = UNKNOWN if bank.posted is None else bank.posted
        return
    if bank.kind not in (BankKind.BANK, BankKind.CO_BANK):
        raise CaseError(f"case {case.name!r}: bank.kind is bank or co_bank in this game, not {bank.kind!r}")
    row.fixed.update(bank_seat=bank.seat, bank_kind=BANK_KIND_CODE[BankKind(bank.kind)], bank_seq=1)
    row.fixed.update(start_place=bank.seat, dealer_wager_cents=bank.dealer_wager or 0, first_stack=1)


def _wagers(case: Case) -> list[FactRow]:
    facts: list[FactRow] = []
    for seat, at in sorted(case.seats.items()):
        bets = [("", name, amount, at.choices.get(name, "")) for name, amount in at.wagers.items()]
        bets += [(who, name, amount, "") for who, other in at.backline.items() for name, amount in other.wagers.items()]
        for bettor, name, amount, choice in bets:
            facts.append(FactRow(Fact.WAGER_PLACED, len(facts) + 2, seat, bettor, name, choice, amount=amount))
    return facts


def _actions(case: Case, seq: int) -> list[FactRow]:
    facts: list[FactRow] = []
    for seat, at in sorted(case.seats.items()):
        match at.acted:
            case None:
                pass
            case "surrender":
                facts.append(FactRow(Fact.ACTION, seq + len(facts), seat, code=ACTION_CODE[Action.SURRENDER]))
            case "void_hand":
                facts.append(FactRow(Fact.VOIDED, seq + len(facts), seat, choice="player_option"))
            case other:
                raise CaseError(f"case {case.name!r}, seat {seat}: {other!r} is neither surrender nor void_hand")
    return facts


def _lay_out(row: RoundRow, case: Case, terms: Terms, procedure: Procedure, seq: int) -> None:
    """The hands shown, and the rack as the pickup procedure fills it; places the case leaves out get what is left."""
    geometry, seats = terms.geometry, seats_of(batch_of([row]), terms)
    size, against = geometry.deck_size, int(seats.against[0])
    shown = (against, DEALER) if not against or seats.dealer_stake[0] > 0 else (against,)
    button = None
    if terms.law.player_dealer is not None:
        button = button_due(seats, np.array([row.fixed["start_place"]]), terms)
        row.facts.append(FactRow(Fact.BUTTON, seq, int(button[0]), choice="action"))
    hands: dict[int, bytes] = {}
    used: set[int] = set()
    for place, at in [(0, case.dealer), *sorted(case.seats.items())]:
        if at is None or place >= geometry.places:
            continue
        cards, low = _cards(case, place, at, terms)
        if not cards:
            continue
        for card in cards:
            if card in used or card >= size:
                raise CaseError(f"case {case.name!r}: {name_of(card)} is there twice or not in the deck of {size}")
            used.add(card)
        hands[place] = cards
        if isinstance(at, CaseSeat) and at.first is not None:
            row.shown.append(_first_cards(case, place, at.first, cards, terms, seq + len(row.shown)))
        if low and (place in shown or seats.exposed[0, place]):
            row.shown.append(ShownRow(place, 0, low, cards, seq + len(row.shown)))
    left = [card for card in range(size) if card not in used]
    for place in geometry.hand_places:
        if place not in hands:
            if place in shown or seats.exposed[0, place]:
                who = f"seat {place}" if place else "the dealer"
                raise CaseError(f"case {case.name!r}: {who} needs cards: give low and high, or cards")
            hands[place] = bytes(left[-geometry.cards :])
            del left[-geometry.cards :]
    pickup = pickup_of(seats, procedure, geometry, button)
    on_table = {Key(STUB_PLACE): bytes(left)}
    stay: dict[Key, set[Word]] = {}
    compared = compared_with_bank(seats, 0)
    results = Results(terms).words(hands, against, compared)
    for place, cards in hands.items():
        stay[Key(place)] = {word for word, so in results.get(place, {}).items() if so}
        hand = np.frombuffer(cards, np.uint8)[None, :]
        for keeps, (must, _) in zip(what_keeps(terms), kept_places(seats), strict=True):
            if must[0, place] and bool(keeps.holds(hand)[0]):
                stay[Key(place)].add(keeps.word)
        unset = pickup.unset[0, place] and not _left_as_set(terms, cards)
        on_table[Key(place)] = bytes(sorted(cards, reverse=True)) if unset else cards
    row.rack = pick_up(
        procedure, situation_of(pickup, seats, 0), on_table, stay, 0 if button is None else int(button[0])
    )
    row.fixed["last_seq"] = seq + len(row.shown)


def _first_cards(case: Case, seat: int, first: list[str], cards: bytes, terms: Terms, seq: int) -> ShownRow:
    """What a player lays face up for a wager on the cards dealt first."""
    if not terms.judges_first_cards:
        raise CaseError(f"case {case.name!r}, seat {seat}: no wager offered is on the first cards; leave `first` out")
    dealt = codes_of(first)
    if len(set(dealt)) != FIRST_CARDS or not set(dealt) <= set(cards):
        raise CaseError(
            f"case {case.name!r}, seat {seat}: first are {FIRST_CARDS} of the hand's own cards, not {' '.join(first)}"
        )
    return ShownRow(seat, 0, 0, dealt, seq)


def _left_as_set(terms: Terms, cards: bytes) -> bool:
    """Whether a hand keeps its setting as its bonus wager does not win."""
    hand = np.frombuffer(cards, np.uint8)[None, :]
    return terms.law.resets_winners_only and bool(wins_nothing(hand, terms)[0])


def _cards(case: Case, place: int, at: CaseSeat | CaseDealer, terms: Terms) -> tuple[bytes, int]:
    """The cards of a place, low hand first, and how many of them are the low hand (0: not said)."""
    if at.cards is not None and (at.low is not None or at.high is not None):
        raise CaseError(f"case {case.name!r}, place {place}: give low and high, or cards, not both")
    if (at.low is None) != (at.high is None):
        raise CaseError(f"case {case.name!r}, place {place}: low and high go together")
    cards, low = codes_of([*(at.low or []), *(at.high or []), *(at.cards or [])]), len(at.low or [])
    if cards and len(cards) != terms.geometry.cards:
        raise CaseError(f"case {case.name!r}, place {place}: a hand has {terms.geometry.cards} cards, not {len(cards)}")
    if cards and place == 0 and not low:  # the house sets its hand the house way
        return terms.ranking.house_way(np.frombuffer(cards, np.uint8)[None, :])[0].tobytes(), terms.geometry.low
    return cards, low
