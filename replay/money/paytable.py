"""Wagers that are paid by the class of a hand: a pay table as arrays, and what it pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.filing import UNNAMED_METER, Paytable
from replay.lines import Cents, Way, Ways
from replay.money.results import LOSES, TIES, WINS
from replay.rounds import OUTCOME_CODE
from schemas.events import Outcome
from schemas.money import dollars


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A pay table by class of hand: where a class is not printed it loses."""

    numerator: npt.NDArray[np.int64]
    denominator: npt.NDArray[np.int64]
    push: npt.NDArray[np.bool_]
    envy_cents: npt.NDArray[np.int64]  # 0 where the table prints none
    cites: tuple[Citation, ...]  # a class
    unit_cents: int  # the wager its sums of money are printed for; 0 where it prints none
    amount_cents: npt.NDArray[np.int64]  # those sums
    meter_percent: npt.NDArray[np.int64]  # what share of a meter a class wins
    meter: npt.NDArray[np.int64]  # of which one: its place in `meters`; -1 where none
    meters: tuple[str, ...]
    off_meter: npt.NDArray[np.bool_]  # a sum, or a share, that comes off a meter and not from the table inventory
    takes_wager: bool  # "for 1": the wager is taken even of a winner (rulings.md R-22)
    whole_cents: int = 1  # what is paid is rounded down to whole ones of these

    @classmethod
    def of(cls, table: Paytable, names: Sequence[str], whole_cents: int = 1) -> ClassTable:
        """`names` are the classes of hands as pay tables spell them, in order of their numbers."""
        numerator = np.zeros(len(names), np.int64)
        denominator = np.ones(len(names), np.int64)
        push = np.zeros(len(names), bool)
        envy = np.zeros(len(names), np.int64)
        amount, percent = np.zeros(len(names), np.int64), np.zeros(len(names), np.int64)
        meter, off = np.full(len(names), -1, np.int64), np.zeros(len(names), bool)
        cites = [table.cite] * len(names)
        for row in table.rows:
            number = names.index(row.hand)
            numerator[number], denominator[number] = row.pays()
            push[number] = row.odds == "push"
            envy[number] = row.envy or 0
            amount[number] = row.amount or 0
            off[number] = table.off_meter(row)
            if row.meter is not None:
                percent[number], meter[number] = row.meter, table.meters.index(row.of or UNNAMED_METER)
            cites[number] = table.cite_of(row)
            if whole_cents != 1:
                rounded = f"rounded down to a multiple of {dollars(whole_cents)}"
                cites[number] = cites[number].with_row(f"{cites[number].row}, {rounded}")
        return cls(
            numerator,
            denominator,
            push,
            envy,
            tuple(cites),
            unit_cents=table.unit or 0,
            amount_cents=amount,
            meter_percent=percent,
            meter=meter,
            meters=table.meters,
            off_meter=off,
            takes_wager=table.pays == "for 1",
            whole_cents=whole_cents,
        )

    @property
    def highest_odds(self) -> int:
        return int((self.numerator // self.denominator).max())


def class_due(wager_cents: Cents, hand_class: npt.NDArray[np.uint8], table: ClassTable) -> Cents:
    """What a wager on a hand of this class is paid by the table, whatever limit there is."""
    due: Cents = wager_cents * table.numerator[hand_class] // table.denominator[hand_class]
    if table.unit_cents:  # several units are paid several times; less than a unit is none
        due = due + table.amount_cents[hand_class] * (wager_cents // table.unit_cents)
    return due if table.whole_cents == 1 else due // table.whole_cents * table.whole_cents


def class_pays(
    wager_cents: Cents, hand_class: npt.NDArray[np.uint8], table: ClassTable, limit_cents: int
) -> tuple[Cents, npt.NDArray[np.uint8]]:
    """What a wager on a hand of this class is paid by odds or as a sum, and LOSES, TIES or WINS. `limit_cents` 0: no
    limit. A share of a meter wins and is not in it: see `meter_share`."""
    paid = class_due(wager_cents, hand_class, table)
    wins = (paid > 0) | (table.meter_percent[hand_class] > 0)
    result = np.where(table.push[hand_class], TIES, np.where(wins, WINS, LOSES)).astype(np.uint8)
    return limited(paid, limit_cents), result


def taken_of(result: npt.NDArray[np.uint8], table: ClassTable) -> npt.NDArray[np.bool_]:
    """Whether the wager is taken: it is lost, or pays "for 1", which takes a winner's too (rulings.md R-22)."""
    return np.asarray((result == LOSES) | ((result == WINS) & table.takes_wager))


def meter_share(meter_cents: Cents, hand_class: npt.NDArray[np.uint8], table: ClassTable) -> Cents:
    """What a hand of this class wins of its meter as that stands; a fraction of a cent is dropped (rulings.md R-46)."""
    share: Cents = meter_cents * table.meter_percent[hand_class] // 100
    return share


def limited(paid_cents: Cents, limit_cents: int) -> Cents:
    """Never applied to envy bonuses (MA-PGP §16(j), rulings.md R-24)."""
    return np.minimum(paid_cents, limit_cents) if limit_cents else paid_cents


def shared_limit(paid_cents: Cents, stake_cents: Cents, shares: npt.NDArray[np.bool_], limit_cents: int) -> Cents:
    """What the wagers of one round are paid, in order of seats: those that share the limit, if they come to more
    together, get it in proportion to their stakes, rounded down to the cent, and the first what is left over."""
    sharing = np.flatnonzero(shares)
    if len(sharing) < 2 or int(paid_cents[sharing].sum()) <= limit_cents:
        return paid_cents
    stakes, paid = stake_cents[sharing], paid_cents.copy()
    parts = np.array([limit_cents * stake // int(stakes.sum()) for stake in stakes.tolist()], np.int64)
    parts[0] += limit_cents - int(parts.sum())
    paid[sharing] = parts
    return paid


@lru_cache(maxsize=4096)
def class_ways(stake: int, table: ClassTable, limit_cents: int) -> Ways:
    """Everything such a wager can come to, whatever the hand."""
    classes = np.arange(len(table.numerator), dtype=np.uint8)
    paid, _ = class_pays(np.full(len(classes), stake), classes, table, limit_cents)
    win, lose, push = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))
    won = {Way(win, amount, stake if table.takes_wager else 0) for amount in paid.tolist() if amount}
    return Ways(tuple(sorted({*won, Way(lose, 0, stake), Way(push, 0, 0)})))
