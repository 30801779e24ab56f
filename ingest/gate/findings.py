"""What the gate has to say: the findings of a segment, in the order they came up, and the limit on how many.

Findings on admitted events are as many as there is cause for; their number is limited by the rate of events
(ingest/gate/limits.py). Records that are not admitted have no rate, so the findings on them have a limit of their own.
"""

from __future__ import annotations

from ingest.gate.words import lasting, range_text, ranges, where
from ingest.table_stream import Held, TableStream
from schemas.events import Event
from schemas.findings import Finding

FLOOD_WINDOW_US = 60 * 1_000_000
FLOOD_FINDINGS = 250
"""How many records that are not admitted get a finding of their own in a window of log time."""

CITE_ENVELOPE = "docs/events.md, envelope"
CITE_SEQUENCE = "docs/events.md, sequence"
CITE_CHAIN = "docs/events.md, chain"
CITE_SIGNATURES = "docs/events.md, signatures"
CITE_KEYS = "docs/events.md, keys"
CITE_CLOCKS = "docs/events.md, clocks"
CITE_LIMITS = "docs/events.md, limits"


class GateFindings:
    """Gathers findings until they are taken."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []

    def __bool__(self) -> bool:
        return bool(self._findings)

    def take(self) -> list[Finding]:
        findings, self._findings = self._findings, []
        return findings

    def add(self, finding: Finding) -> None:
        self._findings.append(finding)

    def on(
        self,
        code: str,
        table: TableStream,
        event: Event,
        at_us: int,
        what: str,
        citation: str,
        evidence: tuple[int, ...] | None = None,
    ) -> None:
        """A finding on an event of the table."""
        round_id = event.subject or table.round_id
        self._findings.append(
            Finding(
                code=code,
                table_id=table.id,
                round_id=round_id,
                sentence=f"{where(table.id, round_id, event.seq)}: {what}.",
                citation=citation,
                at_us=at_us,
                seq=event.seq,
                evidence=(event.seq,) if evidence is None else evidence,
            )
        )

    def outside(
        self,
        code: str,
        table: TableStream,
        arrived: Held,
        what: str,
        citation: str,
        evidence: tuple[int, ...] | None = None,
    ) -> None:
        """A finding on an event that is not admitted, as long as there are not too many."""
        event, at_us = arrived.event, arrived.time_us
        if self.may_say(table, table.id, event.subject or table.round_id, at_us, event.seq, arrived.timestamp_us):
            self.on(code, table, event, at_us, what, citation, evidence)

    def may_say(
        self, table: TableStream, table_id: str, round_id: str | None, at_us: int, seq: int, timestamp_us: int
    ) -> bool:
        """Whether one more finding on a record that is not admitted is within the limit; GATE-017 where it ends."""
        if timestamp_us - table.said_log_us >= FLOOD_WINDOW_US or timestamp_us < table.said_log_us:
            table.muted = table.said > FLOOD_FINDINGS  # one finding for a burst, however many windows it lasts
            table.said, table.said_log_us = 0, timestamp_us
        table.said += 1
        if table.said <= FLOOD_FINDINGS:
            return True
        if not table.muted:
            table.muted = True
            self._findings.append(
                Finding(
                    code="GATE-017",
                    table_id=table_id,
                    round_id=round_id,
                    sentence=f"{where(table_id, round_id, None)}: more than {FLOOD_FINDINGS} records within "
                    f"{lasting(FLOOD_WINDOW_US)} that are no events, or not in their place, a flood; what is too much "
                    "is in quarantine like the others, with its reason, but without a finding of its own.",
                    citation=CITE_LIMITS,
                    at_us=at_us,
                    seq=seq,
                )
            )
        return False

    def put_in_order(self, table: TableStream) -> None:
        """Order is restored: the events that came after later ones, and forget them."""
        strays = sorted(seq for seq, _ in table.strays)
        round_id = dict(table.strays)[strays[0]] or table.round_id
        table.strays = []
        what = "1 event" if len(strays) == 1 else f"{len(strays)} events"
        self._findings.append(
            Finding(
                code="GATE-005",
                table_id=table.id,
                round_id=round_id,
                sentence=f"{where(table.id, round_id, strays[0])}: {what} (seq {ranges(strays)}) arrived after later "
                "ones of the table and went back into place.",
                citation=CITE_SEQUENCE,
                at_us=table.clock_us or 0,
                seq=strays[0],
                evidence=tuple(strays),
            )
        )

    def missing(self, table: TableStream, first: int, last: int, after: Held) -> None:
        """`first` to `last` never came; `after` is the next event there is."""
        event = after.event
        before = f"after seq {first - 1}" if first else "at the start of the table's stream"
        if table.round_id is not None:
            before += f" in round {table.round_id}"
        following = f"before seq {event.seq}" + (f" in round {event.subject}" if event.subject else "")
        count = last - first + 1
        what = "1 event is missing" if count == 1 else f"{count:,} events are missing"
        claims = [
            refused.offset for refused in table.refused if refused.seq is not None and first <= refused.seq <= last
        ]
        claimed = ""
        if claims:
            claimed = (
                f"; log record {claims[-1]}, refused, names one of these numbers, but its hash is not the one the "
                "chain has there"
            )
        round_id = event.subject or table.round_id
        self._findings.append(
            Finding(
                code="GATE-003",
                table_id=table.id,
                round_id=round_id,
                sentence=f"{where(table.id, round_id, first)}: {what} (seq {range_text([(first, last)])}), {before} "
                f"and {following}{claimed}.",
                citation=CITE_SEQUENCE,
                at_us=after.time_us,
                seq=first,
                evidence=(first - 1, event.seq) if first else (event.seq,),
            )
        )
