"""One round, for people: everything known about it and why it was judged as it was.

Made on demand from the same arrays the audit runs on, never by a second implementation: the round is audited again as
a batch of one and what comes out is spelled out. The result is a plain JSON document; rendering is the console's.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from replay.audit import audit
from replay.how_read import reading_document, strip_document
from replay.lake_rounds import LINE_KINDS
from replay.lines import Lines
from replay.money import ledger
from replay.money.wagers import resolve_wagers
from replay.rounds import (
    ACTIONS,
    BANK_KINDS,
    OUTCOMES,
    PAYERS,
    START_METHODS,
    UNKNOWN,
    Fact,
    Facts,
    RoundBatch,
    RoundFlag,
    from_arrow,
)
from replay.verdicts import VERDICTS, Audit, FilingAudit
from schemas.cards import NO_CARD, names_of
from schemas.clock import time_of
from schemas.findings import Finding, how_sure
from schemas.money import dollars
from schemas.plurals import counted


def explain_round(rounds_row: pa.Table, how: bool = False) -> dict[str, Any]:
    """The report on one round, given its row of rounds.parquet; `how` adds how the reading of the rack was reached."""
    if rounds_row.num_rows != 1:
        raise ValueError(f"one round is explained at a time, not {rounds_row.num_rows}")
    batch = from_arrow(rounds_row)
    audited = audit(batch)
    report = explain_batch_of_one(batch, audited)
    if how:
        report["reading"] = reading_document(batch, audited)
    return report


def explain_batch_of_one(batch: RoundBatch, audited: Audit) -> dict[str, Any]:
    filed = audited.by_filing[0] if audited.by_filing else None
    batch = filed.batch if filed else batch  # its lines speak in its own numbers for names
    flags = RoundFlag(int(batch.flags[0]))
    filing = batch.name("filing", 0)
    return {
        "table": batch.name("table_id", 0),
        "round": batch.name("round_id", 0),
        "version": int(batch.version[0]),
        "gaming_day": batch.name("gaming_day", 0),
        "dealer": batch.name("dealer", 0),
        "deck": batch.name("deck", 0),
        "filing": json.loads(filing) if filing else None,
        "verdict": str(VERDICTS[audited.verdicts[0]]),
        "reason": audited.reasons[0],
        "attested": bool(flags & RoundFlag.ATTESTED),
        "flags": [flag.name.lower() for flag in RoundFlag if flag in flags and flag.name],
        "opened_at": _time(int(batch.opened_us[0])),
        "closed_at": _time(int(batch.closed_us[0])),
        "seq": [int(batch.first_seq[0]), int(batch.last_seq[0])],
        "seated": _seated(batch),
        "bank": _bank(batch),
        "start": _start(batch),
        "stub_count": _known(int(batch.stub_count[0])),
        "wagers": _wagers(batch),
        "actions": _actions(batch),
        "notes": _notes(batch),
        "dealt": names_of(batch.dealt.values.tolist()),
        "rack": names_of(batch.rack.values.tolist()),
        "strip": _strip(batch, filed),
        "hands": [
            {
                "place": view.place,
                "parts": [{"name": name, "cards": names_of(cards)} for name, cards in view.parts],
                "note": view.note,
            }
            for view in (filed.checked.hands(0) if filed else [])
        ],
        "settlement_order": filed.checked.settlement_order(0) if filed else "",
        "lines": _lines(batch, filed),
        "ledger": _ledger(batch, filed, bool(audited.judged[0])),
        "findings": [finding_document(finding) for finding in audited.findings],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "code": finding.code,
        "severity": str(finding.severity),
        "table": finding.table_id,
        "round": finding.round_id,
        "version": finding.round_version,
        "seat": finding.seat,
        "bettor": finding.bettor,
        "wager": finding.wager,
        "expected_cents": finding.expected_cents,
        "actual_cents": finding.actual_cents,
        "difference_cents": finding.difference_cents,
        "accounts": [{"account": account, "difference_cents": cents} for account, cents in finding.accounts],
        "sentence": finding.sentence,
        "citation": finding.citation,
        "evidence": list(finding.evidence),
        "confidence": finding.confidence,
        "sure": how_sure(finding.confidence),
        "basis": str(finding.basis),
    }


def _strip(batch: RoundBatch, filed: FilingAudit | None) -> list[dict[str, Any]]:
    reading = filed.checked.reading(0) if filed else None
    if filed is None or reading is None:
        return []
    return strip_document(batch.rack[0].tobytes(), reading, filed.checked.answers.get(0))


def _time(us: int) -> str | None:
    return None if us < 0 else time_of(us).isoformat()


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value


def _bank(batch: RoundBatch) -> dict[str, Any] | None:
    seat = int(batch.bank_seat[0])
    if seat == UNKNOWN:
        return None
    return {
        "seat": seat,
        "kind": str(BANK_KINDS[batch.bank_kind[0]]),
        "posted_cents": _known(int(batch.bank_posted_cents[0])),
        "turn": _known(int(batch.bank_turn[0])),
    }


def _seated(batch: RoundBatch) -> list[dict[str, Any]]:
    """Who sat where when betting closed, as far as a device said."""
    facts = batch.facts.of(Fact.SEATED)
    return [
        {"seat": int(facts.seat[at]), "patron": batch.names[facts.bettor[at]], "sure": not facts.code[at]}
        for at in range(len(facts))
    ]


def _start(batch: RoundBatch) -> dict[str, Any] | None:
    if batch.start_place[0] == UNKNOWN:
        return None
    return {
        "method": str(START_METHODS[batch.start_method[0]]),
        "number": _known(int(batch.start_number[0])),
        "place": int(batch.start_place[0]),
    }


def _wagers(batch: RoundBatch) -> list[dict[str, Any]]:
    wagers = resolve_wagers(batch)
    return [
        {
            "seat": int(wagers.seat[at]),
            "bettor": batch.names[wagers.bettor[at]],
            "wager": batch.names[wagers.wager[at]],
            "choice": batch.names[wagers.choice[at]],
            "hand": int(wagers.hand[at]),
            "amount_cents": int(wagers.amount[at]),
            "late": bool(wagers.late[at]),
        }
        for at in range(len(wagers))
    ]


def _actions(batch: RoundBatch) -> list[dict[str, Any]]:
    facts = batch.facts.of(Fact.ACTION)
    return [
        {
            "seat": int(facts.seat[at]),
            "bettor": batch.names[facts.bettor[at]],
            "action": str(ACTIONS[facts.code[at]]),
            "amount_cents": _known(int(facts.amount[at])),
        }
        for at in range(len(facts))
    ]


def _notes(batch: RoundBatch) -> list[dict[str, Any]]:
    """What else happened at the table, in order: bank, button, irregularities, voids."""
    facts = batch.facts
    notes = []
    for at in range(len(facts)):
        text = _note(facts, at, batch.names)
        if text:
            notes.append({"seq": int(facts.seq[at]), "text": text})
    return notes


def _note(facts: Facts, at: int, names: tuple[str, ...]) -> str:
    place = "the dealer" if facts.seat[at] == 0 else f"seat {int(facts.seat[at])}"
    card = "" if facts.card[at] == NO_CARD else f" ({names_of([int(facts.card[at])])})"
    choice = names[facts.choice[at]].replace("_", " ")
    match Fact(int(facts.kind[at])):
        case Fact.BANK_OFFERED:
            return f"bank offered to {place}"
        case Fact.BANK_DECLINED:
            return f"bank declined by {place}"
        case Fact.CUT:
            return f"cut by {place}"
        case Fact.CUT_OFFERED:
            return f"cut offered to {place}"
        case Fact.NOT_RESHUFFLED:
            return f"shuffler fault ({choice}), and no shuffle between that and the deal"
        case Fact.BUTTON:
            return f"{choice} button placed at {place}{card}"
        case Fact.NO_ROLL:
            return f"no roll: {choice}"
        case Fact.EXPOSED:
            return f"card of {place} exposed{card}, {choice}"
        case Fact.BOXED:
            return f"card found face up{card}"
        case Fact.RESHUFFLED:
            return "the cards were shuffled again"
        case Fact.WAIVED:
            by = f" by {names[facts.choice[at]]}" if facts.choice[at] else ""
            return f"collection fee of {dollars(int(facts.amount[at]))} let off{by}, for {_payer(facts, at)}"
        case Fact.REFUNDED:
            box = names[facts.choice[at]]
            return f"{dollars(int(facts.amount[at]))} given back out of box {box} to {_payer(facts, at)}"
        case Fact.SCHEDULE_CHANGED:
            return f"collection schedule changed to {names[facts.choice[at]]} while the round was played"
        case Fact.FAULT:
            return f"{names[facts.wager[at]]} fault: {choice}"
        case Fact.VOIDED:
            return f"{'all hands' if facts.seat[at] == 0 else f'hand of {place}'} declared void: {choice}"
        case Fact.TOO_MANY:
            return f"{counted(int(facts.other[at]), 'copy', 'copies')} of a card in the rack{card}"
        case Fact.USELESS_CORRECTION:
            return "a correction that could not be applied"
        case _:
            return ""  # wagers, actions, settlements, fees and meters have their own place in the report


def _payer(facts: Facts, at: int) -> str:
    seat = f" in seat {int(facts.seat[at])}" if facts.seat[at] else ""
    return f"the {str(PAYERS[facts.code[at]]).replace('_', '-')}{seat}"


OF_METERS = (Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT)


def _lines(batch: RoundBatch, filed: FilingAudit | None) -> list[dict[str, Any]]:
    if filed is None:
        return []
    lines, compared = filed.checked.lines, filed.compared
    return [
        {
            "kind": LINE_KINDS[Fact(int(lines.kind[at]))],
            "seat": int(lines.seat[at]),
            "bettor": batch.names[lines.bettor[at]],
            "wager": batch.names[lines.wager[at]],
            "hand": int(lines.hand[at]),
            "for_seat": int(lines.for_seat[at]) or None,
            "meter": batch.names[lines.choice[at]] if lines.kind[at] in OF_METERS else None,
            "payer": str(PAYERS[lines.payer[at]]) if lines.kind[at] == Fact.COLLECTION else None,
            "stake_cents": int(lines.stake[at]),
            "expected": {
                "outcomes": _outcomes(lines, at),
                "paid_cents": int(compared.expected_paid[at]),
                "taken_cents": int(compared.expected_taken[at]),
                "vigorish_cents": int(compared.expected_vigorish[at]),
            },
            "reported": None
            if compared.reported[at] == 0
            else {
                "outcome": str(OUTCOMES[compared.reported_outcome[at]]) if lines.kind[at] == Fact.SETTLED else None,
                "paid_cents": int(compared.reported_paid[at]),
                "taken_cents": int(compared.reported_taken[at]),
                "vigorish_cents": int(compared.reported_vigorish[at]),
            },
            "agrees": bool(compared.agrees[at]),
            "citation": str(lines.cites[lines.cite[at]]),
            "words": lines.cites[lines.cite[at]].words,
            "row": lines.cites[lines.cite[at]].row,
        }
        for at in range(len(lines))
    ]


def _outcomes(lines: Lines, at: int) -> list[str]:
    if lines.kind[at] != Fact.SETTLED:
        return []
    bits = int(lines.possible[at])
    allowed = [str(outcome) for number, outcome in enumerate(OUTCOMES) if bits >> number & 1]
    return allowed if "void" not in allowed else ["void"]


def _ledger(batch: RoundBatch, filed: FilingAudit | None, judged: bool) -> dict[str, Any]:
    """The round's movements as they should have been and as they were reported, and every account's two balances.
    Where the round was not judged (no filing, events missing) nothing says what should have moved."""
    reported = ledger.moving(ledger.reported(batch))
    balances = ledger.balances(reported)
    document: dict[str, Any] = {"judged": judged, "reported": [vars(posting) for posting in reported]}
    if filed is None or not judged:
        return {**document, "expected": [], "expected_balances": {}, "reported_balances": balances, "differences": {}}
    compared = filed.compared
    sums = (compared.expected_paid, compared.expected_taken, compared.expected_vigorish)
    expected = ledger.moving(ledger.expected(batch, filed.checked.lines, *sums))
    should = ledger.balances(expected)
    apart = {account: balances.get(account, 0) - should.get(account, 0) for account in {**should, **balances}}
    return {
        **document,
        "expected": [vars(posting) for posting in expected],
        "expected_balances": should,
        "reported_balances": balances,
        "differences": {account: cents for account, cents in apart.items() if cents},
    }
