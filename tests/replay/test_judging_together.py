"""Rounds of several partitions judged in one batch come to what each partition's come to alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ingest.gate.gate import Gate
from ingest.keys import KeyRing
from ingest.log import LogRecord, partition_of
from ingest.simulator import default_plan, simulate, table_keys
from replay.stream import Replay, advance_together
from schemas.admitted import Admitted, ReplayCut

PARTITIONS = 3
AT_A_TIME = 400


@pytest.fixture(scope="module")
def admitted(tmp_path_factory: pytest.TempPathFactory) -> list[Admitted]:
    """Eight tables' day with every kind of fault, through the gate."""
    plan = default_plan(5, 8, 12, fault_rate=0.3)
    keys = KeyRing(tmp_path_factory.mktemp("keys"))
    for table_id, public in table_keys(plan).items():
        keys.register(table_id, public)
    gate = Gate(keys)
    records = (LogRecord(offset, 0, key, raw) for offset, (key, raw) in enumerate(simulate(plan)))
    return [event for record in records for event in gate.admit(record)]


def cuts(admitted: list[Admitted], together: bool) -> list[tuple[ReplayCut, dict[str, Any]]]:
    replays = [Replay() for _ in range(PARTITIONS)]
    rounds_judged = 0
    for first in range(0, len(admitted), AT_A_TIME):
        for event in admitted[first : first + AT_A_TIME]:
            replays[partition_of(event.event.tableid, PARTITIONS)].feed(event)
        concluded = advance_together(replays) if together else [replay.advance() for replay in replays]
        for replay, said in zip(replays, concluded, strict=True):
            rounds_judged += 0 if said is None or said.rounds is None else said.rounds.num_rows
            while replay.waiting:
                later = replay.advance()
                rounds_judged += 0 if later is None or later.rounds is None else later.rounds.num_rows
            assert replay.advance() is None  # it was all said
    assert rounds_judged > 80
    return [(replay.cut(), replay.state()) for replay in replays]


def test_together_or_alone_is_the_same(admitted: list[Admitted]) -> None:
    both = zip(cuts(admitted, together=True), cuts(admitted, together=False), strict=True)
    for (one, one_state), (other, other_state) in both:
        assert one.rounds.equals(other.rounds) and one.rounds.num_rows
        assert one.findings == other.findings and one.findings
        assert one_state == other_state


def test_nothing_new_is_nothing(tmp_path: Path) -> None:
    assert advance_together([Replay(), Replay()]) == [None, None] and advance_together([]) == []
