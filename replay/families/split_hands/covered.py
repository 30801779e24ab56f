"""What a player-dealer's posted wager covers: lines cut down from the action button on (R-28, R-39, R-45)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Short
from replay.citations import Citation
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.terms import Terms
from replay.keys import coded, last_of
from replay.lines import Applies, Cause, Lines
from replay.money.action_button import action_buttons, button_of_piles
from replay.money.cover import asked, cover
from replay.money.settlement_order import first_bets
from replay.rounds import OUTCOME_CODE, UNKNOWN, Fact, Ints, RoundBatch
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Cents = npt.NDArray[np.int64]

_NO_ACTION = OUTCOME_CODE[Outcome.NO_ACTION]


@dataclass(frozen=True)
class Cut:
    """The lines as the posted wager covers them."""

    lines: Lines
    entry: Ints
    short: list[Short]  # rounds in which it does not reach, by their first reading


def cut_down(
    batch: RoundBatch, seats: Seats, lines: Lines, entry: Ints, row_of: Ints, button: Ints, terms: Terms
) -> Cut:
    """`entry` is the reading each line is of, `row_of` the round of each reading, `button` (n,) where each round's
    action button belongs. Where the wager may not reach and a line is open, so are all the others of its reading."""
    law = terms.law.player_dealer
    assert law is not None, "no cover where nobody is player-dealer"
    posted = np.where(seats.player_dealt, batch.bank_posted_cents, UNKNOWN)[row_of]
    counts = (lines.by_reports == 0) | (lines.paid + lines.taken > 0)
    undecided = (lines.open == 1) | (np.bitwise_count(lines.possible) > 1)
    most = np.zeros(len(row_of), np.int64)
    np.add.at(most, entry, np.where(undecided, _most_each(lines, terms), lines.paid + lines.taken))
    unsure = np.zeros(len(row_of), bool)
    unsure[entry[undecided & counts]] = True
    may_run_out = (posted != UNKNOWN) & (most > posted)
    cannot = unsure & may_run_out
    lines = lines.opened(cannot[entry] & (lines.by_reports == 0)).up_to(may_run_out[entry])
    wanted = asked(entry, lines.paid, lines.taken, posted)
    runs_out = wanted.runs_out & ~cannot
    placed = action_buttons(batch)
    turn = np.flatnonzero(runs_out[entry])
    turn = turn[_in_turn(batch, seats, lines.where(turn), entry[turn], button[row_of], terms)]
    left = cover(entry, lines.paid, lines.taken, turn, posted)
    # At the player-dealer's own seat, where nobody bets, the next seat is first either way.
    bet_there = seats.wagered[np.arange(len(batch)), seats.against]
    as_right = (placed.seat == seats.against) & (button == _next(seats.against, terms)) & ~bet_there
    in_place = (placed.seat == button) | as_right
    right = in_place[row_of[entry]]
    unseen = (placed.seat == UNKNOWN)[row_of[entry]]
    causes = (*lines.causes, Cause("COVER-801", Applies.BEYOND_COVER), Cause("BUTTON-802"))
    code = lines.code.copy()
    in_turn = np.zeros(len(lines), bool)
    in_turn[turn] = True
    named = lines.code != 0  # a foul hand, or one the house way would have set otherwise, is told as that
    code[in_turn & ~right & ~named] = len(causes) - 1
    code[left.in_part & (right | unseen) & ~named] = len(causes) - 2
    cites: tuple[Citation, ...] = (*lines.cites, law.cover)
    columns = {
        **lines.columns,
        "paid": left.paid,
        "taken": left.taken,
        "outcome": np.where(left.no_action, _NO_ACTION, lines.outcome).astype(np.uint8),
        "possible": np.where(left.no_action, 1 << _NO_ACTION, lines.possible).astype(np.uint8),
        "code": code,
        "cite": np.where(left.in_part & ~named, len(cites) - 1, lines.cite).astype(np.int16),
    }
    kept = (lines.kind != Fact.ENVY) | (left.paid > 0) | (lines.open == 1)
    made = Lines(columns, cites, causes, lines.ways)
    rows = np.flatnonzero(runs_out[: len(batch)] & ~as_right)
    short = [
        Short(row, int(wanted.moves[row]), int(button[row]), int(placed.seat[row]), int(placed.seq[row]))
        for row in rows.tolist()
    ]
    return Cut(made.where(kept), entry[kept], short)


def _next(seat: Ints, terms: Terms) -> Ints:
    return button_of_piles(np.maximum(seat, 1), terms.geometry.ring, True)


def _most_each(lines: Lines, terms: Terms) -> Cents:
    """The most each line can move, whatever the hands; by the highest odds where its ways do not say."""
    highest = max(1, terms.highest_odds)
    said = [max((way.paid + way.taken for way in ways.each), default=UNKNOWN) for ways in lines.ways]
    most = np.array(said, np.int64)[lines.columns["ways"]]
    return np.where(most == UNKNOWN, lines.stake * highest, most)


def _in_turn(batch: RoundBatch, seats: Seats, lines: Lines, entry: Ints, button: Ints, terms: Terms) -> Ints:
    """Reading by reading, seat by seat from the button the game wagers and then the side wagers, at each the seated
    player first and then who else bet, in the order they bet; envy bonuses after the last seat."""
    wagers, count = seats.wagers, terms.geometry.ring.seats
    placed = first_bets(wagers.row, wagers.seat, wagers.bettor, wagers.placed_seq)
    mine, bet = coded((lines.row, wagers.row), (lines.seat, wagers.seat), (lines.bettor, wagers.bettor))
    turn = last_of(mine, bet, placed, 0)
    is_envy = lines.kind == Fact.ENVY
    beside = (lines.wager != batch.name_id(terms.law.base.name)) & ~is_envy
    from_button = (lines.seat.astype(np.int64) - button[entry]) % count
    for_seat = (lines.for_seat.astype(np.int64) - button[entry]) % count
    return np.asarray(np.lexsort((for_seat, turn, lines.bettor != 0, beside, from_button, is_envy, entry)))
