"""One assembled round from its events: what each kind of event adds to the round's row.

Knows the events and the columns; nothing of tables, of other rounds (what it needs of those is in the `Context`) or of
any game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from replay.assembling import meters, seating
from replay.assembling.meters import Meter, Step
from replay.cards.deck_history import Known, Record, burned_aside, deck_facts
from replay.limits import ROUND_BYTES, ROUND_CENTS, ROUND_FACTS, ROUND_HANDS_SHOWN, RoundTooLarge, check_cards
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    DEALT_TO,
    NO_DECK,
    OUTCOME_CODE,
    PAYER_CODE,
    START_METHOD_CODE,
    UNKNOWN,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    bare_row,
    unknown_fixed,
)
from schemas import events as ev
from schemas.admitted import Admitted, AdmittedFlag
from schemas.cards import CARD_CODES, NO_CARD
from schemas.clock import microseconds
from schemas.events import DATA_MODEL_OF, Said, says_something
from schemas.money import dollars


@dataclass
class Context:
    """What the table knew when a round began. Never changed once a round has it, so rounds may share its lists."""

    filing: str = ""
    unusable: str = ""  # why the filing cannot be used
    gaming_day: str = ""
    dealer: str = ""
    deck: str = ""
    previous_deck: str = ""
    decks: int = UNKNOWN
    jokers: int = UNKNOWN
    deck_since_us: int = UNKNOWN
    dice_since_us: int = UNKNOWN
    previous_button: int = UNKNOWN
    previous_void: bool = False
    bank_seat: int = UNKNOWN  # of the round before
    bank_run: int = 0
    wagered_seats: list[int] | None = None  # seats with a wager in the round before
    wagered_patrons: list[str] | None = None  # who alone bet there, as far as devices said; empty where they did not
    first_offer: int = UNKNOWN  # seat the bank was last offered to first, 0 where that begins with the dealer's right
    cut_offer: int = UNKNOWN  # and the cut in the round before, 0 where a player banked it
    rounds_since_stub: int = UNKNOWN
    rack: str = ""  # what the rack holds, as hex codes
    rack_deck: str = ""  # and of which decks, where a reader can tell
    rack_sure: bool = False  # all that went into the rack since it was last empty was read
    burned: str = ""  # cards burned since then that are not in it, as hex codes
    records: dict[str, Record] = field(default_factory=dict)  # deck → what is astray with it, where anything is
    deck_counted: int = UNKNOWN  # cards a device counted at the shuffle before the deal
    deck_counted_seq: int = UNKNOWN
    shuffle_failed: list[Any] | None = None  # [seq, fault] of the shuffling device, and no shuffle before the deal
    dealt_before: int = UNKNOWN  # when this deck's cards were last seen in an earlier round, if not shuffled since
    said_of: dict[str, list[list[Any]]] = field(default_factory=dict)  # see replay/assembling/equipment.py
    dice: str = ""
    shuffler: str = ""  # the automated shuffling device, while it is at the table
    inspections_reported: bool = False  # some device says when cards and dice are inspected
    miscounted: list[Any] | None = None  # the count of this deck had made the hands of its last round void
    deck_removed: str = ""  # why the deck was taken off the table before the round was settled
    deck_removed_seq: int = UNKNOWN
    opened_us: int = UNKNOWN  # of the round before
    patrons: list[seating.Place] = field(default_factory=list)  # who sits where, as far as devices said
    bank_patron: str = ""  # who banked the round before, where that is known
    meters: list[Meter] = field(default_factory=list)  # what each stood at after the round before
    meter_steps: list[Step] = field(default_factory=list)  # and what was said of them since, outside of rounds
    rests: dict[str, list[int]] = field(default_factory=dict)  # what all this is from → first and last seq of events
    unknown: bool = True  # nothing is known of the round before
    missing_before: bool = False  # events between the rounds are missing
    rounds_missing: bool = False  # so many that whole rounds may be among them
    rack_uncut: bool = False  # the rack was read after several rounds, and nothing tells their cards apart

    def copy(self) -> Context:
        """Another one with the same lists; once a round, and `dataclasses.replace` would take twenty times as long."""
        other = Context.__new__(Context)
        other.__dict__.update(self.__dict__)
        return other

    @classmethod
    def of(cls, said: dict[str, Any]) -> Context:
        """A context from its JSON form."""
        records = {deck: Record(**record) for deck, record in said.get("records", {}).items()}
        return cls(**{**said, "records": records})


class _Builder:
    """Collects one round's row while its events are gone through."""

    __slots__ = (
        "before",
        "emptied",
        "facts",
        "fixed",
        "missing",
        "offers",
        "rack",
        "rack_deck",
        "rack_uncut",
        "rack_unsure",
        "rounds_missing",
        "row",
    )

    def __init__(self, context: Context) -> None:
        self.fixed = unknown_fixed()
        self.row = RoundRow({}, self.fixed)
        self.facts = self.row.facts
        self.before = self.rack = bytes.fromhex(context.rack)
        self.rack_deck = bytes.fromhex(context.rack_deck)
        self.rack_unsure = False
        self.missing = context.missing_before
        self.rounds_missing = context.rounds_missing
        self.rack_uncut = context.rack_uncut
        self.offers = False  # bank or cut were offered, as a device saw
        self.emptied = False  # the rack was, in this round: cards of the shoe are elsewhere


