"""What every wager and envy bonus should come to, as lines, one set of them for each reading of a round's hands.

fared         how the hands fare against the hand everyone plays against
base_lines    the wagers against that hand
judged        the classes that side wagers are paid by
side_lines    the side wagers, and the envy bonuses they earn
meter_lines   what progressive wagers add to their meters, and take off them
left_open     what cannot be settled, and why
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Short
from replay.families.split_hands.bank_line import bank_lines, bank_unusable
from replay.families.split_hands.base_lines import base_lines
from replay.families.split_hands.chosen import VOIDED, Chosen, Results
from replay.families.split_hands.covered import cut_down
from replay.families.split_hands.fared import how_hands_fare
from replay.families.split_hands.first_cards import FirstDealt
from replay.families.split_hands.hands import Hands
from replay.families.split_hands.judged import Judge
from replay.families.split_hands.left_open import what_is_open, without_rule
from replay.families.split_hands.meter_lines import fed_lines, open_paid_lines
from replay.families.split_hands.ranked import Ranked, rank
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_lines import open_side_lines, side_envy_lines, side_lines, untouched_by_cards
from replay.families.split_hands.side_seats import BASE, OTHER
from replay.families.split_hands.terms import Terms
from replay.families.split_hands.wager_law import JudgedOn
from replay.lines import ANYTHING, Lines, join_lines, same_money
from replay.remarks import Remark
from replay.rounds import OUTCOME_CODE, Ints, RoundBatch, RoundFlag
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Settled:
    lines: Lines
    alternatives: dict[int, list[Lines]]
    remarks: list[Remark]
    ranked: Ranked
    left_open: dict[int, str]  # round → which hands are needed to settle all of it and not known
    no_rule: dict[int, str]  # round → which wager nothing filed says how to settle
    short: list[Short]  # rounds in which a posted wager does not reach


def settle(
    batch: RoundBatch, seats: Seats, hands: Hands, terms: Terms, button: Ints, first: FirstDealt | None = None
) -> Settled:
    """`button` (n,) is where each round's action button belongs, where the game has one; `first` the cards dealt first
    to every place, where a side wager is judged on them."""
    ranked = rank(hands, seats, terms)
    rows = len(batch)
    banked = bank_unusable(batch, seats) & ~seats.all_void  # nothing says what it comes to
    playing = seats.base & seats.exposed & ~seats.surrendered & ~(seats.all_void | banked)[:, None]
    fared, house_remarks = how_hands_fare(seats, hands, ranked, terms, playing, rows)
    judge = Judge(batch, seats, hands, first, terms)
    every = Chosen(seats, hands, terms, ranked, *_every_reading(seats, hands))
    in_doubt = banked[every.row] & (seats.kind[every.wager] == BASE)  # side wagers are the house's, whoever banks
    of_rounds = every if not banked.any() else every.those(~in_doubt)
    parts, entries = [], []
    not_settled: dict[int, str] = {}
    for lines, entry in _every_line(every, of_rounds, every.those(in_doubt), judge, fared, not_settled):
        parts.append(lines)
        entries.append(entry)
    if terms.law.bank is not None and (seats.banked | banked).any():
        wager, entry = of_rounds.wager, of_rounds.entry
        bank, bank_entry = bank_lines(batch, seats, hands, ranked, terms, wager, entry, fared.result, fared.bits)
        parts.append(bank)
        entries.append(bank_entry)
    lines = join_lines(parts)
    of_entry = np.concatenate(entries) if entries else np.empty(0, np.int64)
    short: list[Short] = []
    if terms.law.player_dealer is not None:
        cut = cut_down(batch, seats, lines, of_entry, hands.row, button, terms)
        lines, of_entry, short = cut.lines, cut.entry, cut.short
    lines, alternatives = _apart(lines, of_entry, hands, rows)
    uncut = batch.has(RoundFlag.RACK_UNCUT)
    left_open = not_settled | what_is_open(seats, hands, ranked, judge, playing, fared.pushed[:rows], uncut)
    return Settled(lines, alternatives, house_remarks, ranked, left_open, without_rule(seats), short)


def _every_line(
    every: Chosen, of_rounds: Chosen, in_doubt: Chosen, judge: Judge, fared: Results, not_settled: dict[int, str]
) -> Iterator[tuple[Lines, Ints]]:
    """The lines of all wagers, of the envy bonuses and of what meters take in and pay, and the readings they are of;
    `in_doubt` are the wagers on hands in rounds whose bank is, `of_rounds` all but those. Noted in `not_settled` is why
    a wager on a known hand cannot be settled."""
    seats = every.seats
    if len(in_doubt.wager):
        yield _open_lines(in_doubt), in_doubt.entry
    kind, at, row = seats.kind[of_rounds.wager], of_rounds.at, of_rounds.row
    known_by_rule = (at > 0) | seats.all_void[row]
    base = (kind == BASE) & known_by_rule
    if base.any():
        chosen = of_rounds.those(base)
        yield base_lines(chosen, fared), chosen.entry
    rest = (kind != BASE) | ~base
    settled = []
    for one in seats.sides:
        mine = kind == one.kind
        if not mine.any():
            continue
        chosen = of_rounds.those(mine)
        known = judge.known(one, chosen.wager, chosen.entry) | untouched_by_cards(chosen, one)
        settles = (known & (chosen.at > 0)) | seats.bonus_void[chosen.row]
        if one.side.law.judged_on is JudgedOn.FIRST_CARDS:  # of a void round nothing says whether they were settled yet
            settles &= known
        left = chosen.those(~settles & (chosen.at > 0))
        if settles.any():
            settled.append((chosen if settles.all() else chosen.those(settles), one, left.entry))
        if len(left.wager):
            yield open_side_lines(left, one, judge), left.entry
            yield from open_paid_lines(judge.batch, left, one)
        rest &= ~mine
        rest[np.flatnonzero(mine)[~settles & (chosen.at == 0)]] = True
    yield from side_lines(settled, judge, not_settled)
    void = rest & (kind == OTHER) & seats.all_void[row]
    for those, make in ((rest & ~void, _open_lines), (void, _void_lines)):
        if those.any():
            chosen = of_rounds.those(those)
            yield make(chosen), chosen.entry
    for one in seats.sides:
        yield from fed_lines(judge.batch, every, one)
        if one.there and one.side.law.envy is not None:
            yield from side_envy_lines(of_rounds, one, judge)


def _every_reading(seats: Seats, hands: Hands) -> tuple[Ints, Ints]:
    """Each wager once for each reading of its round: indexes of wagers and of entries."""
    row_of = seats.wagers.row  # in order of rounds
    wagers, entries = [np.arange(len(row_of))], [row_of]
    for row, readings in hands.readings.items():
        own = np.arange(*np.searchsorted(row_of, [row, row + 1]))
        wagers += [own] * (len(readings) - 1)
        entries += [np.full(len(own), reading) for reading in readings[1:]]
    return np.concatenate(wagers), np.concatenate(entries)


def _open_lines(chosen: Chosen) -> Lines:
    """Wagers that no rule filed settles: one that the filed rules do not offer, one of a round a player banked."""
    lines = chosen.lines(cites=(chosen.terms.law.cites.not_offered,), vigorish=int(chosen.terms.takes_vigorish))
    every = np.ones(len(chosen.wager), bool)
    return lines.with_ways([ANYTHING], np.zeros(len(every), np.int64)).opened(every)


def _void_lines(chosen: Chosen) -> Lines:
    """Wagers of no kind the filed rules offer, in void rounds: they go back like all the others."""
    void = OUTCOME_CODE[Outcome.VOID]
    return chosen.lines(cites=(chosen.terms.law.cites.all_void,), outcome=void, possible=VOIDED, by_reports=1)


def _apart(lines: Lines, entry: Ints, hands: Hands, rows: int) -> tuple[Lines, dict[int, list[Lines]]]:
    """Lines of rounds with one reading, or with readings that all come to the same, and the others' by reading."""
    if not hands.readings:
        return lines, {}
    keep = entry < rows
    several = np.zeros(len(hands.row), bool)
    several[[reading for readings in hands.readings.values() for reading in readings]] = True
    index = np.flatnonzero(several[entry])
    index = index[np.argsort(entry[index], kind="stable")]
    few, few_entry = lines.where(index), entry[index]
    alternatives = {}
    for row, readings in hands.readings.items():
        sets = [few.where(np.arange(*np.searchsorted(few_entry, [other, other + 1]))) for other in readings]
        if all(same_money(sets[0], other) for other in sets[1:]):
            continue
        alternatives[row] = sets
    keep &= ~np.isin(entry, list(alternatives))
    return lines.where(keep), alternatives
