"""Cases: what should this round have paid, and does it agree with what the case expects?

A case becomes a round as the devices would have reported it, without settlements, and goes through the same audit as
everything else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from replay.audit import audit_or_raise
from replay.explain import explain_batch_of_one
from replay.filing import Filing, Pack, PackError, canonical_filing, file_under, filing_problem, game_module, load_pack
from replay.lake_rounds import LINE_KINDS
from replay.rounds import Fact, FactRow, RoundBatch, RoundFlag, batch_of
from replay.verdicts import Audit
from schemas.cases import Case, CaseError, CaseExpected, CaseSeatExpected, read_cases
from schemas.money import dollars

_REPORT_CODES = ("SETTLE-103", "VIG-601", "ENVY-701", "FEE-901", "METER-103", "METER-106", "POT-113", "ROUND-001")
"""Findings that say only that nothing was reported, which is so of every case."""
CONTRIBUTION, METER_PAYOUT = LINE_KINDS[Fact.PROGRESSIVE_IN], LINE_KINDS[Fact.PROGRESSIVE_OUT]
METER_LINES = (CONTRIBUTION, METER_PAYOUT)


def filing_of_case(case: Case) -> Filing:
    """The filing a case is played under; a PackError says what is wrong with it."""
    filing = file_under(load_pack(case.pack), case.version, case.options)
    problem = filing_problem(filing)
    if problem:
        raise PackError(f"pack {case.pack}: {problem}")
    return filing


def cases_under(pack: Pack) -> Iterator[tuple[Path, Case]]:
    """Every case of one version of a pack with its file. Those of the version it is based on are to hold under this one
    as well, unless a file of the same name counts instead or `without` takes them away."""
    for _, path in sorted(pack.cases.items()):
        for case in read_cases(path):
            inherited = not path.is_relative_to(pack.folder)
            yield path, case.model_copy(update={"pack": pack.id, "version": pack.version}) if inherited else case


def audit_case(case: Case) -> tuple[RoundBatch, Audit]:
    filing = filing_of_case(case)
    row = game_module(filing.pack).row_of_case(case, filing)
    row.fixed["flags"] |= int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN)
    row.named.setdefault("filing", canonical_filing(case.pack, case.version, case.options))
    row.named.setdefault("table_id", "CASE")
    row.named.setdefault("round_id", "1")
    row.facts[:0] = [FactRow(Fact.METER_STOOD, 0, choice=name, amount=cents) for name, cents in case.meters.items()]
    batch = batch_of([row])
    audited = audit_or_raise(batch)
    filed = audited.by_filing[0].checked.meters
    for name in (*case.meters, *case.expect_meters):
        if name not in filed:
            raise CaseError(f"case {case.name!r}: as filed there is no meter {name!r}; there are: {', '.join(filed)}")
    kept = [finding for finding in audited.findings if finding.code not in _REPORT_CODES]
    return batch, replace(audited, findings=kept, finding_rows=[0] * len(kept))


def settle_case(case: Case) -> dict[str, Any]:
    """What the round should have paid: hands, lines with their rules, the ledger, irregularities."""
    batch, audited = audit_case(case)
    document = explain_batch_of_one(batch, audited)
    lines = [
        {
            key: line[key]
            for key in (
                "kind",
                "seat",
                "bettor",
                "wager",
                "hand",
                "meter",
                "for_seat",
                "payer",
                "stake_cents",
                "expected",
            )
        }
        | {"citation": line["citation"], "words": line["words"], "row": line["row"]}
        for line in document["lines"]
    ]
    for line, vigorish in zip(lines, _vigorish(audited), strict=True):
        line["expected"]["vigorish_cents"] = vigorish
    return {
        "name": case.name,
        "filing": document["filing"],
        "hands": _as_given(case, document["hands"]),
        "lines": lines,
        "settlement_order": document["settlement_order"],
        "cannot_tell": audited.by_filing[0].checked.why_not_settled(0),
        "findings": document["findings"],
    }


def _as_given(case: Case, hands: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The hands as the case has them. Of one on which no money hangs it may leave the cards out; the round gets some to
    go on with, and those are nobody's."""
    not_given = {
        f"seat {seat}": at.acted for seat, at in case.seats.items() if not (at.low or at.high or at.cards or at.first)
    }
    return [
        {**hand, "parts": [], "note": "; ".join(filter(None, (not_given[hand["place"]], "cards not given")))}
        if hand["place"] in not_given
        else hand
        for hand in hands
    ]


