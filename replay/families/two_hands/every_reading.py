"""What the bets come to by every way in which the cards of their round read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replay.checks.action_button import Short
from replay.families.two_hands.hands import Hands
from replay.families.two_hands.settlement import Settlement, pay_table, settle
from replay.families.two_hands.terms import Terms
from replay.lines import Lines, join_lines, same_money
from replay.money.bets import Bets
from replay.rounds import RoundBatch


@dataclass(frozen=True)
class Settlements:
    first: Settlement  # by the first reading of each round
    others: list[Settlement]  # by the second, the third ... of the rounds that have so many
    bad_bank: set[int]  # rounds in which cover runs out, by one of them, and there is no seat to count the button from
    button_wrong: list[Short]  # rounds in which the action button is not where any of them puts it


def settle_every_reading(batch: RoundBatch, bets: Bets, hands: Hands, terms: Terms) -> Settlements:
    table = pay_table(terms.pack, terms.law)
    first = settle(batch, table, bets, hands, terms)
    bad_bank, wrong = set(first.bad_bank), {round_.row: round_ for round_ in first.short}
    others = []
    for number in range(1, hands.most_readings):
        several = bets.where(np.isin(bets.row, list(hands.others)))
        other = settle(batch, table, several, hands.with_other(number), terms)
        others.append(other)
        bad_bank |= set(other.bad_bank)
        # Where one reading has the button right, or needs none, nothing can be said against it.
        also_wrong = {round_.row for round_ in other.short if round_.placed != round_.button}
        has_one = {row for row, readings in hands.others.items() if len(readings) >= number}
        wrong = {row: round_ for row, round_ in wrong.items() if row not in has_one or row in also_wrong}
    return Settlements(first, others, bad_bank, list(wrong.values()))


def alternatives(lines: Lines, settled: Settlements, fees: Lines, hands: Hands) -> dict[int, list[Lines]]:
    """All readings of the rounds in which they do not come to the same money."""
    found: dict[int, list[Lines]] = {}
    for row, readings in hands.others.items():
        if row in settled.bad_bank:
            continue
        one = settled.first.lines.where(settled.first.lines.row == row)
        other = [each.lines.where(each.lines.row == row) for each in settled.others[: len(readings)]]
        if not all(same_money(one, each) for each in other):
            fee = fees.where(fees.row == row)
            found[row] = [lines.where(lines.row == row), *(join_lines([each, fee]) for each in other)]
    return found
