"""Rounds whose cards can be read in several ways, settled once for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replay.checks.action_button import Short
from replay.families.blackjack.hands import Hands
from replay.families.blackjack.play import Play
from replay.families.blackjack.settlement import Settlement, settle
from replay.families.blackjack.terms import Terms
from replay.lines import Lines, join_lines, same_money
from replay.money.bets import Bets
from replay.rounds import RoundBatch


@dataclass(frozen=True)
class Settlements:
    first: Settlement  # by the first reading of each round
    others: tuple[Settlement, ...]  # by the second, the third ...; rounds without so many by their first
    button_wrong: list[Short]  # cover runs out whichever reading counts, and the button fits none
    bad_bank: set[int]


def settle_every_reading(batch: RoundBatch, play: Play, bets: Bets, hands: Hands, terms: Terms) -> Settlements:
    first = settle(batch, play, bets, hands, terms)
    others = tuple(
        settle(batch, play, bets, hands.with_other(number, play), terms) for number in range(1, hands.most_readings)
    )
    wrong = [short for short in first.short if short.placed != short.button and short.row not in hands.others]
    return Settlements(first, others, wrong, {row for one in (first, *others) for row in one.bad_bank})


def alternatives(lines: Lines, settled: Settlements, fees: Lines, hands: Hands) -> dict[int, list[Lines]]:
    """The lines of each reading of the rounds whose readings come to different money."""
    found = {}
    for row, readings in hands.others.items():
        if row in settled.bad_bank:
            continue
        also = fees.where(fees.row == row)
        each = [lines.where(np.asarray(lines.row == row))]
        each += [join_lines([one.lines.where(one.lines.row == row), also]) for one in settled.others[: len(readings)]]
        if not all(same_money(each[0], other) for other in each[1:]):
            found[row] = each
    return found
