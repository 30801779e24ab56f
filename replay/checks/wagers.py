"""Wagers made too late, outside their limits, without the one they need, not offered, or missing: WAGER-501 to
WAGER-504, and WAGER-507.

What the wagers of a game are called in a sentence, by which rule each of these is wrong, and in what words betting is
over, is the pack's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.money.wagers import LateEvent, Wagers
from replay.remarks import Remark
from replay.rounds import ACTION_CODE, Fact, Ints, RoundBatch
from schemas.events import Action
from schemas.findings import Basis
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]
Titles = Mapping[str, str]
"""What the wagers of a game are called in a sentence, by name."""


@dataclass(frozen=True)
class LateWagers:
    """By which rule betting is over."""

    closed: Citation  # after "No more bets"
    closed_when: str  # what had happened then, in a sentence: "betting had closed"
    deal_begun: Citation | None = None  # once the dealer has begun to deal, where the text says so


class Bound(NamedTuple):
    """How little or how much a wager may be, and which rule says so."""

    cents: int
    source: str  # in words: `schedule own_1`
    cite: Citation


class Bounds(NamedTuple):
    lowest: Bound
    highest: Bound


@dataclass(frozen=True)
class WagersOffered:
    """By which rule a wager is none that may be made."""

    no_such_wager: Citation
    no_such_seat: Citation
    own_bank: Citation | None = None  # the player-dealer's own, where a player deals
    seated_only: Citation | None = None  # where only whoever sits at the table may wager


def late_wagers(
    batch: RoundBatch,
    wagers: Wagers,
    begun: Ints,
    closed: Ints,
    given_back: Callable[[LateEvent], bool],
    titles: Titles,
    law: LateWagers,
) -> Iterator[Remark]:
    """WAGER-501: after the deal had begun, where that closes betting, or, as far as is known, only after "No more bets"
    (rulings.md R-37). `begun` and `closed` are the events of each round from which on; `given_back` says of a wager
    taken back that a void did."""
    for event in wagers.late_events:
        if event.amount == event.amount_before:
            continue  # reported again as it stood, or taken back though it was never there
        if event.what == "withdrawn" and given_back(event):
            continue
        dealing = law.deal_begun is not None and 0 <= begun[event.row] < event.seq
        when = "the deal had begun" if dealing else law.closed_when
        yield Remark(
            event.row,
            "WAGER-501",
            f"{who(batch, event.seat, event.bettor)} {_done(event, title(batch, event.wager, titles))} after {when}",
            law.deal_begun if dealing and law.deal_begun is not None else law.closed,
            seat=event.seat,
            bettor=batch.names[event.bettor] or None,
            wager=batch.names[event.wager],
            expected_cents=event.amount_before,
            actual_cents=event.amount,
            evidence=(int(begun[event.row] if dealing else closed[event.row]), event.seq),
            basis=Basis.REPORTS,
            whatever_is_missing=True,  # betting that is closed stays closed
        )


def _done(event: LateEvent, wager: str) -> str:
    match event.what:
        case "placed":
            return f"placed {dollars(event.amount)} on {wager}"
        case "withdrawn":
            return f"took back {dollars(event.amount_before)} from {wager}"
        case _:
            how = "raised" if event.amount > event.amount_before else "lowered"
            return f"{how} {wager} from {dollars(event.amount_before)} to {dollars(event.amount)}"


def given_back_by_a_void(batch: RoundBatch) -> Callable[[LateEvent], bool]:
    """Whether the chips went back because the round, or the hand of that seat, had been called void before."""
    facts = batch.facts
    hand = (facts.kind == Fact.ACTION) & (facts.code == ACTION_CODE[Action.VOID_HAND])
    void = facts.where((facts.kind == Fact.VOIDED) | hand)
    since: dict[tuple[int, int], int] = {}  # (round, seat) → from when on; seat 0 stands for all of them
    for row, seat, seq in zip(void.row.tolist(), void.seat.tolist(), void.seq.tolist(), strict=True):
        since.setdefault((row, seat), seq)

    def given_back(event: LateEvent) -> bool:
        return min(since.get((event.row, seat), event.seq) for seat in (0, event.seat)) < event.seq

    return given_back


def wagers_outside_limits(
    batch: RoundBatch, wagers: Wagers, bounds: Mapping[str, Bounds], titles: Titles
) -> Iterator[Remark]:
    """WAGER-502, for the wagers that have bounds."""
    lowest, highest = np.zeros(len(wagers), dtype=np.int64), np.full(len(wagers), np.iinfo(np.int64).max)
    for name, bound in bounds.items():
        mine = wagers.wager == batch.name_id(name)
        lowest[mine], highest[mine] = bound.lowest.cents, bound.highest.cents
    for at in np.flatnonzero((wagers.amount < lowest) | (wagers.amount > highest)).tolist():
        amount, of = int(wagers.amount[at]), bounds[batch.names[wagers.wager[at]]]
        below = amount < of.lowest.cents
        limit, side = (of.lowest, "below the minimum") if below else (of.highest, "above the maximum")
        sentence = f"{_has(batch, wagers, at, titles)}, {side} of {dollars(limit.cents)} ({limit.source})"
        yield _about_wager(batch, wagers, at, "WAGER-502", sentence, limit.cite, limit.cents, amount)


def wagers_without_base(
    batch: RoundBatch, wagers: Wagers, alone: Bools, base: str, titles: Titles, cite: Citation
) -> Iterator[Remark]:
    """WAGER-503 for wagers that are `alone`: without the one named `base` that they need."""
    alone = alone.copy()
    for late in wagers.late_events:  # there was one when betting closed: that it was taken back is a finding by itself
        if late.what == "withdrawn" and batch.names[late.wager] == base:
            alone &= ~((wagers.row == late.row) & (wagers.seat == late.seat))
    for at in np.flatnonzero(alone).tolist():
        sentence = f"{_has(batch, wagers, at, titles)} and nothing on {titles[base]}"
        yield _about_wager(batch, wagers, at, "WAGER-503", sentence, cite)


def wagers_missing(
    batch: RoundBatch, wagers: Wagers, lacking: Bools, missing: str, titles: Titles, cite: Citation
) -> Iterator[Remark]:
    """WAGER-507 for wagers that are `lacking` one of the name `missing` beside them."""
    lacking = lacking.copy()
    for late in wagers.late_events:  # there was one when betting closed
        if late.what == "withdrawn" and batch.names[late.wager] == missing:
            lacking &= ~((wagers.row == late.row) & (wagers.seat == late.seat))
    for at in np.flatnonzero(lacking).tolist():
        sentence = f"{_has(batch, wagers, at, titles)} and nothing on {titles[missing]}, which has to be placed with it"
        yield _about_wager(batch, wagers, at, "WAGER-507", sentence, cite)


def wagers_not_offered(
    batch: RoundBatch, wagers: Wagers, unknown: Bools, seats: int, titles: Titles, law: WagersOffered
) -> Iterator[Remark]:
    """WAGER-504: a wager the filed rules do not have (`unknown`), at a seat the table does not have, by the
    player-dealer at the own seat, or by somebody who is not seated where only the seated may wager."""
    none = np.zeros(len(wagers), bool)
    nowhere = (wagers.seat < 1) | (wagers.seat > seats)
    own = (wagers.seat == batch.bank_seat[wagers.row]) & (wagers.bettor == 0) if law.own_bank is not None else none
    standing = wagers.bettor != 0 if law.seated_only is not None else none
    for at in np.flatnonzero(unknown | nowhere | own | standing).tolist():
        has = _has(batch, wagers, at, titles)
        if unknown[at]:
            sentence, cite = f"{has}, which the filed rules do not offer", law.no_such_wager
        elif nowhere[at]:
            sentence, cite = f"{has}, and the table has only {seats} seats", law.no_such_seat
        elif standing[at]:
            sentence, cite = f"{has}, and only seated players may wager", law.seated_only or law.no_such_seat
        else:
            sentence, cite = f"the player-dealer in {has}, against itself", law.own_bank or law.no_such_seat
        yield _about_wager(batch, wagers, at, "WAGER-504", sentence, cite)


def _has(batch: RoundBatch, wagers: Wagers, at: int, titles: Titles) -> str:
    """`seat 3 has $5.00 on the Fortune wager`"""
    whose = who(batch, int(wagers.seat[at]), int(wagers.bettor[at]))
    return f"{whose} has {dollars(int(wagers.amount[at]))} on {title(batch, int(wagers.wager[at]), titles)}"


def _about_wager(
    batch: RoundBatch,
    wagers: Wagers,
    at: int,
    code: str,
    sentence: str,
    cite: Citation,
    expected_cents: int | None = None,
    actual_cents: int | None = None,
) -> Remark:
    return Remark(
        int(wagers.row[at]),
        code,
        sentence,
        cite,
        seat=int(wagers.seat[at]),
        bettor=batch.names[wagers.bettor[at]] or None,
        wager=batch.names[wagers.wager[at]],
        expected_cents=expected_cents,
        actual_cents=actual_cents,
        evidence=(int(wagers.placed_seq[at]),),
        basis=Basis.REPORTS,
    )


def who(batch: RoundBatch, seat: int, bettor: int) -> str:
    return f"seat {seat}" if bettor == 0 else f"backline bettor {batch.names[bettor]} at seat {seat}"


def title(batch: RoundBatch, wager: int, titles: Titles) -> str:
    """What a wager is called in a sentence; one that the game does not have, by the name the device gave it."""
    return titles.get(batch.names[wager], repr(batch.names[wager]))


def at_stake(wagers: Wagers, row: int) -> str:
    """`$125.00 was at stake`, for remarks about rounds that should have been void."""
    return f"{dollars(int(wagers.amount[wagers.row == row].sum()))} was at stake"
