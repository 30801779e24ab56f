"""The gate on records that are no valid events: refused with the reason, kept with their bytes, and no alibi."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from ingest.chain import sign
from ingest.gate.gate import QUARANTINED, RECORDED
from schemas.events import MAX_EVENT_BYTES
from tests.ingest.device import TableDevice
from tests.ingest.gate_run import F, Run, replaced

BROKEN: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "not JSON": (lambda raw: raw[:-1], "not JSON: EOF while parsing an object at line 1 column"),
    "not UTF-8": (lambda raw: raw.replace(b"pai_gow", b"pai\xffgow"), "is 0xff, invalid start byte"),
    "not an object": (lambda raw: b"[1,2]", "the event: input should be an object, not [1, 2]"),
    "empty": (lambda raw: b"", "the record is empty"),
    "no type": (
        lambda raw: raw.replace(b'"type"', b'"typo"'),
        "type: missing, so it is not known what the event says",
    ),
    "unknown type": (
        lambda raw: raw.replace(b"wager.placed", b"wager.guessed"),
        "type: 'muckraker.wager.guessed.v1' is not an event type",
    ),
    "a float": (
        lambda raw: raw.replace(b"2500", b"25.5"),
        "data.amount_cents: input should be a valid integer, not 25.5",
    ),
    "a wrong seat": (
        lambda raw: raw.replace(b'"seat":2', b'"seat":99'),
        "data.seat: input should be less than or equal to 14",
    ),
    "a stranger": (
        lambda raw: raw.replace(b'"seat":2', b'"seat":2,"colour":"red"'),
        "data.colour: there is no such member (it says 'red')",
    ),
    "a thousand strangers": (
        lambda raw: b"{" + b"".join(b'"x%d":1,' % number for number in range(1_000)) + raw[1:],
        "1,000 members are wrong or unknown",
    ),
    "a list": (
        lambda raw: raw.replace(b"2500", b"[" + b"1," * 999 + b"1]"),
        "data.amount_cents: input should be a valid integer, not a list of 1,000",
    ),
    "missing member": (lambda raw: raw.replace(b'"seat":2,', b""), "data.seat: required, and missing"),
    "no seq": (lambda raw: raw.replace(b'"seq":2,', b""), "seq: required, and missing"),
    "seq too big": (lambda raw: raw.replace(b'"seq":2,', b'"seq":9999999999,'), "seq: input should be less than"),
    "too long": (
        lambda raw: raw.replace(b'"pai_gow"', b'"pai_gow","bettor":"' + b"x" * MAX_EVENT_BYTES + b'"'),
        "bytes long; an event has 65536 at most",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("chained", [True, False], ids=["sent broken", "broken on the way"])
def test_a_refused_record_is_one_finding(name: str, chained: bool) -> None:
    """`chained`: the device itself made the broken bytes, so the next event's prevhash is their hash."""
    break_it, reason = BROKEN[name]
    device = TableDevice()
    said = [
        device.say("round.opened", "R"),
        device.say("wager.placed", "R", seat=1, wager="pai_gow", amount_cents=2500),
    ]
    before = device.prevhash
    good = device.say("wager.placed", "R", seat=2, wager="pai_gow", amount_cents=2500)
    broken = break_it(good)
    if chained:
        device.seq, device.prevhash = 2, before
        device.follow(broken)
    said += [broken, device.say("bets.closed", "R"), device.say("round.closed", "R"), *device.rounds(2)]
    run = Run(device).send(said).end()
    code = {"not UTF-8": "GATE-026", "too long": "GATE-024"}.get(name, "GATE-006")
    if chained:
        assert run.codes == [code], "the hole is explained: it is not a missing event as well"
    else:
        assert run.codes == [code, "GATE-003"], "what a record says of itself does not prove that it was this event"
    assert reason in run.findings[0].sentence and "\n" not in run.findings[0].sentence
    assert run.findings[0].seq == 2 and run.findings[0].round_id == "R"
    assert run.statuses() == {RECORDED: 22, QUARANTINED: 1}
    assert run.rows[2][9] == QUARANTINED and reason in (run.rows[2][10] or "")
    assert run.rows[2][12] == broken, "the bytes are kept"
    assert run.flags() == {3: F.GAP_BEFORE}