class LateRack(NamedTuple):
    """A round's share of a scan that came in a later round."""

    cards: bytes
    decks: bytes
    seq: int  # of the scan


def build_row(
    table_id: str,
    round_id: str,
    events: list[Admitted],
    context: Context,
    flags: int,
    version: int,
    late: LateRack | None = None,
) -> tuple[RoundRow, bytes, bytes]:
    """One assembled round from its events, in sequence order, corrections applied; and what the rack holds after it
    (faces, and decks where a reader tells them)."""
    ordered = sorted(events, key=seq_of) if flags & RoundFlag.REOPENED else events  # fed in order otherwise
    builder = _Builder(context)
    row, fixed = builder.row, builder.fixed
    row.named = {
        "table_id": table_id,
        "round_id": round_id,
        "filing": context.filing,
        "gaming_day": context.gaming_day,
        "dealer": context.dealer,
        "deck": context.deck,
        "previous_deck": context.previous_deck,
    }
    corrected, useless = _corrections(ordered)
    builder.facts.extend(FactRow(Fact.USELESS_CORRECTION, seq) for seq in useless)
    handlers = _HANDLERS
    closed = 0
    if type(ordered[0].event.__dict__["data"]) is not _ROUND_OPENED and not _has_opened(ordered):
        flags |= _NEVER_OPENED
    for _, _, event, noted, _ in ordered:
        said = event.__dict__
        data: Said | None = said["data"]
        if noted:
            flags |= ROUND_FLAGS[noted]
        if type(data) is _ROUND_CLOSED:
            closed = _CLOSED
        seq = said["seq"]
        if corrected and seq in corrected:
            data = corrected[seq]
            if data is None:
                continue
        if closed and isinstance(data, _ROUND_VOIDED) and not says_something(data.by):  # nobody answers for it
            builder.facts.append(FactRow(Fact.USELESS_CORRECTION, seq))
            continue
        handler = handlers.get(type(data))
        if handler is not None:
            handler(builder, seq, data)
    _check_facts(builder.facts)
    if late is not None:
        row.rack, row.rack_deck = late.cards, late.decks
        builder.rack, builder.rack_deck = builder.before + late.cards, builder.rack_deck + late.decks
        fixed["rack_first_seq"] = fixed["rack_last_seq"] = late.seq
    first, last = ordered[0], ordered[-1]
    opened_us = microseconds(first.event.time)
    flags |= closed
    if corrected:
        flags |= _CORRECTED
    if context.unusable:
        flags |= _FILING_UNUSABLE
    if not context.filing:
        flags |= _NO_FILING
    if context.unknown:
        flags |= _CONTEXT_UNKNOWN
    if context.missing_before:
        flags |= _MISSING_BEFORE
    if context.previous_void:
        flags |= _AFTER_VOID
    if row.rack:
        flags |= _RACK_READ
    if row.dealt:
        flags |= _DEAL_READ
    if builder.rack_unsure:
        flags |= _RACK_UNSURE
    if builder.rack_uncut:
        flags |= _RACK_UNCUT
    if any(fact.kind == _VOIDED_FACT and fact.seat == 0 for fact in row.facts):
        flags |= _VOIDED
    banking = fixed["bank_seat"]
    if len(row.rack_deck) != len(row.rack):  # said for some cards only: no use
        row.rack_deck = b""
    if len(row.dealt_deck) != len(row.dealt):
        row.dealt_deck = b""
    fixed.update(
        version=version,
        flags=flags,
        opened_us=opened_us,
        closed_us=microseconds(last.event.time),
        first_seq=first.event.seq,
        last_seq=last.event.seq,
        first_offset=first.offset,
        last_offset=last.offset,
        rack_before=len(builder.before),
        decks=context.decks,
        jokers=context.jokers,
        since_previous_s=UNKNOWN if context.opened_us < 0 else (opened_us - context.opened_us) // 1_000_000,
        previous_button=context.previous_button,
        deck_age_s=UNKNOWN if context.deck_since_us < 0 else (opened_us - context.deck_since_us) // 1_000_000,
        dice_age_s=UNKNOWN if context.dice_since_us < 0 else (opened_us - context.dice_since_us) // 1_000_000,
        rounds_since_stub_count=context.rounds_since_stub,
    )
    builder.facts.extend(seating.facts(context.patrons))
    if context.meters or context.meter_steps:
        builder.facts.extend(meters.facts(context))
    if banking != UNKNOWN:
        # With events missing this is the least it can be, which is all a reproach may rest on.
        fixed["bank_run"] = context.bank_run + 1 if _same_bank(context, banking) else 1
        if context.wagered_seats is not None and not context.unknown:
            fixed["bank_wagered_before"] = _wagered_before(context, banking, fixed["bank_kind"] != _PLAYER_DEALER)
    if builder.offers:
        _note_turns(builder, context)
    if context.shuffle_failed is not None:
        failed_seq, what = context.shuffle_failed
        builder.facts.append(FactRow(Fact.NOT_RESHUFFLED, failed_seq, choice=what))
    if context.dealt_before != UNKNOWN:
        builder.facts.append(FactRow(Fact.NOT_SHUFFLED, context.dealt_before))
    if context.miscounted is not None:
        voided_in, void_seq, left, racked = context.miscounted
        builder.facts.append(FactRow(Fact.MISCOUNTED, void_seq, choice=voided_in, amount=left, other=racked))
    builder.facts.extend(FactRow(*said) for rows in context.said_of.values() for said in rows)
    _count_copies(builder, context.decks)
    if context.records or context.rack_sure or context.deck_counted != UNKNOWN or context.deck_removed:
        known = _known_of_deck(context)
        builder.facts.extend(
            deck_facts(row, builder.rack, known._replace(rack_sure=False) if builder.emptied else known)
        )
    return row, builder.rack, builder.rack_deck


