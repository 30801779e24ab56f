"""BANK-803 and BANK-804: who may be player-dealer, for how many hands running (rulings.md R-44), and with what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from replay.citations import Citation
from replay.money.people import who_banks
from replay.money.wagers import Wagers
from replay.remarks import Remark
from replay.rounds import RoundBatch, RoundFlag
from schemas.findings import Basis
from schemas.money import dollars

_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}


@dataclass(frozen=True)
class BankTurns:
    """What a pack says of them."""

    hands_running: int  # as many a player may bank
    running_cite: Citation
    wagered_before_cite: Citation  # no bank without a wager on that spot in the hand before


def bank_turns(batch: RoundBatch, law: BankTurns) -> Iterator[Remark]:
    # The run is the least it can be where events are missing (replay/assembling/assemble.py), so too long is too long.
    for row in np.flatnonzero(batch.bank_run > law.hands_running).tolist():
        run = int(batch.bank_run[row])
        yield _about_bank(
            batch,
            row,
            "BANK-803",
            f"{who_banks(batch, row)} is player-dealer for the {_ORDINALS.get(run, f'{run}th')} hand running; "
            f"{law.hands_running} {'is' if law.hands_running == 1 else 'are'} allowed",
            law.running_cite,
        )
    # Who had the bank on that spot in the hand before counts as having wagered there: the first turn must be earned.
    in_context = ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
    for row in np.flatnonzero(in_context & (batch.bank_wagered_before == 0)).tolist():
        yield _about_bank(
            batch,
            row,
            "BANK-804",
            f"{who_banks(batch, row)} is player-dealer without a wager on that spot in the previous hand",
            law.wagered_before_cite,
        )


def posted_nothing(batch: RoundBatch, wagers: Wagers, cite: Citation) -> Iterator[Remark]:
    """BANK-804: a player-dealer who put up nothing, though others have wagers. What no device saw is not nothing."""
    others = np.zeros(len(batch), np.int64)
    np.add.at(others, wagers.row, wagers.amount)
    for row in np.flatnonzero((batch.bank_posted_cents == 0) & (batch.bank_seat > 0) & (others > 0)).tolist():
        sentence = f"{who_banks(batch, row)} is player-dealer with nothing posted for wagers of "
        sentence += f"{dollars(int(others[row]))} by the other players"
        yield _about_bank(batch, row, "BANK-804", sentence, cite)


def _about_bank(batch: RoundBatch, row: int, code: str, sentence: str, cite: Citation) -> Remark:
    accepted = int(batch.bank_seq[row])
    return Remark(
        row,
        code,
        sentence,
        cite,
        seat=int(batch.bank_seat[row]),
        evidence=(accepted,) if accepted >= 0 else (),
        basis=Basis.REPORTS,
    )
