"""The gate: what it admits, in which order, and what it has to say about everything else."""

from __future__ import annotations

import json
from base64 import b64decode
from collections import Counter
from datetime import timedelta, timezone
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from nacl.signing import SigningKey

from ingest.gate.gate import DUPLICATE, QUARANTINED, RECORDED
from ingest.key_history import KeyHistory, Place
from ingest.log import LogRecord
from tests.ingest.device import TableDevice
from tests.ingest.gate_run import F, Run, replaced
from tests.ingest.messy_stream import messy

# --- nothing wrong ----------------------------------------------------------------------------------------------------


def test_an_ordinary_stream_passes_without_a_word() -> None:
    device = TableDevice()
    said = device.rounds(5)
    run = Run(device).send(said).end()
    assert run.codes == []
    assert [admitted.raw for admitted in run.admitted] == said
    assert run.statuses() == {RECORDED: 45}
    attested = [admitted.event.seq for admitted in run.admitted if admitted.flags & F.ATTESTED]
    assert attested == [8, 17, 26, 35, 44]
    assert run.gate.attested_seq("PG-07") == 44
    assert run.gate.attested_seq("PG-99") is None
    row = run.rows[1]
    assert row[:7] == (
        1,
        1_001,
        "PG-07",
        "000001",
        1,
        "muckraker.wager.placed.v1",
        json.loads(said[1])["id"],
    )
    assert row[7:11] == (1_793_563_200_250_000, "/tables/PG-07/devices/controller", RECORDED, None)


def test_hours_between_rounds_and_offsets_from_utc_are_no_clock_jumps() -> None:
    device = TableDevice()
    said = device.round()
    device.time += timedelta(hours=9)
    said += device.round()
    device.time += timedelta(minutes=29)  # within 30 minutes even of the same round
    device.time = device.time.astimezone(timezone(timedelta(hours=-5)))
    said += device.round()
    assert Run(device).send(said).end().codes == []


# --- duplicates and forks ---------------------------------------------------------------------------------------------


def test_a_file_sent_again_is_one_disturbance_a_table() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send(said).send(said).end()
    assert run.the_finding.code == "GATE-004"
    assert [row[9] for row in run.rows[len(said) :]] == [DUPLICATE] * len(said)


def test_a_duplicate_counts_once() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send(said[:12]).send([said[4]]).send(said[12:]).end()
    assert run.the_finding.code == "GATE-004"
    assert (run.the_finding.seq, run.the_finding.round_id, run.the_finding.evidence) == (4, "000001", (4,))
    assert (
        run.the_finding.sentence
        == "PG-07 round 000001, seq 4: the same event arrived again (log record 12); the first counts."
    )
    assert run.seqs() == list(range(27)) and run.flags() == {}
    assert run.rows[12][9:11] == (DUPLICATE, "the same event is recorded already")


def test_a_fork_is_quarantined_and_the_first_counts() -> None:
    device = TableDevice()
    said = device.rounds(3)
    forged = replaced(said[4], b'"data":{}', b'"datacontenttype":"application/json","data":{}')
    run = Run(device).send(said[:12]).send([forged]).send(said[12:]).end()
    assert run.the_finding.code == "GATE-009"
    assert "log record 12, bets.closed.v1" in run.the_finding.sentence
    assert run.seqs() == list(range(27)) and run.flags() == {}
    assert run.statuses() == {RECORDED: 27, QUARANTINED: 1}


def test_a_held_event_can_be_repeated_and_forked_too() -> None:
    device = TableDevice()
    said = device.rounds(2)
    forged = replaced(said[3], b"2500", b"9900")
    run = Run(device).send([said[0], said[1], said[3], said[3], forged, said[2], *said[4:]]).end()
    assert sorted(run.codes) == ["GATE-004", "GATE-005", "GATE-009"]
    assert run.seqs() == list(range(18)) and run.flags() == {}


def test_a_chain_that_starts_over_is_told_however_long_ago_it_began() -> None:
    device = TableDevice()
    said = device.rounds(80)
    again = TableDevice(seed=8).rounds(2)
    run = Run(device).send(said).send(again).end()
    assert run.codes == ["GATE-019"], "one finding for the whole second chain"
    assert "starts over (log record 720)" in run.the_finding.sentence
    assert run.statuses() == {RECORDED: 720, QUARANTINED: 18}


