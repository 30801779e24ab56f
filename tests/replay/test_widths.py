"""Every column of a round holds the largest value that can get there; and whatever is largest, a worker goes on.

What devices may say is taken from the schema itself: for every event type and member the smallest and the largest value
it allows, a round full of them, in every place of a round.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ingest.gate.limits import ROUND_EVENTS
from replay.cards.deck_history import MOST_ASTRAY
from replay.explain import explain_round
from replay.filing import load_pack, pack_ids
from replay.lake_rounds import LINE_TYPE, reaudit
from replay.limits import ROUND_CARDS, ROUND_CENTS, ROUND_FACTS, ROUND_HANDS_SHOWN
from replay.lines import LINE_COLUMNS
from replay.rounds import ACTIONS, FACT_COLUMNS, FACT_NAMES, FIXED, OUTCOMES, PAYERS, SHOWN_WIDTH, Fact, RoundFlag
from replay.stream import Replay
from schemas.clock import microseconds, time_of
from schemas.events import DATA_MODELS, MAX_SEQ, ROUND_GROUP, Said, parse_event
from schemas.findings import FINDINGS_SCHEMA, Verdict, findings_table
from schemas.money import MAX_CENTS
from schemas.places import MAX_SEAT
from tests.replay.fed import FedHistory
from tests.replay.tape import Tape

LATEST_US = 253_402_300_799_999_999 + 86_400_000_000  # the last moment of the year 9999, anywhere
OFFSET = 2**62  # of a log record: nobody will see it
HIGHEST_ODDS = 8_000  # MA-PGP §16(b), Paytable A: the seven-card straight flush

LARGEST_FIXED = {
    "version": ROUND_EVENTS * 2,
    "flags": 2 * max(RoundFlag),
    "opened_us": LATEST_US,
    "closed_us": LATEST_US,
    "first_seq": MAX_SEQ,
    "last_seq": MAX_SEQ,
    "first_offset": OFFSET,
    "last_offset": OFFSET,
    "bets_closed_seq": MAX_SEQ,
    "first_card_seq": MAX_SEQ,
    "first_card_count": 500,
    "last_card_seq": MAX_SEQ,
    "start_seq": MAX_SEQ,
    "start_method": 3,
    "start_number": 18,
    "start_place": MAX_SEAT,
    "bank_seat": MAX_SEAT,
    "bank_kind": 3,
    "bank_posted_cents": MAX_CENTS,
    "bank_turn": 9,
    "bank_seq": MAX_SEQ,
    "dealer_wager_cents": MAX_CENTS,
    "first_stack": 14,
    "stub_count": 500,
    "stub_seq": MAX_SEQ,
    "rack_first_seq": MAX_SEQ,
    "rack_last_seq": MAX_SEQ,
    "rack_before": ROUND_CARDS,
    "decks": 8,
    "jokers": 2,
    "since_previous_s": 2 * LATEST_US,
    "previous_button": MAX_SEAT,
    "bank_run": MAX_SEQ,  # no more rounds than events
    "bank_wagered_before": 1,
    "deck_age_s": 2 * LATEST_US,
    "dice_age_s": 2 * LATEST_US,
    "rounds_since_stub_count": MAX_SEQ - 1,
}
NAMES_IN_A_BATCH = 50_000 * 3  # of a segment's records, three names each
LARGEST_FACT = {
    "kind": max(Fact),
    "seat": MAX_SEAT,
    "bettor": NAMES_IN_A_BATCH,
    "wager": NAMES_IN_A_BATCH,
    "choice": NAMES_IN_A_BATCH,
    "hand": 127,  # burned cards, cut off there
    "code": max(len(ACTIONS), len(OUTCOMES), len(PAYERS)),
    "amount": MAX_CENTS,
    "taken": MAX_CENTS,
    "other": max(2 * ROUND_CARDS, 500, 32_000),  # copies of a card in the rack, cards left over, rounds running
    "card": 255,
    "seq": MAX_SEQ,
}


def most_of(kind: type[Any]) -> int:
    return int(np.iinfo(kind).max)


def test_every_fixed_column_is_wide_enough() -> None:
    assert LARGEST_FIXED.keys() == FIXED.keys()
    for name, largest in LARGEST_FIXED.items():
        assert largest <= most_of(FIXED[name]), name


def test_every_column_of_facts_is_wide_enough() -> None:
    assert LARGEST_FACT.keys() == FACT_COLUMNS.keys()
    for name, largest in LARGEST_FACT.items():
        assert largest <= most_of(FACT_COLUMNS[name]), name
    assert MOST_ASTRAY < 100 and set(FACT_NAMES) < FACT_COLUMNS.keys()


def test_hands_shown_fit_their_columns() -> None:
    most = 8 + 8 + 16 + 8
    assert most <= np.iinfo(np.uint8).max and SHOWN_WIDTH == 16
    assert ROUND_HANDS_SHOWN * SHOWN_WIDTH < 2**31 - 1 and ROUND_FACTS > ROUND_EVENTS // 2


def test_money_of_a_round_times_the_highest_odds_fits() -> None:
    highest = max(
        row.pays()[0] for pack_id in pack_ids() for table in load_pack(pack_id).paytables.values() for row in table.rows
    )
    assert highest <= HIGHEST_ODDS
    assert ROUND_CENTS * HIGHEST_ODDS * 10 < 2**63, "paid, taken, envy and commission together"
    money = [field.type for field in LINE_TYPE if field.name.endswith("_cents")]
    money += [field.type for field in FINDINGS_SCHEMA if field.name.endswith("_cents")]
    assert {str(kind) for kind in money} == {"int64"}
    assert all(LINE_COLUMNS[name] is np.int64 for name in ("stake", "paid", "taken"))


# ---- the largest and smallest of everything ------------------------------------------------------------------------


def values_of(schema: dict[str, Any], defs: dict[str, Any]) -> list[Any]:
    """The extremes of one member, by its JSON Schema."""
    if "$ref" in schema:
        return values_of(defs[schema["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in schema:
        return [value for one in schema["anyOf"] for value in values_of(one, defs)]
    if "enum" in schema:
        return list(schema["enum"])
    if "const" in schema:
        return [schema["const"]]
    kind = schema.get("type")
    if kind == "integer":
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        return [low, schema.get("maximum", 2**63 - 1)]
    if kind == "boolean":
        return [True, False]
    if kind == "null":
        return [None]
    if kind == "array":
        one = values_of(schema["items"], defs)
        return [
            [value for value, _ in zip(itertools.cycle(one), range(count), strict=False)]
            for count in {schema.get("minItems", 0), schema.get("maxItems", 3)}
        ]
    if kind == "string":
        return strings_of(schema)
    if kind == "object":
        return [{}, {"x": 10**40, "y": [1.5, None]}]
    raise AssertionError(schema)


def strings_of(schema: dict[str, Any]) -> list[str]:
    if schema.get("format") == "date":
        return ["0001-01-01", "9999-12-31"]
    pattern = schema.get("pattern", "")
    if "XA" in pattern or "[2-9" in pattern or "cdhs" in pattern:
        return ["As", "X2"]
    if pattern.startswith("^[a-z]{2,8}/"):
        return ["ma/pai_gow_poker", "ca/supreme_baccarat", "zz/none"]
    if pattern.startswith("^\\d"):
        return ["1.0", "99.99"]
    if pattern.startswith("^[a-z]"):
        return ["a", "pai_gow", "player", "z" * 40]
    return ["a", "\u00e9\U0001f0a1" * (schema.get("maxLength", 120) // 2)]


def extremes(model: type[Said]) -> Iterator[dict[str, Any]]:
    """Events of this type in which each member in turn has each of its extremes, and all of them the largest."""
    schema = model.model_json_schema()
    defs, members = schema.get("$defs", {}), schema.get("properties", {})
    allowed = {name: values_of(member, defs) for name, member in members.items()}
    required = set(schema.get("required", ()))
    plain = {name: values[0] for name, values in allowed.items() if name in required}
    yield plain
    yield {name: [value for value in values if value is not None][-1] for name, values in allowed.items()}
    for name, values in allowed.items():
        for value in values:
            yield plain | {name: value}


def accepted(tape: Tape, kind: str, data: dict[str, Any]) -> bool:
    """Says it, if the schema takes it."""
    try:
        tape.say(kind, **data)
    except ValueError:
        return False
    return True


EVERYTHING = [(model, data) for model in DATA_MODELS for data in extremes(model)]


def test_the_extremes_are_taken_by_the_schema() -> None:
    tape = Tape()
    tape.round = "r"
    taken = {model.TYPE for model, data in EVERYTHING if accepted(tape, model.TYPE, data)}
    assert taken == {model.TYPE for model in DATA_MODELS}
    assert len(tape.events) > 300


@pytest.mark.parametrize("seed", range(6))
def test_rounds_of_extremes_get_a_verdict(seed: int) -> None:
    """In one round each and all mixed, under each pack: judged or said not to be, and the same when judged again."""
    rng = random.Random(seed)
    for pack in ("ca/supreme_baccarat", "ma/pai_gow_poker"):
        tape = Tape("EX-01")
        tape.opens(pack)
        opening = len(tape.events)
        for number in range(14):
            tape.round = f"{number:06d}"
            tape.say("round.opened")
            among = [model for model in ROUND_GROUP if model.TYPE not in ("round.closed", "round.opened")]
            if number % 3 == 2:
                among = list(DATA_MODELS)
            chosen = rng.sample(EVERYTHING, 60) if number % 2 else EVERYTHING
            for model, data in chosen:
                if model in among and model.TYPE != "round.closed" and rng.random() < 0.5:
                    accepted(tape, model.TYPE, data)
            tape.say("round.closed")
            if number % 3 == 2:
                tape.opens(pack)
        judged_of(tape)
        assert len(tape.events) > opening + 400


def judged_of(tape: Tape) -> dict[str, str]:
    replay = Replay()
    history = FedHistory()
    replay.restore({}, history)
    for admitted in tape.events:
        history.noted.append(admitted)
        replay.feed(admitted)
    cut = replay.cut()
    again, findings = reaudit(cut.rounds)
    assert again.equals(cut.rounds)
    assert set(cut.rounds["verdict"].to_pylist()) <= set(Verdict)
    # That an id is used again, or that too many events came for a round that was over, is noticed while rounds are put
    # together, and not when one is judged.
    not_judged = {row["round_id"] for row in cut.rounds.to_pylist() if row["verdict"] == Verdict.CANNOT_JUDGE}
    of_rounds = [
        one
        for one in cut.findings
        if one.round_id is not None
        and one.code != "ROUND-004"
        and (one.code != "ROUND-008" or one.round_id in not_judged)
    ]
    assert findings_table(findings).equals(findings_table(of_rounds))
    assert not [one.sentence for one in cut.findings if one.code == "ROUND-007"], "no mistake of ours"
    for at in range(cut.rounds.num_rows):
        explain_round(cut.rounds.slice(at, 1))
    return dict(zip(cut.rounds["round_id"].to_pylist(), cut.rounds["verdict"].to_pylist(), strict=True))


@pytest.mark.parametrize("pack", ["ca/supreme_baccarat", "ma/pai_gow_poker"])
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("wager.placed", {"seat": 1, "wager": "pai_gow", "amount_cents": MAX_CENTS}),
        ("wager.placed", {"seat": 1, "wager": "fortune", "amount_cents": MAX_CENTS}),
        ("wager.placed", {"seat": 1, "wager": "player", "amount_cents": MAX_CENTS}),
        ("wager.settled", {"seat": 1, "wager": "tie", "outcome": "win", "paid_cents": MAX_CENTS}),
        ("collection.taken", {"payer": "player", "seat": 1, "amount_cents": MAX_CENTS, "box": "table"}),
        ("cards.dealt", {"cards": ["As"] * 500}),
        ("discard.read", {"mode": "scan", "cards": ["As"] * 500, "deck_index": [7] * 500}),
        ("hand.shown", {"place": 1, "cards": ["As"] * 16}),
        ("round.corrected", {"corrects_seq": 3, "reason": "r", "by": "b", "replacement": {"seat": 10**40}}),
    ],
)
def test_four_thousand_of_one_thing(kind: str, data: dict[str, Any], pack: str) -> None:
    tape = Tape("EX-02")
    tape.opens(pack)
    tape.round = "many"
    tape.say("round.opened")
    first = len(tape.events)
    tape.say(kind, **data)
    again = tape.events[first]
    for _ in range(ROUND_EVENTS - 1_000):
        raw = again.raw.replace(f'"seq": {again.event.seq},'.encode(), f'"seq": {tape.seq},'.encode())
        event = again.event.model_copy(update={"seq": tape.seq})
        tape.events.append(again._replace(offset=tape.seq, raw=raw, event=event))
        tape.seq += 1
    tape.events.append(
        tape.events[0]._replace(
            raw=b"{}",
            offset=tape.seq,
            event=parse_event(
                again.raw.replace(f"muckraker.{kind}.v1".encode(), b"muckraker.round.closed.v1").replace(
                    again.raw[again.raw.index(b'"data"') : again.raw.index(b', "subject"')], b'"data": {}'
                )
            ).model_copy(update={"seq": tape.seq}),
        )
    )
    verdicts = judged_of(tape)
    assert verdicts == {"many": "cannot_judge"} or kind == "discard.read"


def test_times_at_both_ends_of_the_calendar() -> None:
    tape = Tape("EX-03")
    tape.opens()
    tape.plays(1)
    for at, time in enumerate(("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00+14:00")):
        for position in range(2 + at, len(tape.events), 4):
            admitted = tape.events[position]
            raw = admitted.raw.replace(admitted.raw.split(b'"time": "')[1].split(b'"')[0], time.encode())
            tape.events[position] = admitted._replace(raw=raw, event=parse_event(raw))
    assert microseconds(tape.events[2].event.time) < 0
    judged_of(tape)


def test_a_moment_before_the_calendar_can_be_shown() -> None:
    tape = Tape("EX-04")
    tape.say("table.heartbeat", subject=False)
    raw = tape.events[0].raw.replace(b"2026-11-17T20:00:00Z", b"0001-01-01T00:00:00+14:00")
    assert time_of(microseconds(parse_event(raw).time)).year == 1
    raw = tape.events[0].raw.replace(b"2026-11-17T20:00:00Z", b"9999-12-31T23:59:59-14:00")
    assert time_of(microseconds(parse_event(raw).time)).year == 9999
