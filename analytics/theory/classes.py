"""What follows from how often hands are of each class, or beat each other, for one stake: outcomes with their nets."""

from __future__ import annotations

import numpy as np

from analytics.theory.counts import Counts
from analytics.theory.wager import OutcomeTheory, net_of
from replay.families.split_hands.terms import Terms
from replay.money.paytable import ClassTable, class_pays
from replay.money.results import LOSES, TIES, WINS

RESULTS = ("loses", "ties", "wins")
"""Names of LOSES, TIES and WINS, at their numbers."""


def class_outcomes(counts: Counts, table: ClassTable, stake_cents: int, limit_cents: int) -> tuple[OutcomeTheory, ...]:
    """Of a wager paid by the class of a hand; `counts` has the classes in the order of their numbers."""
    classes = np.arange(len(counts.outcomes), dtype=np.uint8)
    paid, result = class_pays(np.full(len(classes), stake_cents, np.int64), classes, table, limit_cents)
    return tuple(
        OutcomeTheory(name, count, net_of(int(cents), stake_cents, loses=how == LOSES))
        for (name, count), cents, how in zip(counts.outcomes.items(), paid, result, strict=True)
    )


def duel_outcomes(counts: Counts, terms: Terms, stake_cents: int) -> tuple[OutcomeTheory, ...]:
    """Of the wager on both hands: paid 1 to 1, less the vigorish where there is one."""
    won = stake_cents - int(terms.vigorish(np.array([stake_cents]))[0])
    paid = {RESULTS[LOSES]: 0, RESULTS[TIES]: 0, RESULTS[WINS]: won}
    return tuple(
        OutcomeTheory(name, count, net_of(paid[name], stake_cents, loses=name == RESULTS[LOSES]))
        for name, count in counts.outcomes.items()
    )
