"""What every wager should come to: by the totals, and by what the player-dealer's posted wager covers.

The result of a round is one of a hundred pairs of totals, so the pay tables become one small table and settling is a
gather. Rounds in which the cover runs out are put in settlement order, and a running sum says what is left of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from replay.citations import Citation
from replay.families.two_hands import drawing
from replay.families.two_hands.bets import KINDS, TIE, TOTAL_SHOT, UNKNOWN_KIND, Bets
from replay.families.two_hands.button import action_buttons
from replay.families.two_hands.hands import Hands
from replay.filing import Pack
from replay.lines import ANYTHING, USUAL, Applies, Cause, Cents, Lines, Way, Ways, make_lines, possible
from replay.packs.ca.supreme_baccarat.v1 import rules
from replay.rounds import OUTCOME_CODE, UNKNOWN, Array, Fact, Ints, RoundBatch
from schemas.events import Outcome

WIN, LOSE, PUSH = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE], OUTCOME_CODE[Outcome.PUSH]
NO_ACTION, VOID = OUTCOME_CODE[Outcome.NO_ACTION], OUTCOME_CODE[Outcome.VOID]
RETURNED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # three words for a wager that goes back

CAUSES = (USUAL, Cause("COVER-801", Applies.BEYOND_COVER), Cause("BUTTON-802"), Cause("WAGER-504"))
COVER_CODE, BUTTON_CODE, WAGER_CODE = 1, 2, 3


@dataclass(frozen=True)
class PayTable:
    """The pay tables by [kind, Player total, Banker total]."""

    outcome: Array
    pays: Array  # numerator of the odds
    per: Array  # denominator
    cite: Array
    cites: tuple[Citation, ...]
    of_kind: Ints  # the pay table itself, as index into `cites`, a kind


def pay_table(pack: Pack) -> PayTable:
    """The pay tables over every pair of totals. Two rows that both apply are an error; where none does, it loses."""
    banker, player = np.meshgrid(np.arange(10, dtype=np.uint8), np.arange(10, dtype=np.uint8))
    shape = (len(KINDS), 10, 10)
    outcome = np.full(shape, LOSE, dtype=np.uint8)
    pays, per = np.zeros(shape, dtype=np.int64), np.ones(shape, dtype=np.int64)
    cite = np.zeros(shape, dtype=np.int16)
    cites: list[Citation] = []
    of_kind = np.zeros(len(KINDS), dtype=np.int64)
    for kind, name in enumerate(KINDS):
        table = pack.paytables[name]
        cite[kind] = of_kind[kind] = len(cites)
        cites.append(table.cite)
        reached = np.zeros((10, 10), dtype=bool)
        for row in table.rows:
            if row.hand not in rules.RESULTS:
                raise ValueError(f"pay table {name}: no result {row.hand!r}; there are: {', '.join(rules.RESULTS)}")
            applies = rules.RESULTS[row.hand](player, banker)
            if (applies & reached).any():
                raise ValueError(f"pay table {name}: row {row.hand!r} and one above it apply to the same totals")
            reached |= applies
            outcome[kind][applies] = PUSH if row.odds == "push" else WIN
            pays[kind][applies], per[kind][applies] = row.pays()
            cite[kind][applies] = len(cites)
            cites.append(table.cite_of(row))
    return PayTable(outcome, pays, per, cite, tuple(cites), of_kind)


@lru_cache(maxsize=4096)
def _ways(pays: tuple[tuple[int, int, int], ...], stake: int) -> Ways:
    """What a wager of this amount can come to: each (outcome, odds) of its pay table, as far as it is covered."""
    each = {Way(outcome, stake * odds // per if outcome == WIN else 0, 0) for outcome, odds, per in pays}
    return Ways(tuple(sorted({*each, Way(LOSE, 0, stake), Way(NO_ACTION, 0, 0), Way(VOID, 0, 0)})), or_less=True)


def ways_of(table: PayTable, kind: Array, amount: Cents) -> tuple[list[Ways], Ints]:
    """What each of these wagers can come to whatever the cards, and its index into that; 0 where no rule says."""
    printed = (table.outcome, table.pays, table.per)
    of_kind = [
        tuple(sorted(set(zip(*(of[at].reshape(-1).tolist() for of in printed), strict=True))))
        for at in range(len(KINDS))
    ]
    known: dict[Ways, int] = {ANYTHING: 0}
    kinds = len(KINDS) + 1
    stakes, index = np.unique(amount * kinds + kind + 1, return_inverse=True)
    each = [
        known.setdefault(_ways(of_kind[one % kinds - 1], one // kinds), len(known)) if one % kinds else 0
        for one in stakes.tolist()
    ]
    return list(known), np.array(each, dtype=np.int64)[index.reshape(-1)]


class Short(NamedTuple):
    """A round in which the posted wager does not cover everything that moves."""

    row: int
    moves: int  # what would move with full cover
    button: int  # the seat the action button belongs at
    placed: int  # the seat it was put at, -1 if it was not seen
    seq: int  # the event that put it there, -1


@dataclass(frozen=True)
class Settlement:
    lines: Lines
    short: list[Short]
    bad_bank: list[int]  # rounds short of cover whose player-dealer sits at no seat of the table


def settle(batch: RoundBatch, table: PayTable, bets: Bets, hands: Hands, seats: int) -> Settlement:
    """The lines of these bets. Where a round's hands are not known, its lines are open: any way may be right."""
    offered = (bets.kind != UNKNOWN_KIND) & ~bets.void
    kind = np.where(offered, bets.kind, 0)
    player, banker = drawing.total(hands.player)[bets.row], drawing.total(hands.banker)[bets.row]
    outcome = table.outcome[kind, player, banker].copy()
    outcome[~offered] = NO_ACTION
    outcome[bets.void] = VOID
    # "1 to 2" of an odd amount: fractions of a cent round down (rulings.md R-39).
    won = bets.amount * table.pays[kind, player, banker] // table.per[kind, player, banker]
    paid = np.where(outcome == WIN, won, 0)
    taken = np.where(outcome == LOSE, bets.amount, 0)
    cite = table.cite[kind, player, banker].copy()
    code = np.where((bets.kind == UNKNOWN_KIND) & ~bets.void, WAGER_CODE, 0).astype(np.int16)
    cites = (*table.cites, rules.COVER, rules.FOUR_WAGERS)
    cite[code == WAGER_CODE] = len(cites) - 1
    unknown = ~hands.known[bets.row] & offered
    paid[unknown] = taken[unknown] = 0
    cite[unknown] = table.of_kind[kind[unknown]]

    moves = paid + taken
    total = np.zeros(len(batch), dtype=np.int64)
    np.add.at(total, bets.row, moves)
    posted = batch.bank_posted_cents
    is_short = (posted >= 0) & (total > posted)
    seated = (batch.bank_seat >= 1) & (batch.bank_seat <= seats)
    short_rows = np.flatnonzero(is_short & seated)
    button = np.full(len(batch), UNKNOWN, dtype=np.int64)
    button[short_rows] = rules.button_seat(hands.banker[short_rows, 0], batch.bank_seat[short_rows], seats)
    buttons = action_buttons(batch)
    placed, placed_seq = buttons.seat, buttons.seq

    in_short = np.flatnonzero((is_short & seated)[bets.row] & offered)
    turn = in_short[settlement_order(bets.where(in_short), button, seats)]
    row, had = bets.row[turn], moves[turn]
    gets = rules.covered(had, _before_in_round(row, had), posted[row])
    beyond = gets < had
    paid[turn] = np.where(paid[turn] > 0, gets, 0)
    taken[turn] = np.where(taken[turn] > 0, gets, 0)
    outcome[turn[(gets == 0) & beyond]] = NO_ACTION
    cite[turn[beyond]] = len(cites) - 2
    # A button elsewhere explains any difference; one never seen does not explain money beyond the cover.
    is_right, unseen = placed[row] == button[row], placed[row] == UNKNOWN
    code[turn[~is_right]] = BUTTON_CODE
    code[turn[beyond & (is_right | unseen)]] = COVER_CODE
    used = np.zeros(len(batch), dtype=np.int64)
    np.add.at(used, bets.row, paid + taken)
    assert (used[short_rows] <= posted[short_rows]).all(), "a player-dealer won or lost more than was posted"
    short = [
        Short(at, int(total[at]), int(button[at]), int(placed[at]), int(placed_seq[at])) for at in short_rows.tolist()
    ]
    lines = make_lines(
        len(bets),
        cites,
        CAUSES,
        row=bets.row,
        kind=Fact.SETTLED,
        seat=bets.seat,
        bettor=bets.bettor,
        wager=bets.wager,
        choice=bets.choice,
        hand=bets.hand,
        outcome=outcome,
        possible=np.where(bets.void, RETURNED, np.left_shift(1, outcome.astype(np.int64))),
        stake=bets.amount,
        paid=paid,
        taken=taken,
        code=code,
        cite=cite,
        by_reports=bets.void | (bets.kind == UNKNOWN_KIND),
    )
    lines = lines.with_ways(*ways_of(table, bets.kind, bets.amount)).opened(unknown)
    return Settlement(lines, short, np.flatnonzero(is_short & ~seated).tolist())


