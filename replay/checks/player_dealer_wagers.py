"""Wagers made too late, outside their limits or not offered at all: WAGER-501, WAGER-502 and WAGER-504.

What the wagers of a game are called in a sentence, and by which rule each of these is wrong, is the pack's to say.
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
from replay.rounds import Ints, RoundBatch
from schemas.findings import Basis
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]
Titles = Mapping[str, str]
"""What the wagers of a game are called in a sentence, by name."""


@dataclass(frozen=True)
class LateWagers:
    """By which rule betting is over."""

    deal_begun: Citation  # once the dealer has begun to deal
    closed: Citation  # after "No more bets"


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
    own_bank: Citation  # the player-dealer's own


def late_wagers(
    batch: RoundBatch,
    wagers: Wagers,
    begun: Ints,
    closed: Ints,
    given_back: Callable[[LateEvent], bool],
    titles: Titles,
    law: LateWagers,
) -> Iterator[Remark]:
    """WAGER-501: after the deal had begun or, as far as is known, only after "No more bets" (rulings.md R-37). `begun`
    and `closed` are the events of each round from which on; `given_back` says of a wager taken back that a void did."""
    for event in wagers.late_events:
        if event.amount == event.amount_before:
            continue  # reported again as it stood, or taken back though it was never there
        if event.what == "withdrawn" and given_back(event):
            continue
        dealing = 0 <= begun[event.row] < event.seq
        when = "the deal had begun" if dealing else "betting had closed"
        yield Remark(
            event.row,
            "WAGER-501",
            f"{who(batch, event.seat, event.bettor)} {_done(event, title(batch, event.wager, titles))} after {when}",
            law.deal_begun if dealing else law.closed,
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


def wagers_outside_limits(
    batch: RoundBatch, wagers: Wagers, bounds: Mapping[str, Bounds], titles: Titles
) -> Iterator[Remark]:
    """WAGER-502, for the wagers that have bounds."""
    lowest, highest = np.zeros(len(wagers), dtype=np.int64), np.full(len(wagers), np.iinfo(np.int64).max)
    for name, bound in bounds.items():
        mine = wagers.wager == batch.name_id(name)
        lowest[mine], highest[mine] = bound.lowest.cents, bound.highest.cents
    for at in np.flatnonzero((wagers.amount < lowest) | (wagers.amount > highest)).tolist():
        amount, wager = int(wagers.amount[at]), int(wagers.wager[at])
        of = bounds[batch.names[wager]]
        below = amount < of.lowest.cents
        limit, side = (of.lowest, "below the minimum") if below else (of.highest, "above the maximum")
        sentence = (
            f"{who(batch, int(wagers.seat[at]), int(wagers.bettor[at]))} has {dollars(amount)} on "
            f"{title(batch, wager, titles)}, {side} of {dollars(limit.cents)} ({limit.source})"
        )
        yield _about_wager(batch, wagers, at, "WAGER-502", sentence, limit.cite, limit.cents, amount)


def wagers_not_offered(
    batch: RoundBatch, wagers: Wagers, unknown: Bools, seats: int, titles: Titles, law: WagersOffered
) -> Iterator[Remark]:
    """WAGER-504: a wager the game does not have (`unknown`), at a seat the table does not have, or by the player-dealer
    at the own seat."""
    nowhere = (wagers.seat < 1) | (wagers.seat > seats)
    own = (wagers.seat == batch.bank_seat[wagers.row]) & (wagers.bettor == 0)
    for at in np.flatnonzero(unknown | nowhere | own).tolist():
        seat, wager, amount = int(wagers.seat[at]), int(wagers.wager[at]), dollars(int(wagers.amount[at]))
        if unknown[at]:
            whose = who(batch, seat, int(wagers.bettor[at]))
            sentence = f"{whose} has {amount} on {batch.names[wager]!r}, which is no wager of this game"
            cite = law.no_such_wager
        elif nowhere[at]:
            sentence = f"{amount} on {title(batch, wager, titles)} lies at seat {seat}, and the table has {seats} seats"
            cite = law.no_such_seat
        else:
            sentence = f"the player-dealer in seat {seat} has {amount} on {title(batch, wager, titles)}, against itself"
            cite = law.own_bank
        yield _about_wager(batch, wagers, at, "WAGER-504", sentence, cite)


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
    """What a wager is called in a sentence; one that the game does not have, by its name."""
    return titles.get(batch.names[wager], batch.names[wager])
