"""What every wager should come to: by the totals, and by what the player-dealer's posted wager covers.

The result of a round is one of a hundred pairs of totals, so the pay tables become one small table and settling is a
gather. Rounds in which the cover runs out are put in settlement order, and `replay.money.cover` says what is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from replay.checks.action_button import Short
from replay.citations import Citation
from replay.families.two_hands import drawing
from replay.families.two_hands.hands import Hands
from replay.families.two_hands.law import Law
from replay.families.two_hands.terms import Terms
from replay.filing import Pack
from replay.lines import ANYTHING, USUAL, Applies, Cause, Cents, Lines, Way, Ways, make_lines, possible
from replay.money.action_button import action_buttons
from replay.money.bets import UNKNOWN_KIND, Bets
from replay.money.cover import asked, cover
from replay.money.settlement_order import settlement_order
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


def pay_table(pack: Pack, law: Law) -> PayTable:
    """The pay tables over every pair of totals. Two rows that both apply are an error; where none does, it loses."""
    banker, player = np.meshgrid(np.arange(10, dtype=np.uint8), np.arange(10, dtype=np.uint8))
    kinds = law.kinds
    shape = (len(kinds), 10, 10)
    outcome = np.full(shape, LOSE, dtype=np.uint8)
    pays, per = np.zeros(shape, dtype=np.int64), np.ones(shape, dtype=np.int64)
    cite = np.zeros(shape, dtype=np.int16)
    cites: list[Citation] = []
    of_kind = np.zeros(len(kinds), dtype=np.int64)
    for kind, name in enumerate(kinds):
        table = pack.paytables[name]
        cite[kind] = of_kind[kind] = len(cites)
        cites.append(table.cite)
        reached = np.zeros((10, 10), dtype=bool)
        for row in table.rows:
            if row.hand not in law.results:
                raise ValueError(f"pay table {name}: no result {row.hand!r}; there are: {', '.join(law.results)}")
            applies = law.results[row.hand](player, banker)
            if (applies & reached).any():
                raise ValueError(f"pay table {name}: row {row.hand!r} and one above it apply to the same totals")
            reached |= applies
            outcome[kind][applies] = PUSH if row.odds == "push" else WIN
            pays[kind][applies], per[kind][applies] = row.pays()
            cite[kind][applies] = len(cites)
            cites.append(table.cite_of(row))
    return PayTable(outcome, pays, per, cite, tuple(cites), of_kind)


@lru_cache(maxsize=4096)
def _ways(pays: tuple[tuple[int, int, int], ...], stake: int, covered: bool) -> Ways:
    """What a wager of this amount can come to: each (outcome, odds) of its pay table, or less where cover runs out."""
    each = {Way(outcome, stake * odds // per if outcome == WIN else 0, 0) for outcome, odds, per in pays}
    return Ways(tuple(sorted({*each, Way(LOSE, 0, stake), Way(NO_ACTION, 0, 0), Way(VOID, 0, 0)})), or_less=not covered)


def ways_of(table: PayTable, kind: Array, amount: Cents, covered: Array) -> tuple[list[Ways], Ints]:
    """What each of these wagers can come to whatever the cards, and its index into that; 0 where no rule says. The
    `covered` ones are so in full, whatever the cards."""
    printed = (table.outcome, table.pays, table.per)
    of_kind = [
        tuple(sorted(set(zip(*(of[at].reshape(-1).tolist() for of in printed), strict=True))))
        for at in range(len(table.outcome))
    ]
    known: dict[Ways, int] = {ANYTHING: 0}
    kinds = len(table.outcome) + 1
    stakes, index = np.unique((amount * kinds + kind + 1) * 2 + covered, return_inverse=True)
    each = [
        known.setdefault(_ways(of_kind[one % kinds - 1], one // kinds, bool(full)), len(known)) if one % kinds else 0
        for one, full in (divmod(stake, 2) for stake in stakes.tolist())
    ]
    return list(known), np.array(each, dtype=np.int64)[index.reshape(-1)]


def _covered_in_full(batch: RoundBatch, table: PayTable, bets: Bets) -> Array:
    """A bet: whether what was posted covers all that can move in its round, whatever the cards; nothing posted said is
    no limit."""
    kind = np.where(bets.kind == UNKNOWN_KIND, 0, bets.kind)
    odds = table.pays.reshape(len(table.outcome), -1).max(axis=1)  # "1 to 2" counts as 1
    most = np.zeros(len(batch), dtype=np.int64)
    np.add.at(most, bets.row, bets.amount * np.maximum(odds[kind], 1))
    covered: Array = ((batch.bank_posted_cents < 0) | (most <= batch.bank_posted_cents))[bets.row]
    return covered


@dataclass(frozen=True)
class Settlement:
    lines: Lines
    short: list[Short]
    bad_bank: list[int]  # rounds short of cover whose player-dealer sits at no seat of the table


def settle(batch: RoundBatch, table: PayTable, bets: Bets, hands: Hands, terms: Terms) -> Settlement:
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
    cites = (*table.cites, terms.law.cover, terms.law.offered.no_such_wager)
    cite[code == WAGER_CODE] = len(cites) - 1
    unknown = ~hands.known[bets.row] & offered
    paid[unknown] = taken[unknown] = 0
    cite[unknown] = table.of_kind[kind[unknown]]

    posted, seats = batch.bank_posted_cents, terms.seats
    wanted = asked(bets.row, paid, taken, posted)
    seated = (batch.bank_seat >= 1) & (batch.bank_seat <= seats)
    short_rows = np.flatnonzero(wanted.runs_out & seated)
    button = np.full(len(batch), UNKNOWN, dtype=np.int64)
    button[short_rows] = terms.law.button.seat(hands.banker[short_rows, 0], batch.bank_seat[short_rows], seats)
    buttons = action_buttons(batch)
    placed = buttons.seat

    in_short = np.flatnonzero((wanted.runs_out & seated)[bets.row] & offered)
    turn = in_short[order_of(bets.where(in_short), button, terms)]
    left = cover(bets.row, paid, taken, turn, posted)
    outcome[left.no_action] = NO_ACTION
    cite[left.in_part] = len(cites) - 2
    # A button elsewhere explains any difference; one never seen does not explain money beyond the cover.
    is_right = placed[bets.row] == button[bets.row]
    code[turn[~is_right[turn]]] = BUTTON_CODE
    code[left.in_part & (is_right | (placed[bets.row] == UNKNOWN))] = COVER_CODE
    short = [
        Short(row, int(wanted.moves[row]), int(button[row]), int(placed[row]), int(buttons.seq[row]))
        for row in short_rows.tolist()
    ]
    covered = _covered_in_full(batch, table, bets)
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
        paid=left.paid,
        taken=left.taken,
        code=code,
        cite=cite,
        by_reports=bets.void | (bets.kind == UNKNOWN_KIND),
        covered=covered,
    )
    # Where the cards are known the sums say more than whether some cards could give them.
    lines = lines.with_ways(*ways_of(table, bets.kind, bets.amount, unknown & covered)).opened(unknown)
    return Settlement(lines, short, np.flatnonzero(wanted.runs_out & ~seated).tolist())


def order_of(bets: Bets, button: Ints, terms: Terms) -> Ints:
    """In which order these bets are settled, round by round; `button` is the seat, one per round."""
    turn = np.array([kind.turn for kind in terms.law.wagers])[bets.kind]
    return settlement_order(bets.row, bets.seat, bets.bettor, bets.placed_seq, turn, bets.kind, button, terms.ring)
