"""Valid events that are not admitted: copies, forks, second beginnings, and what is too old to say.

Each answer is the status and the reason of the record's row. A run of them in order is one disturbance, one finding.
"""

from __future__ import annotations

from ingest.chain import GENESIS
from ingest.gate.findings import CITE_CHAIN, CITE_SEQUENCE, FLOOD_WINDOW_US, GateFindings
from ingest.gate.links import keep_rival
from ingest.gate.signatures import Signatures
from ingest.gate.words import DUPLICATE, QUARANTINED
from ingest.table_stream import FORK_HEADS, KEPT_DIGITS, REMEMBERED_HASHES, Held, TableStream
from schemas.events import Event

_AGAIN, _OLD, _FORK, _RESTART = "again", "old", "fork", "restart"  # kinds of runs


class Outside:
    """Judges events that have no place in their table's stream."""

    def __init__(self, findings: GateFindings, signatures: Signatures) -> None:
        self._findings = findings
        self._signatures = signatures

    def known(self, table: TableStream, arrived: Held, same: bool) -> tuple[str, str]:
        """Its number is taken: by the `same` event, or by another."""
        event = arrived.event
        if same:
            if self._new_run(table, _AGAIN, event.seq):  # a file sent again is one disturbance, not thousands
                what = f"the same event arrived again (log record {arrived.offset}); the first counts"
                self._findings.outside("GATE-004", table, arrived, what, CITE_SEQUENCE)
            return DUPLICATE, "the same event is recorded already"
        table.forks[arrived.hash[:KEPT_DIGITS]] = arrived.offset
        if len(table.forks) > FORK_HEADS:
            del table.forks[next(iter(table.forks))]
        if event.seq == 0 and event.prevhash == GENESIS:
            return self._started_over(table, arrived)
        if table.run == _RESTART and event.seq == table.run_next:
            table.run_next += 1
            return QUARANTINED, "it goes on from a chain that started over"
        keep_rival(table, arrived)
        new_run = self._new_run(table, _FORK, event.seq)
        arrival = f"another event with this sequence number arrived (log record {arrived.offset}, {_short_type(event)})"
        if event.sig is not None and self._signatures.is_good(table, arrived.raw, arrived.timestamp_us, event.seq):
            what = (
                f"{arrival}, signed with the table's own key: its controller, or whoever holds the key, says two "
                "things at once; the first counts and this one is in quarantine"
            )
            self._findings.outside("GATE-021", table, arrived, what, CITE_CHAIN)
        elif new_run:
            what = f"{arrival}; the first counts, and this one and those that directly follow it are in quarantine"
            self._findings.outside("GATE-009", table, arrived, what, CITE_CHAIN)
        return QUARANTINED, "another event with this seq is recorded already"

    def not_the_missing(self, table: TableStream, arrived: Held) -> tuple[str, str]:
        """It comes late, and the event behind it names the hash of another one: its place is kept for that."""
        event = arrived.event
        table.forks[arrived.hash[:KEPT_DIGITS]] = arrived.offset
        if len(table.forks) > FORK_HEADS:
            del table.forks[next(iter(table.forks))]
        if self._new_run(table, _FORK, event.seq):
            what = (
                f"it arrived late (log record {arrived.offset}, {_short_type(event)}), and its hash "
                f"{arrived.hash[:12]}… is not the prevhash of seq {event.seq + 1}: it is not the event that is missing "
                "there, and is in quarantine"
            )
            evidence = (event.seq, event.seq + 1)
            self._findings.outside("GATE-009", table, arrived, what, CITE_CHAIN, evidence)
        return QUARANTINED, "it is not the event that is missing at this seq: the next one names another hash"

    def lost_to(self, table: TableStream, waited: Held, winner: Held) -> None:
        """It waited for its turn, and another event that follows from the same one has its place."""
        table.forks[waited.hash[:KEPT_DIGITS]] = waited.offset
        if len(table.forks) > FORK_HEADS:
            del table.forks[next(iter(table.forks))]
        if self._new_run(table, _FORK, waited.event.seq):
            what = (
                f"two events with this sequence number follow from the same one; log record {winner.offset} counts, "
                f"and log record {waited.offset} ({_short_type(waited.event)}) does not"
            )
            self._findings.outside("GATE-009", table, waited, what, CITE_CHAIN)

    def not_on_the_chain(self, table: TableStream, arrived: Held) -> None:
        """An event ahead of the table's chain, or beside it, that does not count: one finding for a burst of them."""
        quiet_us = arrived.timestamp_us - table.ahead_log_us
        table.ahead_log_us = max(table.ahead_log_us, arrived.timestamp_us)
        if quiet_us < FLOOD_WINDOW_US:
            return
        what = (
            f"log record {arrived.offset} has this number, but does not follow from any event of the table and carries "
            "no good signature, so it does not count, nor do others like it until a minute has passed without one; the "
            f"table goes on with seq {table.expected} (if it really is elsewhere, it goes on from there with its next "
            "good signature, or see `muckraker keys resync`)"
        )
        self._findings.outside("GATE-035", table, arrived, what, CITE_SEQUENCE)

    def too_old(self, table: TableStream, arrived: Held) -> tuple[str, str]:
        """Its number lies before everything that is remembered."""
        seq = arrived.event.seq
        if table.run == _RESTART and seq == table.run_next:
            table.run_next += 1
        elif self._new_run(table, _OLD, seq):
            what = (
                f"it is older than the window: the table is at seq {table.expected - 1} and the last "
                f"{REMEMBERED_HASHES} events are remembered, so it is a duplicate, or can no longer be told from "
                "one; it and those that directly follow it are in quarantine"
            )
            self._findings.outside("GATE-023", table, arrived, what, CITE_SEQUENCE)
        return QUARANTINED, f"older than the window of {REMEMBERED_HASHES} events"

    def _started_over(self, table: TableStream, arrived: Held) -> tuple[str, str]:
        """A second beginning: a new controller that was not told where to go on, or somebody who plays one."""
        table.run, table.run_next = _RESTART, 1
        what = (
            f"the table's chain starts over (log record {arrived.offset}), and a table has one chain only; this event "
            f"and those that directly follow it are in quarantine: give the controller the next number and hash "
            f"(`muckraker keys head {table.id}`), or find out who sent this"
        )
        self._findings.outside("GATE-019", table, arrived, what, CITE_CHAIN)
        return QUARANTINED, "the table's chain has begun already"

    def _new_run(self, table: TableStream, kind: str, seq: int) -> bool:
        """Whether this record begins a run of its kind, or goes on with one."""
        goes_on = table.run == kind and table.run_next == seq
        table.run, table.run_next = kind, seq + 1
        return not goes_on


def _short_type(event: Event) -> str:
    return event.type.split(".", 1)[1]
