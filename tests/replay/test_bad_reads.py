"""Rack reads that make no sense: findings where they belong, nothing for the rounds around them, and never a crash."""

from __future__ import annotations

import json

import pytest

from replay.audit import audit
from replay.rounds import RoundFlag, RoundRow, batch_of
from replay.verdicts import VERDICTS
from schemas.admitted import AdmittedFlag
from schemas.events import parse_event
from schemas.findings import Finding
from tests.reconstruct.deck_tape import WHOLE, Tape, rounds_of


def judged(tape: Tape, cut_at: tuple[int, ...] = ()) -> tuple[dict[str, tuple[int, str]], list[Finding]]:
    """Round → its newest version and verdict; and the findings of the newest versions."""
    newest: dict[str, RoundRow] = {}
    for row in rounds_of(tape, cut_at):
        newest[row.named["round_id"]] = row
    audited = audit(batch_of(list(newest.values())))
    verdicts = {
        round_id: (row.fixed["version"], str(VERDICTS[verdict]))
        for (round_id, row), verdict in zip(newest.items(), audited.verdicts, strict=True)
    }
    return verdicts, audited.findings


def a_table() -> Tape:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, WHOLE)
    return tape


@pytest.mark.parametrize("in_between", [True, False])
@pytest.mark.parametrize("cut", [False, True])
def test_a_read_for_a_round_that_nobody_opened_disturbs_no_other(in_between: bool, cut: bool) -> None:
    tape = a_table()
    if in_between:
        tape.round = "9999"
        tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.shuffles("red")
    tape.round = "0002"
    tape.say("round.opened", deck="red")
    if not in_between:
        tape.round = "9999"
        tape.say("discard.read", mode="inserted", cards=WHOLE[:5])
        tape.round = "0002"
    at = len(tape.events)
    tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.say("round.closed")
    tape.plays(3, WHOLE)
    verdicts, findings = judged(tape, (at,) if cut else ())
    # What came before 0002 lay under no signature when it closed: a later one vouches for both, in a new version.
    assert verdicts == {
        "0001": (1, "verified"), "0002": (2, "verified"), "0003": (1, "verified"), "9999": (2, "differs"),
    }  # fmt: skip
    (finding,) = findings
    assert (finding.code, finding.round_id) == ("ROUND-003", "9999")
    assert "nobody opened such a round" in finding.sentence


def test_what_such_rounds_leave_behind_is_bounded() -> None:
    tape = a_table()
    tape.shuffles("red")
    tape.round = "0002"
    tape.say("round.opened", deck="red")
    for number in range(40):
        tape.round = f"9{number:03d}"
        tape.say("discard.read", mode="inserted", cards=WHOLE[:5])
    tape.round = "0002"
    tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.say("round.closed")
    tape.plays(3, WHOLE)
    rows = rounds_of(tape)
    strays = [row for row in rows if row.fixed["flags"] & RoundFlag.NEVER_OPENED]
    assert len({row.named["round_id"] for row in strays}) == 40
    verdicts, findings = judged(tape)
    assert verdicts["0003"] == (1, "verified")
    assert {finding.code for finding in findings if (finding.round_id or "").startswith("9")} == {"ROUND-003"}


def test_the_opening_lost_with_other_events_is_a_gap_and_no_slip() -> None:
    tape = a_table()
    tape.plays(2, WHOLE)
    (lost,) = (at for at, a in enumerate(tape.events) if a.event.subject == "0002" and "opened" in a.event.type)
    events = list(tape.events)
    del events[lost]
    events[lost] = events[lost]._replace(flags=int(AdmittedFlag.GAP_BEFORE))
    from_here = events[lost].event.seq  # no signature vouches across events that are missing
    events[lost:] = [one._replace(vouched=one.vouched and (from_here, one.vouched[1])) for one in events[lost:]]
    rows = rounds_of(tape, events=events)
    audited = audit(batch_of(rows))
    assert "ROUND-003" not in [finding.code for finding in audited.findings]


def test_a_read_after_the_close_reopens_the_round_and_says_what_it_brought() -> None:
    tape = a_table()
    tape.say("discard.read", mode="inserted", cards=WHOLE[:5])
    tape.plays(2, WHOLE)
    verdicts, findings = judged(tape)
    assert verdicts["0001"] == (3, "differs"), "at the read, and when a signature vouches for it"
    assert [(finding.round_id, finding.code) for finding in findings] == [("0001", "RACK-328")]


@pytest.mark.parametrize(
    ("rack", "codes"),
    [
        # Sixty cards: seven are there twice, as many as a hand has: most likely they are another round's. Hands from a
        # deck in order are such as nobody would set, so that it is left open whether anything else went wrong.
        (WHOLE + WHOLE[:7], ["RACK-328", "RACK-326"]),
        ([*WHOLE[:-1], "X2"], ["CARD-313"]),
        (["X2"] * 60, None),
        (WHOLE[:1] * 60, None),
    ],
)
def test_racks_that_cannot_be(rack: list[str], codes: list[str] | None) -> None:
    tape = a_table()
    tape.plays(2, rack)
    found = [finding.code for finding in judged(tape)[1] if finding.round_id == "0002"]
    assert found == codes if codes is not None else set(found) & {"CARD-311", "CARD-312", "CARD-313", "RACK-328"}


def test_an_empty_scan_is_no_read_and_wagers_say_so() -> None:
    tape = a_table()
    tape.shuffles("red")
    tape.round = "0002"
    tape.say("round.opened", deck="red")
    tape.say("wager.placed", seat=1, wager="pai_gow", amount_cents=1000)
    tape.say("discard.read", mode="scan", cards=[])
    tape.say("round.closed")
    codes = [finding.code for finding in judged(tape)[1]]
    assert "RACK-322" in codes


def test_an_unknown_card_is_refused_before_it_is_read() -> None:
    """What the schema does not know never reaches the replay: the gate refuses the event (GATE-006)."""
    tape = a_table()
    raw = json.loads(tape.events[-2].raw)
    raw["data"]["cards"] = ["1z"]
    with pytest.raises(ValueError, match="1z"):
        parse_event(json.dumps(raw).encode())