def row_not_assembled(
    table_id: str,
    round_id: str,
    events: Sequence[Admitted],
    context: Context,
    flags: int,
    version: int,
    why: str,
    too_large: bool,
) -> RoundRow:
    """The row of a round that `build_row` could not make: where it lies in the record, and why there is no more."""
    named = {
        "table_id": table_id,
        "round_id": round_id,
        "filing": context.filing,
        "gaming_day": context.gaming_day,
        "dealer": context.dealer,
    }
    fixed = unknown_fixed() | {"version": version, "flags": flags}
    ordered = sorted(events, key=seq_of)
    if ordered:
        first, last = ordered[0], ordered[-1]
        if type(last.event.data) is _ROUND_CLOSED:
            fixed["flags"] |= _CLOSED
        fixed.update(
            opened_us=microseconds(first.event.time),
            closed_us=microseconds(last.event.time),
            first_seq=first.event.seq,
            last_seq=last.event.seq,
            first_offset=first.offset,
            last_offset=last.offset,
        )
    return bare_row(named, fixed, why, too_large)


def check_bytes(count: int) -> None:
    """Of all the events of a round together."""
    if count > ROUND_BYTES:
        raise RoundTooLarge(f"its events have more than {ROUND_BYTES:,} bytes")


def _check_facts(facts: Sequence[FactRow]) -> None:
    if len(facts) > ROUND_FACTS:
        raise RoundTooLarge(f"more than {ROUND_FACTS:,} wagers, actions, settlements and fees were reported")
    if sum(max(fact.amount, 0) + max(fact.taken, 0) for fact in facts if fact.amount or fact.taken) > ROUND_CENTS:
        raise RoundTooLarge(f"the amounts reported come to more than {dollars(ROUND_CENTS)}")