def test_what_is_older_than_the_window_is_quarantined_with_one_finding_a_run() -> None:
    device = TableDevice()
    said = device.rounds(80)  # 720 events, 512 of them remembered
    run = Run(device).send(said).send(said[100:150]).send(said[200:202]).end()
    assert run.codes == ["GATE-023", "GATE-023"]
    assert "older than the window" in run.findings[0].sentence
    assert [finding.seq for finding in run.findings] == [100, 200]
    assert run.statuses() == {RECORDED: 720, QUARANTINED: 52}
    assert run.rows[-1][10] == "older than the window of 512 events"


def test_the_last_512_are_remembered() -> None:
    device = TableDevice()
    said = device.rounds(80)
    run = Run(device).send(said).send([said[-512], said[-513]]).end()
    assert [row[9] for row in run.rows[-2:]] == [DUPLICATE, QUARANTINED]


# --- order and gaps ---------------------------------------------------------------------------------------------------


def test_two_swapped_events_are_put_in_order() -> None:
    device = TableDevice()
    said = device.rounds(2)
    run = Run(device).send([*said[:5], said[6], said[5], *said[7:]]).end()
    assert run.the_finding.code == "GATE-005"
    assert (run.the_finding.seq, run.the_finding.evidence, run.the_finding.round_id) == (5, (5,), "000001")
    assert "1 event (seq 5) arrived after later ones of the table" in run.the_finding.sentence
    assert run.seqs() == list(range(18)) and run.flags() == {}


def test_a_disturbance_is_one_finding_however_many_events_it_has() -> None:
    device = TableDevice()
    said = device.rounds(8)
    shuffled = said[10:60]
    Random(3).shuffle(shuffled)
    run = Run(device).send(said[:10]).send(shuffled).send(said[60:]).end()
    assert run.codes == ["GATE-005"]
    assert run.seqs() == list(range(72)) and run.flags() == {}


def test_an_event_held_back_for_63_others_is_still_put_in_its_place() -> None:
    device = TableDevice()
    said = device.rounds(10)
    run = Run(device).send([*said[:5], *said[6:69], said[5], *said[69:]]).end()
    assert run.codes == ["GATE-005"]
    assert run.seqs() == list(range(90)) and run.flags() == {}


def test_a_lost_event_is_declared_when_64_are_held() -> None:
    device = TableDevice()
    said = device.rounds(10)
    run = Run(device).send([*said[:5], *said[6:69]])
    assert run.seqs() == list(range(5)) and run.gate.held_count() == 63
    run.send(said[69:]).end()
    assert run.seqs() == [seq for seq in range(90) if seq != 5]
    assert run.flags() == {6: F.GAP_BEFORE}
    finding = run.the_finding
    assert finding.code == "GATE-003"
    assert (finding.seq, finding.round_id, finding.evidence) == (5, "000001", (4, 6))
    assert finding.sentence == (
        "PG-07 round 000001, seq 5: 1 event is missing (seq 5), after seq 4 in round 000001 and before seq 6 in round "
        "000001."
    )


def test_a_lost_round_is_one_finding_naming_the_range_and_both_rounds() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send([*said[:7], *said[20:]]).end()
    assert run.the_finding.code == "GATE-003"
    assert "13 events are missing (seq 7 to 19), after seq 6 in round 000001 and before seq 20 in round 000003" in (
        run.the_finding.sentence
    )
    assert run.flags() == {20: F.GAP_BEFORE}


def test_two_gaps_are_two_findings() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send([*said[:5], *said[6:10], *said[12:]]).end()
    assert [(finding.code, finding.seq) for finding in run.findings] == [("GATE-003", 5), ("GATE-003", 10)]
    assert run.flags() == {6: F.GAP_BEFORE, 12: F.GAP_BEFORE}


def test_a_stream_seen_from_the_middle_has_a_gap_at_its_start() -> None:
    device = TableDevice()
    said = device.rounds(2)
    run = Run(device).send(said[4:]).end()
    assert run.the_finding.code == "GATE-003"
    assert "4 events are missing (seq 0 to 3), at the start of the table's stream" in run.the_finding.sentence
    assert run.flags() == {4: F.GAP_BEFORE}


