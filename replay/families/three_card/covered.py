"""What a player-dealer's posted wager covers: lines cut down, first what a fold has lost, then from the action button
on (rulings.md R-28, R-39)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Short
from replay.families.three_card.hands import Sources
from replay.families.three_card.seats import ANTE, PLAY, side_kind
from replay.keys import coded, last_of
from replay.lines import Applies, Cause, Lines
from replay.money.cover import asked, cover
from replay.money.settlement_order import first_bets
from replay.rounds import OUTCOME_CODE, UNKNOWN, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Cents = npt.NDArray[np.int64]

_NO_ACTION = OUTCOME_CODE[Outcome.NO_ACTION]
_CAUSES = (Cause("COVER-801", Applies.BEYOND_COVER), Cause("BUTTON-802"))


@dataclass(frozen=True)
class Cut:
    """The lines as the posted wager covers them."""

    lines: Lines
    entry: Ints
    further: dict[int, list[int]]  # entry → further ones, the same hands settled from another seat on
    short: list[Short]  # rounds in which it does not reach, by their first reading
    seats_due: Mapping[int, frozenset[int]]  # of those, every seat the action button may belong at


def cut_down(
    sources: Sources, lines: Lines, entry: Ints, row_of: Ints, due: Ints, several: Mapping[int, list[int]]
) -> Cut:
    """`entry` is the reading each line is of, `row_of` the round of each reading, `due` the seat the action button
    belongs at in each, 0 where not known; `several` has the seats it may belong at there. Where what was posted may not
    reach and a line is open, so are all the others of its reading, but for what folds have lost: that comes first,
    whatever the cards and wherever the button."""
    batch = sources.batch
    posted = np.where(sources.seats.against > 0, batch.bank_posted_cents, UNKNOWN)[row_of]
    counts = (lines.by_reports == 0) | (lines.paid + lines.taken > 0)
    undecided = (lines.open == 1) | (np.bitwise_count(lines.possible) > 1)
    most = np.zeros(len(row_of), np.int64)
    np.add.at(most, entry, np.where(undecided & counts, _most_each(lines), lines.paid + lines.taken))
    unsure = np.zeros(len(row_of), bool)
    unsure[entry[(lines.open == 1) & counts]] = True
    may_run_out = (posted != UNKNOWN) & (most > posted)
    cannot = unsure & may_run_out
    lines = lines.opened(cannot[entry] & (lines.by_reports == 0)).up_to(may_run_out[entry])
    runs_out = asked(entry, lines.paid, lines.taken, posted).runs_out & ~cannot
    begin, further, seats_due = due.copy(), dict[int, list[int]](), dict[int, frozenset[int]]()
    again, begins, mine = list[int](), list[int](), [np.arange(len(lines))]
    for of in np.flatnonzero(runs_out & (due == 0)).tolist():
        seats = several.get(of, [])
        begin[of] = seats[0] if seats else 0
        if of < len(batch):
            seats_due[of] = frozenset(seats)
        for seat in seats[1:]:
            further.setdefault(of, []).append(len(row_of) + len(again))
            again.append(of)
            begins.append(seat)
            mine.append(np.flatnonzero(entry == of))
    if again:
        numbers = [np.full(len(those), len(row_of) + at) for at, those in enumerate(mine[1:])]
        lines, entry = lines.where(np.concatenate(mine)), np.concatenate([entry, *numbers])
        begin, posted = np.append(begin, begins), np.append(posted, posted[again])
        runs_out, row_of = np.append(runs_out, runs_out[again]), np.append(row_of, row_of[again])
        cannot = np.append(cannot, cannot[again])
    return _cut(sources, lines, entry, row_of, begin, posted, runs_out, cannot, further, seats_due)


def _cut(
    sources: Sources,
    lines: Lines,
    entry: Ints,
    row_of: Ints,
    begin: Ints,
    posted: Cents,
    runs_out: Bools,
    folds_only: Bools,
    further: dict[int, list[int]],
    seats_due: dict[int, frozenset[int]],
) -> Cut:
    placed, rows = sources.placed, len(sources.batch)
    lost = _lost_by_folds(lines)
    turn = np.flatnonzero(runs_out[entry] | (folds_only[entry] & lost))
    turn = turn[_in_turn(sources, lines.where(turn), entry[turn], begin)]
    moves = asked(entry, lines.paid, lines.taken, posted).moves
    left = cover(entry, lines.paid, lines.taken, turn, posted)
    right = (placed.seat[row_of] == begin)[entry] | lost
    unseen = (placed.seat == UNKNOWN)[row_of][entry]
    causes = (*lines.causes, *_CAUSES)
    code = lines.code.copy()
    in_turn = np.zeros(len(lines), bool)
    in_turn[turn] = True
    code[in_turn & ~right] = len(causes) - 1
    code[left.in_part & (right | unseen)] = len(causes) - 2
    cites = (*lines.cites, sources.terms.law.cites.cover)
    columns = {
        **lines.columns,
        "paid": left.paid,
        "taken": left.taken,
        "outcome": np.where(left.no_action, _NO_ACTION, lines.outcome).astype(np.uint8),
        "possible": np.where(left.no_action, 1 << _NO_ACTION, lines.possible).astype(lines.possible.dtype),
        "code": code,
        "cite": np.where(left.in_part, len(cites) - 1, lines.cite).astype(np.int16),
    }
    short = [
        Short(row, int(moves[row]), int(begin[row]), int(placed.seat[row]), int(placed.seq[row]))
        for row in np.flatnonzero(runs_out[:rows]).tolist()
    ]
    return Cut(Lines(columns, cites, causes, lines.ways), entry, further, short, seats_due)


def _most_each(lines: Lines) -> Cents:
    """The most each line can move, whatever the hands."""
    said = [max((way.paid + way.taken for way in ways.each), default=0) for ways in lines.ways]
    return np.maximum(np.array(said, np.int64)[lines.columns["ways"]], lines.stake)


def _lost_by_folds(lines: Lines) -> Bools:
    return np.asarray((lines.by_reports == 1) & (lines.taken > 0))


def _in_turn(sources: Sources, lines: Lines, entry: Ints, begin: Ints) -> Ints:
    """Reading by reading: first what folded hands have lost, in the order the option was offered; then seat by seat
    from the button on, at each the seated player and then who else bet, in the order they bet; of each the ante, the
    play wager and the bonus bets."""
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    wagers, count = seats.wagers, terms.ring.seats
    placed = first_bets(wagers.row, wagers.seat, wagers.bettor, wagers.placed_seq)
    mine, bet = coded((lines.row, wagers.row), (lines.seat, wagers.seat), (lines.bettor, wagers.bettor))
    turn = last_of(mine, bet, placed, 0)
    kind = np.zeros(len(batch.names) + 1, np.int64)
    order = [(terms.law.ante, ANTE), (terms.law.play.name, PLAY)]
    for name, number in [*order, *((side.name, side_kind(at)) for at, side in enumerate(terms.sides))]:
        kind[batch.name_id(name)] = number
    lost = _lost_by_folds(lines)
    seat = lines.seat.astype(np.int64)
    step = np.where(lost, seat, (seat - begin[entry]) % count)
    return np.asarray(np.lexsort((kind[lines.wager], turn, lines.bettor != 0, step, ~lost, entry)))