def _has_opened(events: Sequence[Admitted]) -> bool:
    return any(type(event.__dict__["data"]) is _ROUND_OPENED for _, _, event, _, _ in events)


def _known_of_deck(context: Context) -> Known:
    return Known(
        context.deck,
        context.records,
        context.deck_counted,
        context.deck_counted_seq,
        context.deck_removed,
        context.deck_removed_seq,
        context.rack_sure,
        bytes.fromhex(context.burned),
    )


def _same_bank(context: Context, seat: int) -> bool:
    """Whether who banks now banked the round before: the same person, wherever seated, or where a device has not said
    who sits there the same seat (rulings.md R-52)."""
    patron = seating.patron_at(context.patrons, seat)
    if patron and context.bank_patron:
        return patron == context.bank_patron
    return seat == context.bank_seat


def _wagered_before(context: Context, seat: int, wherever: bool) -> int:
    """Whether who banks at this seat had a wager in the round before, on that spot or, for a bank (`wherever`), on any:
    that is the person's, where a device says who sat where then and now (rulings.md R-52), else the seat's."""
    if seat == context.bank_seat and _same_bank(context, seat):
        return 1  # had the bank there
    patrons = context.wagered_patrons or [""] * len(context.wagered_seats or ())
    bet = dict(zip(context.wagered_seats or (), patrons, strict=True))
    patron = seating.patron_at(context.patrons, seat)
    if not patron:
        return int(seat in bet)
    if not wherever:
        return int(seat in bet and bet[seat] in ("", patron))
    if patron in bet.values():
        return 1
    if bet.get(seat) == "":
        return 1
    return UNKNOWN if "" in bet.values() else 0


def burned_after(context: Context, row: RoundRow) -> str:
    """What `Context.burned` is after this round."""
    return context.burned + burned_aside(row).hex()


def seq_of(admitted: Admitted) -> int:
    return admitted.event.seq


def _corrections(events: Sequence[Admitted]) -> tuple[dict[int, Said | None], list[int]]:
    """Sequence number → what the event should have said (None: it should not have been said); and useless corrections.

    The last correction of an event that stands counts. A correction may itself be corrected, or taken back: then what
    it said no longer holds, and the event is again as it was before it. A correction that names no event of the round,
    says what that event cannot say, or does not say who makes it and why, is given back by its own sequence number: the
    event stands as it was and the replay says so.
    """
    corrections = [event for _, _, event, _, _ in events if type(event.__dict__["data"]) is ev.RoundCorrected]
    if not corrections:
        return {}, []
    said: dict[int, Said | None] = {}
    useless: list[int] = []
    types = {a.event.seq: a.event.type for a in events}
    stands: dict[int, Said | None] = {}
    for event in reversed(corrections):  # the last word first: what is taken back later has no say
        data = stands.get(event.seq, event.data)
        if data is None:
            continue
        assert isinstance(data, ev.RoundCorrected)
        if not says_something(data.by) or not says_something(data.reason):
            useless.append(event.seq)
            continue
        corrects = data.corrects_seq
        model = DATA_MODEL_OF.get(types.get(corrects, ""))
        meant: Said | None = None
        try:
            if model is None or (model is ev.RoundCorrected and corrects >= event.seq):
                useless.append(event.seq)
                continue
            if data.replacement is not None:
                meant = ev.read_data(types[corrects], json.dumps(data.replacement))
        except ValueError:  # what it says is no such event, or is no number anybody can write
            useless.append(event.seq)
            continue
        if model is ev.RoundCorrected:
            assert meant is None or isinstance(meant, ev.RoundCorrected)
            stands.setdefault(corrects, meant)
        else:
            said.setdefault(corrects, meant)
    return said, sorted(useless)