def test_a_late_event_is_admitted_late() -> None:
    device = TableDevice()
    said = device.rounds(10)
    run = Run(device).send([*said[:5], *said[6:]]).send([said[5]]).end()
    assert run.codes == ["GATE-003", "GATE-005"]
    assert "arrived late, when the table was at seq 89" in run.findings[1].sentence
    assert run.flags() == {5: F.LATE, 6: F.GAP_BEFORE}
    assert run.statuses() == {RECORDED: 90}


def test_a_run_of_late_events_is_one_finding_and_they_may_come_in_any_order() -> None:
    device = TableDevice()
    said = device.rounds(12)
    rest = [*said[:5], *said[30:]]
    run = Run(device).send(rest).send(said[5:30]).end()
    assert run.codes == ["GATE-003", "GATE-005"]
    late = said[5:30]
    Random(5).shuffle(late)
    run = Run(device).send(rest).send(late).send(said[20:21]).end()
    assert Counter(run.codes)["GATE-003"] == 1 and "GATE-002" not in run.codes
    assert run.codes[-1] == "GATE-004"
    assert sorted(run.seqs()) == list(range(108))


def test_a_late_event_that_is_not_the_missing_one_does_not_take_its_place() -> None:
    """Seq 6 lies under a good signature and says what seq 5 hashes to."""
    device = TableDevice()
    said = device.rounds(10)
    forged = replaced(said[5], b"2500", b"9900")
    run = Run(device).send([*said[:5], *said[6:]]).send([forged]).send([said[5]]).end()
    assert run.codes == ["GATE-003", "GATE-009", "GATE-005"]
    assert run.flags() == {5: F.LATE, 6: F.GAP_BEFORE}
    assert run.statuses() == {RECORDED: 90, QUARANTINED: 1}
    assert "is not the prevhash" in run.findings[1].sentence and run.findings[1].evidence == (5, 6)


def test_a_late_event_in_the_middle_of_a_gap_is_checked_against_its_own_neighbours() -> None:
    device = TableDevice()
    said = device.rounds(10)
    run = Run(device).send([*said[:5], *said[8:]]).send([said[6]])
    forged = replaced(said[5], b"2500", b"9900")  # what seq 6 says it is not
    run.send([forged]).send([said[7]]).end()
    assert run.flags() == {5: F.LATE | F.CHAIN_BROKEN, 6: F.LATE, 7: F.LATE, 8: F.GAP_BEFORE}


# --- chain and signature ----------------------------------------------------------------------------------------------


def test_an_altered_event_breaks_the_chain_at_the_next() -> None:
    device = TableDevice()
    said = device.rounds(2)
    said[5] = replaced(said[5], b"2500", b"9900")
    run = Run(device).send(said).end()
    assert run.the_finding.code == "GATE-002"
    assert (run.the_finding.seq, run.the_finding.evidence) == (6, (5, 6))
    assert run.flags() == {6: F.CHAIN_BROKEN}
    assert run.seqs() == list(range(18))


def test_the_first_event_follows_from_nothing() -> None:
    device = TableDevice()
    device.prevhash = "ab" * 32
    run = Run(device).send(device.rounds(1)).end()
    assert run.the_finding.code == "GATE-002"
    assert "the start of the chain" in run.the_finding.sentence
    assert run.flags() == {0: F.CHAIN_BROKEN}


def test_a_forged_signature_is_found_and_the_event_recorded() -> None:
    device = TableDevice()
    said = device.rounds(1)
    device.key = SigningKey.generate()  # somebody else's from here on
    said += device.round()
    device.key = TableDevice().key
    said += device.round()
    run = Run(TableDevice()).send(said).end()
    assert run.the_finding.code == "GATE-001"
    assert (run.the_finding.seq, run.the_finding.round_id) == (17, "000002")
    assert run.flags() == {17: F.BAD_SIGNATURE}
    assert run.gate.attested_seq("PG-07") == 26


def test_a_signature_that_is_not_the_last_member_counts_as_wrong() -> None:
    device = TableDevice()
    said = device.rounds(1)[:-1]
    last = TableDevice().rounds(1)[-1]
    members = json.loads(last)
    signature = members.pop("sig")
    moved = json.dumps({"sig": signature, **members}, separators=(",", ":")).encode()
    run = Run(device).send([*said, moved]).end()
    assert run.the_finding.code == "GATE-001"
    assert "not the last member" in run.the_finding.sentence


