"""What is found when something is said about a round that is over, or under its id: the findings, in words."""

from __future__ import annotations

from collections.abc import Sequence

from replay.assembling.closed_rounds import Closed
from schemas import events as ev
from schemas.admitted import Admitted
from schemas.clock import microseconds
from schemas.events import Event
from schemas.findings import Finding


def used_again(table_id: str, said: str, other: str, kept: Closed, event: Event) -> Finding:
    """A round was opened under an id that has been used, or its opening is missing."""
    what = f"a round was opened under the id {said}"
    if not isinstance(event.data, ev.RoundOpened):
        what = f"behind a gap, in which its opening must be, a round goes on under the id {said}"
    return Finding(
        "ROUND-004",
        table_id,
        other,
        f"{table_id} round {other}: {what}, which an earlier round of this table has "
        f"(seq {kept.first_seq} to {kept.last_seq}). A round id is used once and never again: the two rounds are kept "
        f"apart, and this one is called {other}.",
        "docs/events.md, envelope",
        microseconds(event.time),
        event.seq,
        evidence=(kept.first_seq, event.seq),
    )


def said_unsigned(table_id: str, round_id: str, kept: Closed, event: Event) -> Finding:
    """Something was said about a round after it was over that no good signature vouches for."""
    what = ev.plain_type(event.type)
    data = event.data
    if isinstance(data, ev.RoundCorrected | ev.RoundVoided):
        what += f", “{data.reason}”" + (f", by {data.by}" if data.by else "")
    stands = f"version {kept.standing}, which is attested, stands"
    if not kept.standing:
        stands = "no version of the round is attested"
    return Finding(
        "ROUND-005",
        table_id,
        round_id,
        f"{table_id} round {round_id}: after the round was over an event came (seq {event.seq}: {what}) that no good "
        f"signature vouches for. What it says is kept as version {kept.version} and marked as unattested; {stands}.",
        "docs/events.md, signatures",
        microseconds(event.time),
        event.seq,
        evidence=(event.seq,),
        round_version=kept.version,
    )


def bytes_are_gone(table_id: str, round_id: str, kept: Closed, events: Sequence[Admitted]) -> Finding:
    """An event came for a round whose recorded events are not there any more."""
    newest = events[-1].event
    return Finding(
        "ROUND-006",
        table_id,
        round_id,
        f"{table_id} round {round_id}: an event came for a round whose events are no longer in the lake "
        f"({len(events)} of {kept.count + len(kept.later)} are there). The round stands as it was judged; to have it "
        "judged again, bring its events back from the archive and make the lake anew from the log.",
        "docs/operations.md, retention",
        microseconds(newest.time),
        newest.seq,
        evidence=(newest.seq,),
        round_version=kept.version,
    )
