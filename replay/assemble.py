"""Step 1: from a table's events to assembled rounds.

`Assembler` is fed every admitted event of a partition in table order and hands out finished rounds. It remembers, a
table, what later rounds need (filing, decks and dice, bank, button, what the rack holds) and the events of rounds still
open, all of it JSON, so that another worker can go on from a segment's state.json. It knows no game.

Late events and corrections re-open a round: it is assembled again from all its recorded events, with the context it
had the first time, and gets the next version.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import asdict, dataclass, field
from typing import Any

from replay.filing import PackError, canonical_filing, filing_of, filing_problem
from replay.round_row import Context, build_row, seq_of
from replay.rounds import GAME_START, UNKNOWN, Fact, RoundFlag, RoundRow
from schemas import events as ev
from schemas.admitted import Admitted, AdmittedFlag, History
from schemas.clock import microseconds
from schemas.events import Event, Said, parse_event
from schemas.findings import Finding

REMEMBERED_ROUNDS = 16  # closed rounds a table keeps the context of, for late events
FULLEST_RACK = 8 * 54  # cards of the largest shoe there is
SHORTEST_ROUND = 3  # events: opened, bank accepted, closed; fewer missing ones cannot hide a round

# Plain numbers: the flags are looked at once an event, and IntFlag arithmetic costs a microsecond.
_GAP_BEFORE, _LATE = int(AdmittedFlag.GAP_BEFORE), int(AdmittedFlag.LATE)
_GAP, _VOIDED, _ATTESTED = int(RoundFlag.GAP), int(RoundFlag.VOIDED), int(RoundFlag.ATTESTED)
_WAGER_PLACED = int(Fact.WAGER_PLACED)
_ROUND_CLOSED = ev.RoundClosed
_TABLE_EVENTS = frozenset(model for model in ev.DATA_MODELS if model not in ev.ROUND_GROUP)


@dataclass
class Open:
    """A round under way: its events, and what was known when it began."""

    round_id: str
    context: Context
    events: list[Admitted] = field(default_factory=list)
    missing: int = 0  # events of the table that did not come while it was under way: as long as any, it has a gap


@dataclass
class Closed:
    """A round that is over, kept for late events."""

    context: Context
    version: int = 1
    missing: int = 0
    attested: bool = False


@dataclass
class Table:
    """What one table must remember across rounds."""

    now: Context = field(default_factory=Context)
    decks: dict[str, list[int]] = field(default_factory=dict)  # deck → decks, jokers, introduced at
    open: dict[str, Open] = field(default_factory=dict)
    last_seq: int = UNKNOWN
    closed: dict[str, Closed] = field(default_factory=dict)  # newest last


class Assembler:
    """Events in, assembled rounds out."""

    def __init__(self) -> None:
        self._tables: dict[str, Table] = {}
        self._done: list[RoundRow] = []
        self._reopened: dict[tuple[str, str], None] = {}
        self.findings: list[Finding] = []

    # --- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything remembered, as JSON values. Call it after `finish_segment`."""
        tables: dict[str, Any] = {}
        for table_id, table in sorted(self._tables.items()):
            tables[table_id] = {
                "now": asdict(table.now),
                "decks": table.decks,
                "last_seq": table.last_seq,
                "closed": [[round_id, asdict(kept)] for round_id, kept in table.closed.items()],
                "open": [
                    {
                        "round": opened.round_id,
                        "context": asdict(opened.context),
                        "missing": opened.missing,
                        "events": [[a.offset, a.flags, a.raw.decode()] for a in opened.events],
                    }
                    for opened in table.open.values()
                ],
            }
        return {"tables": tables}

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on where another assembler's `state()` left off."""
        self._tables = {}
        for table_id, said in state.get("tables", {}).items():
            closed = {
                round_id: Closed(Context(**kept["context"]), kept["version"], kept["missing"], kept["attested"])
                for round_id, kept in said["closed"]
            }
            table = Table(Context(**said["now"]), said["decks"], {}, said["last_seq"], closed)
            for opened in said["open"]:
                events = [
                    Admitted(offset, raw.encode(), parse_event(raw.encode()), flags)
                    for offset, flags, raw in opened["events"]
                ]
                table.open[opened["round"]] = Open(
                    opened["round"], Context(**opened["context"]), events, opened["missing"]
                )
            self._tables[table_id] = table

    # --- feeding -----------------------------------------------------------------------------------------------------

    def feed(self, admitted: Admitted) -> None:
        _, _, event, noted = admitted
        said = event.__dict__  # every event comes by here, and a pydantic attribute takes twice a dict value's time
        table_id: str = said["tableid"]
        table = self._tables.get(table_id)
        if table is None:
            table = self._tables[table_id] = Table()
        round_id: str | None = said["subject"]
        seq: int = said["seq"]
        missing = 0
        if noted & _GAP_BEFORE:
            missing = max(1, seq - table.last_seq - 1)
            for opened in table.open.values():
                opened.missing += missing
            if missing >= SHORTEST_ROUND:
                table.now.bank_seat = UNKNOWN  # a whole round, with another bank, may have gone missing
        if seq > table.last_seq:
            table.last_seq = seq
        data: Said = said["data"]
        kind = type(data)
        if round_id is None or kind in _TABLE_EVENTS:
            self._table_event(table, event, data)
            if round_id is None:
                return
        current = table.open.get(round_id)
        if current is None:
            over = table.closed.get(round_id)
            if over is not None or noted & _LATE:
                if over is not None and noted & _LATE:
                    over.missing = max(0, over.missing - 1)
                self._reopened[table_id, round_id] = None
                return
            for other in list(table.open):  # a new round begins: one left open was never closed
                self._close(table_id, table, table.open.pop(other))
            current = table.open[round_id] = Open(round_id, self._begin(table, event), [], missing)
        elif noted & _LATE:
            current.missing = max(0, current.missing - 1)
            insort(current.events, admitted, key=seq_of)
            return
        current.events.append(admitted)
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
                now.unknown = False
                now.bank_seat, now.bank_run, now.wagered_seats = UNKNOWN, 0, None
                try:
                    now.unusable = filing_problem(filing_of(now.filing)) or ""
                except PackError as problem:
                    now.unusable = str(problem)
                if now.unusable:
                    self.findings.append(
                        Finding(
                            "FILING-001",
                            event.tableid,
                            None,
                            f"{event.tableid}: {now.unusable}; rounds played under it cannot be checked.",
                            "docs/events.md, table.opened",
                            microseconds(event.time),
                            event.seq,
                            evidence=(event.seq,),
                        )
                    )
            case ev.DealerChanged():
                now.dealer = data.dealer
            case ev.CardsIntroduced():
                table.decks[data.deck] = [data.decks, data.jokers, microseconds(event.time)]
                _empty_rack(table)
            case ev.CardsRemoved():
                table.decks.pop(data.deck, None)
                _empty_rack(table)
            case ev.ShuffleCompleted():
                playing = next((opened.context.deck for opened in table.open.values()), "")
                if not playing or playing == data.deck:  # the other deck's shuffle leaves the rack alone
                    _empty_rack(table)
            case ev.DiceIntroduced():
                now.dice_since_us = microseconds(event.time)
            case _:
                pass  # counts, fills, cuts, heartbeats and devices change nothing a round is assembled from

    def _begin(self, table: Table, event: Event) -> Context:
        """The context of a round that begins with this event."""
        context = table.now.copy()
        deck = event.data.deck if isinstance(event.data, ev.RoundOpened) else None
        context.previous_deck = table.now.deck
        context.deck = deck or (next(iter(table.decks)) if len(table.decks) == 1 else "")
        known = table.decks.get(context.deck)
        if known is not None:
            context.decks, context.jokers, context.deck_since_us = known
        return context

    # --- closing -----------------------------------------------------------------------------------------------------

    def _close(self, table_id: str, table: Table, opened: Open) -> None:
        flags = _GAP if opened.missing else 0
        row, rack, rack_deck = build_row(table_id, opened.round_id, opened.events, opened.context, flags, version=1)
        self._done.append(row)
        attested = bool(row.fixed["flags"] & _ATTESTED)
        table.closed[opened.round_id] = Closed(opened.context, 1, opened.missing, attested)
        if len(table.closed) > REMEMBERED_ROUNDS:
            del table.closed[next(iter(table.closed))]
        now, fixed = table.now, row.fixed
        if len(rack) > FULLEST_RACK:  # it was emptied without a word: what is known to be there is this round's cards
            rack, rack_deck = row.rack, row.rack_deck
        now.rack, now.rack_deck = rack.hex(), rack_deck.hex()
        now.deck = opened.context.deck
        now.opened_us = fixed["opened_us"]
        now.unknown = bool(fixed["flags"] & _GAP)
        now.previous_button = fixed["start_place"]
        now.bank_seat = fixed["bank_seat"]
        now.bank_run = max(fixed["bank_run"], 0)
        if fixed["flags"] & _VOIDED:
            now.bank_run -= 1  # a void hand is no turn at the bank
        wagered = {fact.seat for fact in row.facts if fact.kind == _WAGER_PLACED}
        now.wagered_seats = sorted(wagered) if wagered else None  # where nobody bet, anybody may bank
        now.rounds_since_stub = 0 if fixed["stub_count"] != UNKNOWN else max(now.rounds_since_stub, 0) + 1

    def take_closed(self) -> list[RoundRow]:
        """Every round closed since they were last taken. Re-opened ones wait for the end of the segment: how many
        versions a round gets must not depend on when somebody asks."""
        rows, self._done = self._done, []
        return rows

    def finish_segment(self, history: History) -> list[RoundRow]:
        """The rounds not taken yet, re-opened ones last, in a stable order."""
        rows = self.take_closed()
        for table_id, round_id in sorted(self._reopened):
            table = self._tables[table_id]
            kept = table.closed.get(round_id)
            events = [Admitted(UNKNOWN, raw, parse_event(raw), 0) for raw in history(table_id, round_id)]
            flags = RoundFlag.REOPENED
            if kept is None:  # too long ago: what was known then, and what was missing, is forgotten
                kept = Closed(Context(unknown=True), missing=1)
            kept.version += 1
            if kept.missing:
                flags |= RoundFlag.GAP
            if kept.attested:
                flags |= RoundFlag.ATTESTED
            row, _, _ = build_row(table_id, round_id, events, kept.context, int(flags), kept.version)
            rows.append(row)
        self._reopened = {}
        return rows

    def take_findings(self) -> list[Finding]:
        found, self.findings = self.findings, []
        return found


def _empty_rack(table: Table) -> None:
    """The cards in the rack went to be shuffled or away, also as far as the round under way is concerned."""
    table.now.rack = table.now.rack_deck = ""
    for opened in table.open.values():
        opened.context.rack = opened.context.rack_deck = ""