def _count_copies(builder: _Builder, decks: int) -> None:
    """A shoe's rack must not hold more copies of a card than the shoe did.

    A single deck counts only where its rack runs over several rounds; within one round its pack looks at the cards.
    """
    if decks < 1 or not builder.row.rack or (decks == 1 and not builder.before):
        return
    for code in sorted(set(builder.row.rack)):
        copies = builder.rack.count(code)
        if copies > decks:
            builder.facts.append(FactRow(Fact.TOO_MANY, builder.fixed["last_seq"], card=code, other=copies))
    if len(builder.rack_deck) == len(builder.rack):  # every card marked: each may be in the rack once
        marked = list(zip(builder.rack, builder.rack_deck, strict=True))
        for code, deck in sorted(set(marked[-len(builder.row.rack) :])):
            copies = marked.count((code, deck))
            if copies > 1 and deck != NO_DECK:
                builder.facts.append(FactRow(Fact.TOO_MANY, builder.fixed["last_seq"], card=code, other=copies))


def _on_bank_accepted(builder: _Builder, seq: int, data: ev.BankAccepted) -> None:
    builder.fixed.update(
        bank_seat=data.seat,
        bank_kind=BANK_KIND_CODE[data.kind],
        bank_posted_cents=UNKNOWN if data.cover_cents is None else data.cover_cents,
        bank_turn=UNKNOWN if data.turn is None else data.turn,
        bank_seq=seq,
        dealer_wager_cents=UNKNOWN if data.dealer_wager_cents is None else data.dealer_wager_cents,
        first_stack=UNKNOWN if data.first_stack is None else data.first_stack,
    )


def _wager_fact(kind: Fact) -> Callable[[_Builder, int, Any], None]:
    number = int(kind)

    def handler(builder: _Builder, seq: int, data: Any) -> None:
        said = data.__dict__
        amount = said.get("amount_cents", 0)  # a withdrawal names none
        whose = said["bettor"] or ""
        choice = said["choice"] or ""
        builder.facts.append(
            _fact_row((number, seq, said["seat"], whose, said["wager"], choice, said["hand"], 0, amount, 0, 0, NO_CARD))
        )

    return handler


def _on_collection(builder: _Builder, seq: int, data: ev.CollectionTaken) -> None:
    builder.facts.append(_fee_fact(Fact.COLLECTION, seq, data, data.box))


def _fee_fact(
    kind: Fact, seq: int, data: ev.CollectionTaken | ev.CollectionWaived | ev.CollectionRefunded, choice: str
) -> FactRow:
    payer, whose = PAYER_CODE[data.payer], data.bettor or ""
    return FactRow(kind, seq, data.seat or 0, whose, data.wager or "", choice, 0, payer, data.amount_cents)


def _note_turns(builder: _Builder, context: Context) -> None:
    """What tells whose turn it was to be offered the bank, or the cut."""
    if context.unknown or context.missing_before:
        return
    facts, seq = builder.facts, builder.facts[0].seq
    asked = {fact.kind for fact in facts}
    if int(Fact.BANK_OFFERED) in asked and builder.fixed["bank_kind"] != _PLAYER_DEALER:
        if context.first_offer != UNKNOWN:
            facts.append(FactRow(Fact.FIRST_OFFERED, seq, context.first_offer, wager="bank"))
        bet = [seat for seat in context.wagered_seats or () if seat != context.bank_seat]
        may = [seat for seat in bet if _wagered_before(context, seat, False) == 1]
        facts.extend(FactRow(Fact.MAY_BANK, seq, seat) for seat in may)
    if int(Fact.CUT) in asked and context.cut_offer != UNKNOWN:
        facts.append(FactRow(Fact.FIRST_OFFERED, seq, context.cut_offer, wager="cut"))


