"""What every wager should come to: by the hands, and by what the player-dealer's posted wager covers.

Money that was given up with a hand is charged to the cover first, in the order hands were surrendered; then insurance
from the action button on; then hand by hand, from the button on (rulings.md R-39).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Short
from replay.families.blackjack.hands import Hands
from replay.families.blackjack.law import INSURANCE
from replay.families.blackjack.outcomes import (
    NO_ACTION,
    Came,
    came_to,
    most_that_moves,
    ways_of,
)
from replay.families.blackjack.paid import PayTables
from replay.families.blackjack.pickup import button_seats
from replay.families.blackjack.play import NEVER, Play
from replay.families.blackjack.terms import Terms
from replay.lines import USUAL, Applies, Cause, Lines, make_lines, possible
from replay.money.action_button import action_buttons
from replay.money.bets import UNKNOWN_KIND, Bets
from replay.money.cover import asked, cover
from replay.money.settlement_order import settlement_order
from replay.rounds import UNKNOWN, Fact, Ints, RoundBatch
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]

RETURNED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # three words for a wager that goes back
CAUSES = (USUAL, Cause("COVER-801", Applies.BEYOND_COVER), Cause("BUTTON-802"), Cause("WAGER-504"))
COVER_CODE, BUTTON_CODE, WAGER_CODE = 1, 2, 3
_INSURANCE, _REST = 1 << 32, 1 << 33  # after everything that was surrendered, by its place among those


@dataclass(frozen=True)
class Settlement:
    lines: Lines
    came: Came
    short: list[Short]
    bad_bank: list[int]  # rounds short of cover whose player-dealer sits at no seat of the table


def spots_of_bets(play: Play, bets: Bets) -> Ints:
    """The entry of the hand each bet is on, -1 where its seat has no such hand."""
    return play.spots.find(bets.row, bets.seat, bets.hand)


def settle(batch: RoundBatch, play: Play, bets: Bets, hands: Hands, terms: Terms) -> Settlement:
    """The lines of these bets. Where a round's hands are not known, its lines are open: any way may be right."""
    law, tables = terms.law, terms.tables
    spot = spots_of_bets(play, bets)
    came = came_to(play, bets, spot, hands, tables, law)
    offered = (bets.kind != UNKNOWN_KIND) & (spot >= 0) & ~bets.void
    outcome, cite = came.outcome.copy(), came.cite.astype(np.int16)
    cites = (*came.cites, law.cover, law.offered.no_such_wager)
    code = np.where(~offered & ~bets.void | came.not_offered, WAGER_CODE, 0).astype(np.int16)
    cite[~offered & ~bets.void] = len(cites) - 1

    posted = batch.bank_posted_cents
    wanted = asked(bets.row, came.paid, came.taken, posted)
    seated = play.bank > 0
    down = hands.dealer[:, 1]
    button = np.where(seated & hands.dealer_known, button_seats(down, play.bank, terms), UNKNOWN)
    short_rows = np.flatnonzero(wanted.runs_out & seated & hands.dealer_known)
    buttons = action_buttons(batch)
    is_short = np.zeros(len(batch), bool)
    is_short[short_rows] = True
    in_short = np.flatnonzero(is_short[bets.row] & offered)
    turn = in_short[order_of(play, bets.where(in_short), spot[in_short], button, terms)]
    left = cover(bets.row, came.paid, came.taken, turn, posted)
    outcome[left.no_action] = NO_ACTION
    cite[left.in_part] = len(cites) - 2
    # A button elsewhere explains any difference; one never seen does not explain money beyond the cover.
    is_right = buttons.seat[bets.row] == button[bets.row]
    code[turn[~is_right[turn]]] = BUTTON_CODE
    code[left.in_part & (is_right | (buttons.seat[bets.row] == UNKNOWN))] = COVER_CODE
    short = [
        Short(row, int(wanted.moves[row]), int(button[row]), int(buttons.seat[row]), int(buttons.seq[row]))
        for row in short_rows.tolist()
    ]
    covered = _covered_in_full(batch, tables, bets)
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
        by_reports=bets.void | came.by_reports,
        covered=covered,
    )
    unknown = ~came.known & offered
    kind = np.where(offered, bets.kind, UNKNOWN_KIND)
    # Where the cards are known the sums say more than whether some cards could give them.
    lines = lines.with_ways(*ways_of(tables, law, bets, kind, unknown & covered)).opened(unknown)
    return Settlement(lines, came, short, np.flatnonzero(wanted.runs_out & ~seated).tolist())


def _covered_in_full(batch: RoundBatch, tables: PayTables, bets: Bets) -> Bools:
    """Whether what was posted covers all that can move in the round of each bet; nothing posted said is no limit."""
    most = np.zeros(len(batch), np.int64)
    np.add.at(most, bets.row, most_that_moves(tables, bets.kind, bets.amount))
    covered: Bools = ((batch.bank_posted_cents < 0) | (most <= batch.bank_posted_cents))[bets.row]
    return covered


def order_of(play: Play, bets: Bets, spot: Ints, button: Ints, terms: Terms) -> Ints:
    """In which order these bets are settled, round by round; `button` is the seat, one per round."""
    surrendered = play.spots.surrendered_seq[spot]
    group = np.where(surrendered != NEVER, surrendered, _REST)
    group = np.where(bets.kind == INSURANCE, _INSURANCE, group)
    return settlement_order(
        bets.row, bets.seat, bets.bettor, bets.placed_seq, group, bets.kind, button, terms.ring, bets.hand
    )
