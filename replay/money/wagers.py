"""Who bet what: the wagers of a batch as they finally stood, and what was done to them after betting closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from replay.rounds import Array, Fact, Facts, Ints, RoundBatch

ON_TIME, PLACED_LATE, CHANGED_LATE = 0, 1, 2


class LateEvent(NamedTuple):
    """A wager made, changed or withdrawn after "No more bets"."""

    row: int
    seat: int
    bettor: int
    wager: int
    seq: int
    what: str  # placed, changed, withdrawn
    amount: int
    amount_before: int


@dataclass(frozen=True)
class Wagers:
    """Parallel columns, one row a wager still standing, in order of round and of placing."""

    row: Ints
    seat: Array
    bettor: Array
    wager: Array
    choice: Array
    hand: Array
    amount: Ints
    placed_seq: Ints
    late: Array  # ON_TIME, PLACED_LATE or CHANGED_LATE
    amount_on_time: Ints  # as it stood when betting closed (0: not there yet)
    late_events: list[LateEvent]

    def __len__(self) -> int:
        return len(self.row)


def resolve_wagers(
    batch: RoundBatch,
    closing_wagers: Sequence[str] | None = None,
    closing_seq: Ints | None = None,
    later_hands: bool = False,
) -> Wagers:
    """The wagers as they finally stood.

    `closing_seq` is, a round, the event after which betting is closed (`bets_closed_seq` unless given, -1 not known).
    `closing_wagers` names the wagers that close then; all of them unless given (a Play or a double comes later).
    `later_hands`: a seat's hands other than the first come about while they are played, and their wagers with them.
    """
    facts = batch.facts.of(Fact.WAGER_PLACED, Fact.WAGER_CHANGED, Fact.WAGER_WITHDRAWN)
    closed = batch.bets_closed_seq if closing_seq is None else closing_seq
    after = (closed[facts.row] >= 0) & (facts.seq > closed[facts.row])
    if closing_wagers is not None:
        after &= np.isin(facts.wager, [batch.name_id(name) for name in closing_wagers])
    if later_hands:
        after &= facts.hand == 0
    plain = facts.kind == Fact.WAGER_PLACED
    if plain.all() and not after.any() and not _repeats(facts).any():
        return Wagers(
            facts.row,
            facts.seat,
            facts.bettor,
            facts.wager,
            facts.choice,
            facts.hand,
            facts.amount,
            facts.seq,
            np.zeros(len(facts), dtype=np.uint8),
            facts.amount,
            [],
        )
    return _fold(facts, after)


def _fold(facts: Facts, after: Array) -> Wagers:
    """Wagers with changes: rounds with none of those keep their rows, the others are followed event by event."""
    troubled = np.unique(facts.row[(facts.kind != Fact.WAGER_PLACED) | after | _repeats(facts)])
    rough = np.isin(facts.row, troubled)
    keep = np.flatnonzero(~rough)
    amount = facts.amount.copy()
    on_time = facts.amount.copy()
    late = np.zeros(len(facts), dtype=np.uint8)
    standing: dict[tuple[int, ...], int] = {}
    late_events: list[LateEvent] = []
    rough_at = np.flatnonzero(rough)
    columns = (facts.row, facts.seat, facts.bettor, facts.wager, facts.choice, facts.hand)
    keys = zip(*(column[rough_at].tolist() for column in columns), strict=True)
    details = zip(
        rough_at.tolist(),
        (facts.kind[rough_at] == int(Fact.WAGER_WITHDRAWN)).tolist(),
        after[rough_at].tolist(),
        facts.amount[rough_at].tolist(),
        facts.seq[rough_at].tolist(),
        strict=True,
    )
    for key, (at, is_withdrawn, is_late, amount_said, seq) in zip(keys, details, strict=True):
        first = standing.get(key)
        if is_withdrawn and first is None:
            continue  # nothing was there to take back
        new = 0 if is_withdrawn else amount_said
        if is_late:
            what = "placed" if first is None else "withdrawn" if is_withdrawn else "changed"
            before = 0 if first is None else int(amount[first])
            row, seat, bettor, wager = key[:4]
            late_events.append(LateEvent(row, seat, bettor, wager, seq, what, new, before))
        if is_withdrawn:
            del standing[key]
        elif first is None:
            standing[key] = at
            late[at] = PLACED_LATE if is_late else ON_TIME
            on_time[at] = 0 if is_late else new
        else:  # a second report of a wager is its amount now, whether the device calls it placed or changed
            amount[first] = new
            if not is_late:
                on_time[first] = new
            elif late[first] == ON_TIME:
                late[first] = CHANGED_LATE
    index = np.sort(np.concatenate([keep, np.fromiter(standing.values(), np.int64, len(standing))]))
    chosen = facts.at(index)
    return Wagers(
        chosen.row,
        chosen.seat,
        chosen.bettor,
        chosen.wager,
        chosen.choice,
        chosen.hand,
        amount[index],
        chosen.seq,
        late[index],
        on_time[index],
        late_events,
    )


def _repeats(facts: Facts) -> Array:
    """True for every fact whose wager is named by another fact of the round."""
    columns = [facts.hand, facts.choice, facts.wager, facts.bettor, facts.seat, facts.row]
    order = np.lexsort(columns)
    same = np.ones(max(len(facts) - 1, 0), dtype=bool)
    for column in columns:
        ordered = column[order]
        same &= ordered[1:] == ordered[:-1]
    repeated = np.zeros(len(facts), dtype=bool)
    repeated[order[1:][same]] = True
    repeated[order[:-1][same]] = True
    return repeated