def _on_bank_offered(builder: _Builder, seq: int, data: ev.BankOffered) -> None:
    builder.offers = True
    builder.facts.append(FactRow(Fact.BANK_OFFERED, seq, data.seat))


def _on_cut(builder: _Builder, seq: int, data: ev.CutMade) -> None:
    if data.depth is not None:
        builder.facts.append(FactRow(Fact.CUT_DEPTH, seq, data.place, amount=data.depth))
    if data.offered is not None:
        builder.offers = True
        builder.facts.append(FactRow(Fact.CUT, seq, data.place))
        offered = enumerate(data.offered)
        builder.facts.extend(FactRow(Fact.CUT_OFFERED, seq, seat, other=number) for number, seat in offered)


def _on_shuffle(builder: _Builder, seq: int, data: ev.ShuffleCompleted) -> None:
    if any(fact.kind in (_EXPOSED_FACT, _BOARD_FACT) for fact in builder.facts):
        builder.facts.append(FactRow(Fact.RESHUFFLED, seq))


def _on_bets_closed(builder: _Builder, seq: int, data: ev.BetsClosed) -> None:
    if builder.fixed["bets_closed_seq"] == UNKNOWN:
        builder.fixed["bets_closed_seq"] = seq


def _on_start(builder: _Builder, seq: int, data: ev.StartDetermined) -> None:
    number = data.number
    if number is None:  # a reading of one or two of the three dice is no total
        number = sum(data.dice) if data.dice is not None and len(data.dice) == 3 else UNKNOWN
    builder.fixed.update(
        start_seq=seq, start_method=START_METHOD_CODE[data.method], start_number=number, start_place=data.place
    )


def _on_dealt(builder: _Builder, seq: int, data: ev.CardsDealt) -> None:
    row, fixed = builder.row, builder.fixed
    if fixed["first_card_seq"] == UNKNOWN:
        fixed["first_card_seq"] = seq
        fixed["first_card_count"] = len(data.cards)
    fixed["last_card_seq"] = seq
    count = len(data.cards)
    check_cards(len(row.dealt) + count, "in the deal")
    row.dealt += bytes(map(_code_of, data.cards))
    row.dealt_deck += _decks(data.deck_index, count)
    places = data.places
    row.dealt_place.extend(places if places is not None and len(places) == count else [UNKNOWN] * count)
    row.dealt_to += _DEALT_TO_CODE.get(data.to or "", b"\0") * count
    if data.to == "board":
        builder.facts.append(FactRow(Fact.BOARD, seq, amount=count))


def _on_shown(builder: _Builder, seq: int, data: ev.HandShown) -> None:
    low = data.low or []
    cards = [*low, *(data.high or []), *(data.cards or []), *(data.rest or [])]
    codes = bytes(map(_code_of, cards))
    if len(builder.row.shown) >= ROUND_HANDS_SHOWN:
        raise RoundTooLarge(f"more than {ROUND_HANDS_SHOWN:,} hands were shown")
    builder.row.shown.append(ShownRow(data.place, data.hand, len(low), codes, seq))


def _on_discard(builder: _Builder, seq: int, data: ev.DiscardRead) -> None:
    codes = bytes(map(_code_of, data.cards))
    decks = _decks(data.deck_index, len(codes))
    row, fixed = builder.row, builder.fixed
    if data.mode == "scan" and not codes:  # what was inserted in this round was read, wherever it is now
        builder.before = builder.rack = builder.rack_deck = b""
        builder.emptied = True
        return
    if fixed["rack_first_seq"] == UNKNOWN:
        fixed["rack_first_seq"] = seq
    fixed["rack_last_seq"] = seq
    if data.mode == "inserted":
        check_cards(len(row.rack) + len(codes), "in the rack")
        row.rack += codes
        builder.rack += codes
        if decks:
            row.rack_deck += decks
            builder.rack_deck += decks
        return
    before = builder.before
    builder.rack, builder.rack_deck = codes, decks
    if builder.missing and not codes.startswith(before):  # it may have been emptied in between
        builder.before = before = b""
    if builder.rounds_missing and not row.rack:  # and rounds may have put their cards there
        builder.rack_uncut = True
        return
    if not codes.startswith(before):
        builder.rack_unsure = True
    new = len(before) if codes.startswith(before) or len(codes) > len(before) else 0
    row.rack, row.rack_deck = codes[new:], decks[new:]


