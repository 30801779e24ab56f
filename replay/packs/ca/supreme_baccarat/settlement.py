"""What every wager should come to: by the totals, and by what the player-dealer's posted wager covers.

The result of a round is one of a hundred pairs of totals, so the pay tables become one small table and settling is a
gather. Only rounds in which the cover runs out are followed bet by bet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from replay.citations import Citation
from replay.filing import Pack
from replay.game import Lines, make_lines, possible
from replay.packs.ca.supreme_baccarat import drawing, rules
from replay.packs.ca.supreme_baccarat.bets import KINDS, TIE, TOTAL_SHOT, UNKNOWN_KIND, Bets
from replay.packs.ca.supreme_baccarat.hands import Hands
from replay.packs.ca.supreme_baccarat.rules import Bools
from replay.rounds import OUTCOME_CODE, Array, Fact, Ints, RoundBatch
from schemas.events import Outcome

WIN, LOSE, PUSH = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.LOSE], OUTCOME_CODE[Outcome.PUSH]
NO_ACTION, VOID = OUTCOME_CODE[Outcome.NO_ACTION], OUTCOME_CODE[Outcome.VOID]
RETURNED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # three words for a wager that goes back

CODES = ("", "COVER-801", "BUTTON-802", "WAGER-504")
COVER_CODE, BUTTON_CODE, WAGER_CODE = 1, 2, 3


@dataclass(frozen=True)
class PayTable:
    """The pay tables by [kind, Player total, Banker total]."""

    outcome: Array
    pays: Array  # numerator of the odds
    per: Array  # denominator
    cite: Array
    cites: tuple[Citation, ...]


def pay_table(pack: Pack) -> PayTable:
    """The pay tables over every pair of totals. Two rows that both apply are an error; where none does, it loses."""
    banker, player = np.meshgrid(np.arange(10, dtype=np.uint8), np.arange(10, dtype=np.uint8))
    shape = (len(KINDS), 10, 10)
    outcome = np.full(shape, LOSE, dtype=np.uint8)
    pays, per = np.zeros(shape, dtype=np.int64), np.ones(shape, dtype=np.int64)
    cite = np.zeros(shape, dtype=np.int16)
    cites: list[Citation] = []
    for kind, name in enumerate(KINDS):
        table = pack.paytables[name]
        cite[kind] = len(cites)
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
            cites.append(row.cite or table.cite)
    return PayTable(outcome, pays, per, cite, tuple(cites))


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
    """The lines of these bets: void ones, ones of no known kind, and all whose round's hands are known."""
    known = hands.known[bets.row]
    bets = bets.where(known | bets.void | (bets.kind == UNKNOWN_KIND))
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

    moves = paid + taken
    total = np.zeros(len(batch), dtype=np.int64)
    np.add.at(total, bets.row, moves)
    posted = batch.bank_posted_cents
    short_rows = np.flatnonzero((posted >= 0) & (total > posted))
    seated = (batch.bank_seat >= 1) & (batch.bank_seat <= seats)
    short: list[Short] = []
    buttons = _buttons(batch, short_rows)
    for row in short_rows[seated[short_rows]].tolist():
        here = np.arange(*np.searchsorted(bets.row, [row, row + 1]))
        button = int(rules.button_seat(hands.banker[row : row + 1, 0], batch.bank_seat[row : row + 1], seats)[0])
        placed, seq = buttons.get(row, (-1, -1))
        order = here[settlement_order(bets, here, button, seats)]
        had = moves[order]
        gets = rules.covered(had, int(posted[row]))
        assert gets.sum() <= posted[row], f"round at {row}: {gets.sum()} moved with {posted[row]} posted"
        beyond = gets < had
        cite[order[beyond]] = len(cites) - 2
        if placed == button:
            code[order[beyond]] = COVER_CODE
        else:
            # A button elsewhere explains any difference; one never seen does not explain money beyond the cover.
            code[order] = BUTTON_CODE
            if placed < 0:
                code[order[beyond]] = COVER_CODE
        paid[order] = np.where(paid[order] > 0, gets, 0)
        taken[order] = np.where(taken[order] > 0, gets, 0)
        outcome[order[(gets == 0) & (had > 0)]] = NO_ACTION
        short.append(Short(row, int(total[row]), button, placed, seq))
    returned = bets.void | (code == WAGER_CODE)
    lines = make_lines(
        len(bets),
        cites,
        CODES,
        row=bets.row,
        kind=Fact.SETTLED,
        seat=bets.seat,
        bettor=bets.bettor,
        wager=bets.wager,
        choice=bets.choice,
        hand=bets.hand,
        outcome=outcome,
        possible=np.where(returned, RETURNED, np.left_shift(1, outcome.astype(np.int64))),
        stake=bets.amount,
        paid=paid,
        taken=taken,
        code=code,
        cite=cite,
    )
    return Settlement(lines, short, short_rows[~seated[short_rows]].tolist())


def settlement_order(bets: Bets, here: Ints, button: int, seats: int) -> Ints:
    """In which order these bets of one round are settled (rulings.md R-39, R-40).

    Player and Banker lines of all seats, then ties, then Total Shots, each clockwise from the button; at a seat the
    seated player and then the backline bettors in the order they bet, each with the Player line first.
    """
    kind, seat, bettor = bets.kind[here], bets.seat[here].astype(np.int64), bets.bettor[here]
    group = np.select([kind == TIE, kind == TOTAL_SHOT], [1, 2], 0)
    # A seat the table does not have comes after those it has.
    clockwise = np.where(seat <= seats, (seat - button) % seats, seats + seat)
    first_bet: dict[tuple[int, int], int] = {}
    for at, who in zip(here.tolist(), zip(seat.tolist(), bettor.tolist(), strict=True), strict=True):
        first_bet[who] = min(first_bet.get(who, bets.placed_seq[at]), bets.placed_seq[at])
    came = np.array([first_bet[who] for who in zip(seat.tolist(), bettor.tolist(), strict=True)], dtype=np.int64)
    order: Ints = np.lexsort((kind, bettor, came, bettor != 0, clockwise, group))
    return order


def _buttons(batch: RoundBatch, rows: Ints) -> dict[int, tuple[int, int]]:
    """Where the action button was last put in these rounds: row → (seat, event)."""
    facts = batch.facts.of(Fact.BUTTON)
    action = (facts.choice == batch.name_id("action")) & np.isin(facts.row, rows)
    put = zip(facts.row[action].tolist(), facts.seat[action].tolist(), facts.seq[action].tolist(), strict=True)
    return {row: (seat, seq) for row, seat, seq in put}


def same_money(one: Lines, other: Lines) -> Bools:
    """Line by line, whether two readings of the same bets come to the same."""
    same: Bools = (one.outcome == other.outcome) & (one.paid == other.paid) & (one.taken == other.taken)
    return same
