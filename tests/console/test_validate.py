"""`muckraker validate`: every mistake of a first afternoon, named with its member and the right word."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.chain import event_hash, public_hex, sign
from ingest.simulator import default_plan, simulate
from ingest.simulator.voice import private_key
from tests.console.conftest import Call
from tests.ingest.device import TableDevice

OPENED = {"gaming_day": "2026-11-01", "pack": "ca/supreme_baccarat", "version": "1.0", "options": {"schedule": "own_1"}}


def problems(call: Call, tmp_path: Path, raws: list[bytes], *options: str) -> list[dict[str, Any]]:
    file = tmp_path / "events.jsonl"
    file.write_bytes(b"\n".join(raws) + b"\n")
    result = call("validate", file, "--json", "--limit", "0", *options)
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == (1 if any(row["kind"] == "mistake" for row in found) else 0), result.output
    return found


def baccarat(device: TableDevice, name: str = "R1", **other: Any) -> list[bytes]:
    """A hand of baccarat as docs/events.md tells it; `other` takes the place of what a step says."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("round.opened", {}),
        ("bank.accepted", {"seat": 1, "kind": "player_dealer", "posted_cents": 50000}),
        ("wager.placed", {"seat": 2, "wager": "player", "amount_cents": 2500}),
        ("collection.taken", {"payer": "player_dealer", "seat": 1, "amount_cents": 100, "box": "table"}),
        ("bets.closed", {}),
        ("cards.dealt", {"cards": ["9h", "Kd", "Ks", "5c"]}),
        ("wager.settled", {"seat": 2, "wager": "player", "outcome": "win", "paid_cents": 2500}),
        ("discard.read", {"mode": "inserted", "cards": ["9h", "Ks", "Kd", "5c"]}),
        ("round.closed", {}),
    ]
    return [device.say(kind, name, **other.get(kind.replace(".", "_"), said)) for kind, said in steps]


def day() -> tuple[TableDevice, list[bytes]]:
    device = TableDevice("BAC-03")
    said = [device.say("table.opened", **OPENED), *baccarat(device)]
    return device, said


def test_a_clean_day_has_no_mistake_and_no_remark(call: Call, tmp_path: Path) -> None:
    plan = default_plan(seed=5, tables=4, rounds=12, gaming_day=date(2026, 11, 17))
    raws = [raw for _, raw in simulate(plan)]
    tables = sorted({json.loads(raw)["tableid"] for raw in raws})
    keys = [f"--key={table}={public_hex(private_key(5, table))}" for table in tables]
    assert problems(call, tmp_path, raws, *keys) == []
    result = call("validate", tmp_path / "events.jsonl")
    assert result.exit_code == 0 and result.stdout == f"{len(raws):,} events, 0 mistakes\n"


def changed(raw: bytes, **members: Any) -> bytes:
    said = json.loads(raw)
    for path, value in members.items():
        into = said
        *steps, last = path.split("__")
        for step in steps:
            into = into[step]
        if value is None:
            del into[last]
        else:
            into[last] = value
    return json.dumps(said, separators=(",", ":")).encode()


def renamed(raw: bytes, old: str, new: str) -> bytes:
    return raw.replace(f'"{old}":'.encode(), f'"{new}":'.encode())