def test_a_table_without_a_key_is_named_once() -> None:
    device = TableDevice()
    run = Run().send(device.rounds(5)).end()
    assert run.the_finding.code == "GATE-008"
    assert run.the_finding.seq == 8
    assert not any(admitted.flags for admitted in run.admitted)


def test_a_controller_that_does_not_sign_is_named_once_and_nothing_is_attested() -> None:
    device = TableDevice(signs=False)
    run = Run(device).send(device.rounds(3)).end()
    assert run.the_finding.code == "GATE-015"
    assert run.the_finding.seq == 8, "the first event that table controllers sign"
    assert not any(admitted.flags for admitted in run.admitted)


# --- clocks -----------------------------------------------------------------------------------------------------------


def jump(device: TableDevice, **by: float) -> None:
    device.time += timedelta(**by)


def test_one_event_with_a_wrong_time_is_one_finding() -> None:
    for by in ({"seconds": -6}, {"minutes": -40}, {"days": -300}, {"minutes": 31}, {"days": 400}):
        device = TableDevice()
        said = device.round()
        said.append(device.say("round.opened", "X"))
        jump(device, **by)
        said.append(device.say("wager.placed", "X", seat=1, wager="pai_gow", amount_cents=100))
        jump(device, **{unit: -step for unit, step in by.items()})
        said += [device.say("bets.closed", "X"), device.say("round.closed", "X"), *device.round()]
        run = Run(device).send(said).end()
        assert run.codes == ["GATE-007"], by
        assert (run.the_finding.seq, run.the_finding.round_id) == (10, "X")
        assert run.seqs() == list(range(len(said))) and run.flags() == {}


def test_a_wrong_time_at_the_very_end_of_a_round_is_one_finding() -> None:
    device = TableDevice()
    said = [device.say("round.opened", "X")]
    jump(device, hours=2)
    said.append(device.say("round.closed", "X"))
    jump(device, hours=-2)
    said += device.rounds(2)
    assert Run(device).send(said).end().codes == ["GATE-007"]


def test_a_clock_that_jumps_and_stays_is_one_finding() -> None:
    for by in ({"hours": -2}, {"hours": 2}):
        device = TableDevice()
        said = [*device.round(), device.say("round.opened", "X")]
        jump(device, **by)
        said += [device.say("bets.closed", "X"), device.say("round.closed", "X"), *device.rounds(3)]
        assert Run(device).send(said).end().codes == ["GATE-007"], by


def test_a_clock_that_jumps_there_and_back_rounds_later_is_two_findings() -> None:
    device = TableDevice()
    said = [*device.round(), device.say("round.opened", "X")]
    jump(device, hours=2)
    said += [device.say("bets.closed", "X"), device.say("round.closed", "X"), *device.rounds(3)]
    jump(device, hours=-2)
    said += device.rounds(3)
    run = Run(device).send(said).end()
    assert run.codes == ["GATE-007", "GATE-007"]
    assert "s before that of the event before it" in run.findings[1].sentence


def test_two_devices_whose_clocks_differ_are_one_finding_a_round() -> None:
    device = TableDevice()
    said = []
    for number in range(3):
        name = f"R{number}"
        said.append(device.say("round.opened", name))
        for _ in range(5):
            jump(device, seconds=-20)
            said.append(device.say("wager.placed", name, seat=1, wager="pai_gow", amount_cents=100))
            jump(device, seconds=20)
            said.append(device.say("bets.closed", name))
        said.append(device.say("round.closed", name))
    assert Run(device).send(said).end().codes == ["GATE-007"] * 3


def test_five_seconds_back_are_within_what_clocks_do() -> None:
    device = TableDevice()
    said = [device.say("round.opened", "X")]
    jump(device, seconds=-5, milliseconds=-250)
    said += [device.say("bets.closed", "X")]
    assert Run(device).send(said).end().codes == []


# --- every finding, everywhere ----------------------------------------------------------------------------------------


def keys_of(seed: int) -> Run:
    return Run(*(TableDevice(f"T-{number}", seed=seed) for number in range(4)))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**9), st.data())
