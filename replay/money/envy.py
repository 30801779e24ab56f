"""Envy bonuses (rulings.md R-29): fixed sums for other players' hands, as pairs of a wager and a hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.lines import Cents, Lines, Way, Ways, make_lines, possible
from replay.money.paytable import ClassTable
from replay.money.wagers import Wagers
from replay.rounds import OUTCOME_CODE, Fact, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]


def qualifies(wager_cents: Cents, least_cents: int) -> Bools:
    """A wager large enough to earn envy bonuses."""
    return np.asarray(wager_cents >= least_cents)


def earned_for(earns: Bools, own_place: Ints, gives: Bools) -> tuple[Ints, Ints]:
    """The wagers that earn a bonus and the places whose hands give it, pair by pair. `gives` (wagers, places) says of
    each wager's round which hands do; nobody earns one for the hand of `own_place`."""
    earning = np.flatnonzero(earns & np.asarray(gives.any(axis=1)))
    others = gives[earning]
    others[np.arange(len(earning)), own_place[earning]] = False
    index, for_seat = np.nonzero(others)
    return earning[index], for_seat


def envy_lines(wagers: Wagers, of: Ints, for_seat: Ints, hand_class: Ints, table: ClassTable) -> Lines:
    """A line for each bonus: `of` are the wagers that earn one, `hand_class` the classes of the hands that give it."""
    return make_lines(
        len(of),
        table.cites,
        row=wagers.row[of],
        kind=Fact.ENVY,
        seat=wagers.seat[of],
        bettor=wagers.bettor[of],
        wager=wagers.wager[of],
        choice=wagers.choice[of],
        hand=wagers.hand[of],
        for_seat=for_seat,
        outcome=OUTCOME_CODE[Outcome.WIN],
        possible=possible(Outcome.WIN),
        stake=wagers.amount[of],
        paid=table.envy_cents[hand_class],
        cite=hand_class,
    )


def open_envy_lines(wagers: Wagers, of: Ints, for_seat: Ints, cited_class: int, table: ClassTable) -> Lines:
    """The same for hands nobody saw: each may give any of the bonuses, or none."""
    lines = envy_lines(wagers, of, for_seat, np.full(len(of), cited_class), table)
    bonuses = {Way(OUTCOME_CODE[Outcome.WIN], amount, 0) for amount in table.envy_cents.tolist()}
    ways = [Ways(tuple(sorted({*bonuses, Way(OUTCOME_CODE[Outcome.LOSE], 0, 0)})))]
    return lines.with_ways(ways, np.zeros(len(of), np.int64)).opened(np.ones(len(of), bool))