def test_several_refused_records_in_a_row_are_one_finding_each() -> None:
    """Each one's prevhash can still be read and is the hash of the one before it, so they prove each other's place."""
    device = TableDevice()
    said = device.round()
    for _ in range(3):
        prevhash, seq = device.prevhash, device.seq
        broken = replaced(device.say("device.online", device="rack"), b"muckraker.device.online.v1", b"who.knows")
        device.prevhash, device.seq = prevhash, seq
        device.follow(broken)
        said.append(broken)
    said += device.rounds(2)
    run = Run(device).send(said).end()
    assert run.codes == ["GATE-006"] * 3
    assert [finding.seq for finding in run.findings] == [9, 10, 11]
    assert len({finding.id for finding in run.findings}) == 3
    assert run.flags() == {12: F.GAP_BEFORE}


def test_unreadable_records_in_a_row_prove_only_the_last_ones_place() -> None:
    device = TableDevice()
    said = device.round()
    for garbage in (b"\x00\x01", b"garbage", b"more"):
        device.follow(garbage)
        said.append(garbage)
    said += device.rounds(2)
    run = Run(device).send(said).end()
    assert run.codes == ["GATE-006"] * 3 + ["GATE-003"]
    assert [finding.seq for finding in run.findings] == [9, 10, 11, 9]
    assert "2 events are missing (seq 9 to 10)" in run.findings[3].sentence
    assert run.flags() == {12: F.GAP_BEFORE}


def test_a_refused_record_that_comes_after_its_successor_still_explains_the_hole() -> None:
    device = TableDevice()
    said = device.round()
    device.follow(b"garbage")
    said += [*device.round(), b"garbage"]
    run = Run(device).send(said)
    assert run.gate.held_count() == 0
    assert run.end().codes == ["GATE-006"]
    assert run.flags() == {10: F.GAP_BEFORE}


def test_noise_between_good_events_disturbs_nothing() -> None:
    device = TableDevice()
    said = device.rounds(2)
    run = Run(device).send([*said[:4], b"noise", *said[4:9], said[10][:-5], *said[9:]]).end()
    assert run.codes == ["GATE-006", "GATE-006"]
    assert run.seqs() == list(range(18)) and run.flags() == {}


def test_garbage_that_names_the_missing_number_does_not_cover_up_that_it_is_missing() -> None:
    device = TableDevice()
    said = device.rounds(2)
    said[5] = said[5][:-1]
    del said[6]
    run = Run(device).send(said).end()
    assert run.codes == ["GATE-006", "GATE-003"]
    assert "2 events are missing (seq 5 to 6), after seq 4" in run.findings[1].sentence
    assert "log record 5, refused, names one of these numbers" in run.findings[1].sentence
    assert run.findings[1].seq == 5


def test_a_good_copy_of_a_refused_event_goes_into_its_place() -> None:
    device = TableDevice()
    said = device.rounds(2)
    run = Run(device).send([*said[:5], said[5][:-1], *said[6:], said[5]]).end()
    assert run.codes == ["GATE-006", "GATE-005"]
    assert run.seqs() == list(range(18)) and run.flags() == {}


def test_a_good_copy_that_comes_after_the_hole_was_declared_is_admitted_late() -> None:
    device = TableDevice()
    said = device.rounds(9)  # 81 events: more than 64 come after the hole
    run = Run(device).send([*said[:5], said[5][:-1], *said[6:], said[5]]).end()
    assert run.codes == ["GATE-006", "GATE-003", "GATE-005"]
    assert run.flags() == {5: F.LATE, 6: F.GAP_BEFORE}


def test_a_record_under_another_tables_key_is_refused_and_disturbs_neither() -> None:
    mine, other = TableDevice("PG-07"), TableDevice("PG-08")
    said, others = mine.rounds(2), other.rounds(2)
    run = Run(mine, other).send(said[:5]).send([others[0]]).send(said[5:]).send(others, key="PG-08").end()
    assert run.the_finding.code == "GATE-020"
    assert "the event names PG-08, and its log record has the key 'PG-07'" in run.the_finding.sentence
    assert run.seqs("PG-07") == run.seqs("PG-08") == list(range(18)) and run.flags() == {}


def test_a_line_without_a_table_is_refused_under_the_key_it_was_given() -> None:
    run = Run().send([b"{}", b"nonsense"], key="unknown").end()
    assert run.codes == ["GATE-006", "GATE-006"]
    assert {finding.table_id for finding in run.findings} == {"unknown"}
    assert [finding.seq for finding in run.findings] == [0, 1]
    assert run.gate.state()["tables"] == {}, "it is no table"