def _decks(index: list[int] | None, count: int) -> bytes:
    """One deck number a card, or nothing where the reader cannot tell (or does not say it for each card)."""
    return bytes(index) if index is not None and len(index) == count else b""


def _on_settled(builder: _Builder, seq: int, data: ev.WagerSettled) -> None:
    said = data.__dict__
    builder.facts.append(
        _fact_row(
            (
                _SETTLED,
                seq,
                said["seat"],
                said["bettor"] or "",
                said["wager"],
                said["choice"] or "",
                said["hand"],
                OUTCOME_CODE[said["outcome"]],
                said["paid_cents"],
                said["taken_cents"],
                0,
                NO_CARD,
            )
        )
    )


def _card(card: str | None) -> int:
    return NO_CARD if card is None else CARD_CODES[card]


def _on_progressive_paid(builder: _Builder, seq: int, data: ev.ProgressivePaid) -> None:
    builder.facts.append(
        FactRow(
            Fact.PROGRESSIVE_OUT,
            seq,
            data.seat,
            data.bettor or "",
            choice=data.meter,
            amount=data.amount_cents,
            taken=UNKNOWN if data.meter_cents is None else data.meter_cents,
            other=int(data.from_meter),
        )
    )


def _fact(make: Callable[[int, Any], FactRow]) -> Callable[[_Builder, int, Any], None]:
    def handler(builder: _Builder, seq: int, data: Any) -> None:
        builder.facts.append(make(seq, data))

    return handler


def _on_stub(builder: _Builder, seq: int, data: ev.StubCounted) -> None:
    builder.fixed.update(stub_count=data.count, stub_seq=seq)


_HANDLERS: dict[type, Callable[[_Builder, int, Any], None]] = {
    ev.BankAccepted: _on_bank_accepted,
    ev.BankOffered: _on_bank_offered,
    ev.BankDeclined: _fact(lambda seq, d: FactRow(Fact.BANK_DECLINED, seq, d.seat)),
    ev.WagerPlaced: _wager_fact(Fact.WAGER_PLACED),
    ev.WagerChanged: _wager_fact(Fact.WAGER_CHANGED),
    ev.WagerWithdrawn: _wager_fact(Fact.WAGER_WITHDRAWN),
    ev.CollectionTaken: _on_collection,
    ev.CollectionWaived: _fact(lambda seq, d: _fee_fact(Fact.WAIVED, seq, d, d.by or "")),
    ev.CollectionRefunded: _fact(lambda seq, d: _fee_fact(Fact.REFUNDED, seq, d, d.box)),
    ev.BetsClosed: _on_bets_closed,
    ev.StartDetermined: _on_start,
    ev.NoRoll: _fact(lambda seq, d: FactRow(Fact.NO_ROLL, seq, choice=d.reason)),
    ev.ButtonPlaced: _fact(lambda seq, d: FactRow(Fact.BUTTON, seq, d.place, choice=d.purpose, card=_card(d.card))),
    ev.CardsDealt: _on_dealt,
    ev.StubCounted: _on_stub,
    ev.CardExposed: _fact(lambda seq, d: FactRow(Fact.EXPOSED, seq, d.place, choice=d.during, card=_card(d.card))),
    ev.CardBoxed: _fact(lambda seq, d: FactRow(Fact.BOXED, seq, card=_card(d.card))),
    ev.PlayerActed: _fact(
        lambda seq, d: FactRow(
            Fact.ACTION,
            seq,
            d.seat,
            d.bettor or "",
            hand=d.hand,
            code=ACTION_CODE[d.action],
            amount=UNKNOWN if d.amount_cents is None else d.amount_cents,
        )
    ),
    ev.HandShown: _on_shown,
    ev.DiscardRead: _on_discard,
    ev.WagerSettled: _on_settled,
    ev.VigorishTaken: _fact(
        lambda seq, d: FactRow(Fact.VIGORISH, seq, d.seat, d.bettor or "", d.wager, amount=d.amount_cents)
    ),
    ev.EnvyPaid: _fact(
        lambda seq, d: FactRow(Fact.ENVY, seq, d.seat, d.bettor or "", d.wager, amount=d.amount_cents, other=d.for_seat)
    ),
    ev.PotAwarded: _fact(
        lambda seq, d: FactRow(Fact.POT, seq, d.seat, choice=d.part, amount=d.amount_cents, other=d.pot)
    ),
    ev.ProgressiveContributed: _fact(
        lambda seq, d: FactRow(
            Fact.PROGRESSIVE_IN,
            seq,
            d.seat,
            choice=d.meter,
            amount=d.amount_cents,
            taken=UNKNOWN if d.meter_cents is None else d.meter_cents,
        )
    ),
    ev.ProgressivePaid: _on_progressive_paid,
    ev.MeterRead: _fact(lambda seq, d: FactRow(Fact.METER, seq, choice=d.meter, amount=d.value_cents)),
    ev.MeterReset: _fact(
        lambda seq, d: FactRow(Fact.METER_RESET, seq, choice=d.meter, amount=d.value_cents, wager=d.by or "")
    ),
    ev.ShoeFaulted: _fact(lambda seq, d: FactRow(Fact.FAULT, seq, wager="shoe", choice=d.fault)),
    ev.ShufflerFaulted: _fact(lambda seq, d: FactRow(Fact.FAULT, seq, wager="shuffler", choice=d.fault)),
    ev.ShuffleCompleted: _on_shuffle,
    ev.CutMade: _on_cut,
    ev.RoundVoided: _fact(lambda seq, d: FactRow(Fact.VOIDED, seq, d.seat or 0, choice=d.reason)),
}

