"""Records sent through a gate, for the tests of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ingest.chain import event_hash
from ingest.gate.gate import RECORDED, Gate
from ingest.log import LogRecord
from schemas.admitted import Admitted, AdmittedFlag
from schemas.findings import Finding
from tests.ingest.device import TableDevice
from tests.ingest.key_rings import MemoryKeys

F = AdmittedFlag


class Run:
    """Records sent through a gate, and everything that came of them."""

    def __init__(self, *devices: TableDevice) -> None:
        self.keys = MemoryKeys(*devices)
        self.gate = Gate(self.keys)
        self.admitted: list[Admitted] = []
        self.offset = 0

    def send(self, raws: Iterable[bytes], key: str = "PG-07") -> Run:
        for raw in raws:
            self.admitted += self.gate.admit(LogRecord(self.offset, 1_000 + self.offset, key, raw))
            self.offset += 1
        return self

    def end(self) -> Run:
        self.admitted += self.gate.finish()
        self.rows = self.gate.take_rows()
        self.findings = self.gate.take_findings()
        assert [row[0] for row in self.rows] == list(range(self.offset)), "one row for each record, in order"
        for row in self.rows:
            assert row[11].hex() == event_hash(row[12])
        assert len({admitted.offset for admitted in self.admitted}) == len(self.admitted)
        let_through = {row[0] for row in self.rows if row[9] == RECORDED and self.gate.let_through(row[2], row[12])}
        in_quarantine = {admitted.offset for admitted in self.admitted if admitted.flags & F.OVERRULES} - let_through
        replayed = {admitted.offset for admitted in self.admitted} - in_quarantine
        assert replayed == let_through, "what is recorded and counts is replayed, and what prevails over it"
        return self

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]

    @property
    def the_finding(self) -> Finding:
        assert len(self.findings) == 1, self.codes
        return self.findings[0]

    def seqs(self, table_id: str = "PG-07") -> list[int]:
        return [admitted.event.seq for admitted in self.admitted if admitted.event.tableid == table_id]

    def flags(self) -> dict[int, AdmittedFlag]:
        """The flags of the events that have any but ATTESTED, by seq."""
        marked = {admitted.event.seq: F(admitted.flags) & ~F.ATTESTED for admitted in self.admitted}
        return {seq: flags for seq, flags in marked.items() if flags}

    def statuses(self) -> Counter[str]:
        return Counter(row[9] for row in self.rows)

    def without_place(self) -> int:
        """How many recorded events wait, or waited, for a turn they never got."""
        return self.statuses()[RECORDED] - len(self.admitted)


def replaced(raw: bytes, old: bytes, new: bytes) -> bytes:
    assert old in raw
    return raw.replace(old, new)
