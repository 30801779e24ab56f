"""A remark as a finding: placed at its table and round, with the evidence it rests on and how sure it is, in words."""

from __future__ import annotations

from replay.remarks import Remark
from replay.rounds import UNKNOWN, RoundBatch
from schemas.findings import ALL_BUT_CERTAIN, BASIS_WORDS, CERTAIN, Basis, Finding, how_sure

_DEAL_SEQS, _RACK_SEQS = ("first_card_seq", "last_card_seq", "stub_seq"), ("rack_first_seq", "rack_last_seq")
_READ_IN: dict[Basis, tuple[str, ...]] = {
    **dict.fromkeys((Basis.DEAL, Basis.DEAL_AND_SHOWN), _DEAL_SEQS),
    **dict.fromkeys((Basis.RACK, Basis.RACK_AND_SHOWN), _RACK_SEQS),
    **dict.fromkeys(
        (Basis.DEAL_AND_RACK, Basis.DEAL_RACK_AND_SHOWN, Basis.COMPARED, Basis.EXPLANATION, Basis.READINGS),
        (*_DEAL_SEQS, *_RACK_SEQS),
    ),
}


def finding_of(batch: RoundBatch, row: int, remark: Remark) -> Finding:
    table_id, round_id = batch.name("table_id", row), batch.name("round_id", row)
    where = f"{table_id} round {round_id}"
    if remark.seat:
        where += f" seat {remark.seat}" + (f" ({remark.bettor})" if remark.bettor else "")
    if remark.wager:
        where += f", {remark.wager}"
    explained = remark.basis is Basis.EXPLANATION
    confidence = min(remark.confidence, ALL_BUT_CERTAIN) if explained else remark.confidence
    sure = f" ({how_sure(confidence)}: {BASIS_WORDS[remark.basis]})"
    if remark.basis in (Basis.RECORD, Basis.UNREAD) and remark.confidence == CERTAIN:
        sure = ""  # the sentence says it
    return Finding(
        remark.code,
        table_id,
        round_id,
        f"{where}: {remark.sentence.rstrip('.')}{sure}.",
        remark.cite.explained,
        int(batch.closed_us[row]),
        int(batch.last_seq[row]),
        remark.seat,
        remark.bettor,
        remark.wager,
        remark.expected_cents,
        remark.actual_cents,
        remark.difference_cents,
        remark.evidence or _evidence(batch, row, remark.basis),
        confidence,
        int(batch.version[row]),
        remark.basis,
        remark.accounts,
    )


def _evidence(batch: RoundBatch, row: int, basis: Basis) -> tuple[int, ...]:
    """The events a remark rests on that names none: the readings of the cards, else the round's last event."""
    seqs = {int(batch.fixed[column][row]) for column in _READ_IN.get(basis, ())} - {UNKNOWN}
    return tuple(sorted(seqs or {int(batch.last_seq[row])}))
