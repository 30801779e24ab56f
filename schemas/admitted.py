"""What the worker and the replay hand each other: admitted events one way, a segment's rounds and findings the other.

It lies here because the one side is `ingest` and the other `replay`, and neither may import the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from typing import NamedTuple, Protocol

import pyarrow as pa

from schemas.events import Event
from schemas.findings import Finding


class History(Protocol):
    """The replay's way back to rounds it has closed. It may be asked at any time; what `events` answers does not depend
    on where segments are cut."""

    def events(
        self, table_id: str, round_id: str, spans: Sequence[tuple[int, int]], last_seq: int
    ) -> list[tuple[int, bytes]]:
        """Log offset and bytes of every recorded event that names that round, with a seq up to `last_seq`, the
        highest the replay has been fed, in order of seq; LATE ones in their place. `spans` are where to look: the first
        and last seq of each stretch that has some. Duplicates and quarantined records are not among them."""
        ...

    def kept(self, table_id: str, round_id: str) -> str | None:
        """What the replay kept of a round, the newest version of it, in segments that are committed."""
        ...


class AdmittedFlag(IntFlag):
    """What the gate noted about an admitted event. `Admitted.flags` is the plain int: test it with `&`."""

    NONE = 0
    GAP_BEFORE = 1  # the event before it is missing or was refused
    CHAIN_BROKEN = 2  # its prevhash is not the hash of the event before it (or its hash not what the next one says)
    LATE = 4  # it arrived after its gap had been declared: events with a higher seq were handed over before it
    BAD_SIGNATURE = 8  # it carries a signature that does not verify
    ATTESTED = 16  # it carries a signature that does; `Admitted.vouched` says what that vouches for
    OVERRULES = 32  # it takes the place of the event handed over with its seq; the signed event that says so comes next
    SUPERVISOR = 64  # the good signature is of a supervisor's key: it vouches for this event alone


ROUND_ATTESTED = 32
"""In the column `flags` of a round: every event it rests on lies on an unbroken chain under a good signature."""


class Admitted(NamedTuple):
    """One recorded event on its way to the replay: in order of `seq` within its table, LATE ones apart."""

    offset: int  # of its log record
    raw: bytes  # exactly as recorded
    event: Event
    flags: int  # a sum of AdmittedFlag
    vouched: tuple[int, int] | None = None  # first and last seq of what this event brings under a good signature


class Concluded(NamedTuple):
    """Rounds that were judged, and what was found in them and on the way to them."""

    rounds: pa.Table | None  # None: only findings
    findings: list[Finding]


class ReplayCut(NamedTuple):
    """What the replay has to say about a segment: its rounds and its findings."""

    rounds: pa.Table
    findings: list[Finding]
    last: Concluded | None = None  # what of it was not handed out by `advance` before
