"""What fees are counted on: the wagers of a round, as they stood when betting closed."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from replay.lines import Cents
from replay.money.wagers import Wagers
from replay.rounds import Array, Ints


@dataclass(frozen=True)
class Stakes:
    """What fees are reckoned on: parallel columns, one row a wager."""

    row: Ints
    seat: Array
    bettor: Array
    wager: Array
    choice: Array
    hand: Array
    amount: Cents

    def where(self, mask: Array) -> Stakes:
        return Stakes(**{column.name: getattr(self, column.name)[mask] for column in fields(self)})


def stakes_when_closed(wagers: Wagers) -> Stakes:
    """The wagers as they stood when betting closed: what is done to one afterwards moves no fee to another tier."""
    first: dict[tuple[int, int, int, int], int] = {}  # what a wager withdrawn late had been
    withdrawn: list[tuple[int, int, int, int]] = []
    for event in wagers.late_events:  # in the order they happened
        key = (event.row, event.seat, event.bettor, event.wager)
        first.setdefault(key, event.amount_before)
        if event.what == "withdrawn" and key not in withdrawn:
            withdrawn.append(key)
    gone = np.array(withdrawn, dtype=np.int64).reshape(-1, 4)
    unsaid = np.zeros(len(gone), dtype=np.int64)
    return Stakes(
        row=np.concatenate([wagers.row, gone[:, 0]]),
        seat=np.concatenate([wagers.seat, gone[:, 1]]),
        bettor=np.concatenate([wagers.bettor, gone[:, 2]]),
        wager=np.concatenate([wagers.wager, gone[:, 3]]),
        choice=np.concatenate([wagers.choice, unsaid]),
        hand=np.concatenate([wagers.hand, unsaid]),
        amount=np.concatenate([wagers.amount_on_time, np.array([first[key] for key in withdrawn], dtype=np.int64)]),
    )