_ROUND_CLOSED, _ROUND_OPENED, _ROUND_VOIDED = ev.RoundClosed, ev.RoundOpened, ev.RoundVoided

_fact_row = partial(tuple.__new__, FactRow)  # FactRow(*…) without its Python code, all twelve columns given
_code_of = CARD_CODES.__getitem__
_DEALT_TO_CODE = {name: bytes([code]) for code, name in enumerate(DEALT_TO)}

# Plain numbers: the flags are looked at once an event, and IntFlag arithmetic costs a microsecond.
_VOIDED, _CORRECTED, _AFTER_VOID = int(RoundFlag.VOIDED), int(RoundFlag.CORRECTED), int(RoundFlag.AFTER_VOID)
_CLOSED, _MISSING_BEFORE = int(RoundFlag.CLOSED), int(RoundFlag.MISSING_BEFORE)
_FILING_UNUSABLE, _NO_FILING = int(RoundFlag.FILING_UNUSABLE), int(RoundFlag.NO_FILING)
_CONTEXT_UNKNOWN, _RACK_UNSURE = int(RoundFlag.CONTEXT_UNKNOWN), int(RoundFlag.RACK_UNSURE)
_RACK_UNCUT = int(RoundFlag.RACK_UNCUT)
_RACK_READ, _DEAL_READ = int(RoundFlag.RACK_READ), int(RoundFlag.DEAL_READ)
_NEVER_OPENED = int(RoundFlag.NEVER_OPENED)
_PLAYER_DEALER = BANK_KIND_CODE[ev.BankKind.PLAYER_DEALER]
_SETTLED, _VOIDED_FACT, _EXPOSED_FACT = int(Fact.SETTLED), int(Fact.VOIDED), int(Fact.EXPOSED)
_BOARD_FACT = int(Fact.BOARD)

_FROM_ADMITTED = {
    AdmittedFlag.CHAIN_BROKEN: RoundFlag.CHAIN_BROKEN,
    AdmittedFlag.BAD_SIGNATURE: RoundFlag.BAD_SIGNATURE,
}
ROUND_FLAGS: tuple[int, ...] = tuple(
    sum(int(mine) for theirs, mine in _FROM_ADMITTED.items() if flags & theirs) for flags in range(128)
)
