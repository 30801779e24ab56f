"""What every pot should come to, as lines: a line for each share a seat wins; and what an award that differs means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from replay.families.board.hands import Hands, Read, Reading, as_cards
from replay.families.board.law import Law
from replay.lines import ANYTHING, Lines, make_lines, possible
from replay.money.pot import POT, WHOLE, PotsOfRound
from replay.rounds import OUTCOME_CODE, Fact, RoundBatch
from schemas.events import Outcome


def pot_lines(batch: RoundBatch, hands: Hands, void: Sequence[bool]) -> tuple[Lines, dict[int, list[Lines]]]:
    """The lines of the first reading of every round, and of rounds with several all of them. Where the hands are not
    known, or not what lies in the middle, the lines are open: whatever was pushed may be right."""
    first: list[tuple[int, Reading | None, Read]] = []
    several: dict[int, list[Lines]] = {}
    for row, read in enumerate(hands.read):
        if void[row] or not read.reported.hand.seats:
            continue
        sure = not (read.why_not or read.reported.hand.unsure) and bool(read.readings)
        if sure and len(read.readings) > 1:
            several[row] = [_lines(batch, hands, [(row, reading, read)]) for reading in read.readings]
        else:
            first.append((row, read.readings[0] if sure else None, read))
    return _lines(batch, hands, first), several


def _lines(batch: RoundBatch, hands: Hands, made: Sequence[tuple[int, Reading | None, Read]]) -> Lines:
    law = hands.terms.law
    rows: list[tuple[int, int, int, str, int, int, int, int]] = []
    for row, reading, read in made:
        hand = read.reported.hand
        if reading is None:
            seats = tuple({*hand.seats, *read.reported.awarded}) if hand.unsure else hand.still_in
            rows += [(row, seat, 0, WHOLE, 0, 0, 1, 0) for seat in seats]
            continue
        alone = int(len(hand.still_in) == 1)
        rows += [(row, one.seat, one.pot, one.part, one.amount, 1 - alone, 0, alone) for one in reading.won]
    columns = list(zip(*rows, strict=True)) or [()] * 8
    of_row, seat, pot, part, amount, cite, is_open, by_reports = columns
    lines = make_lines(
        len(rows),
        (law.pots.awarded, law.pots.best_hand),
        row=np.array(of_row, np.int64),
        kind=Fact.POT,
        seat=np.array(seat, np.int8),
        wager=max(batch.name_id(POT), 0),
        choice=np.array([batch.name_id(one) for one in part], np.int32),
        hand=np.array(pot, np.int8),
        outcome=OUTCOME_CODE[Outcome.WIN],
        possible=possible(Outcome.WIN),
        paid=np.array(amount, np.int64),
        cite=np.array(cite, np.int16),
        open=np.array(is_open, np.uint8),
        by_reports=np.array(by_reports, np.uint8),
    )
    return lines.with_ways([ANYTHING], np.zeros(len(rows), np.int64))


def pots_of_rounds(hands: Hands, void: Sequence[bool]) -> dict[int, PotsOfRound]:
    """What the comparison is told of each round's pots."""
    law, unit = hands.terms.law, hands.terms.unit
    found = {}
    for row, read in enumerate(hands.read):
        if void[row] or not read.reported.hand.seats:
            continue
        hand = read.reported.hand
        reading = read.readings[0] if read.readings else None
        ways = _most_ways(reading) if reading is not None else 1
        no_low = law.low is not None and reading is not None and all(one.part == WHOLE for one in reading.won)
        found[row] = PotsOfRound(
            law.pots,
            read.reported.pots,
            frozenset(hand.folded) if not hand.unsure else frozenset(),
            unit,
            ways,
            no_low,
            by_other_cards=_by_other_cards(law, reading, hand.still_in),
        )
    return found


def _most_ways(reading: Reading) -> int:
    """Among how many hands a pot, or a half of one, was split at most; high and low are two."""
    count: dict[int, int] = {}
    for share in reading.won:
        count[share.pot] = count.get(share.pot, 0) + 1
    return max(count.values(), default=1)


def _by_other_cards(law: Law, reading: Reading | None, still_in: Sequence[int]) -> Callable[[int], bool]:
    """Whether a seat would have the best hand by as many or as few of its own cards as it likes."""

    def wins(seat: int) -> bool:
        if law.with_other_cards is None or reading is None or len(still_in) < 2 or seat not in still_in:
            return False
        holes = np.concatenate([as_cards(reading.holes[one]) for one in still_in])
        strength = law.with_other_cards(holes, np.repeat(as_cards(reading.board), len(holes), axis=0))
        return bool(strength[list(still_in).index(seat)] == strength.max())

    return wins
