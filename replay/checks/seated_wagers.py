"""Wagers at tables where only seated players bet: late, outside the limits, without the one they need, not offered."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.money.wagers import Wagers
from replay.remarks import Remark
from replay.rounds import ACTION_CODE, Fact, Ints, RoundBatch
from schemas.events import Action
from schemas.findings import Basis
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]


def at_stake(wagers: Wagers, row: int) -> str:
    """`$125.00 was at stake`, for remarks about rounds that should have been void."""
    return f"{dollars(int(wagers.amount[wagers.row == row].sum()))} was at stake"


def title_of(batch: RoundBatch, wager: int, titles: Mapping[str, str]) -> str:
    """What sentences call a wager; one of no kind that is offered by the name the device gave it."""
    name = batch.names[wager]
    return titles.get(name, f"{name} wager")


def _name(batch: RoundBatch, number: int) -> str | None:
    return batch.names[number] or None


def late_remarks(batch: RoundBatch, wagers: Wagers, titles: Mapping[str, str], cite: Citation) -> list[Remark]:
    """WAGER-501."""
    remarks, returned = [], _returned_seq(batch)
    for event in wagers.late_events:
        back = min(returned.get((event.row, seat), event.seq) for seat in (0, event.seat))
        if event.what == "withdrawn" and back < event.seq:
            continue  # the chips of a void hand go back
        title = title_of(batch, event.wager, titles)
        match event.what:
            case "placed":
                what = f"a {title} of {dollars(event.amount)} was placed"
            case "withdrawn":
                what = f"the {title} of {dollars(event.amount_before)} was withdrawn"
            case _:
                what = f"the {title} was changed from {dollars(event.amount_before)} to {dollars(event.amount)}"
        remarks.append(
            Remark(
                event.row,
                "WAGER-501",
                f"{what} after the dealer had announced 'No more bets'",
                cite,
                seat=event.seat,
                bettor=_name(batch, event.bettor),
                wager=_name(batch, event.wager),
                evidence=(int(batch.bets_closed_seq[event.row]), event.seq),
                basis=Basis.REPORTS,
                whatever_is_missing=True,  # betting that is closed stays closed
            )
        )
    return remarks


def _returned_seq(batch: RoundBatch) -> dict[tuple[int, int], int]:
    """(round, seat) → when its wagers were to go back: all of them (seat 0) or one seat's."""
    facts = batch.facts
    mine = (facts.kind == Fact.ACTION) & (facts.code == ACTION_CODE[Action.VOID_HAND])
    void = facts.where((facts.kind == Fact.VOIDED) | mine)
    found: dict[tuple[int, int], int] = {}
    for row, seat, seq in zip(void.row.tolist(), void.seat.tolist(), void.seq.tolist(), strict=True):
        found.setdefault((row, seat), seq)
    return found


def outside_limits(
    batch: RoundBatch, wagers: Wagers, of_kind: Bools, title: str, limits_cents: tuple[int, int], cite: Citation
) -> list[Remark]:
    """WAGER-502 for the wagers `of_kind`."""
    least, most = limits_cents
    remarks = []
    for index in np.flatnonzero(of_kind & ((wagers.amount < least) | (wagers.amount > most))).tolist():
        amount = int(wagers.amount[index])
        limit = f"below the minimum of {dollars(least)}" if amount < least else f"above the maximum of {dollars(most)}"
        what = f"a {title} of {dollars(amount)} is {limit}"
        remarks.append(about_wager(batch, wagers, index, "WAGER-502", what, cite))
    return remarks


def without_base(
    batch: RoundBatch, wagers: Wagers, alone: Bools, base: str, titles: Mapping[str, str], cite: Citation
) -> list[Remark]:
    """WAGER-503 for wagers that are `alone`: without the one named `base` that they need."""
    alone = alone.copy()
    for late in wagers.late_events:  # there was one when betting closed: that it went is told by itself
        if late.what == "withdrawn" and batch.names[late.wager] == base:
            alone &= ~((wagers.row == late.row) & (wagers.seat == late.seat))
    remarks = []
    for index in np.flatnonzero(alone).tolist():
        title, amount = title_of(batch, int(wagers.wager[index]), titles), dollars(int(wagers.amount[index]))
        what = f"a {title} of {amount} stands without a {titles[base]}"
        remarks.append(about_wager(batch, wagers, index, "WAGER-503", what, cite))
    return remarks


def not_offered(
    batch: RoundBatch,
    wagers: Wagers,
    unknown: Bools,
    seats: int,
    titles: Mapping[str, str],
    cite: Citation,
    seated_only: Citation | None,
) -> list[Remark]:
    """WAGER-504: wagers of a kind the filed rules do not have (`unknown`), at a seat that is not there, or, where only
    seated players may wager, of somebody else."""
    backline = wagers.bettor != 0 if seated_only is not None else np.zeros(len(wagers), bool)
    elsewhere = (wagers.seat < 1) | (wagers.seat > seats)
    remarks = []
    for index in np.flatnonzero(unknown | backline | elsewhere).tolist():
        title, amount = title_of(batch, int(wagers.wager[index]), titles), dollars(int(wagers.amount[index]))
        citation = cite
        if unknown[index]:
            why = "is none the filed rules offer"
        elif elsewhere[index]:
            why = f"is at a seat the table does not have (it has {seats})"
            citation = seated_only or cite
        else:
            who = batch.names[wagers.bettor[index]]
            why = f"was taken from {who}, who is not seated there; only seated players may wager"
            citation = seated_only or cite
        remarks.append(about_wager(batch, wagers, index, "WAGER-504", f"a {title} of {amount} {why}", citation))
    return remarks


def surrendered_too_late(
    batch: RoundBatch, refused_seq: Ints, all_void: Bools, base: str, cite: Citation
) -> list[Remark]:
    """WAGER-505. `refused_seq` (n, places) is when a hand was surrendered that had been exposed before, -1 if none."""
    remarks = []
    for row, seat in np.argwhere((refused_seq >= 0) & ~all_void[:, None]).tolist():
        shown = batch.shown.seq[(batch.shown.row == row) & (batch.shown.place == seat)]
        remarks.append(
            Remark(
                row,
                "WAGER-505",
                "the wager was surrendered after the dealer had exposed the hand; it is settled by the hands",
                cite,
                seat=seat,
                wager=base,
                evidence=(int(shown[0]), int(refused_seq[row, seat])),
                basis=Basis.REPORTS,
            )
        )
    return remarks


def about_wager(batch: RoundBatch, wagers: Wagers, index: int, code: str, sentence: str, cite: Citation) -> Remark:
    return Remark(
        int(wagers.row[index]),
        code,
        sentence,
        cite,
        seat=int(wagers.seat[index]),
        bettor=_name(batch, int(wagers.bettor[index])),
        wager=_name(batch, int(wagers.wager[index])),
        evidence=(int(wagers.placed_seq[index]),),
        basis=Basis.REPORTS,
    )
