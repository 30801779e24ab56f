"""What the replay makes once in a process, made before anybody waits: rules read, tables built, libraries imported.

A worker that made them when its first round closes would give that round's verdict seconds late. A pack's own cases are
played: whatever judging needs, they need.
"""

from __future__ import annotations

from replay.audit import audit
from replay.case_run import settle_case
from replay.filing import load_pack, pack_ids
from replay.lake_rounds import rounds_table
from replay.rounds import batch_of
from schemas.cases import read_cases

CASES_EACH = 12  # of a pack, from as many files as there are


def warm_up() -> None:
    """Judge some rounds of every pack. Takes a second or two."""
    empty = batch_of([])
    rounds_table(empty, audit(empty))
    for pack_id in pack_ids():
        files = list(load_pack(pack_id).cases.values())
        for file in files[:CASES_EACH]:
            settle_case(read_cases(file)[0])
