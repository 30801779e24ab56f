"""Who may bank in Massachusetts, and when: BANK-803, BANK-804 and BANK-807."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.money.people import who_banks
from replay.money.wagers import Wagers
from replay.remarks import Remark
from replay.rounds import BANK_KIND_CODE, GAME_START, UNKNOWN, Ints, RoundBatch, RoundFlag
from schemas.events import BankKind
from schemas.findings import Basis
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class BankEligible:
    """What the text says of it."""

    most_running: int  # rounds that one player may bank one after the other
    running: Citation
    offered: Citation  # to whom first, and how it goes round
    not_at_start: Citation  # not in the first round with a deck
    wagered_before: Citation  # only who bet in the last round that nobody banked
    funds: Citation  # only with chips for the other players' wagers


def bank_remarks(batch: RoundBatch, banked: Bools, wagers: Wagers, words: BankEligible) -> list[Remark]:
    """Of rounds that a player `banked`."""
    context = banked & ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
    fresh = (batch.deck_age_s != UNKNOWN) & (batch.deck_age_s < batch.since_previous_s)
    at_start = context & (fresh | (batch.previous_button == GAME_START))
    running = banked & (batch.bank_run > words.most_running)
    no_wager = context & ~at_start & (batch.bank_run == 1) & (batch.bank_wagered_before == 0)
    too_many = "two" if words.most_running == 1 else f"more than {words.most_running}"
    others = np.zeros(len(batch), np.int64)
    np.add.at(others, wagers.row, np.where(wagers.seat != batch.bank_seat[wagers.row], wagers.amount, 0))
    short = banked & (batch.bank_posted_cents >= 0) & (batch.bank_posted_cents < others)

    def chips(row: int) -> str:
        posted, asked = int(batch.bank_posted_cents[row]), int(others[row])
        return f"with {dollars(posted)} in chips for wagers of {dollars(asked)} by the other players"

    breaches: tuple[tuple[Bools, str, Callable[[int], str], Citation], ...] = (
        (running, "BANK-803", lambda row: f"{too_many} rounds running; nobody may", words.running),
        (at_start, "BANK-804", lambda row: "in the first round with the deck", words.not_at_start),
        (
            no_wager,
            "BANK-804",
            lambda row: "without a wager in the last round that nobody banked",
            words.wagered_before,
        ),
        (short, "BANK-804", chips, words.funds),
    )
    return [
        Remark(
            row,
            code,
            f"{who_banks(batch, row)} banks {what(row)}",
            cite,
            seat=int(batch.bank_seat[row]),
            evidence=(int(batch.bank_seq[row]),) if batch.bank_seq[row] >= 0 else (),
            basis=Basis.REPORTS,
        )
        for where, code, what, cite in breaches
        for row in np.flatnonzero(where).tolist()
    ]


def bank_not_filed(
    batch: RoundBatch, rows: Bools, seats: int, filed: str, may: tuple[Citation, Citation]
) -> Iterator[Remark]:
    """BANK-804: rounds banked though as `filed` nobody may, or not so, or by a seat that the table does not have. `may`
    is who may offer a bank, and a co-bank."""
    whole, shared = may
    for row in np.flatnonzero(rows).tolist():
        kind = int(batch.bank_kind[row])
        with_house = kind == BANK_KIND_CODE[BankKind.CO_BANK]
        how = {
            BANK_KIND_CODE[BankKind.CO_BANK]: "banks with the house covering one half",
            BANK_KIND_CODE[BankKind.PLAYER_DEALER]: "is said to be player-dealer",
        }
        why = f", which is not offered at this table (filed: banking: {filed})"
        if batch.bank_seat[row] > seats:
            why = f", and the table has seats 1 to {seats} only"
        yield Remark(
            row,
            "BANK-804",
            f"{who_banks(batch, row)} {how.get(kind, 'banks')}{why}",
            shared if with_house else whole,
            seat=int(batch.bank_seat[row]),
            evidence=(int(batch.bank_seq[row]),) if batch.bank_seq[row] >= 0 else (),
            basis=Basis.REPORTS,
        )


def bank_in_doubt(batch: RoundBatch, settled: Ints, cite: Citation) -> Iterator[Remark]:
    """BANK-804: another seat was `settled` as the bank than the one said to have accepted it."""
    for row in np.flatnonzero(settled).tolist():
        yield Remark(
            row,
            "BANK-804",
            f"{who_banks(batch, row)} is said to have accepted the bank, and seat {int(settled[row])} was settled as "
            "the bank: one of the two reports is wrong, and what was played against the bank cannot be checked",
            cite,
            seat=int(batch.bank_seat[row]),
            evidence=(int(batch.bank_seq[row]),) if batch.bank_seq[row] >= 0 else (),
            basis=Basis.REPORTS,
        )


def wagers_of_the_house(batch: RoundBatch, co_banked: Bools, cite: Citation) -> list[Remark]:
    """BANK-807: the dealer's own wager, where the house shares the bank."""
    return [
        Remark(
            row,
            "BANK-807",
            f"the dealer wagered {dollars(int(batch.dealer_wager_cents[row]))} against the bank, of which the house "
            "has one half",
            cite,
            seat=int(batch.bank_seat[row]),
            evidence=(int(batch.bank_seq[row]),),
            basis=Basis.REPORTS,
        )
        for row in np.flatnonzero(co_banked & (batch.dealer_wager_cents > 0)).tolist()
    ]
