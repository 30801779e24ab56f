"""The gate's rules on the chain: an event that does not follow from the one before it, and whether it may.

The answers are the flags the event is recorded with; what there is to say is a finding.
"""

from __future__ import annotations

from ingest.chain import GENESIS
from ingest.gate.findings import CITE_CHAIN, CITE_KEYS, GateFindings
from ingest.gate.signatures import Signatures
from ingest.table_stream import KEPT_DIGITS, Held, Missing, TableStream
from schemas.admitted import AdmittedFlag
from schemas.events import Event

_GAP_BEFORE = int(AdmittedFlag.GAP_BEFORE)
_CHAIN_BROKEN = int(AdmittedFlag.CHAIN_BROKEN)


class Chains:
    """Judges events whose prevhash is not the hash of the event before them."""

    def __init__(self, findings: GateFindings, signatures: Signatures) -> None:
        self._findings = findings
        self._signatures = signatures

    def does_not_follow(self, table: TableStream, raw: bytes, event: Event, timestamp_us: int, time_us: int) -> int:
        """The flags of an event whose prevhash is not the hash of the event before it."""
        if table.last_hash is None:
            return _GAP_BEFORE
        if self.begins_anew(table, raw, event, timestamp_us, time_us):
            return _GAP_BEFORE
        before = f"seq {event.seq - 1}" if event.seq else "the start of the chain"
        evidence = (event.seq - 1, event.seq) if event.seq else (event.seq,)
        fork = table.forks.get(event.prevhash[:KEPT_DIGITS])
        if fork is not None:
            what = (
                f"it does not go on from {before} as recorded but from the other event with that number, in quarantine "
                f"(log record {fork}): the chain runs through that one"
            )
            self._findings.on("GATE-009", table, event, time_us, what, CITE_CHAIN, evidence)
            return _CHAIN_BROKEN
        what = (
            f"its prevhash {event.prevhash[:12]}… is not the hash of {before}, {table.last_hash[:12]}…: one of the two "
            "was changed, or replaced, after it was made"
        )
        self._findings.on("GATE-002", table, event, time_us, what, CITE_CHAIN, evidence)
        return _CHAIN_BROKEN

    def begins_anew(self, table: TableStream, raw: bytes, event: Event, timestamp_us: int, time_us: int) -> bool:
        """Whether the event begins the chain of a new controller, as an operator said one would: it follows from
        nothing, is signed with the table's key, and its number is still unused."""
        if event.prevhash != GENESIS or event.sig is None or not event.seq or event.seq < table.expected:
            return False
        begun = self._signatures.history_of(table).chains_begun(timestamp_us, event.seq)
        if begun <= table.chains or not self._signatures.is_good(table, raw, timestamp_us, event.seq):
            return False
        table.chains = begun
        what = f"a new chain begins here, as registered for a new table controller; it goes on from seq {event.seq}"
        self._findings.on("GATE-022", table, event, time_us, what, CITE_CHAIN)
        return True

    def resynchronised(self, table: TableStream, arrived: Held) -> bool:
        """Whether this is the event with which an operator had the table go on; the table then waits for it."""
        if not self._signatures.resync_due(table, arrived):
            return False
        event, seq = arrived.event, arrived.event.seq
        what = (
            f"the table was resynchronised here, as an operator had ordered: it stood at seq {table.expected - 1} and "
            f"goes on from seq {seq}"
        )
        self._findings.on("GATE-036", table, event, arrived.time_us, what, CITE_KEYS)
        table.missing = [hole for hole in table.missing if hole.last < seq]
        table.hashes = {number: digest for number, digest in table.hashes.items() if number < seq}
        table.attested_seq = min(table.attested_seq, seq - 1)
        table.end_link()
        table.expected = seq
        return True

    def late(self, table: TableStream, hole: Missing, arrived: Held) -> int:
        """An event that fills a hole: does it fit what stands on both sides of it?"""
        event = arrived.event
        seq = event.seq
        if seq == hole.last and hole.last_hash is not None and hole.last_hash != arrived.hash:
            self._findings.on(
                "GATE-002",
                table,
                event,
                arrived.time_us,
                f"it arrived late and its hash {arrived.hash[:12]}… is not the prevhash {hole.last_hash[:12]}… of seq "
                f"{seq + 1}: it is not the event that stood there",
                CITE_CHAIN,
                evidence=(seq, seq + 1),
            )
            return _CHAIN_BROKEN
        before = table.hash_of(seq - 1) if seq else GENESIS[:KEPT_DIGITS]
        if before is not None and before != event.prevhash[:KEPT_DIGITS]:
            self._findings.on(
                "GATE-002",
                table,
                event,
                arrived.time_us,
                f"it arrived late and its prevhash {event.prevhash[:12]}… is not the hash of the event before it, "
                f"{before[:12]}…",
                CITE_CHAIN,
                evidence=(seq - 1, seq) if seq else (seq,),
            )
            return _CHAIN_BROKEN
        return 0
