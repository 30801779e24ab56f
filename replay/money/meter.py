"""Progressive meters: what a wager adds to its meter, and what a win is paid from it when the player's turn comes.

A meter is fed by a part of each progressive wager and by the house, which sets it to its seed; it pays shares of what
it stands at, and some fixed sums come off it too. Wagers go to the table inventory whole, and the house puts the part
that belongs to the meter there: in the ledger a meter's other side is always `meter funding`, the house's money behind
its meters. What a player is paid is settled like any wager.

Contributions are arithmetic over columns. Payouts are a loop a round over the few winners, for each is paid from what
the one before left. Knows no game: a family says who bet and who won, a pack what is filed and by which words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.lines import ANYTHING, Applies, Cause, Cents, Lines, Way, Ways, make_lines, possible
from replay.money.meter_steps import Steps, steps_of
from replay.rounds import OUTCOME_CODE, UNKNOWN, Array, Fact, Ints, RoundBatch
from schemas.events import Outcome
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]
WHOLE = 10_000  # rates and shares are in hundredths of a percent
NO_METER = -1
WRONG_SHARE = Cause("METER-104", Applies.UNLESS_TAKEN)
"""Why a share is settled for another sum: it is not the share of what the meter stood at when the turn came."""

_WIN = OUTCOME_CODE[Outcome.WIN]


@dataclass(frozen=True)
class FiledMeter:
    """A meter as a table filed it."""

    name: str  # as events name it
    rate: int  # what it gets of a wager, in hundredths of a percent
    seed_cents: int  # what the house sets it to, at first and once all of it was paid
    linked: bool = False  # other tables feed it too, so that it moves between the events of this one


@dataclass(frozen=True, eq=False)
class MeterRows:
    """What a hand of each class does to the meters of its wager, one entry a class."""

    meter: npt.NDArray[np.int64]  # which of them, NO_METER: none, it is paid like any other row
    share: npt.NDArray[np.int64]  # hundredths of a percent of the meter; 0: a fixed sum that comes off it


@dataclass(frozen=True, eq=False)
class MeterLaw:
    """The meters of one progressive wager as a table filed it (`replay.money.filed_meters`). Which rows of its pay
    table are shares, of which meter, and which fixed sums come off it, is told by class of hand (`MeterRows`)."""

    wager: str  # as events name it
    meters: tuple[FiledMeter, ...]
    rows: MeterRows
    least_seed_cents: int  # 0: no text says
    contribution: Citation
    turn: Citation  # from which value a share is paid
    comes_off: Citation  # which payouts come off the meter
    seed: Citation


def contribution(wager_cents: Cents, rate: int) -> Cents:
    """A percentage of the wager, rounded down to the cent (rulings.md R-46)."""
    return wager_cents * rate // WHOLE


@dataclass(frozen=True, eq=False)
class Fed:
    """Progressive wagers that stood, an entry each."""

    row: Ints
    seat: Array
    bettor: Array  # batch.names
    wager: Array  # batch.names
    stake: Cents
    given_back: Bools  # of a round or hand that was voided: no text says whether the meter keeps its part


@dataclass(frozen=True, eq=False)
class Won:
    """Winning progressive wagers, an entry each. `group` is the reading of the round that the hands are taken from."""

    group: Ints
    row: Ints
    seat: Array
    bettor: Array
    wager: Array
    turn: Ints  # in which order they are settled within the group
    meter: Ints  # index into the meters, NO_METER where the win has nothing to do with one
    share: Ints  # hundredths of a percent, 0: a fixed sum
    fixed: Cents  # what is paid where it is no share


@dataclass(frozen=True, eq=False)
class PaidInTurn:
    """What winners are paid, an entry each, as in `Won`."""

    paid: Cents
    open: Bools  # a share of a meter of which nothing says what it stood at
    stood: Cents  # what the meter stood at when the turn came, UNKNOWN where it is not known
    if_earlier: dict[int, tuple[int, ...]]  # what a share would have been of what the meter stood at at earlier turns


def paid_in_turn(batch: RoundBatch, meters: Sequence[FiledMeter], won: Won) -> PaidInTurn:
    """Each in turn from what the meter then stands at, whatever it stood at when the wager was placed or the cards were
    dealt. What is paid comes off it; once all of it was paid it goes on from its seed, which the house funds."""
    paid = np.where(won.share > 0, 0, won.fixed).astype(np.int64)
    made = PaidInTurn(paid, np.zeros(len(paid), bool), np.full(len(paid), UNKNOWN, np.int64), {})
    concerned = np.flatnonzero(won.meter != NO_METER)
    if not len(concerned):
        return made
    steps = steps_of(batch)
    in_turn: dict[tuple[int, int], list[int]] = defaultdict(list)
    for at in concerned[np.lexsort((won.turn[concerned], won.group[concerned]))].tolist():
        in_turn[int(won.group[at]), int(won.meter[at])].append(at)
    for (_, number), wins in in_turn.items():
        if meters[number].linked:
            _pay_from_linked(batch, steps, meters[number], won, wins, made)
        else:
            _pay_from(batch, steps, meters[number], won, wins, made)
    return made


def _pay_from(
    batch: RoundBatch, steps: Steps, meter: FiledMeter, won: Won, wins: Sequence[int], made: PaidInTurn
) -> None:
    """A meter that only this table feeds: it moves with nothing but these wins."""
    stands = _before_payouts(batch, steps, int(won.row[wins[0]]), meter.name)
    earlier: list[int] = []
    for at in wins:
        share = int(won.share[at])
        if stands is None:
            made.open[at] = share > 0
            continue
        made.stood[at] = stands
        if share:
            made.paid[at] = stands * share // WHOLE
            made.if_earlier[at] = tuple(value * share // WHOLE for value in earlier)
        earlier.append(stands)
        stands = meter.seed_cents if share == WHOLE else max(stands - int(made.paid[at]), 0)


def _pay_from_linked(
    batch: RoundBatch, steps: Steps, meter: FiledMeter, won: Won, wins: Sequence[int], made: PaidInTurn
) -> None:
    """A meter that other tables feed too: each payout by what the meter is said to have stood at just then."""
    for at in wins:
        stands = _said_at_payout(batch, steps, int(won.row[at]), meter.name, int(won.seat[at]), int(won.bettor[at]))
        share = int(won.share[at])
        if stands is None:
            made.open[at] = share > 0
        else:
            made.stood[at] = stands
            made.paid[at] = stands * share // WHOLE if share else made.paid[at]


def _before_payouts(batch: RoundBatch, steps: Steps, row: int, name: str) -> int | None:
    """What a meter stood at when the first payout of the round came off it, or at the end of a round without one."""
    of = np.flatnonzero((steps.row == row) & (steps.meter == batch.name_id(name)))
    if not len(of):
        return None
    out = of[steps.kind[of] == Fact.PROGRESSIVE_OUT]
    if len(out):
        value = int(steps.before[out[0]])
        return None if value == UNKNOWN else value
    resets = of[steps.kind[of] == Fact.METER_RESET]
    in_round = resets[steps.seq[resets] > batch.first_seq[row]]
    if len(in_round):  # it was paid, and set to its seed, though no payout was reported
        value = int(steps.before[in_round[0]])
        return None if value == UNKNOWN else value
    last = of[-1]
    if steps.said[last] != UNKNOWN:
        return int(steps.said[last])
    return None if steps.before[last] == UNKNOWN else int(steps.before[last] + steps.moved[last])


def _said_at_payout(batch: RoundBatch, steps: Steps, row: int, name: str, seat: int, bettor: int) -> int | None:
    """What a meter that several tables feed stood at, by what it is said to have stood at after this payout: of what
    came in elsewhere meanwhile this table knows nothing."""
    mine = (steps.row == row) & (steps.meter == batch.name_id(name)) & (steps.kind == Fact.PROGRESSIVE_OUT)
    mine &= (steps.seat == seat) & (steps.bettor == bettor) & (steps.said != UNKNOWN)
    at = np.flatnonzero(mine)
    return int(steps.said[at[0]] - steps.moved[at[0]]) if len(at) else None


def contribution_lines(batch: RoundBatch, meters: Sequence[FiledMeter], fed: Fed, by: Citation) -> Lines:
    """What each wager adds to each of its meters. `batch` mentions the meters' names."""
    count, each = len(fed.row), len(meters)
    of, number = np.repeat(np.arange(count), each), np.tile(np.arange(each), count)
    rates = np.array([meter.rate for meter in meters], np.int64)
    names = np.array([batch.name_id(meter.name) for meter in meters], np.int64)
    lines = make_lines(
        count * each,
        [by],
        row=fed.row[of],
        kind=Fact.PROGRESSIVE_IN,
        seat=fed.seat[of],
        bettor=fed.bettor[of],
        wager=fed.wager[of],
        choice=names[number],
        outcome=_WIN,
        possible=possible(Outcome.WIN),
        stake=fed.stake[of],
        paid=fed.stake[of] * rates[number] // WHOLE,
    )
    may_be = [ANYTHING]
    opened = fed.given_back[of]
    return lines.with_ways(may_be, np.zeros(len(lines), np.int64)).opened(opened) if opened.any() else lines


