"""How the reading of one round's rack was reached, step by step, and what would change it; for `round show --explain`.

Made from the same audit as the verdict: the procedure and its steps, what was searched, the readings that are left with
their costs, and the reports that contradict them. What would change it is tried, not guessed: the round is audited
again without each of its witnesses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from replay.audit import audit
from replay.cards.dealing.compare import compare, in_words
from replay.cards.pickup.procedure import LAID_WORDS
from replay.cards.pickup.words import MEANING
from replay.cards.reading import RackReading, candidates_of, expected_layout, short_name, strip_of
from replay.cards.solver.answers import Answer, Explanation, Status
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.layout import Layout
from replay.cards.solver.sentences import of_contradictions, of_explanation, of_fault
from replay.citations import Citation
from replay.remarks import Subject
from replay.rounds import UNKNOWN, Ragged, RoundBatch, RoundFlag, Shown
from replay.verdicts import VERDICTS, Audit
from schemas.cards import names_of

NOT_READ, IN_PART = "not read", "in part"


def strip_document(rack: bytes, reading: RackReading, answer: Answer | None) -> list[dict[str, Any]]:
    """The strip as plain values: positions count from 1, as a person counts cards."""
    return [
        {
            "whose": packet.whose,
            "from": packet.at + 1,
            "parts": [{"name": name, "cards": names_of(cards)} for name, cards in packet.parts],
            "missing": names_of(packet.missing),
            "marks": [{"card": mark.at + 1, "is": names_of([rack[mark.at]]), "why": mark.why} for mark in packet.marks],
        }
        for packet in strip_of(rack, reading, answer)
    ]


def reading_document(batch: RoundBatch, audited: Audit) -> dict[str, Any] | None:
    """Everything behind the reading of one round; None where no pack read it."""
    if not audited.by_filing:
        return None
    checked = audited.by_filing[0].checked
    reading, answer = checked.reading(0), checked.answers.get(0)
    if reading is None:
        return None
    rack = batch.rack[0].tobytes()
    layout = expected_layout(rack, reading, answer)
    return {
        "status": _status(rack, reading, answer),
        "confidence": answer.explanations[0].confidence if answer is not None and answer.explanations else None,
        "findings": [
            {"code": one.code, "seat": one.seat, "confidence": one.confidence, "basis": str(one.basis)}
            for one in audited.findings
        ],
        "procedure": {"id": reading.procedure.id, "title": reading.procedure.title},
        "steps": _steps(reading, layout),
        "searched": _searched(reading, answer),
        "explanations": [_explanation(one) for one in answer.explanations] if answer is not None else [],
        "deal": _deal(rack, reading, audited),
        "would_change": [*_open_questions(reading, answer), *_without_witnesses(batch, audited)],
    }


def _status(rack: bytes, reading: RackReading, answer: Answer | None) -> str:
    if not rack:
        return NOT_READ
    if answer is not None and answer.status is Status.CONTRADICTORY:
        return str(answer.status)
    if not reading.whole:
        return IN_PART
    return str(Status.AMBIGUOUS if reading.readings > 1 else Status.UNIQUE)


def _cited(cite: Citation) -> dict[str, str]:
    return {"citation": str(cite), "words": cite.words or ""}


def _steps(reading: RackReading, layout: Layout) -> list[dict[str, Any]]:
    """The steps of the procedure that put something into this rack, with the cards they put there."""
    case = next((one.cases[0] for one in candidates_of(reading) if one.layout == layout), None)
    if case is None:
        return []
    ways = {(hand.key.place, hand.key.hand): way for hand, way in case.went}
    found: dict[int, dict[str, Any]] = {}
    at = 0
    for slot in layout:
        way = ways[slot.place, slot.hand]
        step = reading.procedure.steps[way.step]
        made = found.setdefault(way.step, {"step": way.step + 1, "title": step.title, **_cited(step.cite), "hands": []})
        hands = made["hands"]
        name = short_name(slot.place, slot.hand)
        if hands and hands[-1]["whose"] == name:
            hands[-1]["to"] = at + slot.count
        else:
            hands.append({"whose": name, "from": at + 1, "to": at + slot.count, "lies": LAID_WORDS[way.laid]})
        at += slot.count
    return [found[step] for step in sorted(found)]


def _searched(reading: RackReading, answer: Answer | None) -> dict[str, Any]:
    found = candidates_of(reading)
    open_words = {word for hand in reading.situation.hands for word in hand.open}
    return {
        "layouts": len(found),
        "because": [MEANING[word] for word in sorted(open_words)] if len(found) > 1 else [],
        "hypotheses": answer.considered if answer is not None else 0,
        "given_up": bool(answer is not None and answer.bound_hit),
    }


def _explanation(one: Explanation) -> dict[str, Any]:
    return {
        "says": of_explanation(one),
        "faults": [{"kind": str(fault.kind), "says": of_fault(fault)} for fault in one.faults],
        "cost": round(one.cost, 3),
        "confidence": one.confidence,
        "against": of_contradictions(one.against) if one.against else "",
        "contradicts_events": sorted({seq for against in one.against for seq in against.seq if seq >= 0}),
        "rests_on_events": list(one.evidence),
    }


def _deal(rack: bytes, reading: RackReading, audited: Audit) -> dict[str, Any] | None:
    if reading.method is None:
        return None
    document: dict[str, Any] = {
        "method": reading.method.id,
        "how": reading.method.title,
        "start": short_name(reading.start) if reading.start != UNKNOWN else None,
        "rules": [_cited(cite) for cite in reading.method.cites],
        "read": bool(reading.dealt),
        "delivered": reading.delivered,
        "differences": [],
    }
    if reading.dealt and reading.hands:
        in_hands = Counter(card for parts in reading.hands.values() for _, cards in parts for card in cards)
        differences = compare(
            reading.dealt,
            reading.hands,
            {},
            left_over=(Counter(rack) - in_hands).elements(),
            deck=sorted(reading.deck) * reading.copies,
        )
        document["differences"] = [{"code": one.code, "says": in_words(one)} for one in differences]
    misread = [
        remark for one in audited.by_filing for remark in one.checked.remarks if remark.subject is Subject.DEAL_MISREAD
    ]
    document["differences"] += [{"code": one.code, "says": one.sentence} for one in misread]
    return document


# ---- what would change it ------------------------------------------------------------------------------------------


def _open_questions(reading: RackReading, answer: Answer | None) -> list[str]:
    """What nobody said and would decide: the hands in which the likeliest readings differ."""
    if answer is None or answer.reading is not None or len(answer.readings) < 2:
        return []
    (one, sure), (other, _) = answer.readings[:2]
    differ = [hand for hand in sorted({*one.hands, *other.hands}) if one.hands.get(hand) != other.hands.get(hand)]
    if sure >= CONFIDENT or not differ:
        return []
    names = ", ".join(short_name(*hand) for hand in differ)
    return [f"the likeliest readings differ in the hands of {names}: one of these shown, or the deal, would decide"]


def _without_witnesses(batch: RoundBatch, audited: Audit) -> list[str]:
    before = _outcome(audited)
    found, same = [], []
    for words, less in _less(batch):
        after = _outcome(audit(less))
        if after == before:
            same.append(words)
        else:
            found.append(f"without {words} the verdict would be {after}")
    if same:
        found.append(f"without {' or without '.join(same)} the verdict would be the same")
    if not batch.dealt.counts[0]:
        found.append("a shoe or shuffler that is read would give a second reconstruction, independent of the rack")
    return found


def _outcome(audited: Audit) -> str:
    verdict = str(VERDICTS[audited.verdicts[0]]).replace("_", " ")
    return f"{verdict} ({audited.reasons[0]})" if audited.reasons[0] else verdict


def _less(batch: RoundBatch) -> list[tuple[str, RoundBatch]]:
    """The round without each thing that was read of its cards."""
    none = Ragged(np.zeros(2, np.int64), np.zeros(0, np.uint8))
    less = []
    flags = batch.fixed["flags"]
    if batch.dealt.counts[0]:
        fixed = {**batch.fixed, "flags": flags & ~np.asarray(int(RoundFlag.DEAL_READ), flags.dtype)}
        without = replace(batch, fixed=fixed, dealt=none, dealt_to=none, dealt_deck=none, dealt_place=none)
        less.append(("the deal", without))
    if len(batch.shown.row):
        empty = {name: getattr(batch.shown, name)[:0] for name in Shown.__dataclass_fields__}
        less.append(("the hands shown", replace(batch, shown=Shown(**empty))))
    if batch.rack.counts[0]:
        fixed = {**batch.fixed, "flags": flags & ~np.asarray(int(RoundFlag.RACK_READ), flags.dtype)}
        less.append(("the rack", replace(batch, fixed=fixed, rack=none, rack_deck=none)))
    return less
