"""What a round comes to for the player who banks: the line of the centre pot on the bank's own seat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.hands import Hands
from replay.families.split_hands.ranked import Ranked
from replay.families.split_hands.seats import Seats, bank_settled_elsewhere
from replay.families.split_hands.side_seats import BASE
from replay.families.split_hands.terms import Terms
from replay.lines import ANYTHING, Lines, make_lines
from replay.money.bank import centre_pot
from replay.money.results import LOSES, OUTCOME_OF, TIES, WINS
from replay.rounds import Fact, Ints, RoundBatch
from schemas.places import DEALER

Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]


def bank_lines(
    batch: RoundBatch,
    seats: Seats,
    hands: Hands,
    ranked: Ranked,
    terms: Terms,
    wager: Ints,
    entry: Ints,
    result: Bytes,
    bits: Bytes,
) -> tuple[Lines, Ints]:
    """One line for each reading of each round somebody banked; `wager` and `entry` are the wagers to be settled, one a
    reading. Where a wager may come out in more ways than one, or the bank itself is in doubt, nothing says what the
    bank's comes to."""
    law = terms.law.bank
    assert law is not None, "nobody banks where the law has no bank"
    row, at = hands.row[entry], seats.at[wager]
    stake = seats.wagers.amount[wager]
    counts = (seats.kind[wager] == BASE) & (at > 0) & ~seats.voided[row, at]
    surrendered = seats.surrendered[row, at]
    loses = counts & (surrendered | (result[entry, at] == LOSES))
    wins = counts & ~surrendered & (result[entry, at] == WINS)
    unsure = counts & ~surrendered & (np.bitwise_count(bits[entry, at]) != 1)
    entries = len(hands.row)
    own = seats.dealer_stake[hands.row]
    lost = _summed(entry, stake * loses, entries) + own * (ranked.dealer == LOSES)
    won = _summed(entry, stake * wins, entries) + own * (ranked.dealer == WINS)
    unsettled = (own > 0) & ~(hands.known[:, DEALER] & ranked.against_known)
    not_offered, elsewhere = bank_unusable(batch, seats), bank_settled_elsewhere(batch, terms)
    is_open = unsettled | (np.bincount(entry[unsure], minlength=entries) > 0) | not_offered[hands.row]
    pot = centre_pot(lost, won, seats.co_banked[hands.row])
    came_to = np.where(pot.bank_gets > 0, WINS, np.where(pot.bank_pays > 0, LOSES, TIES))
    outcome = OUTCOME_OF[came_to]
    co_banked = seats.co_banked[hands.row]
    cite = np.where(came_to == TIES, 2, np.where(came_to == WINS, 0, 1) + np.where(co_banked, 3, 0))
    lines = make_lines(
        entries,
        (law.surplus, law.shortfall, law.even, law.co_surplus, law.co_shortfall),
        row=hands.row,
        kind=Fact.SETTLED,
        seat=np.where(not_offered, np.where(elsewhere > 0, elsewhere, batch.bank_seat), seats.against)[hands.row],
        wager=batch.name_id(law.wager),
        outcome=outcome,
        possible=np.left_shift(1, outcome),
        paid=pot.bank_gets,
        taken=pot.bank_pays,
        vigorish=1,
        cite=cite,
    )
    lines = lines.with_ways([ANYTHING], np.zeros(entries, np.int64)).opened(is_open)
    there = np.flatnonzero(((seats.banked | not_offered) & ~seats.all_void)[hands.row])
    return lines.where(there), there


def bank_unusable(batch: RoundBatch, seats: Seats) -> Bools:
    """Rounds that somebody is said to have banked, where as filed nobody may, or not so, or another was settled as the
    bank: nothing says what the others played against."""
    return np.asarray((batch.bank_seat > 0) & ~seats.banked)


def _summed(entry: Ints, cents: Ints, entries: int) -> Ints:
    total = np.zeros(entries, np.int64)
    np.add.at(total, entry, cents)
    return total
