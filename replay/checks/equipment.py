"""Cards and dice too long on the table, decks that do not alternate, stubs not counted: EQUIP-951, -952, -953."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.naming import hours
from replay.remarks import Remark
from replay.rounds import GAME_START, UNKNOWN, Ints, RoundBatch, RoundFlag
from schemas.findings import Basis

Bools = npt.NDArray[np.bool_]


def _first_beyond(batch: RoundBatch, age_s: Ints, limit_s: int) -> Bools:
    """Rounds in which something is too old and was not yet in the round before: it is said once, not every round."""
    before = age_s.astype(np.int64) - batch.since_previous_s
    return np.asarray((age_s > limit_s) & ((batch.since_previous_s == UNKNOWN) | (before <= limit_s)))


def cards_too_old(batch: RoundBatch, limit_s: int, dealt: str, cite: Citation) -> list[Remark]:
    """`dealt` is how, in words: "dealt from a manual shoe"."""
    remarks = []
    for row in np.flatnonzero(_first_beyond(batch, batch.deck_age_s, limit_s)).tolist():
        deck = batch.name("deck", row)
        sentence = (
            f"the cards{f' (deck {deck})' if deck else ''} had been on the table "
            f"for {hours(int(batch.deck_age_s[row]))}; {dealt} they must be changed every "
            f"{limit_s // 3600} hours (rulings.md R-37)"
        )
        remarks.append(Remark(row, "EQUIP-951", sentence, cite, basis=Basis.REPORTS))
    return remarks


def dice_too_old(batch: RoundBatch, limit_s: int, cite: Citation) -> list[Remark]:
    remarks = []
    for row in np.flatnonzero(_first_beyond(batch, batch.dice_age_s, limit_s)).tolist():
        sentence = (
            f"the dice had been in the shaker for {hours(int(batch.dice_age_s[row]))}; no dice may remain on a table "
            f"for more than {limit_s // 3600} hours"
        )
        remarks.append(Remark(row, "EQUIP-951", sentence, cite, basis=Basis.REPORTS))
    return remarks


def stub_not_counted(batch: RoundBatch, rounds: int, cite: Citation) -> list[Remark]:
    """EQUIP-953, in the round in which the count was due: once, and again after as many rounds more."""
    uncounted = batch.rounds_since_stub_count.astype(np.int64) + 1  # this round with them
    due = (batch.stub_count == UNKNOWN) & (batch.rounds_since_stub_count >= 0) & (uncounted % rounds == 0)
    due &= ~batch.has(RoundFlag.CONTEXT_UNKNOWN | RoundFlag.VOIDED | RoundFlag.GAP)
    return [
        Remark(
            row,
            "EQUIP-953",
            f"the cards left over were not counted in this round nor in the {uncounted[row] - 1} before; they must be "
            f"at least once every {rounds} rounds",
            cite,
            basis=Basis.REPORTS,
        )
        for row in np.flatnonzero(due).tolist()
    ]


def decks_not_alternated(batch: RoundBatch, cite: Citation) -> list[Remark]:
    """Of a table with two decks."""
    in_play = batch.named["deck"]
    same = (in_play == batch.named["previous_deck"]) & (in_play != 0) & ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
    same &= batch.previous_button != GAME_START  # the round before was another day's
    fresh = (batch.deck_age_s != UNKNOWN) & (batch.deck_age_s < batch.since_previous_s)
    same &= ~fresh  # brought to the table since: another deck, whatever it is called
    sentence = "was used in two rounds running; two decks alternate, each for every other round"
    return [
        Remark(row, "EQUIP-952", f"deck {batch.name('deck', row)} {sentence}", cite, basis=Basis.REPORTS)
        for row in np.flatnonzero(same).tolist()
    ]
