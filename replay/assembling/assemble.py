"""Step 1: from a table's events to assembled rounds.

`Assembler` is fed every admitted event of a partition in table order and hands out finished rounds. It remembers, a
table, what later rounds need (filing, decks and dice, bank, button, what the rack holds) and the events of rounds still
open, all of it JSON, so that another worker can go on from a segment's state.json. It knows no game.

Late events and corrections re-open a round: at each of them it is assembled again, from all its events recorded up to
then, with the context it had the first time, and gets the next version. So how many versions a round has, and what
they rest on, follows from the events alone.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Sequence
from typing import Any

from replay.assembling import decks, equipment, filing, meters, seating
from replay.assembling.closed_rounds import Closed, comes_after, device_id, id_of_use, use_of
from replay.assembling.gaps import has_gap, note_hole, without_before
from replay.assembling.reopening import bytes_are_gone, said_unsigned, used_again
from replay.assembling.round_row import (
    ROUND_FLAGS,
    Context,
    LateRack,
    build_row,
    burned_after,
    check_bytes,
    row_not_assembled,
    seq_of,
)
from replay.assembling.table_memory import MOST_GHOSTS, DeckInPlay, Open, Table
from replay.assembling.turns import Corrected, hand_on
from replay.cards.deck_history import Record, Report, fold, report_of
from replay.containment import NOT_OF_THE_ROUND, in_words, log_contained
from replay.filing import canonical_filing, cut_rack, filing_of
from replay.limits import ROUND_BYTES, ROUND_EVENTS_LATER, RoundTooLarge
from replay.rounds import GAME_START, UNKNOWN, RoundFlag, RoundRow
from schemas import events as ev
from schemas.admitted import Admitted, AdmittedFlag, History
from schemas.clock import microseconds
from schemas.events import Event, Said, parse_event
from schemas.findings import Finding

REMEMBERED_ROUNDS = 16  # closed rounds a table keeps the context of, for late events
FULLEST_RACK = 8 * 54  # cards of the largest shoe there is
MOST_DECKS = 64  # a table remembers, the oldest go first: nobody has more in play
MOST_OPEN = 4  # rounds at one table at a time: one, and others that a device named by mistake and nobody opened
SHORTEST_ROUND = 3  # events: opened, bank accepted, closed; fewer missing ones cannot hide a round

# Plain numbers: the flags are looked at once an event, and IntFlag arithmetic costs a microsecond.
_GAP_BEFORE, _LATE = int(AdmittedFlag.GAP_BEFORE), int(AdmittedFlag.LATE)
_ATTESTED, _SUPERVISOR = int(AdmittedFlag.ATTESTED), int(AdmittedFlag.SUPERVISOR)
_OVERRULES, _CHAIN_BROKEN = int(AdmittedFlag.OVERRULES), int(AdmittedFlag.CHAIN_BROKEN)
_GAP, _ATTESTED_ROUND = int(RoundFlag.GAP), int(RoundFlag.ATTESTED)
_DECK = "deck "
_FROM_GATE = int(RoundFlag.CHAIN_BROKEN | RoundFlag.BAD_SIGNATURE)
_RACK_NOT_SURE = int(RoundFlag.GAP | RoundFlag.RACK_UNSURE)
_RACK_SURE = int(RoundFlag.RACK_READ | RoundFlag.CLOSED)
_NEVER_OPENED = int(RoundFlag.NEVER_OPENED)
_ROUND_CLOSED, _ROUND_OPENED = ev.RoundClosed, ev.RoundOpened
NOT_JUDGED = "docs/operations.md, A round that cannot be judged"
_SAID_AFTERWARDS = (ev.RoundCorrected, ev.RoundVoided)  # of a round that is over
ENDS_THE_DAY = (ev.TableOpened, ev.TableClosed)
_OPENING_MISSING = "events are missing, and the table's opening may be among them"
_TABLE_EVENTS = frozenset(model for model in ev.DATA_MODELS if model not in ev.ROUND_GROUP)


class Assembler:
    """Events in, assembled rounds out."""

    def __init__(self, history: History | None = None) -> None:
        """`history` is asked for the events of rounds that are re-opened."""
        self._tables: dict[str, Table] = {}
        self._done: list[RoundRow] = []
        self._history = history
        self._forgotten: dict[tuple[str, str], Closed] = {}  # rounds no table remembers that are not in the lake yet
        self.findings: list[Finding] = []

    # --- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything remembered, as JSON values. Take the rounds first: they are in the lake before more is fed."""
        self._forgotten = {}
        return {"tables": {table_id: table.state() for table_id, table in sorted(self._tables.items())}}

    def restore(self, state: dict[str, Any], history: History | None = None) -> None:
        """Goes on where another assembler's `state()` left off."""
        self._history = history
        self._tables = {}
        for table_id, said in state.get("tables", {}).items():
            table, tail = Table.of(said)
            self._tables[table_id] = table
            self._silently(table_id, table, tail)

    # --- feeding -----------------------------------------------------------------------------------------------------

    def feed(self, admitted: Admitted) -> None:
        """Take the next event. A mistake of ours costs its round, or what the table said of itself, and no more."""
        try:
            self._feed(admitted)
        except NOT_OF_THE_ROUND:
            raise
        except Exception as error:  # noqa: BLE001 - contained: see replay/containment.py
            self._contain(admitted, error)

    def _feed(self, admitted: Admitted) -> None:
        table_id: str = admitted[2].__dict__["tableid"]  # every event comes by here: a dict value takes half the time
        table = self._tables.get(table_id)
        if table is None:
            table = self._tables[table_id] = Table()
        if admitted[4] is not None or admitted[3] & _OVERRULES:
            self._feed_signed(table_id, table, admitted)
        else:
            if table.anchor is not None:
                table.follow_anchor(admitted)
            self._take(table_id, table, admitted)

    def _feed_signed(self, table_id: str, table: Table, admitted: Admitted) -> None:
        """An event that brings some under a good signature, or one that the signed event behind it will vouch for."""
        if not admitted.flags & _ATTESTED and admitted.flags & _OVERRULES:
            table.rivals.append(admitted)
            return
        if admitted.flags & _OVERRULES or table.rivals:
            table = self._make_again(table_id, table, admitted)
        by_controller = admitted.flags & (_ATTESTED | _SUPERVISOR) == _ATTESTED and not admitted.flags & _LATE
        if not by_controller:
            table.follow_anchor(admitted)
        if admitted.vouched is not None:
            table.vouch(*admitted.vouched)
        self._take(table_id, table, admitted)
        for round_id, kept in list(table.closed.items()):
            if not kept.attested and self._is_attested(table, kept, ()):
                self._assemble_again(table_id, table, {round_id})
        for round_id, kept in list(table.unsigned.items()):
            if self._is_attested(table, kept, ()):
                del table.unsigned[round_id]
                self._forgotten[table_id, round_id] = kept
                self._row_again(table_id, table, round_id, kept)
        if by_controller:
            table.set_anchor()

    def _make_again(self, table_id: str, table: Table, signed: Admitted) -> Table:
        """The controller's signed chain runs otherwise than was recorded since its last signature: the table's memory
        is made again from there, along the signed chain. Rounds that were over get another version."""
        rivals, table.rivals = table.rivals, []
        first = rivals[0].event.seq if rivals else signed.event.seq
        anchor = table.anchor
        if anchor is None or anchor.last_seq >= first:  # too long ago: they count from now on
            for rival in rivals:
                self._take(table_id, table, rival._replace(flags=_LATE))
            return table
        at = next((at for at, one in enumerate(table.tail) if one.event.seq == first), len(table.tail))
        prefix, behind = table.tail[:at], table.tail[at:]
        overruled = {rival.event.seq for rival in rivals}
        rest = [
            one._replace(flags=one.flags & ~_CHAIN_BROKEN)
            for one in behind
            if one.event.seq not in overruled and one.event.seq < signed.event.seq
        ]
        again = anchor.copy()
        again.anchor, again.vouched = anchor, table.vouched
        self._tables[table_id] = again
        self._silently(table_id, again, prefix)
        made = table.emitted
        again.emitted = {name: max(made.get(name, 0), again.emitted.get(name, 0)) for name in {*made, *again.emitted}}
        for one in [*(rival._replace(flags=_OVERRULES) for rival in rivals), *rest]:
            again.follow_anchor(one)
            self._take(table_id, again, one)
        for round_id, version in made.items():
            kept = again.closed.get(round_id)
            if kept is None or kept.version < version:
                again.ghosts[round_id] = version
        again.ghosts = dict(list(again.ghosts.items())[-MOST_GHOSTS:])
        return again

    def _silently(self, table_id: str, table: Table, events: list[Admitted]) -> None:
        """Feed what has been fed before: what came of it has been said."""
        rows, findings = len(self._done), len(self.findings)
        for admitted in events:
            table.follow_anchor(admitted)
            try:
                self._take(table_id, table, admitted)
            except NOT_OF_THE_ROUND:
                raise
            except Exception as error:  # noqa: BLE001 - contained, as it was the first time
                self._contain(admitted, error)
        del self._done[rows:]
        del self.findings[findings:]

    def _take(self, table_id: str, table: Table, admitted: Admitted) -> None:
        _, raw, event, noted, _ = admitted
        said = event.__dict__
        round_id: str | None = said["subject"]
        seq: int = said["seq"]
        missing = 0
        if noted & _GAP_BEFORE:
            missing = max(1, seq - table.last_seq - 1)
            hole = [table.last_seq + 1, seq - 1] if seq > table.last_seq + 1 else [UNKNOWN, UNKNOWN]
            for opened in table.open.values():
                opened.missing += missing
                note_hole(opened.holes, hole)
            if not table.open:
                table.now.missing_before = True
            seating.not_sure(decks.betting(table))
            meters.not_known(table.now)
            decks.not_sure_of_shuffles(table)
            equipment.not_sure(table)
            if not table.now.filing:
                table.now.unusable = _OPENING_MISSING
            if missing >= SHORTEST_ROUND:
                table.now.rounds_missing |= type(said["data"]) is _ROUND_OPENED or not table.open
                table.now.bank_seat = UNKNOWN  # a whole round, with another bank, may have gone missing
        if seq > table.last_seq:
            table.last_seq = seq
        data: Said = said["data"]
        kind = type(data)
        if round_id is None or kind in _TABLE_EVENTS:
            if kind in ENDS_THE_DAY and not noted & _LATE:  # no round goes on over it: what is open was never closed
                for other in list(table.open):
                    self._close(table_id, table, table.open.pop(other))
            if not noted & _LATE or _still_holds(table, event):
                self._table_event(table, event, data)
            if round_id is None:
                return
        if table.again and round_id in table.again:
            round_id = id_of_use(round_id, use_of(event, table.again[round_id]))
        current = table.open.get(round_id)
        if current is None:
            kept = table.closed.get(round_id) or self._recall(table_id, table, round_id)
            begins = kind is _ROUND_OPENED or (missing and kind not in _SAID_AFTERWARDS)  # its opening may be missing
            if kept is not None and begins and not noted & _LATE:
                round_id = self._used_again(table_id, table, round_id, kept, event)
            elif kept is not None or noted & _LATE:
                self._reopen(table_id, table, round_id, kept, admitted)
                return
            if kind is _ROUND_OPENED or missing:
                over = list(table.open)  # a new round begins: one left open was never closed
            else:  # a device names another round than the one under way, which goes on
                over = [other for other, held in table.open.items() if not decks.has(held, (_ROUND_OPENED,))][
                    : 1 - MOST_OPEN
                ]
            for other in over:
                self._close(table_id, table, table.open.pop(other))
            if missing >= SHORTEST_ROUND:
                table.now.bank_seat = UNKNOWN  # also where the end of the round before is among them
            _note_greatest(table, round_id)
            context = self._begin(table, event)
            if (missing or table.now.missing_before) and kind is _ROUND_OPENED:  # they were before it, so not of it
                context, missing = without_before(context, table.now.rounds_missing), 0
            elif context.missing_before:
                context.missing_before = context.rounds_missing = False  # its own opening may be among them
            table.now.missing_before = table.now.rounds_missing = False
            current = table.open[round_id] = Open(round_id, context, [], missing)
            if missing:
                note_hole(current.holes, hole)
        elif noted & _LATE:
            if not noted & _CHAIN_BROKEN:
                current.missing = max(0, current.missing - 1)
            current.bytes += len(raw)
            insort(current.events, admitted, key=seq_of)
            return
        current.bytes += len(raw)
        current.events.append(admitted)
        if current.bytes > ROUND_BYTES:
            del current.events[1:-1]  # nobody will judge it: it need not be held, nor written into every state
        if kind is _ROUND_CLOSED:
            del table.open[round_id]
            self._close(table_id, table, current)

    def _table_event(self, table: Table, event: Event, data: Said) -> None:
        now = table.now
        match data:
            case ev.TableOpened():
                now.filing = canonical_filing(data.pack, data.version, data.options)
                now.gaming_day = data.gaming_day.isoformat()
                now.dealer = data.dealer or ""
                now.unusable = ""
                now.previous_button = GAME_START
                now.unknown = now.missing_before = now.rounds_missing = False
                now.bank_seat, now.bank_run, now.wagered_seats, now.wagered_patrons = UNKNOWN, 0, None, None
                now.first_offer = now.cut_offer = UNKNOWN
                now.patrons, now.bank_patron = [], ""
                now.rests = {"filing": [event.seq, event.seq], **_of_equipment(now)}
                filing.look_into(now, event, self.findings)
            case ev.ScheduleChanged():
                filing.schedule_changed(table, event, data, self.findings)
            case ev.TableClosed():  # by what is played after it was not opened again, nobody knows
                now.filing = now.unusable = now.gaming_day = ""
                now.rests = {**now.rests, "filing": [event.seq, event.seq]}
            case ev.DealerChanged():
                now.dealer = data.dealer
                now.rests = {**now.rests, "dealer": [event.seq, event.seq]}
            case ev.PatronSeated():
                seating.sits(decks.betting(table), event.seq, data.seat, data.patron)
            case ev.PatronLeft():
                seating.leaves(decks.betting(table), event.seq, data.seat, data.patron)
            case ev.CardsIntroduced():
                since = microseconds(event.time)
                equipment.cards_brought(table, event, data)
                deck = DeckInPlay(data.decks, data.jokers, since, record=Record(since), back=data.back or "")
                table.decks[data.deck] = deck
                for oldest in list(table.decks)[:-MOST_DECKS]:
                    del table.decks[oldest]
                now.rests = {**now.rests, f"{_DECK}{data.deck}": [event.seq, event.seq]}
                now.rests = {name: at for name, at in now.rests.items() if _is_of(name, table.decks)}
                decks.empty_rack(table)
            case ev.CardsRemoved():
                decks.note_removal(table, event, data)
                table.decks.pop(data.deck, None)
                now.rests = {name: at for name, at in now.rests.items() if _is_of(name, table.decks)}
                decks.empty_rack(table)
            case ev.ShuffleCompleted():
                playing = next((opened.context.deck for opened in table.open.values()), "")
                if not playing or playing == data.deck:  # the other deck's shuffle leaves the rack alone
                    decks.empty_rack(table)
                decks.note_count(table, event, data)
                decks.note_shuffle(table, event, data)
                equipment.shuffled(table, event, data)
            case ev.ShufflerFaulted():
                decks.note_failure(table, event, data)
            case ev.DiceIntroduced():
                now.dice_since_us = microseconds(event.time)
                now.rests = {**now.rests, "dice": [event.seq, event.seq]}
                equipment.dice_brought(table, event, data)
            case ev.EquipmentInspected():
                equipment.inspected(table, event, data)
            case ev.SealChecked():
                equipment.seal_checked(table, event, data)
            case ev.DeviceOnline():
                equipment.announced(table, data)
            case ev.DeviceOffline():
                equipment.gone(table, data)
            case ev.MeterRead() | ev.MeterReset() if event.subject is None and event.seq >= table.last_seq:
                meters.said_between(decks.under_way(table), event)
            case _:
                pass  # counts, fills, cuts, heartbeats and devices change nothing a round is assembled from

    def _begin(self, table: Table, event: Event) -> Context:
        """The context of a round that begins with this event."""
        context = table.now.copy()
        table.now.meter_steps = []
        deck = event.data.deck if isinstance(event.data, ev.RoundOpened) else None
        context.previous_deck = table.now.deck
        context.deck = deck or (next(iter(table.decks)) if len(table.decks) == 1 else "")
        known = table.decks.get(context.deck)
        if known is not None:
            context.decks, context.jokers, context.deck_since_us = known.decks, known.jokers, known.since_us
            context.deck_counted, context.deck_counted_seq = known.counted, known.counted_seq
            known.counted = known.counted_seq = UNKNOWN
            context.dealt_before = known.dealt_seq
            if known.miscounted is not None:
                context.miscounted, known.miscounted = known.miscounted, None
                context.rests = {**context.rests, "miscount": [context.miscounted[1]] * 2}
            if known.failed is not None:
                context.shuffle_failed, known.failed = known.failed, None
                context.rests = {**context.rests, "shuffler": [context.shuffle_failed[0]] * 2}
        equipment.begins(table, context)
        context.records = {name: other.record for name, other in table.decks.items() if other.record}
        context.rests = {name: at for name, at in context.rests.items() if _is_of(name, (context.deck,))}
        return context

    # --- closing -----------------------------------------------------------------------------------------------------

    def _close(self, table_id: str, table: Table, opened: Open) -> None:
        done = len(self._done)
        try:
            check_bytes(opened.bytes)
            self._conclude(table_id, table, opened)
        except NOT_OF_THE_ROUND:
            raise
        except Exception as error:  # noqa: BLE001 - contained: see replay/containment.py
            del self._done[done:]
            self._done.append(self._not_assembled(table_id, table, opened, error))

    def _not_assembled(self, table_id: str, table: Table, opened: Open, error: Exception) -> RoundRow:
        """The row of a round that cannot be put together; of what it did to the table nothing is known."""
        log_contained("a round could not be put together", table_id, opened.round_id, error)
        flags = _GAP if has_gap(table, opened.missing, opened.holes, opened.events) else 0
        version = table.emitted.get(opened.round_id) or _next_version(table, opened.round_id, 0)
        row = _bare(table_id, opened.round_id, opened.events, opened.context, flags, version, error)
        first_seq, last_seq = row.fixed["first_seq"], row.fixed["last_seq"]
        kept = Closed(
            opened.context,
            version,
            opened.missing,
            opened.holes,
            count=len(opened.events),
            first_seq=first_seq,
            last_seq=last_seq,
        )
        if self._is_attested(table, kept, ()):
            row.fixed["flags"] |= _ATTESTED_ROUND
            kept.attested, kept.standing = True, version
        table.closed[opened.round_id] = kept
        row.kept = kept.text()
        table.unread = []
        self._forget(table_id, table)
        now = table.now
        now.rack = now.rack_deck = now.burned = ""
        now.rack_sure, now.unknown = False, True
        now.bank_seat, now.bank_run, now.wagered_seats, now.bank_patron = UNKNOWN, 0, None, ""
        meters.not_known(now)
        now.wagered_patrons = None
        now.opened_us = row.fixed["opened_us"]
        return row

    def _contain(self, admitted: Admitted, error: Exception) -> None:
        """An event that could not be taken in: its round ends here, and what the table said of itself is not known."""
        event = admitted.event
        table, round_id = self._tables[event.tableid], event.subject
        table.now.unknown = True
        if isinstance(event.data, ev.TableOpened):  # rounds must not be judged by the filing of the day before
            table.now.unusable = f"the table's opening could not be taken in ({in_words(error)})"
        if round_id is not None and round_id in table.again:
            round_id = id_of_use(round_id, use_of(event, table.again[round_id]))
        opened = table.open.pop(round_id, None) if round_id is not None else None
        if opened is not None:
            if not opened.events or opened.events[-1] is not admitted:
                opened.events.append(admitted)
            self._done.append(self._not_assembled(event.tableid, table, opened, error))
            return
        log_contained("an event could not be taken in", event.tableid, round_id, error)
        self.findings.append(
            Finding(
                "ROUND-007",
                event.tableid,
                round_id,
                f"{event.tableid}: the event with seq {event.seq} ({event.type}) could not be taken in, by a mistake "
                f"in Muckraker ({in_words(error)}); it is recorded, and what follows is judged without it.",
                NOT_JUDGED,
                microseconds(event.time),
                event.seq,
                evidence=(event.seq,),
            )
        )

    def _conclude(self, table_id: str, table: Table, opened: Open) -> None:
        flags = _GAP if has_gap(table, opened.missing, opened.holes, opened.events) else 0
        round_id, events = opened.round_id, opened.events
        version = _next_version(table, round_id, 0)
        emptied = any(not scan.cards for scan in _scans(events))
        if emptied:  # what earlier rounds put there will be in no scan
            table.unread = []
        row, rack, rack_deck = build_row(table_id, round_id, events, opened.context, flags, version)
        shared: set[str] = set()
        if row.rack and table.unread:
            shared, cut = self._cut_scan(table, opened, row, rack, rack_deck)
            if cut:
                row, rack, rack_deck = build_row(table_id, round_id, events, opened.context, flags, version)
        self._done.append(row)
        report = report_of(row)
        first_seq, last_seq = row.fixed["first_seq"], row.fixed["last_seq"]
        kept = Closed(
            opened.context,
            version,
            opened.missing,
            opened.holes,
            noted=row.fixed["flags"] & _FROM_GATE,
            report=None if report is None else list(report),
            count=len(events),
            first_seq=first_seq,
            last_seq=last_seq,
        )
        if self._is_attested(table, kept, [admitted.event.seq for admitted in events]):
            row.fixed["flags"] |= _ATTESTED_ROUND
            kept.attested, kept.standing = True, version
        table.closed[round_id] = kept
        if row.fixed["rack_last_seq"] == UNKNOWN:
            kept.dealt = row.dealt.hex()
            table.unread.append(opened.round_id)
        else:
            table.unread = []
        row.kept = kept.text()
        deck = table.decks.get(opened.context.deck)
        if deck is not None:
            deck.record = fold(deck.record, report, opened.round_id, last_seq)
        decks.note_deal(table, opened.context.deck, row)
        decks.note_miscount(table, opened.context, round_id, row)
        if shared:
            self._assemble_again(table_id, table, shared)
        self._forget(table_id, table)
        now, fixed = table.now, row.fixed
        now.rests = {**now.rests, "round": [first_seq, last_seq]}
        if fixed["flags"] & _NEVER_OPENED and not opened.missing:
            now.rack_sure = False  # somebody's slip: what it says went into the rack may or may not be there
            now.meter_steps = [*opened.context.meter_steps, *now.meter_steps]
            return
        if len(rack) > FULLEST_RACK:  # it was emptied without a word: what is known to be there is this round's cards
            rack, rack_deck = row.rack, row.rack_deck
        now.rack, now.rack_deck = rack.hex(), rack_deck.hex()
        flags = fixed["flags"]
        now.rack_sure = opened.context.rack_sure and not flags & _RACK_NOT_SURE and flags & _RACK_SURE == _RACK_SURE
        now.rack_sure = now.rack_sure and not emptied  # the shoe's cards are in two places
        now.burned = burned_after(opened.context, row) if now.rack_sure else ""
        if len(now.burned) > 2 * FULLEST_RACK:  # more cards than there are: what is not in the rack is not known
            now.rack_sure, now.burned = False, ""
        now.deck = opened.context.deck
        now.opened_us = fixed["opened_us"]
        now.unknown = bool(fixed["flags"] & _GAP)
        if now.unknown:
            del now.rests["round"]
        hand_on(now, row, opened.context)
        if now.unknown:
            meters.not_known(now)
        now.rounds_since_stub = 0 if fixed["stub_count"] != UNKNOWN else max(now.rounds_since_stub, 0) + 1

    def _cut_scan(
        self, table: Table, opened: Open, row: RoundRow, rack: bytes, rack_deck: bytes
    ) -> tuple[set[str], bool]:
        """A scan after rounds whose cards nobody had read yet holds theirs too. Gives each its share, for a new version
        of it, and lets this round begin where the last of them ended; where nobody can tell who put in what, the cards
        belong to no round. Returns the rounds that got a share, and False when the read is this round's alone (cards
        reported as they were put in)."""
        shared: set[str] = set()
        if not _scans(opened.events):
            return shared, False
        before = [table.closed[round_id] for round_id in table.unread]
        dealt = [bytes.fromhex(kept.dealt) for kept in before]
        sizes = None
        if opened.context.filing and not opened.context.unusable:
            sizes = cut_rack(filing_of(opened.context.filing), row.rack, [*dealt, row.dealt])
        at = len(rack) - len(row.rack)
        marked = len(rack_deck) == len(rack)
        context = opened.context.copy()
        if sizes is not None:
            for round_id, kept, size in zip(table.unread, before, sizes, strict=False):
                kept.context = kept.context.copy()
                kept.context.rack, kept.context.rack_deck = rack[:at].hex(), rack_deck[:at].hex() if marked else ""
                decks = rack_deck[at : at + size].hex() if marked else ""
                kept.late_rack = [rack[at : at + size].hex(), decks, row.fixed["rack_last_seq"]]
                shared.add(round_id)
                at += size
        else:
            at = len(rack)
            context.rack_uncut = True
        context.rack, context.rack_deck = rack[:at].hex(), rack_deck[:at].hex() if marked else ""
        opened.context = context
        return shared, True

    def _forget(self, table_id: str, table: Table) -> None:
        """Drops the oldest rounds: what is kept of them is in the lake, or will be with this segment."""
        for round_id in list(table.closed)[: max(0, len(table.closed) - REMEMBERED_ROUNDS)]:
            kept = self._forgotten[table_id, round_id] = table.closed.pop(round_id)
            if not kept.attested:
                table.wait_for_signature(round_id, kept)
            table.unread = [other for other in table.unread if other != round_id]

    def take_closed(self) -> list[RoundRow]:
        """Every round closed, and every new version of one, since they were last taken; in the order of the events."""
        rows, self._done = self._done, []
        return rows

    def _is_attested(self, table: Table, kept: Closed, seqs: Sequence[int]) -> bool:
        """Whether every event this version of a round rests on lies under a good signature. `seqs` are its events',
        where they are known; they may lie apart."""
        if not table.stands_on_signatures(kept.context) or not table.are_vouched(kept.later):
            return False
        if kept.late_rack is not None and not table.are_vouched([kept.late_rack[2]]):
            return False
        return table.is_vouched(kept.first_seq, kept.last_seq) or bool(seqs and table.are_vouched(seqs))

    # --- again -------------------------------------------------------------------------------------------------------

    def _recall(self, table_id: str, table: Table, round_id: str) -> Closed | None:
        """What was kept of a round that the table no longer remembers; None if there never was such a round."""
        kept = table.unsigned.get(round_id) or self._forgotten.get((table_id, round_id))
        if kept is not None or self._history is None or comes_after(device_id(round_id), table.greatest):
            return kept
        text = self._history.kept(table_id, round_id)
        return None if text is None else Closed.from_text(text)

    def _used_again(self, table_id: str, table: Table, round_id: str, kept: Closed, event: Event) -> str:
        """A round is opened under an id that has been used: it is another round, and is called so. Returns its id."""
        said = device_id(round_id)
        began = table.again.setdefault(said, [])
        began.append(event.seq)
        other = id_of_use(said, len(began) + 1)
        self.findings.append(used_again(table_id, said, other, kept, event))
        return other

    def _reopen(self, table_id: str, table: Table, round_id: str, kept: Closed | None, admitted: Admitted) -> None:
        """An event came for a round that is over, or late for one that was never heard of."""
        seq = admitted.event.seq
        if kept is None:
            kept = table.closed[round_id] = Closed(
                Context(unknown=True), 0, missing=1, holes=[[UNKNOWN, UNKNOWN]], first_seq=seq, last_seq=seq
            )
            _note_greatest(table, round_id)
            self._forget(table_id, table)
        elif admitted.flags & (_LATE | _CHAIN_BROKEN) == _LATE:
            kept.missing = max(0, kept.missing - 1)
        if seq in kept.later and not admitted.flags & _OVERRULES:
            return  # it was fed before: the worker was restarted
        if len(kept.later) >= ROUND_EVENTS_LATER:
            self._too_often(table_id, round_id, kept, admitted.event)
            return
        if seq not in kept.later:
            kept.later = [*kept.later, seq]
        kept.noted |= ROUND_FLAGS[admitted.flags]
        if round_id in table.closed:
            self._assemble_again(table_id, table, {round_id})
        else:
            self._forgotten[table_id, round_id] = kept
            self._row_again(table_id, table, round_id, kept)
            table.unsigned.pop(round_id, None)
            if not kept.attested:
                table.wait_for_signature(round_id, kept)
        if table.vouched and not kept.attested and not table.is_vouched(seq, seq):
            self.findings.append(said_unsigned(table_id, round_id, kept, admitted.event))

    def _too_often(self, table_id: str, round_id: str, kept: Closed, event: Event) -> None:
        """Said once for each round, at the first event too many: what comes then is recorded and decides nothing."""
        if kept.too_often:
            return
        kept.too_often = True
        self.findings.append(
            Finding(
                "ROUND-008",
                table_id,
                round_id,
                f"{table_id} round {round_id}: more than {ROUND_EVENTS_LATER:,} events came for the round after it was "
                "over; this one and those after it are recorded, and the round stands as it was judged last.",
                NOT_JUDGED,
                microseconds(event.time),
                event.seq,
                evidence=(event.seq,),
                round_version=kept.version,
            )
        )

    def _assemble_again(self, table_id: str, table: Table, round_ids: set[str]) -> None:
        """New versions of these rounds, and of later ones that rest on what these said of the deck, the bank or the
        button and do no more."""
        corrected = Corrected()
        records: dict[str, Record] | None = None  # the decks as they now turn out to have been; None: as was thought
        for round_id, kept in table.closed.items():
            context = kept.context
            turned = None if kept.holes else corrected.context_of(context)
            if turned is not None:
                kept.context = context = turned
                round_ids.add(round_id)
            if records is not None:
                rightly = decks.records_for(context, records, table)
                if rightly != context.records:
                    kept.context = context = context.copy()
                    context.records = rightly
                    round_ids.add(round_id)
            report = None if kept.report is None else Report(*kept.report)
            if round_id in round_ids:
                row = self._row_again(table_id, table, round_id, kept)
                if row is not None:
                    corrected.note(kept, row)
                now_says = report if row is None else report_of(row)
                if records is None and now_says != report:
                    records = dict(context.records)
                report = now_says
                kept.report = None if report is None else list(report)
            if records is not None:
                before = records.get(context.deck)
                if before is None or before.since_us != context.deck_since_us:
                    before = Record(context.deck_since_us)
                records[context.deck] = fold(before, report, round_id, kept.newest_seq)
        table.now = corrected.context_of(table.now) or table.now
        for opened in table.open.values():
            if not opened.holes:
                opened.context = corrected.context_of(opened.context) or opened.context
        if records is not None:
            for opened in table.open.values():
                opened.context.records = decks.records_for(opened.context, records, table)
            for name, deck in table.decks.items():
                if name in records and records[name].since_us == deck.since_us:
                    deck.record = records[name]

    def _row_again(self, table_id: str, table: Table, round_id: str, kept: Closed) -> RoundRow | None:
        """The next version of a round that was closed before, from all its recorded events; None where they are gone,
        which is a finding."""
        assert self._history is not None, "only with a history can a round be re-opened"
        said = device_id(round_id)
        recorded = self._history.events(table_id, said, kept.spans, table.last_seq)
        size = sum(len(raw) for _, raw in recorded)
        events = [Admitted(offset, raw, parse_event(raw), 0) for offset, raw in recorded]
        began = table.again.get(said)
        if began:
            events = [admitted for admitted in events if id_of_use(said, use_of(admitted.event, began)) == round_id]
        if sum(1 for one in events if kept.first_seq <= one.event.seq <= kept.last_seq) < kept.count:
            self.findings.append(bytes_are_gone(table_id, round_id, kept, events))
            return None
        flags = int(RoundFlag.REOPENED) | kept.noted
        kept.version = _next_version(table, round_id, kept.version)
        if has_gap(table, kept.missing, kept.holes, events):
            flags |= _GAP
        kept.attested = self._is_attested(table, kept, [admitted.event.seq for admitted in events])
        if kept.attested:
            flags |= _ATTESTED_ROUND
            kept.standing = kept.version
        late = None
        if kept.late_rack is not None:
            cards, decks, seq = kept.late_rack
            late = LateRack(bytes.fromhex(cards), bytes.fromhex(decks), seq)
        try:
            check_bytes(size)
            row, _, _ = build_row(table_id, round_id, events, kept.context, flags, kept.version, late)
        except NOT_OF_THE_ROUND:
            raise
        except Exception as error:  # noqa: BLE001 - contained: see replay/containment.py
            log_contained("a round could not be put together", table_id, round_id, error)
            row = _bare(table_id, round_id, events, kept.context, flags, kept.version, error)
        row.kept = kept.text()
        self._done.append(row)
        return row

    def take_findings(self) -> list[Finding]:
        found, self.findings = self.findings, []
        return found


