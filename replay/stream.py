"""The replay as the worker uses it: fed event by event, asked for rounds and findings as often as somebody waits."""

from __future__ import annotations

import logging
import math
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

import pyarrow as pa

from replay.assembling.assemble import Assembler
from replay.cards.solver.budget import ROUND_STEPS
from replay.containment import NOT_OF_THE_ROUND, each_contained, in_words, log_contained
from replay.lake_rounds import Judged, judge
from replay.misfiled import OddTables
from replay.rounds import RoundFlag, RoundRow, bare_row, batch_of, to_arrow
from replay.searching import Allowances
from schemas.admitted import Admitted, Concluded, History, ReplayCut
from schemas.findings import Finding

logger = logging.getLogger("muckraker.replay")

SLICE_S = 0.3  # how long `advance` goes on beginning with contradictory racks: others wait for their verdicts
_ATTESTED, _NOT_SEARCHED = int(RoundFlag.ATTESTED), int(RoundFlag.NOT_SEARCHED)


class _Next(NamedTuple):
    """A round in the order its table's allowance is used: ordinary ones are judged already."""

    number: int
    table_id: str
    attested: bool
    odd: RoundRow | None  # its rack is contradictory


class Replay:
    """The replay as the worker uses it: fed event by event, asked for rounds and findings at the end of a segment, and
    as often before as somebody wants to know. What a segment holds in the end does not depend on that.

    Rounds whose racks are contradictory are judged after all others, a few at a time: see `advance`."""

    def __init__(self) -> None:
        self._assembler = Assembler()
        self._rounds: list[tuple[list[int], pa.Table]] = []  # of the open segment, judged already, and their numbers
        self._noticed: list[Finding] = []  # while rounds were put together
        self._found: list[Finding] = []  # in them
        self._allowances = Allowances()
        self._odd_tables = OddTables()
        self._number = 0  # of the next round of the open segment
        self._next: deque[_Next] = deque()
        self._odd = 0  # how many of those wait to be judged
        self.feed: Callable[[Admitted], None] = self._assembler.feed  # straight through: it is called for every event

    def restore(self, state: dict[str, Any], history: History | None = None) -> None:
        self._assembler.restore(state, history)
        self._allowances.restore(state.get("searches", {}))
        self._odd_tables.restore(state.get("odd_racks", {}))

    @property
    def waiting(self) -> int:
        """How many rounds, closed and taken by `advance`, still wait for their verdicts."""
        return self._odd

    def advance(self) -> Concluded | None:
        """Judge the rounds closed or re-opened since the last call; None when nothing is new. Those with contradictory
        racks come last, and as many of them as can be judged in a moment (`SLICE_S`): `waiting` says whether there are
        more, for the next call."""
        (concluded,) = advance_together([self])
        return concluded

    def cut(self) -> ReplayCut:
        """Rounds and findings at the end of a segment."""
        judged = [self.advance(), self.judge_odd(math.inf)]
        assert not self._next, "every round of the segment is judged"
        last = _together([one for one in judged if one is not None])
        if not self._rounds:
            self._rounds.append(([], _judged([]).rounds))
        numbers = [number for some, _ in self._rounds for number in some]
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        rounds = pa.concat_tables([table for _, table in self._rounds]).combine_chunks()
        if order != list(range(len(order))):
            rounds = rounds.take(pa.array(order, pa.int64()))
        findings = self._noticed + self._found
        self._rounds, self._noticed, self._found = [], [], []
        self._number = 0
        return ReplayCut(rounds, findings, last)

    def state(self) -> dict[str, Any]:
        """Everything it must remember behind a cut."""
        kept = {"searches": self._allowances.state(), "odd_racks": self._odd_tables.state()}
        return {**self._assembler.state(), **kept}

    def take_noticed(self) -> list[Finding]:
        return self._assembler.take_findings()

    def take_closed(self) -> list[RoundRow]:
        return self._assembler.take_closed()

    def keep(
        self, rows: Sequence[RoundRow], judged: Judged, noticed: list[Finding], first: int = 0
    ) -> Concluded | None:
        """Rounds that were judged, of which these begin at `first`, for the segment they are in. Of the odd ones
        nothing counts yet: they wait for their turn."""
        odd = {row - first for row in judged.left_out if first <= row < first + len(rows)}
        for at, row in enumerate(rows):
            attested = bool(row.fixed["flags"] & _ATTESTED)
            waits = at in odd
            self._next.append(_Next(self._number + at, row.named["table_id"], attested, row if waits else None))
        self._odd += len(odd)
        done = [at for at in range(len(rows)) if at not in odd]
        table = judged.rounds.slice(first, len(rows))
        numbers = [self._number + at for at in done]
        self._number += len(rows)
        if odd:
            table = table.take(pa.array(done, pa.int64()))
        begin, end = bisect_left(judged.finding_rows, first), bisect_left(judged.finding_rows, first + len(rows))
        of_rows = zip(judged.finding_rows[begin:end], judged.findings[begin:end], strict=True)
        found = [finding for row, finding in of_rows if row - first not in odd]
        if not done and not noticed:
            return None
        return self._keep(numbers, table, noticed, found)

    def _keep(self, numbers: list[int], rounds: pa.Table, noticed: list[Finding], found: list[Finding]) -> Concluded:
        self._rounds.append((numbers, rounds))
        self._noticed += noticed
        self._found += found
        return Concluded(rounds, noticed + found)

    def judge_odd(self, until: float) -> Concluded | None:
        """Go on with the rounds that wait, in order, until this moment: search the racks that their tables' allowances
        are enough for, one by one, and judge the others as they are; so also those of tables that are known for racks
        in another order than filed."""
        concluded: list[Concluded] = []
        unsearched: list[tuple[int, RoundRow]] = []
        while self._next:
            number, table_id, attested, row = self._next[0]
            if row is not None and concluded and monotonic() >= until:
                break
            self._next.popleft()
            self._allowances.next_round(table_id, attested)
            if row is None:
                self._odd_tables.fits(table_id)
                continue
            self._odd -= 1
            recognised = self._odd_tables.recognised(table_id)
            if not recognised and self._allowances.may_search(table_id, attested):
                judged = _judged([row])
                self._allowances.searched(table_id, attested, judged.steps)
                if judged.misfits:
                    self._odd_tables.contradicts(row)
                else:
                    self._odd_tables.fits(table_id)
                concluded.append(self._keep([number], judged.rounds, [], judged.findings))
            else:
                if not recognised and attested:
                    self._odd_tables.not_searched(row)
                if recognised:
                    row.facts.append(self._odd_tables.fact_about(row))
                row.fixed["flags"] |= _NOT_SEARCHED
                unsearched.append((number, row))
        if unsearched:
            judged = _judged([row for _, row in unsearched])
            concluded.append(self._keep([number for number, _ in unsearched], judged.rounds, [], judged.findings))
        return _together(concluded)