def payout_lines(batch: RoundBatch, meters: Sequence[FiledMeter], won: Won, paid: PaidInTurn, law: MeterLaw) -> Lines:
    """What each of these wins takes off its meter, for those that take anything off one. Of a share `stake` is what the
    meter stood at; its ways are the sum due, and those due had earlier ones of the round not been taken off."""
    at = np.flatnonzero(won.meter != NO_METER)
    names = np.array([batch.name_id(meter.name) for meter in meters] or [0], np.int64)
    is_share = won.share[at] > 0
    lines = make_lines(
        len(at),
        [law.comes_off, law.turn],
        row=won.row[at],
        kind=Fact.PROGRESSIVE_OUT,
        seat=won.seat[at],
        bettor=won.bettor[at],
        wager=won.wager[at],
        choice=names[won.meter[at]],
        outcome=_WIN,
        possible=possible(Outcome.WIN),
        stake=np.where(is_share & ~paid.open[at], paid.stood[at], 0),
        paid=paid.paid[at],
        cite=is_share,
    )
    sums = [(due, *paid.if_earlier.get(win, ())) for win, due in zip(at.tolist(), paid.paid[at].tolist(), strict=True)]
    alike = {each: number for number, each in enumerate(dict.fromkeys(sums))}
    ways = [Ways(tuple(Way(_WIN, sum_, 0) for sum_ in dict.fromkeys(each))) for each in alike]
    lines = lines.with_ways(ways or [ANYTHING], np.array([alike[each] for each in sums], np.int64))
    return lines.opened(paid.open[at]) if paid.open.any() else lines


def why_open(meters: Sequence[FiledMeter], won: Won, paid: PaidInTurn) -> dict[int, str]:
    """Rounds in which a share was won of a meter of which nothing says what it stood at, in words."""
    left_open = {}
    for at in np.flatnonzero(paid.open).tolist():
        name = meters[int(won.meter[at])].name
        left_open[int(won.row[at])] = f"a share of meter {name} was won, and no event says what it stood at"
    return left_open


def seed_problem(law: MeterLaw) -> str | None:
    """Why a meter cannot be filed so, in words; None where it can."""
    for meter in law.meters:
        if meter.seed_cents < law.least_seed_cents:
            return (
                f"meter {meter.name} is seeded with {dollars(meter.seed_cents)}; {law.seed} asks for "
                f"{dollars(law.least_seed_cents)} at least"
            )
    return None