def _next_version(table: Table, round_id: str, version: int) -> int:
    """The number of a round's next version, after `version` and any that came of events which were overruled."""
    number = max(version, table.emitted.get(round_id, 0), table.ghosts.get(round_id, 0)) + 1
    if table.anchor is not None:
        table.emitted[round_id] = number
    return number


def _still_holds(table: Table, event: Event) -> bool:
    """Whether what the table says of itself and comes late is to be believed, and was not said anew in the meantime."""
    if table.vouched and not table.is_vouched(event.seq, event.seq):
        return False
    opened = table.now.rests.get("filing")
    return opened is None or event.seq > opened[0]


def _note_greatest(table: Table, round_id: str) -> None:
    said = device_id(round_id)
    if not table.greatest or comes_after(said, table.greatest):
        table.greatest = said


def _of_equipment(context: Context) -> dict[str, list[int]]:
    """Decks, dice and meters are at the table for longer than a day."""
    kept = ("dice", meters.METERS)
    return {name: at for name, at in context.rests.items() if name.startswith(_DECK) or name in kept}


def _is_of(name: str, decks: Collection[str]) -> bool:
    """Whether what a context rests on has to do with these decks, or with no deck."""
    return not name.startswith(_DECK) or name.removeprefix(_DECK) in decks


def _bare(
    table_id: str,
    round_id: str,
    events: Sequence[Admitted],
    context: Context,
    flags: int,
    version: int,
    error: Exception,
) -> RoundRow:
    too_large = isinstance(error, RoundTooLarge)
    return row_not_assembled(table_id, round_id, events, context, flags, version, in_words(error), too_large)


def _scans(events: Sequence[Admitted]) -> list[ev.DiscardRead]:
    said = [event.__dict__["data"] for _, _, event, _, _ in events]
    return [data for data in said if type(data) is ev.DiscardRead and data.mode == "scan"]