WAGER = 3  # the line of wager.placed, from 0
MISTAKES: dict[str, tuple[int, Callable[[bytes], bytes], str, str, str | None]] = {
    "a made-up type": (
        WAGER,
        lambda raw: changed(raw, type="muckraker.wager.place.v1"),
        "type",
        "'muckraker.wager.place.v1' is not an event type",
        "muckraker.wager.placed.v1",
    ),
    "a type without its prefix": (
        WAGER,
        lambda raw: changed(raw, type="wager.placed"),
        "type",
        "'wager.placed' is not an event type",
        "muckraker.wager.placed.v1",
    ),
    "a UUID of version 4": (
        WAGER,
        lambda raw: changed(raw, id="3f0e4a0e-64ae-4bd3-9a35-4c9c1e9d1c11"),
        "id",
        "is a UUID of version 4, and an event's id is one of version 7",
        None,
    ),
    "a UUID in capitals": (
        WAGER,
        lambda raw: changed(raw, id="019A93C4-5F12-7C3A-9B1E-6A0D5E8F4C21"),
        "id",
        "is not a UUID of version 7 in lowercase",
        "019a93c4-5f12-7c3a-9b1e-6a0d5e8f4c21",
    ),
    "a source with another sign between its words": (
        WAGER,
        lambda raw: changed(raw, source="/tables/BAC-03/devices/bet_sensor"),
        "source",
        "'/tables/BAC-03/devices/bet_sensor' is not of the form",
        "/tables/BAC-03/devices/bet-sensor",
    ),
    "a wager's name with capitals and a blank": (
        WAGER,
        lambda raw: changed(raw, data__wager="Total Shot"),
        "data.wager",
        "'Total Shot' is not of the form",
        "total_shot",
    ),
    "a round's id with a blank": (
        WAGER,
        lambda raw: changed(raw, subject="round 12"),
        "subject",
        "'round 12' is not of the form",
        "round-12",
    ),
    "another table's source": (
        WAGER,
        lambda raw: changed(raw, source="/tables/BAC-04/devices/bet-sensor"),
        "source",
        "/tables/BAC-04/devices/bet-sensor is not a device of table BAC-03",
        "/tables/BAC-03/devices/bet-sensor",
    ),
    "a misspelled member": (
        WAGER,
        lambda raw: renamed(raw, "amount_cents", "amount"),
        "data.amount",
        "there is no such member (it says 2500)",
        "amount_cents",
    ),
    "a misspelled attribute": (
        WAGER,
        lambda raw: renamed(raw, "prevhash", "prev_hash"),
        "prev_hash",
        "there is no such member",
        "prevhash",
    ),
    "a member of data outside of it": (
        WAGER,
        lambda raw: raw.replace(b'"data":{', b'"bettor":"B1","data":{'),
        "bettor",
        "it is a member of `data`",
        None,
    ),
    "a member of the event inside data": (
        WAGER,
        lambda raw: raw.replace(b'"data":{', b'"data":{"subject":"R1",'),
        "data.subject",
        "it is a member of the event itself",
        None,
    ),
    "dollars for cents": (
        WAGER,
        lambda raw: changed(raw, data__amount_cents=25.0),
        "data.amount_cents",
        "money is whole cents, without a point or quotes: $25.50 is 2550",
        None,
    ),
    "cents in quotes": (
        WAGER,
        lambda raw: changed(raw, data__amount_cents="2500"),
        "data.amount_cents",
        "money is whole cents",
        None,
    ),
    "a ten in two digits": (
        6,
        lambda raw: raw.replace(b'"9h"', b'"10h"'),
        "data.cards.0",
        "'10h' is not a card",
        "Th",
    ),
    "a card that does not exist": (6, lambda raw: raw.replace(b'"9h"', b'"1h"'), "data.cards.0", "is not a card", None),
    "a suit in capitals": (6, lambda raw: raw.replace(b'"9h"', b'"9H"'), "data.cards.0", "is not a card", "9h"),
    "a time without an offset": (
        WAGER,
        lambda raw: changed(raw, time="2026-11-01T20:00:01"),
        "time",
        "'2026-11-01T20:00:01' has no offset from UTC; write one behind it, such as -05:00, or Z for UTC itself",
        None,
    ),
    "no subject": (
        WAGER,
        lambda raw: changed(raw, subject=None),
        "subject",
        "required, and missing: an event of a round names the round",
        None,
    ),
    "an outcome nobody knows": (
        7,
        lambda raw: changed(raw, data__outcome="won"),
        "data.outcome",
        "input should be 'win', 'lose'",
        "win",
    ),
    "a member said twice": (
        WAGER,
        lambda raw: raw.replace(b'"seat":2', b'"seat":2,"seat":3'),
        "",
        "seat: said twice, and only one can be meant",
        None,
    ),
    "not JSON": (WAGER, lambda raw: raw[:-1], "", "not JSON: EOF while parsing an object", None),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_line_member_and_the_right_word(call: Call, tmp_path: Path, name: str) -> None:
    at, break_it, member, text, nearest = MISTAKES[name]
    device, said = day()
    broken = break_it(said[at])
    assert broken != said[at]
    device.seq, device.prevhash = at, event_hash(said[at - 1])
    device.follow(broken)  # the device itself made it: the chain goes on from it
    rest = []
    for raw in said[at + 1 :]:
        members = json.loads(raw) | {"prevhash": device.prevhash}
        signed = members.pop("sig", None) is not None
        raw = json.dumps(members, separators=(",", ":")).encode()
        rest.append(sign(raw, device.key) if signed else raw)
        device.prevhash = event_hash(rest[-1])
    found = [row for row in problems(call, tmp_path, [*said[:at], broken, *rest]) if row["kind"] == "mistake"]
    first = found[0]
    assert (first["line"], first["table"], first["seq"]) == (at + 1, "BAC-03", at)
    assert (first["member"] or "") == member and text in first["text"], found
    assert first["nearest"] == nearest
    assert {row["line"] for row in found} == {at + 1}, "one broken line is no reason to find fault with the others"


def test_the_gate_refuses_with_the_same_words(call: Call, tmp_path: Path) -> None:
    _, said = day()
    for name in ("a made-up type", "a UUID of version 4", "a misspelled member", "a ten in two digits", "no subject"):
        at, break_it, member, text, nearest = MISTAKES[name]
        home, file = tmp_path / name.replace(" ", "-"), tmp_path / "broken.jsonl"
        file.write_bytes(break_it(said[at]) + b"\n")
        assert call("ingest", file, "--home", home).exit_code == 0
        assert call("run", "--home", home).exit_code == 0
        row = json.loads(call("query", "SELECT reason FROM quarantine", "--format", "json", "--home", home).stdout)
        assert f"{member}: " in row["reason"] and text in row["reason"]
        assert nearest is None or f"did you mean {nearest}?" in row["reason"]


def test_all_mistakes_of_a_line_are_said(call: Call, tmp_path: Path) -> None:
    raw = changed(TableDevice("BAC-03").say("wager.placed", "R1", seat=99, wager="Player", amount_cents=0), id="x")
    found = problems(call, tmp_path, [raw])
    assert [row["member"] for row in found if row["kind"] == "mistake"] == [
        "id",
        "data.seat",
        "data.wager",
        "data.amount_cents",
    ]


# --- sequence and chain -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "how"),
    [
        (lambda raw: raw + b"\n", "but of its bytes with the newline"),
        (lambda raw: raw + b"\r\n", "but of its bytes with the line's end"),
        (lambda raw: json.dumps(json.loads(raw)).encode(), "is not the hash of seq 2 (line 3)"),
    ],
)
def test_a_wrong_prevhash_is_told_with_the_right_one(
    call: Call, tmp_path: Path, made: Callable[[bytes], bytes], how: str
) -> None:
    _, said = day()
    raw = changed(said[3], prevhash=event_hash(made(said[2])))
    found = problems(call, tmp_path, [*said[:3], raw])
    (row,) = [row for row in found if row["kind"] == "mistake"]
    assert (row["line"], row["member"], row["nearest"]) == (4, "prevhash", event_hash(said[2]))
    assert how in row["text"]


