"""Whether a log is the one a lake was made from, and still has what the lake goes on with.

A lake goes on behind its last record. Before it does, the log must have that very record at that very offset: a log
that is merely long enough may be another one, and what lies before the offset in it would never be read. Where the log
has deleted the record (a cluster's retention), it must begin exactly where the lake goes on; then only the topic's id,
which KafkaLog holds against the home's, can tell it from another.
"""

from __future__ import annotations

from ingest.lake import Lake, LakeError
from ingest.log import EventLog


def check_log(log: EventLog, lake: Lake, topic: str, partition: int) -> None:
    """A LakeError if the log has not what the lake goes on with: it is another one, or old records were removed."""
    last = lake.last(topic, partition)
    if last is None:
        return
    position = last.last + 1
    where = f"{topic}/{partition}"
    another = "this is another log than the lake's; give the lake's own, or begin a new lake"
    start, end = log.start(topic, partition), log.high_water_mark(topic, partition)
    if end < position:
        raise LakeError(
            f"{where}: the lake has the records up to {position - 1}, but the log ends at {end - 1}: {another}"
        )
    if start > position:
        raise LakeError(
            f"{where}: the lake goes on at offset {position}, but the log begins at {start}: records were removed from "
            "it before they were read; bring them back, or begin a new lake"
        )
    if start == position:
        return
    found = log.look(topic, partition, position - 1)
    if found is None or found[1:] != lake.last_record(last):
        raise LakeError(
            f"{where}: the log's record at offset {position - 1} is not the one that the lake has there: the topic or "
            f"the file was made anew, or {another}"
        )
