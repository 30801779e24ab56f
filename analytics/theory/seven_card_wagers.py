"""The theory of the two wagers of games with seven cards set in two hands: the one on the hands, and the Fortune one.

What is paid is asked of the pack's law, which the filing names.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analytics.theory import house_way_duel, seven_cards
from analytics.theory.classes import RESULTS, class_outcomes, duel_outcomes
from analytics.theory.counts import TheoryError
from analytics.theory.house_way_duel import AllPush
from analytics.theory.store import CountsStore
from analytics.theory.wager import EnvyTheory, WagerTheory
from replay.families.split_hands.terms import terms_of
from replay.filing import Filing
from replay.money.envy import qualifies
from replay.ranking import FORTUNE_CLASS_NAMES, RoyalMatch, Wheel

_OWN_HAND = "own hand only: envy bonuses are figured apart, a hand of another player at a time"


def fortune_wager(
    filing: Filing,
    royal_match: RoyalMatch,
    stake_cents: int,
    store: CountsStore,
    options: Sequence[str],
    notes: Sequence[str],
) -> WagerTheory:
    """`options` are the names of those the figures depend on."""
    terms = terms_of(filing)
    side = terms.side("fortune")
    name = None if side is None else side.law.table(filing)
    if side is None or name is None:
        raise TheoryError(f"{filing.pack.id}: no Fortune wager is offered (option fortune_paytable: none)")
    counts = store.get(seven_cards.recipe(royal_match))
    table, envy_law = side.table, side.law.envy
    assert envy_law is not None
    envy = EnvyTheory(
        tuple(
            (hand, counts.outcomes[hand], int(table.envy_cents[number]))
            for number, hand in enumerate(FORTUNE_CLASS_NAMES)
            if number <= envy_law.lowest_class and table.envy_cents[number]
        ),
        counts.total,
        bool(qualifies(np.array([stake_cents]), envy_law.least_cents)[0]),
    )
    return WagerTheory(
        filing,
        side.name,
        stake_cents,
        {option: filing.options[option] for option in options},
        counts,
        class_outcomes(counts, table, stake_cents, terms.payout_limit_cents),
        (_OWN_HAND, *notes),
        filing.pack.paytables[name],
        envy,
    )


def house_way_wager(
    filing: Filing, wheel: Wheel, stake_cents: int, store: CountsStore, options: Sequence[str], notes: Sequence[str]
) -> WagerTheory:
    terms = terms_of(filing)
    counts = store.get(house_way_duel.recipe(terms.law.compare, RESULTS, wheel, all_push_filed(filing)))
    return WagerTheory(
        filing,
        terms.law.base.name,
        stake_cents,
        {option: filing.options[option] for option in options},
        counts,
        duel_outcomes(counts, terms, stake_cents),
        tuple(notes),
    )


def all_push_filed(filing: Filing) -> AllPush | None:
    """The hands of the dealer's at which all push, in the way of playing that is filed."""
    pushes = terms_of(filing).variant.pushes
    return AllPush(filing.text("variant"), pushes.holds) if pushes is not None else None
