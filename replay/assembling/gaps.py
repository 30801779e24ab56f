"""Whether events of a round are missing, and what is not known of a round before which some are.

Of what came late to close a gap somebody may have made up a part: any event can be given a number in the middle of
it. At a table that signs, a gap is closed only when the chain vouches for all of it, up to a signed event behind it; or
when it vouches for everything from the round's opening to its closing, so that nothing of the round was in the gap.
"""

from __future__ import annotations

from collections.abc import Sequence

from replay.assembling import seating
from replay.assembling.round_row import Context
from replay.assembling.table_memory import Table
from replay.rounds import UNKNOWN
from schemas.admitted import Admitted
from schemas.events import RoundClosed, RoundOpened

MOST_HOLES = 64


def note_hole(holes: list[list[int]], hole: list[int]) -> None:
    """Events from the first to the last seq of `hole` are missing while the round is under way. Of a round with more
    gaps than anybody has, none is ever known to be closed."""
    if len(holes) < MOST_HOLES:
        holes.append(hole)
    else:
        holes[-1] = [UNKNOWN, UNKNOWN]


def has_gap(table: Table, missing: int, holes: Sequence[Sequence[int]], events: Sequence[Admitted]) -> bool:
    """Whether events may be missing of a round that has these, which lost so many, in these holes."""
    if not missing and not holes:
        return False
    if not table.vouched:  # nothing is ever signed here: the hashes on both sides of a late event are all there is
        return missing > 0
    began = [one.event.seq for one in events if type(one.event.data) is RoundOpened]
    ended = [one.event.seq for one in events if type(one.event.data) is RoundClosed]
    if began and ended and table.is_vouched(min(began), max(ended)):
        return False
    seqs = [one.event.seq for one in events]
    closed = bool(holes) and all(table.is_vouched(first, last) for first, last in holes)
    return not closed or not table.is_vouched(min(seqs), max(seqs))


def without_before(context: Context, rounds_missing: bool) -> Context:
    """The context of a round before whose opening events are missing: a shuffle, a change of decks, dice or dealer may
    be among them, so that nothing which rests on these is held against anybody. The filing is the last one heard, and
    what the rack held goes for a scan that begins with it."""
    context = context.copy()
    context.unknown = context.missing_before = True
    context.rounds_missing = rounds_missing
    context.burned = context.dealer = ""
    context.rack_sure = False
    context.deck_since_us = context.dice_since_us = context.previous_button = UNKNOWN
    context.deck_counted = context.deck_counted_seq = context.rounds_since_stub = UNKNOWN
    context.records = {}
    context.rests = {
        name: at for name, at in context.rests.items() if name == "filing" or name.startswith(seating.SEAT)
    }
    return context