def _vigorish(audited: Audit) -> list[int]:
    """Vigorish each line of a case owes if it is settled as it should be (a case has no reports to go by)."""
    filed = audited.by_filing[0]
    lines = filed.checked.lines
    if filed.checked.vigorish is None:
        return [0] * len(lines)
    owed = filed.checked.vigorish(np.where(lines.vigorish == 1, lines.paid, 0))
    return [int(amount) for amount in owed]


def check_case(case: Case) -> list[str]:
    """What differs between the settlement and the case's `expect`, in sentences; empty when the case holds."""
    settled = settle_case(case)
    wrong: list[str] = []
    by_player: dict[tuple[int, str], dict[str, Any]] = defaultdict(lambda: {"wagers": {}, "envy": 0, "fee": 0})
    by_meter: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for line in settled["lines"]:
        mine = by_player[line["seat"], line["bettor"]]
        if line["kind"] == "wager":
            number = line["hand"] + 1  # of a seat with several hands, `blackjack_2` is the wager on the second
            mine["wagers"][line["wager"] if number == 1 else f"{line['wager']}_{number}"] = line["expected"]
        elif line["kind"] == LINE_KINDS[Fact.POT]:
            pot = mine["wagers"].setdefault(line["wager"], line["expected"] | {"paid_cents": 0})
            pot["paid_cents"] += line["expected"]["paid_cents"]
        elif line["kind"] in METER_LINES:
            by_meter[line["meter"]][line["kind"]] += line["expected"]["paid_cents"]
        else:
            mine[line["kind"]] += line["expected"]["paid_cents"]
    if settled["cannot_tell"]:
        wrong.append(f"the round cannot be settled: {settled['cannot_tell']}")
    for seat, expected in case.expect.items():
        wrong.extend(_check_player(f"seat {seat}", expected, by_player[seat, ""]))
        for bettor, theirs in expected.backline.items():
            wrong.extend(_check_player(f"seat {seat} ({bettor})", theirs, by_player[seat, bettor]))
    for name, meter in case.expect_meters.items():
        for kind, should_be in ((CONTRIBUTION, meter.gets), (METER_PAYOUT, meter.pays)):
            moved = by_meter[name][kind]
            if should_be is not None and should_be != moved:
                wrong.append(f"meter {name}: {kind} is {dollars(moved)}, the case expects {dollars(should_be)}")
    if case.expect_fee is not None and case.expect_fee != by_player[0, ""]["fee"]:
        due = dollars(by_player[0, ""]["fee"])
        wrong.append(f"the pot: fee is {due}, the case expects {dollars(case.expect_fee)}")
    found = sorted({finding["code"] for finding in settled["findings"]})
    if found != sorted(set(case.findings)):
        wrong.append(f"findings {', '.join(found) or 'none'}; the case expects {', '.join(case.findings) or 'none'}")
    return wrong


def _check_player(who: str, expected: CaseSeatExpected, got: dict[str, Any]) -> list[str]:
    wrong = []
    for wager, should in expected.wagers.items():
        settled = got["wagers"].get(wager)
        if settled is None:
            wrong.append(f"{who}, {wager}: no such wager is settled")
            continue
        wrong.extend(f"{who}, {wager}: {text}" for text in _check_wager(should, settled))
    for kind in ("envy", "fee"):
        should_be = getattr(expected, kind)
        if should_be is not None and should_be != got[kind]:
            wrong.append(f"{who}: {kind} is {dollars(got[kind])}, the case expects {dollars(should_be)}")
    return wrong


def _check_wager(should: CaseExpected, settled: dict[str, Any]) -> list[str]:
    wrong = []
    outcomes = settled["outcomes"]
    if should.outcome is not None and outcomes != [str(should.outcome)]:
        wrong.append(f"{' or '.join(outcomes)}, the case expects {should.outcome}")
    for name in ("paid", "taken", "vigorish"):
        amount, got = getattr(should, name), settled[f"{name}_cents"]
        if amount is not None and amount != got:
            wrong.append(f"{name} {dollars(got)}, the case expects {dollars(amount)}")
    return wrong
