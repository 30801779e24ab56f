"""The gate's rule on two chains that compete: the one the table controller has signed counts.

What was recorded in its place since the last good signature stays recorded, and counts for nothing any more; that is
GATE-030. Which chain runs where is in ingest/gate/links.py.
"""

from __future__ import annotations

from ingest.gate.findings import CITE_CHAIN, GateFindings
from ingest.gate.links import Branch, branch_to, prevails, vouch
from ingest.gate.signatures import Signatures
from ingest.gate.words import range_text
from ingest.table_stream import KEPT_DIGITS, Held, TableStream
from schemas.admitted import Admitted, AdmittedFlag
from schemas.events import Event

_OVERRULES = int(AdmittedFlag.OVERRULES)
_NAMED_RECORDS = 8


class Prevailing:
    """Judges good signatures: what they vouch for, and what they overrule."""

    def __init__(self, findings: GateFindings, signatures: Signatures) -> None:
        self._findings = findings
        self._signatures = signatures
        self._prevailed: list[Admitted] = []

    def take(self) -> list[Admitted]:
        """The events that just prevailed: they go to the replay before the signed one."""
        prevailed, self._prevailed = self._prevailed, []
        return prevailed

    def vouched(self, table: TableStream, event: Event, time_us: int, offset: int) -> tuple[int, int]:
        """What the controller's signature on the newest event vouches for; rivals its chain runs through prevail."""
        link = table.links[-1]
        branch = branch_to(table, link.first, link.before) if table.rivals else None
        if branch is not None:
            self._prevails(table, branch, link.first - 1, event, time_us, offset)
        return vouch(table, event.seq)

    def takes_over(self, table: TableStream, arrived: Held) -> bool:
        """Whether an event whose number is taken by one that nobody signed is itself signed by the controller: then
        its chain counts from where the two part, and the table goes on behind it."""
        event = arrived.event
        seq = event.seq
        if event.sig is None or not table.attested_seq < seq < table.expected:
            return False
        branch = branch_to(table, seq, event.prevhash)
        if branch is None and table.hash_of(seq - 1) == event.prevhash[:KEPT_DIGITS]:
            branch = Branch([], seq - 1)
        if branch is None or not self._signatures.is_good(table, arrived.raw, arrived.timestamp_us, seq):
            return False
        self._prevails(table, branch, table.expected - 1, event, arrived.time_us, arrived.offset)
        table.expected, table.last_hash = seq + 1, arrived.hash
        table.remember(seq, arrived.hash)
        table.count += 1
        return True

    def _prevails(
        self, table: TableStream, branch: Branch, through: int, event: Event, time_us: int, offset: int
    ) -> None:
        """A signed chain runs past what is recorded up to `through`: its own events count, and those do not."""
        prevails(table, branch, through, offset)
        self._prevailed = [Admitted(rival.offset, rival.raw, rival.event, _OVERRULES) for rival in branch.rivals]
        first = branch.fork_seq + 1
        records = ", ".join(str(rival.offset) for rival in branch.rivals[:_NAMED_RECORDS])
        if len(branch.rivals) > _NAMED_RECORDS:
            records += f" and {len(branch.rivals) - _NAMED_RECORDS} more"
        runs = f"through what was in quarantine (log record {records})" if branch.rivals else "past it"
        what = (
            "this event is signed by the table controller, and its chain does not run through what was recorded as "
            f"seq {range_text([(first, through)])}, which nobody signed, but {runs}: the signed chain counts, and the "
            "rounds it touches are judged again; somebody without the controller's key wrote the other events"
        )
        self._findings.on("GATE-030", table, event, time_us, what, CITE_CHAIN, evidence=(first, event.seq))