def test_a_gate_restored_from_its_state_goes_on_as_if_nothing_had_happened(seed: int, data: st.DataObject) -> None:
    records = [LogRecord(offset, offset, key, raw) for offset, (key, raw) in enumerate(messy(seed))]
    cut = data.draw(st.integers(0, len(records)))
    whole, first = keys_of(seed), keys_of(seed)
    expected = [admitted for record in records for admitted in whole.gate.admit(record)] + whole.gate.finish()
    got = [admitted for record in records[:cut] for admitted in first.gate.admit(record)]
    rows, findings = first.gate.take_rows(), first.gate.take_findings()
    state = json.dumps(first.gate.state(), sort_keys=True)

    second = keys_of(seed)
    second.gate.restore(json.loads(state))
    assert json.dumps(second.gate.state(), sort_keys=True) == state
    got += [admitted for record in records[cut:] for admitted in second.gate.admit(record)] + second.gate.finish()
    assert got == expected
    assert rows + second.gate.take_rows() == whole.gate.take_rows()
    assert findings + second.gate.take_findings() == whole.gate.take_findings()
    assert second.gate.state() == whole.gate.state()


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 10**9))
def test_whatever_comes_every_record_has_a_row_and_order_is_kept(seed: int) -> None:
    run = keys_of(seed)
    for key, raw in messy(seed):
        run.send([raw], key=key)
    run.end()
    for number in range(4):
        in_order: list[int] = []
        for admitted in run.admitted:
            seq = admitted.event.seq
            if admitted.event.tableid == f"T-{number}" and not admitted.flags & F.LATE:
                if admitted.flags & F.OVERRULES:
                    in_order = [earlier for earlier in in_order if earlier != seq]
                    if admitted.flags & F.ATTESTED:
                        in_order = [earlier for earlier in in_order if earlier < seq]
                in_order.append(seq)
        assert in_order == sorted(set(in_order)) or any(f.code == "GATE-030" for f in run.findings)
        assert sorted(in_order) == sorted(set(in_order))


def test_one_tables_trouble_never_touches_another() -> None:
    quiet = TableDevice("QUIET-1")
    said = quiet.rounds(10)
    seed = 11
    alone = Run(quiet).send(said, key="QUIET-1").end()
    run = keys_of(seed)
    run.keys.add(quiet)
    waiting = list(reversed(said))
    for key, raw in messy(seed):
        run.send([raw], key=key)
        if waiting:
            before = len(run.admitted)
            run.send([waiting.pop()], key="QUIET-1")
            assert len(run.admitted) == before + 1, "it passes at once"
    run.send(reversed(waiting), key="QUIET-1").end()
    assert run.findings
    assert [f for f in run.findings if f.table_id == "QUIET-1"] == alone.findings == []
    assert run.seqs("QUIET-1") == alone.seqs("QUIET-1")


def test_the_state_is_bounded_however_the_table_behaves() -> None:
    device = TableDevice(signs=False)
    random = Random(2)
    run = Run()
    for _ in range(4_000):
        device.seq = random.randrange(2_000_000)
        run.send([device.say("device.online", device="rack")] if random.random() < 0.9 else [random.randbytes(20)])
    run.gate.take_rows()
    run.gate.take_findings()
    state = run.gate.state()["tables"]["PG-07"]
    assert len(state["held"]) <= 64
    assert len(state["missing"]) <= 256
    assert len(state["refused"]) <= 64
    assert len(b64decode(state["hashes"])) <= 32 * 513
    assert len(state["strays"]) <= 64


def test_a_key_file_that_was_rewritten_while_nobody_ran_is_named_by_the_next_worker() -> None:
    device = TableDevice()
    said = device.rounds(4)
    first = Run(device).send(said[:18]).end()
    state = json.loads(json.dumps(first.gate.state()))
    other = TableDevice(seed=99)
    rewritten = Run()
    rewritten.keys.histories["PG-07"] = (
        KeyHistory("PG-07").added(other.public_hex, None, "", None).rotated(device.public_hex, Place(seq=1), "", None)
    )
    rewritten.gate.restore(state)
    rewritten.send(said[18:]).end()
    assert rewritten.codes == ["GATE-029"], "said once; the old key is still in the file, so nothing else shows"
    longer = Run(device)
    longer.keys.histories["PG-07"] = longer.keys.history_of("PG-07").rotated(
        other.public_hex, Place(seq=1_000), "", None
    )
    longer.gate.restore(state)
    assert longer.send(said[18:]).end().codes == [], "a history that has grown is the same history"
