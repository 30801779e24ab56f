"""Events that came before their turn: which of them may wait, and which of them the table goes on with.

The chain decides who follows whom: an event whose `prevhash` is the hash of the table's last one is the next, whatever
else waits under its number. What waits and does not hang off the chain proves nothing by itself, for anybody can number
an event. It counts when a good signature stands on it, or on an event that hangs off it; only a table of which no
signature was ever good goes by the chain alone, and takes two events that hang together for its own.

Nothing here says anything or lets anything through: that is the gate's.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ingest.table_stream import HELD_EVENTS, KEPT_DIGITS, Held, TableStream

LEAP_EVENTS = 512
"""How far ahead of the chain an event without a good signature may be to wait for its turn: as far as copies, forks and
late events can be told apart. A controller that lost more than that has lost whole rounds, and signs at the next one's
end; what it says until then is in quarantine."""

WAITING_EVENTS = 256
"""How many events may wait for a signature. The longest rounds have some hundred events, and each ends with one."""

DISOWNED_IN_A_WINDOW = 64
DISOWNED_WINDOW_US = 3_600 * 1_000_000
"""How many events may be found to have waited for nothing in an hour of log time. At an honest table there are none;
beyond this only what is signed, or hangs off the chain, is taken in."""


GAP_WAIT_US = 30_000_000
"""How long an event waits for a missing one before it, by the clock of the log: as long as its partition goes on."""


class Branch(NamedTuple):
    """Waiting events that hang together, each naming the hash of the one before it."""

    first: Held
    size: int
    good: bool  # a good signature is among them


def is_protected(table: TableStream) -> bool:
    """Whether a signature of the table was ever good. Only then can one be asked for."""
    return table.attested_seq >= 0


def waiting(table: TableStream) -> Iterable[Held]:
    """Every waiting event, in order of seq, those of one seq as they came."""
    return (held for seq in sorted(table.held) for held in table.held[seq])


def waiting_count(table: TableStream) -> int:
    return sum(map(len, table.held.values()))


def first_us(table: TableStream) -> int:
    """When the first of the events that wait came to the log."""
    return min(held.timestamp_us for held in waiting(table))


def follows_chain(table: TableStream, held: Held) -> bool:
    """Whether it is the next event by the chain, as far as that is known."""
    return table.last_hash is None or held.event.prevhash == table.last_hash


def parent_of(table: TableStream, held: Held) -> Held | None:
    """The waiting event it hangs off."""
    wanted = held.event.prevhash
    return next((before for before in table.held.get(held.event.seq - 1, ()) if before.hash == wanted), None)


def branches(table: TableStream) -> list[Branch]:
    """All of them, the lowest seq first."""
    found: dict[str, Branch] = {}
    branch_of: dict[str, str] = {}  # the first event's hash, by hash
    for held in waiting(table):
        before = branch_of.get(held.event.prevhash)
        if before is not None and parent_of(table, held) is None:
            before = None  # it names the hash and not the number
        first = branch_of[held.hash] = held.hash if before is None else before
        known = found.get(first, Branch(held, 0, False))
        found[first] = Branch(known.first, known.size + 1, known.good or held.good)
    return list(found.values())


def vouched(table: TableStream) -> set[str]:
    """The hashes of the waiting events on which, or on what hangs off which, a good signature stands."""
    found: set[str] = set()
    for held in waiting(table):
        at: Held | None = held if held.good else None
        while at is not None and at.hash not in found:
            found.add(at.hash)
            at = parent_of(table, at)
    return found


def next_by_chain(table: TableStream) -> Held | None:
    """The waiting event that is next: a vouched one before others, then the one that came first."""
    candidates = [held for held in table.held.get(table.expected, ()) if follows_chain(table, held)]
    return _best(table, candidates)


def lowest(table: TableStream) -> Held | None:
    """Of the lowest number that waits the event most likely to be the table's own."""
    return _best(table, table.held[min(table.held)]) if table.held else None


def _best(table: TableStream, candidates: list[Held]) -> Held | None:
    if len(candidates) <= 1:
        return candidates[0] if candidates else None
    good = vouched(table)
    following = {after.event.prevhash for after in table.held.get(candidates[0].event.seq + 1, ())}
    return max(candidates, key=lambda held: (held.hash in good, held.hash in following, -held.offset))


def over_refused(table: TableStream) -> Held | None:
    """A waiting event before which nothing is missing but refused records."""
    hashes = {refused.hash for refused in table.refused}
    for held in waiting(table):
        event = held.event
        if (
            event.seq > table.expected
            and event.prevhash[:KEPT_DIGITS] in hashes
            and table.proven_before(event) <= table.expected
            and (not is_protected(table) or table.hangs_off_refused(event) or held.hash in vouched(table))
        ):
            return held
    return None


def due(table: TableStream, nothing_more: bool = False) -> Held | None:
    """The waiting event that the table need wait no longer for those before it; `nothing_more` is coming for now."""
    found = branches(table)
    good = [branch for branch in found if branch.good]
    if good:
        first = good[0].first
        if nothing_more or first.event.seq == table.expected or sum(branch.size for branch in good) >= HELD_EVENTS:
            return first
    if is_protected(table):
        return None
    several = [branch for branch in found if branch.size > 1]
    if several and nothing_more:
        return several[0].first
    if several and waiting_count(table) >= HELD_EVENTS:
        return max(several, key=lambda branch: (branch.size, -branch.first.event.seq)).first
    return None


def surplus(table: TableStream) -> Held | None:
    """The one to send away when more wait than may: the oldest of those that no signature vouches for, one that
    nothing else hangs together with before others."""
    if waiting_count(table) < (WAITING_EVENTS if is_protected(table) else HELD_EVENTS):
        return None
    good = vouched(table)
    return min(
        (held for held in waiting(table) if held.hash not in good),
        key=lambda held: (_hangs_together(table, held), held.offset),
        default=None,
    )


def _hangs_together(table: TableStream, held: Held) -> bool:
    after = table.held.get(held.event.seq + 1, ())
    return parent_of(table, held) is not None or any(other.event.prevhash == held.hash for other in after)


def may_wait(table: TableStream, arrived: Held) -> str | None:
    """Why an event without a good signature may not wait for its turn; None if it may."""
    seq = arrived.event.seq
    ahead = seq - table.expected
    if table.expected and ahead > LEAP_EVENTS and parent_of(table, arrived) is None:
        return f"{ahead:,} numbers ahead of the table's chain, without a good signature"
    since_us = arrived.timestamp_us - table.disowned_log_us
    if table.disowned_count >= DISOWNED_IN_A_WINDOW and 0 <= since_us < DISOWNED_WINDOW_US:
        return "not the next event of the table's chain, without a good signature, after many others like it"
    return None


def note_stray(table: TableStream, arrived: Held) -> None:
    """An event that came after one that follows it."""
    seq = arrived.event.seq
    if len(table.strays) < HELD_EVENTS and any(
        held.event.prevhash == arrived.hash for held in table.held.get(seq + 1, ())
    ):
        table.strays.append((seq, arrived.event.subject))