# --- two readings -----------------------------------------------------------------------------------------------------


def test_a_second_signature_is_refused() -> None:
    """A signature inside the signed part: `sig` is there twice, and readers would disagree on which one counts."""
    device = TableDevice()
    raw = device.rounds(1)[-1]
    run = Run(device).send([*TableDevice().rounds(1)[:-1], sign(raw, device.key)]).end()
    assert run.codes == ["GATE-028"]
    assert "sig: said twice" in run.the_finding.sentence


@pytest.mark.parametrize(
    "time",
    [
        "2026-11-01T20:43:07.250Z",
        "2026-11-01T15:43:07.250-05:00",
        "2026-11-01T15:43:07-05:00",
        "2026-11-02T02:28:07+05:45",
        "2026-11-01T20:43:07+00:00",
        "2026-11-01T15:43:43-05:43",
    ],
)
@pytest.mark.parametrize("bettor", [None, "B1", "1:43:00", "a:00", "12:43:07-05:00", "x:y", ':43:"'])
def test_a_member_said_twice_is_seen_however_the_time_is_written(time: str, bettor: str | None) -> None:
    """The gate counts colons before it reads twice: no text with colons may hide a member, nor accuse anybody."""
    device = TableDevice()
    said = json.loads(device.say("wager.placed", "R", seat=1, wager="pai_gow", amount_cents=2500))
    said["time"] = time
    if bettor is not None:
        said["data"]["bettor"] = bettor
    honest = json.dumps(said, separators=(",", ":")).encode()
    assert Run(device).send([honest]).end().statuses() == {RECORDED: 1}
    for name, value in (("seat", b"2"), ("amount_cents", b"1"), ("wager", b'"pai_gow"')):
        twice = honest.replace(b'"%s":' % name.encode(), b'"%s":%s,"%s":' % (name.encode(), value, name.encode()))
        run = Run(device).send([twice]).end()
        assert run.codes == ["GATE-028"] and f"{name}: said twice" in run.the_finding.sentence


@pytest.mark.parametrize("spelled", ["1793563200", "1793563200.5", "2026-11-01T20:43Z", "2026-11-01 20:43:07Z"])
@pytest.mark.parametrize("more", [1, 2])
def test_a_time_in_another_spelling_hides_no_member(spelled: str, more: int) -> None:
    """Fewer colons in the time than usual must not make room for members said twice."""
    device = TableDevice()
    raw = device.say("wager.placed", "R", seat=1, wager="pai_gow", amount_cents=2500)
    time = json.loads(raw)["time"]
    assert time.count(":") == 2
    forged = raw.replace(time.encode(), spelled.encode()).replace(b'"seat":1', b'"seat":3,' * more + b'"seat":1')
    assert Run(device).send([forged]).end().statuses() == {QUARANTINED: 1}


# --- what a stranger writes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("unknown", "unknown"),
        ("Zürich", "Zürich"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\x00b\r", "a\\x00b\\r"),
        ("x\u202ey", "x\\u202ey"),
        ("k" * 100_000, "k" * 60),
    ],
)
def test_what_a_stranger_writes_as_a_key_cannot_speak_to_a_terminal(key: str, shown: str) -> None:
    run = Run().send([b"{}", b'{"\\u001b[31m":1,"\\u001b[31m":2}'], key=key).end()
    assert {finding.table_id for finding in run.findings} == {shown}
    assert all(finding.sentence.isprintable() for finding in run.findings)
    assert all((row[10] or "").isprintable() for row in run.rows)
    assert [row[2] for row in run.rows] == [key] * 2, "the record itself is kept as it was"


def test_nothing_a_record_says_reaches_a_sentence_unescaped() -> None:
    device = TableDevice()
    good = device.say("wager.placed", "R", seat=1, wager="pai_gow", amount_cents=2500)
    bell = b"\\u001b]0;pwned\\u0007"
    for old in (b"pai_gow", b'"seat"', b"wager.placed", b'"2500"', b"PG-07", b'"R"', b"/devices/", b"muckraker"):
        for new in (bell, b'"' + bell + b'"', b'"' + bell + b'":1,' + old, "\u202e".encode(), b"\x1b[2J"):
            run = Run(device).send([good.replace(old, new)]).end()
            assert all(finding.sentence.isprintable() for finding in run.findings)
            assert all((row[10] or "").isprintable() for row in run.rows)
