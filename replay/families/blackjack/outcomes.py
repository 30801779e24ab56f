"""How every hand fares against the player-dealer's, and what each wager on it comes to before cover is looked at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.families.blackjack import drawing
from replay.families.blackjack.hands import Hands
from replay.families.blackjack.law import (
    BASE,
    DOUBLE,
    EVEN_MONEY,
    INSURANCE,
    INSURED_NATURAL,
    Counted,
    Law,
)
from replay.families.blackjack.paid import LOSE, NOT_WON, WIN, Paid, PayTables
from replay.families.blackjack.play import EVEN, Play
from replay.lines import ANYTHING, Cents, Way, Ways
from replay.money.bets import UNKNOWN_KIND, Bets
from replay.ranking.blackjack import Totals
from replay.rounds import OUTCOME_CODE, Array, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]

SURRENDER, NO_ACTION = OUTCOME_CODE[Outcome.SURRENDER], OUTCOME_CODE[Outcome.NO_ACTION]
VOID = OUTCOME_CODE[Outcome.VOID]


@dataclass(frozen=True)
class Came:
    """What each wager comes to with no limit to the cover."""

    outcome: npt.NDArray[np.uint8]
    paid: Cents
    taken: Cents
    cite: Ints  # index into `cites`
    cites: tuple[Citation, ...]
    by_reports: Bools  # whatever the cards
    known: Bools  # the hands that decide it are
    even_money: Bools  # taken where it is offered
    not_offered: Bools  # insurance or even money where there is none


def came_to(play: Play, bets: Bets, spot: Ints, hands: Hands, tables: PayTables, law: Law) -> Came:
    """`spot` is the entry of the hand each bet is on, -1 where its seat has no such hand."""
    many = len(bets)
    outcome = np.full(many, NO_ACTION, np.uint8)
    paid, taken = np.zeros(many, np.int64), np.zeros(many, np.int64)
    cites: dict[Citation, int] = {law.play: 0}
    cite = np.zeros(many, np.int64)

    def settle(where: Bools, row: Paid) -> None:
        outcome[where] = row.outcome
        paid[where] = bets.amount[where] * row.pays // row.per if row.outcome == WIN else 0
        taken[where] = bets.amount[where] if row.outcome == LOSE else 0
        cite[where] = cites.setdefault(row.cite, len(cites))

    of_round, on = bets.row, np.maximum(spot, 0)
    kind = np.where(bets.void | (spot < 0), UNKNOWN_KIND, bets.kind)
    dealer = counted_of(drawing.counted(hands.dealer), of_round)
    dealer_known = hands.dealer_known[of_round]
    up = np.where(dealer_known, hands.dealer[of_round, 0], 0).astype(np.uint8)  # asked only where it is known
    if len(play.spots):
        mine = counted_of(drawing.counted(hands.cards, play.spots.is_split), on)
        hand_known = hands.known[on]
        surrendered = play.spots.surrendered[on]
    else:
        mine, hand_known, surrendered = dealer, np.zeros(many, bool), np.zeros(many, bool)
    both_known = hand_known & dealer_known
    ace_up = dealer_known & np.asarray(law.insuring.offered(up))

    on_hand = ((kind == BASE) | (kind == DOUBLE)) & both_known
    decided = np.zeros(many, bool)
    for name, holds in (*law.results.items(), *((name, of) for name, (of, _) in law.lost.items())):
        came = on_hand & np.asarray(holds(mine, dealer))
        if (came & decided).any():
            raise ValueError(f"result {name!r} and another one apply to the same hands")
        decided |= came
        for number in (BASE, DOUBLE):
            where = came & (kind == number)
            if where.any():
                settle(where, tables.rows.get((number, name), tables.of(number, NOT_WON)))
    if (on_hand & ~decided).any():
        raise ValueError("no result applies to some hands")

    claimed = _took_even_money(play, bets) & (kind == BASE)
    even_money = claimed & both_known & ace_up & mine.totals.natural
    settle(even_money, tables.of(BASE, EVEN_MONEY))
    given_up = surrendered & (kind == BASE)
    outcome[given_up], paid[given_up] = SURRENDER, 0
    taken[given_up] = law.surrender.forfeits(bets.amount[given_up])
    cite[given_up] = cites.setdefault(law.surrender.cite, len(cites))
    insured = (kind == INSURANCE) & dealer_known
    settle(insured & ace_up & dealer.totals.natural, tables.of(INSURANCE, INSURED_NATURAL))
    settle(insured & ace_up & ~dealer.totals.natural, tables.of(INSURANCE, NOT_WON))
    needless = insured & ~ace_up
    cite[needless] = cites.setdefault(law.insuring.offered_rule, len(cites))
    outcome[bets.void] = VOID
    known = np.where(kind == INSURANCE, dealer_known, both_known) | given_up | (kind == UNKNOWN_KIND)
    by_reports = given_up | (kind == UNKNOWN_KIND)
    not_offered = needless | (claimed & both_known & ~even_money)
    return Came(outcome, paid, taken, cite, tuple(cites), by_reports, known, even_money, not_offered)


def counted_of(every: Counted, at: Ints) -> Counted:
    """What the hands at these positions count."""
    totals = every.totals
    chosen = Totals(totals.halves[at], totals.soft[at], totals.natural[at], totals.bust[at])
    return Counted(chosen, every.three_eights[at])


def _took_even_money(play: Play, bets: Bets) -> Bools:
    """Of each bet whether whoever made it took even money on that hand."""
    took = np.flatnonzero(play.of_action(EVEN))
    claimed = np.zeros(len(bets), bool)
    for at in took.tolist():
        facts = play.actions
        claimed |= (
            (bets.row == facts.row[at])
            & (bets.seat == facts.seat[at])
            & (bets.hand == facts.hand[at])
            & (bets.bettor == facts.bettor[at])
        )
    return claimed


# ---- whatever the cards ----------------------------------------------------------------------------------------------


def ways_of(tables: PayTables, law: Law, bets: Bets, kind: Array, covered: Bools) -> tuple[list[Ways], Ints]:
    """What each of these wagers can come to whatever the cards, and its index into that; ANYTHING where no rule
    says. The `covered` ones are so in full, whatever the cards."""
    kinds = len(law.wagers) + 1
    stakes, index = np.unique((bets.amount * kinds + kind + 1) * 2 + covered, return_inverse=True)
    known: dict[Ways, int] = {ANYTHING: 0}
    each = []
    for stake in stakes.tolist():
        one, full = divmod(stake, 2)
        amount, number = divmod(one, kinds)
        each.append(known.setdefault(_ways(tables, law, number - 1, amount, bool(full)), len(known)) if number else 0)
    return list(known), np.array(each, np.int64)[index.reshape(-1)] if each else np.zeros(0, np.int64)


def _ways(tables: PayTables, law: Law, kind: int, stake: int, covered: bool) -> Ways:
    each = {Way(LOSE, 0, stake), Way(NO_ACTION, 0, 0), Way(VOID, 0, 0)}
    for (number, _), row in tables.rows.items():
        if number == kind and row.outcome != LOSE:
            each.add(Way(row.outcome, stake * row.pays // row.per if row.outcome == WIN else 0, 0))
    if kind == BASE:
        half = int(law.surrender.forfeits(np.array([stake]))[0])
        each.add(Way(SURRENDER, 0, half))
    return Ways(tuple(sorted(each)), or_less=not covered)


def most_that_moves(tables: PayTables, kind: Array, amount: Cents) -> Cents:
    """The most that may be paid or taken of each wager, whatever the cards."""
    most = np.zeros(len(amount), np.int64)
    for number in (BASE, DOUBLE, INSURANCE):
        odds = [(row.pays, row.per) for (of, _), row in tables.rows.items() if of == number and row.outcome == WIN]
        mine = kind == number
        best = np.zeros(int(mine.sum()), np.int64) + amount[mine]
        for pays, per in odds:
            best = np.maximum(best, amount[mine] * pays // per)
        most[mine] = best
    return most