def test_a_prevhash_of_the_unsigned_bytes_is_told_as_that(call: Call, tmp_path: Path) -> None:
    device = TableDevice("BAC-03", signs=False)
    opened = device.say("table.opened", **OPENED)
    second = device.say("device.online", device="rack")  # goes on from the bytes before they were signed
    (row,) = [row for row in problems(call, tmp_path, [sign(opened, device.key), second]) if row["kind"] == "mistake"]
    assert "but of its bytes without the signature" in row["text"]


def test_numbers_missing_taken_and_repeated_are_told_apart(call: Call, tmp_path: Path) -> None:
    _, said = day()
    other = changed(said[2], data={"seat": 1, "kind": "player_dealer", "posted_cents": 1})
    found = problems(call, tmp_path, [*said[:3], said[2], other, *said[5:]])
    assert [(row["line"], row["kind"], row["member"], row["text"]) for row in found] == [
        (4, "remark", None, "the same event as in line 3; the first counts"),
        (5, "mistake", "seq", "2 is the number of the event in line 3 already"),
        (6, "mistake", "seq", "5, where the table's next number is 3: 3 to 4 is missing, or comes later"),
        (8, "remark", "data", "no such wager stands: it was never placed, or was settled or taken back already"),
    ]


def test_an_id_is_used_once(call: Call, tmp_path: Path) -> None:
    _, said = day()
    again = changed(said[2], id=json.loads(said[1])["id"])
    (row,) = problems(call, tmp_path, [*said[:2], again])
    assert (row["line"], row["member"]) == (3, "id") and "is the id of line 2, too" in row["text"]


def test_a_file_from_the_middle_is_no_mistake(call: Call, tmp_path: Path) -> None:
    device, _ = day()
    baccarat(device, "R2")
    found = problems(call, tmp_path, baccarat(device, "R3"))
    assert [row["kind"] for row in found] == ["remark", "remark"]
    assert "so its prevhash cannot be checked" in found[0]["text"]


