"""The gate's limits on what one table may say: how much in a minute, how much in a round, how much unsigned.

They follow from the records alone. A table's `look_at` is the count of events at which one of them may be reached.
"""

from __future__ import annotations

from ingest.gate.findings import CITE_LIMITS, CITE_SIGNATURES, FLOOD_WINDOW_US, GateFindings
from ingest.gate.signatures import Signatures
from ingest.gate.words import lasting
from ingest.table_stream import NEVER, RECENT_ROUNDS, UNATTESTED_EVENTS, Held, TableStream
from schemas.events import Event, RoundClosed, event_type

FLOOD_EVENTS = 6_000
"""How many events a table may say in any window: a hundred a second, where a busy table says two. A window lasts 60 s
of log time or of the table's own time, whichever is over sooner: events that were kept back for an hour and come all
at once are an hour's events."""
FLOOD_STEP = 1_000
"""How often the rate is looked at: it is exact to so many events."""
ROUND_EVENTS = 5_000
"""How many events of its table a round may be under way for; the longest rounds have some hundred."""

_ROUND_CLOSED = event_type(RoundClosed)


class Limits:
    """Says of an event whether it is too much."""

    def __init__(self, findings: GateFindings, signatures: Signatures) -> None:
        self._findings = findings
        self._signatures = signatures

    def set_look_at(self, table: TableStream) -> None:
        """The count of events at which the next limit has to be looked at: until then the gate need not ask."""
        at = min(table.window_at, table.tail_at)
        if table.round_id is not None:
            began = table.rounds.get(table.round_id)
            if began is not None:
                at = min(at, began + ROUND_EVENTS)
        table.look_at = at

    def enter_round(self, table: TableStream, round_id: str) -> None:
        """The round that is under way from here on."""
        table.round_id, table.round_open = round_id, True
        rounds = table.rounds
        if round_id not in rounds:
            rounds[round_id] = table.count - 1  # this event is counted already
            if len(rounds) > RECENT_ROUNDS:
                del rounds[next(iter(rounds))]
        self.set_look_at(table)

    def surplus(self, table: TableStream, arrived: Held) -> str | None:
        """One of the table's limits may be reached: why the event is too much, or None if it may pass."""
        event, timestamp_us, time_us = arrived.event, arrived.timestamp_us, arrived.time_us
        count = table.count
        if count >= table.window_at:
            marks = table.marks
            if len(marks) == FLOOD_EVENTS // FLOOD_STEP:
                then_us, then_log_us = marks[0]  # FLOOD_EVENTS ago
                if max(time_us - then_us, timestamp_us - then_log_us) < FLOOD_WINDOW_US:
                    return self._flooded(table, event, time_us)
                del marks[0]
            marks.append((time_us, timestamp_us))
            table.window_at = count + FLOOD_STEP
            if table.flooding:
                table.flooding -= 1
        if count >= table.tail_at:
            self._say_tail(table, event, time_us)
        self.set_look_at(table)
        began = table.rounds.get(event.subject) if event.subject is not None else None
        if began is None or count - began < ROUND_EVENTS or event.type == _ROUND_CLOSED:
            return None
        return self._endless_round(table, arrived)

    def _flooded(self, table: TableStream, event: Event, time_us: int) -> str:
        if not table.flooding:
            what = (
                f"the table said more than {FLOOD_EVENTS:,} events within {lasting(FLOOD_WINDOW_US)}, a flood; what is "
                "too much is in quarantine and not replayed, and later events go on when the time is over"
            )
            self._findings.on("GATE-017", table, event, time_us, what, CITE_LIMITS)
        table.flooding = FLOOD_EVENTS // FLOOD_STEP  # one finding for a flood, until a window has passed without
        return f"more than {FLOOD_EVENTS:,} events within {lasting(FLOOD_WINDOW_US)}"

    def _endless_round(self, table: TableStream, arrived: Held) -> str:
        event = arrived.event
        if table.endless != event.subject:
            table.endless = event.subject
            what = (
                f"the round is under way for more than {ROUND_EVENTS:,} events of the table; what it says beyond that "
                "is in quarantine, but for its end"
            )
            self._findings.outside("GATE-018", table, arrived, what, CITE_LIMITS)
        return f"more than {ROUND_EVENTS:,} events since the round began"

    def _say_tail(self, table: TableStream, event: Event, time_us: int) -> None:
        table.tail_at = NEVER
        if not self._signatures.history_of(table).keys:
            judged = self._signatures.no_key(table, "over a thousand events came, and")
            if judged.code is not None:
                self._findings.on(judged.code, table, event, time_us, judged.what, CITE_SIGNATURES)
            return
        since = "since its first event" if table.attested_seq < 0 else f"since seq {table.attested_seq}"
        what = (
            f"no good signature has come {since}, over {UNATTESTED_EVENTS:,} events: what was said after it is "
            "unattested, and more comes; this is said once, until one comes"
        )
        self._findings.on("GATE-016", table, event, time_us, what, CITE_SIGNATURES)
