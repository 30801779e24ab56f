"""Which events of a table a good signature vouches for: the unbroken stretches of its chain, and two that compete.

A signature of the table controller vouches for its own event and for every event behind it as far as the chain is
unbroken. A *link* is one such stretch. It ends where an event is missing or does not follow from the one before it; an
event that comes late and fits on both sides joins two links.

Whoever has no key can still append an event that follows from the last one. The controller's own next event then has a
number that is taken: it is a *rival*, in quarantine. As soon as a good signature comes on a chain that runs through
rivals, they are what the controller said, and prevail over what was recorded in their place since the last good
signature.
"""

from __future__ import annotations

from typing import NamedTuple

from ingest.chain import GENESIS
from ingest.gate.words import RoundEvent
from ingest.table_stream import KEPT_DIGITS, Held, Link, TableStream

MOST_LINKS = 64
MOST_RIVALS = 256
MOST_RIVAL_BYTES = 1 << 20
MOST_PREVAILED = 64


class Branch(NamedTuple):
    """Rivals that turn out to be the chain, in order of seq, and where they leave what was recorded."""

    rivals: list[Held]
    fork_seq: int  # of the last event both have in common


def link_begins(table: TableStream, seq: int, prevhash: str) -> None:
    """An event that does not go on from the newest link begins another one."""
    table.links.append(Link(seq, prevhash[:KEPT_DIGITS]))
    del table.links[:-MOST_LINKS]


def vouch(table: TableStream, seq: int) -> tuple[int, int]:
    """A good signature on the newest event: the first and last seq of what it vouches for."""
    link = table.links[-1]
    table.links[-1] = link._replace(vouched=seq)
    table.rivals = [rival for rival in table.rivals if rival.event.seq > seq]
    return link.first, seq


def known_otherwise(table: TableStream, arrived: Held) -> bool:
    """Whether the event behind a hole, which lies under a good signature, says that another event belongs there."""
    seq = arrived.event.seq
    right = next((link for link in table.links if link.first == seq + 1 <= link.vouched), None)
    return right is not None and right.before not in (arrived.hash[:KEPT_DIGITS], GENESIS[:KEPT_DIGITS])


def joined(table: TableStream, arrived: Held, signed: bool) -> tuple[int, int] | None:
    """An event fills a hole; what it now lies under, or brings under, a good signature."""
    seq, digest, before = arrived.event.seq, arrived.hash[:KEPT_DIGITS], arrived.event.prevhash[:KEPT_DIGITS]
    link = Link(seq, before, seq, digest, seq if signed else -1)
    links = table.links
    left = next((other for other in links[:-1] if other.last == seq - 1 and other.last_hash == before), None)
    right = next((other for other in links if other.first == seq + 1 and other.before == digest), None)
    at = sum(1 for other in links if other.first < seq)
    if right is not None:
        link = link._replace(last=right.last, last_hash=right.last_hash, vouched=max(link.vouched, right.vouched))
        links.remove(right)
    if left is not None:
        link = link._replace(first=left.first, before=left.before, vouched=max(link.vouched, left.vouched))
        links.remove(left)
        at -= 1
    links.insert(at, link)
    del links[:-MOST_LINKS]
    return (link.first, link.vouched) if link.vouched >= link.first else None


def keep_rival(table: TableStream, arrived: Held) -> None:
    """A valid event whose number is taken by one that no good signature vouches for yet."""
    if arrived.event.seq <= table.attested_seq:
        return
    table.rivals.append(arrived)
    size = sum(len(rival.raw) for rival in table.rivals)
    while len(table.rivals) > MOST_RIVALS or size > MOST_RIVAL_BYTES:
        size -= len(table.rivals.pop(0).raw)


def branch_to(table: TableStream, seq: int, prevhash: str) -> Branch | None:
    """The rivals that a chain runs through which goes on with `seq`, back to what is recorded; None if there are none,
    or the way back is not known."""
    by_hash = {rival.hash[:KEPT_DIGITS]: rival for rival in table.rivals}
    rivals: list[Held] = []
    wanted = prevhash[:KEPT_DIGITS]
    while True:
        rival = by_hash.get(wanted)
        if rival is None or rival.event.seq != seq - 1:
            break
        rivals.append(rival)
        seq, wanted = rival.event.seq, rival.event.prevhash[:KEPT_DIGITS]
    if not rivals or table.hash_of(seq - 1) != wanted:
        return None
    return Branch(rivals[::-1], seq - 1)


def prevails(table: TableStream, branch: Branch, through: int, offset: int) -> None:
    """The branch takes the place of what was recorded behind the fork, up to the seq `through`, in log records before
    `offset`."""
    first = branch.fork_seq + 1
    for seq in range(first, through + 1):
        table.hashes.pop(seq, None)
    for rival in branch.rivals:
        table.remember(rival.event.seq, rival.hash)
        table.reinstated.append(rival)
    trunk = next(link for link in reversed(table.links) if link.first <= branch.fork_seq)
    kept = [link for link in table.links if link.first < trunk.first]
    after = [link for link in table.links if link.first > through]
    whole = trunk
    if after:  # what goes on from the branch is recorded already
        whole = after[0]._replace(first=trunk.first, before=trunk.before)
    else:
        whole = trunk._replace(last=-1, last_hash="")
    table.links = [*kept, whole, *after[1:]]
    table.overruled.append((first, through, offset))
    del table.overruled[:-MOST_PREVAILED]
    del table.reinstated[:-MOST_RIVALS]


def as_signed(table: TableStream, round_id: str, found: list[RoundEvent]) -> list[RoundEvent]:
    """The recorded events of a round, with those that a signed chain overruled replaced by what it says instead."""
    if not table.overruled:
        return found
    left = [
        (seq, offset, raw)
        for seq, offset, raw in found
        if not any(first <= seq <= last and offset < before for first, last, before in table.overruled)
    ]
    reinstated = [held for held in table.reinstated if held.event.subject == round_id]
    return left + [(held.event.seq, held.offset, held.raw) for held in reinstated]
