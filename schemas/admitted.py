"""What the gate hands to the replay: an event, where it stands in the log, and what the gate had to note about it.

It lies here because the gate (ingest) makes it and the replay takes it, and neither may import the other.
"""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from schemas.events import Event


class AdmittedFlag(IntFlag):
    """What the gate noted about an admitted event. `Admitted.flags` is the plain int: test it with `&`."""

    NONE = 0
    GAP_BEFORE = 1  # the event before it is missing or was refused
    CHAIN_BROKEN = 2  # its prevhash is not the hash of the event before it (or its hash not what the next one says)
    LATE = 4  # it arrived after its gap had been declared: events with a higher seq were handed over before it
    BAD_SIGNATURE = 8  # it carries a signature that does not verify
    ATTESTED = 16  # it carries a signature that does: it vouches for itself and the unbroken chain behind it


class Admitted(NamedTuple):
    """One recorded event on its way to the replay: in order of `seq` within its table, LATE ones apart."""

    offset: int  # of its log record
    raw: bytes  # exactly as recorded
    event: Event
    flags: int  # a sum of AdmittedFlag