def test_several_tables_may_be_mixed(call: Call, tmp_path: Path) -> None:
    one, other = day()[1], TableDevice("BAC-04")
    two = [other.say("table.opened", **OPENED), *baccarat(other)]
    mixed = [raw for pair in zip(one, two, strict=True) for raw in pair]
    assert problems(call, tmp_path, mixed) == []


# --- signatures -------------------------------------------------------------------------------------------------------


def test_signatures_are_checked_with_the_key(call: Call, tmp_path: Path) -> None:
    device, said = day()
    key = f"--key=bac-03={device.public_hex}"
    assert problems(call, tmp_path, said, key) == []
    other = TableDevice("BAC-03", seed=99)
    found = problems(call, tmp_path, said, f"--key=BAC-03={other.public_hex}")
    assert {(row["line"], row["member"]) for row in found} == {(1, "sig"), (10, "sig")}
    assert all("does not verify under the key given for BAC-03" in row["text"] for row in found)
    unsigned = TableDevice("BAC-03", signs=False)
    raws = [unsigned.say("table.opened", **OPENED), *baccarat(unsigned)]
    assert [row["kind"] for row in problems(call, tmp_path, raws)] == ["remark"], "without a key: said once"
    assert [row["kind"] for row in problems(call, tmp_path, raws, key)] == ["mistake", "mistake"]


def test_a_signature_that_is_not_the_last_member_is_a_mistake(call: Call, tmp_path: Path) -> None:
    _, said = day()
    members = json.loads(said[0])
    moved = json.dumps({"sig": members.pop("sig"), **members}, separators=(",", ":")).encode()
    (row,) = problems(call, tmp_path, [moved])
    assert row["member"] == "sig" and "not the last member" in row["text"]


def test_a_key_that_is_none_is_wrong_usage(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"{}")
    for key in ("PG-07", "PG-07=12"):
        result = call("validate", tmp_path / "a", "--key", key)
        assert result.exit_code == 2 and "Error" in result.stderr


# --- remarks: the pack, and the order of things -----------------------------------------------------------------------

REMARKS: dict[str, tuple[dict[str, Any], dict[str, Any], str, str, str | None]] = {
    "an unknown pack": ({"pack": "ca/supreme_bacarat"}, {}, "data.pack", "there is no pack", "ca/supreme_baccarat"),
    "an unknown version": ({"version": "7.0"}, {}, "data.version", "has no version 7.0; it has: 1.0", "1.0"),
    "an unknown option": (
        {"options": {"shedule": "own_1"}},
        {},
        "data.options.shedule",
        "pack ca/supreme_baccarat has no such option",
        "schedule",
    ),
    "an unknown choice": ({"options": {"schedule": "own1"}}, {}, "data.options.schedule", "is none of", "own_1"),
    "an unknown wager": (
        {},
        {"wager_placed": {"seat": 2, "wager": "playr", "amount_cents": 2500}},
        "data.wager",
        "pack ca/supreme_baccarat has no wager 'playr'",
        "player",
    ),
    "a seat the table does not have": (
        {"options": {"seats": 6}},
        {"wager_placed": {"seat": 7, "wager": "player", "amount_cents": 2500}},
        "data.seat",
        "the table was opened with 6 betting positions",
        None,
    ),
    "another box": (
        {},
        {"collection_taken": {"payer": "player_dealer", "seat": 1, "amount_cents": 100, "box": "north"}},
        "data.box",
        "the filed box is 'table', not 'north'",
        "table",
    ),
    "the first card with others": (
        {"options": {"schedule": "california_games_1"}},
        {},
        "data.cards",
        "say that card by itself",
        None,
    ),
    "places that are not as many": (
        {},
        {"cards_dealt": {"cards": ["9h", "Kd", "Ks", "5c"], "places": [1, 2]}},
        "data.places",
        "2 for 4 cards",
        None,
    ),
    "a wager that was never settled": (
        {},
        {"wager_settled": {"seat": 2, "wager": "tie", "outcome": "lose"}},
        "",
        "not settled when the round was closed: seat 2 player",
        None,
    ),
}


@pytest.mark.parametrize("name", REMARKS)
def test_what_is_recorded_and_still_worth_a_look_is_a_remark(call: Call, tmp_path: Path, name: str) -> None:
    opened, other, member, text, nearest = REMARKS[name]
    device = TableDevice("BAC-03")
    raws = [device.say("table.opened", **OPENED | opened), *baccarat(device, **other)]
    found = problems(call, tmp_path, raws)
    assert {row["kind"] for row in found} == {"remark"}, found
    assert any(
        (row["member"] or "") == member and text in row["text"] and row["nearest"] == nearest for row in found
    ), found
    assert call("validate", tmp_path / "events.jsonl").exit_code == 0
    assert call("validate", tmp_path / "events.jsonl", "--strict").exit_code == 1


