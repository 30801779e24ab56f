"""How cards were shuffled and cut: EQUIP-954, -957, -958 and -959."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import Fact, Facts, RoundBatch, RoundFlag
from schemas.findings import LIKELY, Basis
from schemas.plurals import counted


@dataclass(frozen=True)
class CutLaw:
    """How deep a cut must be."""

    least: int  # cards from either end
    cite: Citation


def not_reshuffled(batch: RoundBatch, cite: Citation) -> list[Remark]:
    """EQUIP-954: the shuffling device failed, and the cards were dealt without another shuffle that anybody reports."""
    failed = batch.facts.of(Fact.NOT_RESHUFFLED)
    void = batch.facts.of(Fact.VOIDED)
    failed = failed.where(~batch.has(RoundFlag.GAP)[failed.row] & ~np.isin(failed.row, void.row[void.seat == 0]))
    return [
        Remark(
            row,
            "EQUIP-954",
            f"the automated shuffling device failed ({batch.names[what]}), and no shuffle of the cards is reported "
            "between that and their deal",
            cite,
            evidence=(seq,),
            confidence=LIKELY,
            basis=Basis.REPORTS,
        )
        for row, what, seq in zip(failed.row.tolist(), failed.choice.tolist(), failed.seq.tolist(), strict=True)
    ]


def not_shuffled(batch: RoundBatch, cite: Citation) -> list[Remark]:
    """EQUIP-959: at a table that says when cards are shuffled, they came out a second time without it."""
    facts = _where_all_is_known(batch, batch.facts.of(Fact.NOT_SHUFFLED))
    sentence = (
        "the cards were dealt though no shuffle of them is reported since they were last in play; at this table "
        "shuffles are reported"
    )
    return [
        Remark(row, "EQUIP-959", sentence, cite, evidence=(seq,), confidence=LIKELY, basis=Basis.REPORTS)
        for row, seq in zip(facts.row.tolist(), facts.seq.tolist(), strict=True)
        if batch.dealt.counts[row] or batch.rack.counts[row]
    ]


def shuffled_by_hand(batch: RoundBatch, cite: Citation) -> list[Remark]:
    """EQUIP-957: another method of shuffling was used before the device was removed from the table."""
    facts = batch.facts.of(Fact.HAND_SHUFFLED)
    return [
        Remark(
            row,
            "EQUIP-957",
            f"the cards were shuffled by hand, and the automated shuffling device ({batch.names[device]}) had not been "
            "removed from the table",
            cite,
            evidence=(seq,),
            basis=Basis.REPORTS,
        )
        for row, device, seq in zip(facts.row.tolist(), facts.choice.tolist(), facts.seq.tolist(), strict=True)
    ]


def cut_too_deep(batch: RoundBatch, law: CutLaw, deck_size: int) -> list[Remark]:
    """EQUIP-958: fewer cards than that above the cut, or below it."""
    facts = batch.facts.of(Fact.CUT_DEPTH)
    short = np.minimum(facts.amount, deck_size - facts.amount)
    facts, short = facts.where(short < law.least), short[short < law.least]
    return [
        Remark(
            row,
            "EQUIP-958",
            f"the cut card was placed {counted(max(0, left), 'card')} from the {'top' if left == above else 'bottom'} "
            f"of the deck; it must be at least {law.least} from either end",
            law.cite,
            evidence=(seq,),
            basis=Basis.REPORTS,
        )
        for row, above, left, seq in zip(
            facts.row.tolist(), facts.amount.tolist(), short.tolist(), facts.seq.tolist(), strict=True
        )
    ]


def _where_all_is_known(batch: RoundBatch, facts: Facts) -> Facts:
    """Nor where a device named a round that nobody opened: whose cards it saw is not known."""
    unknown = RoundFlag.GAP | RoundFlag.MISSING_BEFORE | RoundFlag.CONTEXT_UNKNOWN | RoundFlag.NEVER_OPENED
    return facts.where(~batch.has(unknown)[facts.row])