def settlement_order(bets: Bets, button: Ints, seats: int) -> Ints:
    """In which order these bets are settled, round by round (rulings.md R-39, R-40); `button` is the seat, a round.

    Player and Banker lines of all seats, then ties, then Total Shots, each clockwise from the button; at a seat the
    seated player and then the backline bettors in the order they bet, each with the Player line first.
    """
    seat = bets.seat.astype(np.int64)
    group = np.where(bets.kind == TIE, 1, np.where(bets.kind == TOTAL_SHOT, 2, 0))
    # A seat the table does not have comes after those it has.
    clockwise = np.where(seat <= seats, (seat - button[bets.row]) % seats, seats + seat)
    order: Ints = np.lexsort((bets.kind, _first_bet(bets), bets.bettor != 0, clockwise, group, bets.row))
    return order


def _first_bet(bets: Bets) -> Ints:
    """For each bet, when its bettor first bet at that seat in that round."""
    order = np.lexsort((bets.placed_seq, bets.bettor, bets.seat, bets.row))
    changes = np.ones(len(order), dtype=bool)
    who = [column[order] for column in (bets.bettor, bets.seat, bets.row)]
    changes[1:] = np.any([column[1:] != column[:-1] for column in who], axis=0)
    first = np.empty(len(order), dtype=np.int64)
    first[order] = bets.placed_seq[order][np.flatnonzero(changes)][np.cumsum(changes) - 1]
    return first


def _before_in_round(row: Ints, moves: Cents) -> Cents:
    """What moved in the same round before each bet; rows in order."""
    before = np.cumsum(moves) - moves
    begins = np.searchsorted(row, row)
    gone: Cents = before - before[begins]
    return gone