def test_rounds_opened_twice_left_open_and_never_opened_are_remarks(call: Call, tmp_path: Path) -> None:
    device = TableDevice("BAC-03")
    raws = [device.say("table.opened", **OPENED), *baccarat(device, "R1"), *baccarat(device, "R1")]
    raws += [device.say("round.opened", "R2"), device.say("round.opened", "R3"), device.say("bets.closed", "R4")]
    raws += [
        device.say("hand.shown", "R3", place=0, cards=["9h"]),
        device.say("hand.shown", "R3", place=0, cards=["9c"]),
    ]
    texts = [row["text"] for row in problems(call, tmp_path, raws)]
    assert texts == [
        "round R1 was played before; a round id is used once, for ever",
        "round R2 was not closed before round R3 was opened",
        "round R3 is under way, and this is of round R4",
        "this hand was shown before; the first time counts, as it lay before rearranging",
    ]


def test_who_changes_a_round_and_why_is_said_in_words(call: Call, tmp_path: Path) -> None:
    device = TableDevice("BAC-03")
    raws = [device.say("table.opened", **OPENED), *baccarat(device, "R1")]
    correction = {"corrects_seq": 1, "by": "S-031", "reason": "stack misread"}
    late = [
        device.say("round.corrected", "R1", **correction),
        device.say("round.corrected", "R1", **{**correction, "by": " "}),
        device.say("round.corrected", "R1", **{**correction, "reason": "-"}),
        device.say("round.voided", "R1", reason="misdeal"),
        device.say("round.voided", "R1", reason="misdeal", by="S-031"),
    ]
    first = len(raws) + 1
    found = problems(call, tmp_path, [*raws, *late])
    assert [(row["line"], row["kind"], row["member"]) for row in found] == [
        (first + 1, "remark", "data.by"),
        (first + 2, "remark", "data.reason"),
        (first + 3, "remark", "data.by"),
    ]


def test_a_clock_that_jumps_is_a_remark(call: Call, tmp_path: Path) -> None:
    device, said = day()
    device.time = device.time.replace(year=2025)
    found = problems(call, tmp_path, [*said, *baccarat(device, "R2")])
    assert [(row["line"], row["member"]) for row in found] == [(11, "time")]
    assert "a device clock jumped" in found[0]["text"]


# --- files ------------------------------------------------------------------------------------------------------------


def test_one_event_over_several_lines_and_standard_input(call: Call, tmp_path: Path) -> None:
    _, said = day()
    pretty = json.dumps(json.loads(said[1]), indent=2)
    result = call("validate", "-", stdin=pretty)
    assert result.exit_code == 0 and "1 event, 0 mistakes" in result.stdout, result.output
    result = call("validate", "-", stdin=json.dumps([json.loads(raw) for raw in said]))
    assert result.exit_code == 1 and "the event: input should be an object" in result.stdout


def test_plain_text_names_file_line_table_and_number(call: Call, tmp_path: Path) -> None:
    _, said = day()
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\n".join([said[0], b"", changed(said[1], type="muckraker.round.open.v1")]))
    result = call("validate", file)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        f"{file}:3: BAC-03 seq 1: type: 'muckraker.round.open.v1' is not an event type; did you mean "
        "muckraker.round.opened.v1?",
        "1 event, 1 mistake",
    ]
    assert call("validate", tmp_path / "none").exit_code == 2


def test_a_long_file_of_mistakes_is_cut_short_and_counted(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"{}\n" * 1_000)
    result = call("validate", file, "--limit", "3")
    assert len(result.stdout.splitlines()) == 4
    assert result.stdout.endswith("0 events, 1,000 mistakes (997 not shown: --limit 0)\n")


def test_what_is_remembered_of_a_file_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from ingest import validation

    monkeypatch.setattr(validation, "REMEMBERED_IDS", 50)
    monkeypatch.setattr(validation, "REMEMBERED_TABLES", 5)
    check = validation.Validation({})
    for number in range(20):
        device = TableDevice(f"T-{number}")
        for line, raw in enumerate(device.rounds(3)):
            check.check(line, raw)
    assert len(check._ids) <= 50 and len(check._tables) <= 5


def test_no_home_is_made(call: Call, tmp_path: Path) -> None:
    _, said = day()
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(said))
    call("validate", tmp_path / "a.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