def _together(several: Sequence[Concluded]) -> Concluded | None:
    if len(several) < 2:
        return several[0] if several else None
    tables = [one.rounds for one in several if one.rounds is not None]
    findings = [finding for one in several for finding in one.findings]
    return Concluded(pa.concat_tables(tables) if tables else None, findings)


def advance_together(replays: Sequence[Replay]) -> list[Concluded | None]:
    """As `advance` of each, in one batch: what a batch costs beside its rounds is then paid once for all of them. For
    contradictory racks the replays share the moment there is, those with the fewest first."""
    closed = [(replay, replay.take_closed(), replay.take_noticed()) for replay in replays]
    concluded: list[Concluded | None] = [None] * len(closed)
    if any(rows or noticed for _, rows, noticed in closed):
        judged = _judged([row for _, rows, _ in closed for row in rows], steps=0)
        first = 0
        for at, (replay, rows, noticed) in enumerate(closed):
            if rows or noticed:
                concluded[at] = replay.keep(rows, judged, noticed, first)
            first += len(rows)
    until = monotonic() + SLICE_S
    begun = False
    for at in sorted(range(len(replays)), key=lambda at: replays[at].waiting):
        if monotonic() < until or not replays[at].waiting or not begun:
            begun |= replays[at].waiting > 0
            concluded[at] = _together([one for one in (concluded[at], replays[at].judge_odd(until)) if one is not None])
    return concluded


def _judged(rows: list[RoundRow], steps: int = ROUND_STEPS) -> Judged:
    try:
        return judge(batch_of(rows), steps)
    except NOT_OF_THE_ROUND:
        raise
    except Exception as error:  # noqa: BLE001 - contained: a round that no columns can hold is looked for one by one
        logger.warning("rounds cannot be put into columns together", extra={"error": in_words(error)})
    fitting = [row for some in each_contained(rows, _in_columns, _out_of_columns) for row in some]
    return judge(batch_of(fitting), steps)


def _in_columns(rows: Sequence[RoundRow]) -> list[RoundRow]:
    """These rounds, if columns can hold them."""
    to_arrow(batch_of(rows))
    return list(rows)


def _out_of_columns(row: RoundRow, error: Exception) -> list[RoundRow]:
    log_contained("a round does not fit its columns", row.named["table_id"], row.named["round_id"], error)
    return [replace(bare_row(row.named, row.fixed, in_words(error), too_large=False), kept=row.kept)]
