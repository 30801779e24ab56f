"""What is said of wagers that were settled otherwise than they should have been, or never, or without a wager.

A difference is filed under the line's own code where the family knows the cause (a foul not caught, cover exceeded),
else under the general one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from replay.citations import cite
from replay.compare.compared import Compared, Sums
from replay.compare.settlements import Settlements
from replay.lines import NOT_SEEN_SET, Applies, Lines, Ways
from replay.money.ledger import HOUSE, Differences, against, differences, out_at_least, person, who_is_out
from replay.remarks import Remark
from replay.rounds import OUTCOMES, Array, RoundBatch
from schemas.events import Outcome
from schemas.findings import CERTAIN, LIKELY, POSSIBLE, Basis
from schemas.money import dollars

_NO_WAGER = cite("rulings.md", "R-22", "pays a × wager and the wager stays with the player")
_FOUL_UNSEEN = cite("rulings.md", "R-51", "A foul nobody saw is a reading too, but only of a wager that was *taken*")
_VERBS = {
    Outcome.WIN: "win",
    Outcome.LOSE: "lose",
    Outcome.PUSH: "push",
    Outcome.SURRENDER: "be surrendered",
    Outcome.NO_ACTION: "have no action",
    Outcome.VOID: "be void",
}


def fouls_nobody_showed(batch: RoundBatch, settled: Settlements) -> Iterator[Remark]:
    """FOUL-403 (rulings.md R-51): never a wrong settlement by a dealer who may have done right."""
    lines = settled.lines
    for at in np.flatnonzero(settled.foul_unseen).tolist():
        allowed = " or ".join(_VERBS[outcome] for outcome in _allowed(lines, at))
        if lines.unseen[at] == NOT_SEEN_SET:
            why = f"set in any way that is not foul the hand would {allowed}"
        else:
            why = f"as it lies in the rack the hand would {allowed}, "
            why += "but its order cannot show three cards set before four"
        yield Remark(
            int(lines.row[at]),
            "FOUL-403",
            f"{dollars(int(settled.taken[at]))} was taken, and only a foul that nobody showed explains it: {why}",
            _FOUL_UNSEEN,
            int(lines.seat[at]),
            batch.names[lines.bettor[at]] or None,
            batch.names[lines.wager[at]],
            None,
            -int(settled.taken[at]),
            0,
            settled.seqs(at),
            POSSIBLE,
            Basis.READINGS,
            leaves_open=True,
        )


def settled_without_a_wager(batch: RoundBatch, settled: Settlements) -> Iterator[Remark]:
    facts = settled.facts
    for at in settled.match.lonely.tolist():
        paid, taken, row = int(facts.amount[at]), int(facts.taken[at]), int(facts.row[at])
        if paid == taken == 0:
            continue  # nothing moved
        seat, bettor = int(facts.seat[at]), batch.names[facts.bettor[at]]
        said = f"settled as {OUTCOMES[facts.code[at]]} paying {dollars(paid)} and taking {dollars(taken)}"
        who = person(batch, row, seat, bettor)
        accounts = differences((against(batch, row), who, paid - taken))
        difference = dict(accounts).get(who, 0)
        yield Remark(
            row,
            "SETTLE-104",
            f"{said}, but no such wager stood: {who_is_out(difference)}",
            _NO_WAGER,
            seat,
            bettor or None,
            batch.names[facts.wager[at]],
            0,
            paid - taken,
            difference,
            (int(facts.seq[at]),),
            basis=Basis.REPORTS,
            accounts=accounts,
        )


def settled_otherwise(batch: RoundBatch, settled: Settlements, compared: Compared) -> Iterator[Remark]:
    """Wagers settled otherwise than they should have been, or never."""
    beyond_cover = _moved_beyond_cover(batch, settled)
    for at in settled.wrong.tolist():
        sums = compared.sums(int(settled.at[at]))
        if settled.count[at]:
            yield _settled_wrong(batch, settled, at, sums, bool(beyond_cover[settled.lines.row[at]]))
        else:
            yield _never_settled(batch, settled, at, sums)


def _moved_beyond_cover(batch: RoundBatch, settled: Settlements) -> Array:
    """Rounds in which more moved than the player-dealer had posted."""
    facts = settled.facts
    moved = np.zeros(len(batch), dtype=np.int64)
    np.add.at(moved, facts.row, facts.amount + facts.taken)
    beyond: Array = (batch.bank_posted_cents >= 0) & (moved > batch.bank_posted_cents)
    return beyond


@dataclass(frozen=True)
class _Filed:
    """Under what a difference is filed, and how sure it is."""

    code: str
    should: str  # what the wager should have come to, in words
    confidence: float
    by_reports: bool
    impossible: bool  # no hands make it right


def _never_settled(batch: RoundBatch, settled: Settlements, at: int, sums: Sums) -> Remark:
    lines = settled.lines
    open_ended = _is_open_ended(lines, at)
    _, difference = _out_by(batch, lines, at, sums)
    should = f"could be {' or '.join(_allowed(lines, at))}" if open_ended else f"should {_should(lines, at)}"
    of = dollars(int(lines.stake[at])) if lines.stake[at] else "what was due"
    sentence = f"{of} was never settled; by {lines.cites[lines.cite[at]]} it {should}"
    if difference:
        sentence += f": {who_is_out(difference)}{_before_vigorish(sums)}"
    # That it never was is so whatever the hands were; what it should have come to is not.
    filed = _Filed("SETTLE-103", should, CERTAIN, bool(lines.by_reports[at]) or open_ended, impossible=True)
    return _remark(batch, settled, at, sums, filed, sentence, None if open_ended else sums.due, None)


def _settled_wrong(batch: RoundBatch, settled: Settlements, at: int, sums: Sums, beyond_cover: bool) -> Remark:
    """Its vigorish is part of the difference (R-59)."""
    lines, outcome = settled.lines, OUTCOMES[settled.outcome[at]]
    filed = _file(lines, at, sums, outcome, beyond_cover)
    on = f" on {dollars(int(lines.stake[at]))}" if lines.stake[at] else ""
    said = f"settled as {outcome}{on}"
    said += f", paying {dollars(sums.paid)} and taking {dollars(sums.taken)}"
    _, difference = _out_by(batch, lines, at, sums)
    out = who_is_out(difference)
    if difference and _is_open_ended(lines, at):
        out = out_at_least(_ways_left(lines, at), sums.paid, sums.taken, difference)
    sentence = f"{said}; by {lines.cites[lines.cite[at]]} {filed.should}: {out}{_before_vigorish(sums)}"
    if filed.impossible and not lines.open[at]:
        sentence += "; no outcome of this wager gives that"
    return _remark(batch, settled, at, sums, filed, sentence, sums.due, sums.net)


def _file(lines: Lines, at: int, sums: Sums, outcome: Outcome, beyond_cover: bool) -> _Filed:
    allowed, open_ended = _allowed(lines, at), _is_open_ended(lines, at)
    ways = lines.ways_of(at)
    impossible = bool(ways.each) and not ways.allows(sums.paid, sums.taken)
    code, by_reports = _cause_code(lines, at, sums, outcome, beyond_cover), bool(lines.by_reports[at])
    confidence = CERTAIN
    if lines.open[at]:
        code, should = "", "no outcome of this wager gives that"
    elif open_ended:
        code, confidence = "", LIKELY  # nobody saw how it was set: it may have been set foul
        should = f"no way to set this hand that is not foul gives that, only {_possible_in_words(lines, at)}"
    else:
        should = f"it should {_should(lines, at)}"
        confidence = LIKELY if lines.unseen[at] == NOT_SEEN_SET else CERTAIN
    if Outcome.VOID in allowed:
        code = "SETTLE-105"
    if not code or (impossible and not lines.by_reports[at]):
        right_way = outcome in allowed if open_ended else outcome == OUTCOMES[lines.outcome[at]]
        code = "SETTLE-101" if right_way else "SETTLE-102"
    if impossible:  # no hands make it right
        by_reports, confidence = by_reports or open_ended, CERTAIN
    return _Filed(code, should, confidence, by_reports, impossible)


def _cause_code(lines: Lines, at: int, sums: Sums, outcome: Outcome, beyond_cover: bool) -> str:
    """The code of the cause that the family knows, where the cause explains this difference."""
    cause = lines.causes[lines.code[at]]
    match cause.applies:
        case Applies.UNLESS_TAKEN:
            explains = outcome is not Outcome.LOSE
        case Applies.BEYOND_COVER:
            explains = beyond_cover and sums.paid + sums.taken > int(lines.paid[at]) + int(lines.taken[at])
        case Applies.ALWAYS:
            explains = True
    return cause.code if explains else ""


def _remark(
    batch: RoundBatch,
    settled: Settlements,
    at: int,
    sums: Sums,
    filed: _Filed,
    sentence: str,
    expected: int | None,
    actual: int | None,
) -> Remark:
    lines = settled.lines
    row, seat, bettor = int(lines.row[at]), int(lines.seat[at]), batch.names[lines.bettor[at]]
    accounts, difference = _out_by(batch, lines, at, sums)
    return Remark(
        row,
        filed.code,
        sentence,
        lines.cites[lines.cite[at]],
        seat,
        bettor or None,
        batch.names[lines.wager[at]],
        expected,
        actual,
        difference,
        settled.seqs(at) or (int(batch.last_seq[row]),),
        filed.confidence,
        Basis.REPORTS if filed.by_reports else Basis.HANDS,
        accounts,
        whatever_the_hands=filed.impossible,
    )


def _out_by(batch: RoundBatch, lines: Lines, at: int, sums: Sums) -> tuple[Differences, int]:
    """What each account has too much or too little, and the bettor's among them."""
    row = int(lines.row[at])
    who = person(batch, row, int(lines.seat[at]), batch.names[lines.bettor[at]])
    accounts = differences(
        (against(batch, row), who, sums.gross_difference), (who, HOUSE, sums.vigorish - sums.due_vigorish)
    )
    return accounts, dict(accounts).get(who, 0)


