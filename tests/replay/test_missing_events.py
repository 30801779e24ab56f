"""A round with an event missing: what the event could have been decides what can still be said."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from ingest.gate.gate import Gate
from ingest.key_history import KeyHistory
from ingest.log import LogRecord
from ingest.simulator import Plan, default_plan, simulate, table_keys
from replay.stream import Replay
from tests.ingest.key_rings import MemoryKeys


class Table:
    """A clean table's records, and the verdicts when some of them never come."""

    def __init__(self, table_id: str) -> None:
        whole = default_plan(seed=6, tables=13, rounds=6)
        self.plan = Plan(whole.seed, whole.gaming_day, [t for t in whole.tables if t.table_id == table_id], 6)
        self.records = list(simulate(self.plan))
        self.said: list[dict[str, Any]] = [json.loads(raw) for _, raw in self.records]
        rounds = list(dict.fromkeys(said["subject"] for said in self.said if "subject" in said))
        self.before, self.round, self.after = rounds[2], rounds[3], rounds[4]

    def without(self, *lost: int) -> dict[str, tuple[str, str]]:
        """Verdict and reason of every round's newest version."""
        keys = MemoryKeys()
        for table_id, public in table_keys(self.plan).items():
            keys.histories[table_id] = KeyHistory(table_id).added(public, None, "", None)
        gate, replay = Gate(keys), Replay()
        left = [record for at, record in enumerate(self.records) if at not in lost]
        for offset, (key, raw) in enumerate(left):
            for admitted in gate.admit(LogRecord(offset, 0, key, raw)):
                replay.feed(admitted)
        for admitted in gate.finish():
            replay.feed(admitted)
        rows = sorted(replay.cut().rounds.to_pylist(), key=lambda row: row["version"])
        return {row["round_id"]: (row["verdict"], row["reason"]) for row in rows}


@pytest.mark.parametrize("table_id", ["SB-01", "PG-01"])
def test_no_round_is_verified_with_an_event_missing_that_could_matter(table_id: str) -> None:
    table = Table(table_id)
    assert set(table.without().values()) == {("verified", "")}
    verdicts: Counter[str] = Counter()
    for seq, said in enumerate(table.said):
        if said.get("subject") == table.round and seq < len(table.said) - 1:
            by_round = table.without(seq)
            if said["type"].endswith("round.closed.v1"):
                assert by_round[table.after][0] == "verified", "the next one was opened, so nothing of it is missing"
            verdict, reason = by_round[table.round]
            verdicts[verdict] += 1
            assert verdict != "verified", said["type"]
            if verdict == "cannot_tell":
                assert "missing within this round" in reason or said["type"].endswith("round.opened.v1"), reason
            assert by_round[table.before] == ("verified", "")
    assert verdicts["cannot_tell"] > 8


def test_what_was_missing_between_two_rounds_can_have_been_of_neither() -> None:
    tried = 0
    for table_id in ("SB-01", "PG-01"):
        table = Table(table_id)
        for seq, said in enumerate(table.said[:-1]):
            following = table.said[seq + 1]
            if seq > 3 and "subject" not in said and following["type"].endswith("round.opened.v1"):
                by_round = table.without(seq)
                verdict, reason = by_round.pop(following["subject"])
                assert verdict == "verified" and "none of them can have been of it" in reason
                assert set(by_round.values()) == {("verified", "")}
                tried += 1
    assert tried


@pytest.mark.parametrize("table_id", ["SB-01", "PG-01"])
def test_without_the_tables_opening_nothing_can_be_told_and_nobody_is_blamed(table_id: str) -> None:
    table = Table(table_id)
    opening = next(at for at, said in enumerate(table.said) if said["type"].endswith("table.opened.v1"))
    by_round = table.without(opening)
    assert {verdict for verdict, _ in by_round.values()} == {"cannot_tell"}
    assert all("its opening may be among them" in reason for _, reason in by_round.values())


@pytest.mark.parametrize("table_id", ["SB-02", "SB-05", "PG-03"])
def test_a_rack_that_is_scanned_accuses_nobody_of_what_is_missing(table_id: str) -> None:
    """What the rack held is not forgotten with an event; where a round may be missing, its cards are in the scan."""
    table = Table(table_id)
    closing = next(
        at
        for at, said in enumerate(table.said)
        if said["type"].endswith("round.closed.v1") and said.get("subject") == table.round
    )
    by_round = table.without(closing)
    assert by_round[table.after][0] == "verified"
    whole = [at for at, said in enumerate(table.said) if said.get("subject") == table.round]
    assert table.without(*whole)[table.after][0] in ("verified", "cannot_tell")
