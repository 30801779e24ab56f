"""The theory of a side wager of hands set in two: by the pay table that is filed, whatever pack it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from analytics.theory.counts import Counts, TheoryError
from analytics.theory.store import CountsStore
from analytics.theory.table_theory import CountedBy, TableTheory, counted_by
from analytics.theory.wager import EnvyTheory, OutcomeTheory, WagerTheory, net_of
from replay.families.split_hands.terms import Side, terms_of, with_odds_filed
from replay.families.split_hands.wager_law import JudgedOn
from replay.filing import Filing, Paytable
from replay.money.envy import qualifies
from replay.money.paytable import class_pays
from replay.money.results import LOSES

_START_NUMBERS = np.arange(1, 8, dtype=np.uint8)[:, None]


def side_wager(
    filing: Filing, wager: str, stake_cents: int, store: CountsStore, meters: Mapping[str, int] | None = None
) -> WagerTheory:
    """`meters`: what each meter holds; the seed that is filed where nothing is said."""
    terms = terms_of(filing)
    side = terms.side(wager)
    if side is None:
        raise TheoryError(f"{filing.pack.id}: this filing does not offer the wager {wager}")
    name = side.law.table(filing)
    assert name is not None  # it is offered
    table = with_odds_filed(filing.pack.paytables[name], side.law, filing)
    options = {option: value for option, value in filing.options.items() if option.startswith(f"{wager}_")}
    limit = terms.payout_limit_cents if side.law.limited else 0
    if side.law.judged_on is JudgedOn.START_NUMBER:
        return _on_a_number(filing, side, table, stake_cents, options, limit)
    one = replace(TableTheory.of(table, store), whole_cents=side.table.whole_cents)
    if side.meters is not None:
        seeds = zip(table.meters, (meter.seed_cents for meter in side.meters.meters), strict=True)
        meters = dict(seeds) | dict(meters or {})
    notes = ["the payout limit is applied to this wager alone"] if limit else []
    if table.meters:
        notes.append("a share of a meter is worth what is said of it above, and no more is added while others play")
    return WagerTheory(
        filing,
        wager,
        stake_cents,
        options,
        one.counts,
        one.outcomes(stake_cents, meters, limit),
        (*notes, *_what_is_counted(table)),
        table,
        _envy(side, one, stake_cents),
        one.meter_theories(stake_cents, meters),
    )


def _envy(side: Side, one: TableTheory, stake_cents: int) -> EnvyTheory | None:
    law = side.law.envy
    if law is None:
        return None
    paid = tuple((row.hand, one.rows[row.hand], row.envy) for row in one.table.rows if row.envy)
    return EnvyTheory(paid, one.total, bool(qualifies(np.array([stake_cents]), law.least_cents)[0]))


def _what_is_counted(table: Paytable) -> tuple[str, ...]:
    match counted_by(table):
        case CountedBy.INSURANCE:
            return ("the joker is an ace without a suit and nothing else (rulings.md R-19)",)
        case CountedBy.CHOSEN_COLOR:
            return ("red or black alike; the joker has no colour (rulings.md R-46)",)
        case CountedBy.EIGHTH_CARD:
            return ("the dealer sets the eight cards by the house way (rulings.md R-36)",)
        case _:
            return ()


def _on_a_number(
    filing: Filing, side: Side, table: Paytable, stake_cents: int, options: Mapping[str, str | int | bool], limit: int
) -> WagerTheory:
    """On the number that says where the deal begins: each as likely, and each pays alike."""
    of = next(iter(side.class_of.values()))(_START_NUMBERS)
    names = list(side.classes)
    outcomes = {name: int((of == number).sum()) for number, name in enumerate(names)}
    counts = Counts("start-number", "numbers from one to seven", {"method": "every number"}, outcomes)
    numbers = np.arange(len(names), dtype=np.uint8)
    paid, result = class_pays(np.full(len(names), stake_cents), numbers, side.table, limit)
    nets = tuple(
        OutcomeTheory(name, count, net_of(int(cents), stake_cents, loses=how == LOSES))
        for (name, count), cents, how in zip(outcomes.items(), paid, result, strict=True)
    )
    return WagerTheory(filing, side.name, stake_cents, options, counts, nets, (), table)