def _is_open_ended(lines: Lines, at: int) -> bool:
    """Several outcomes are possible. The sum nearest to the report counts: the difference is the least it can be."""
    allowed = _allowed(lines, at)
    return bool(lines.open[at]) or (len(allowed) > 1 and Outcome.VOID not in allowed)


def _ways_left(lines: Lines, at: int) -> Ways:
    """What a wager may have come to, by all that was read."""
    return lines.ways_of(at) if lines.open[at] else lines.ways_of(at).of_outcomes(int(lines.possible[at]))


def _allowed(lines: Lines, at: int) -> list[Outcome]:
    bits = int(lines.possible[at])
    return [outcome for number, outcome in enumerate(OUTCOMES) if bits >> number & 1]


def _possible_in_words(lines: Lines, at: int) -> str:
    """`win or push at even money`, or what a win pays where it is not even money."""
    allowed, stake = _allowed(lines, at), int(lines.stake[at])
    wins = {way.paid for way in lines.ways_of(at).each if OUTCOMES[way.outcome] is Outcome.WIN}
    if Outcome.WIN not in allowed or wins <= {stake}:
        return f"{' or '.join(allowed)} at even money"
    pays = " or ".join(dollars(amount) for amount in sorted(wins))
    return " or ".join(f"{outcome} {pays}" if outcome is Outcome.WIN else outcome for outcome in allowed)


def _before_vigorish(sums: Sums) -> str:
    """The gross difference beside the net one, where vigorish makes them differ."""
    if sums.vigorish == sums.due_vigorish:
        return ""
    taken = f"{dollars(sums.vigorish)} was taken" if sums.vigorish else "none was taken"
    gross = dollars(abs(sums.gross_difference))
    return f" ({gross} before vigorish, of which {dollars(sums.due_vigorish)} is due and {taken})"


def _should(lines: Lines, at: int) -> str:
    paid, taken = int(lines.paid[at]), int(lines.taken[at])
    moves = [f"pay {dollars(paid)}"] if paid else []
    moves += [f"take {dollars(taken)}"] if taken else []
    return f"{_VERBS[OUTCOMES[lines.outcome[at]]]} and {' and '.join(moves) or 'move nothing'}"
