"""Events ahead of a table's chain: a leap needs a signature, the true chain goes on, and an operator can resynchronise.

What an attacker without a key can do here is in gate_attacks.py, "ahead"; these are the rules one by one.
"""

from __future__ import annotations

import json
from random import Random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ingest.chain import event_hash
from ingest.gate.gate import QUARANTINED, RECORDED
from ingest.gate.waiting import DISOWNED_IN_A_WINDOW, LEAP_EVENTS, WAITING_EVENTS
from ingest.key_history import KeyHistory, Place
from ingest.log import LogRecord
from ingest.table_stream import HELD_EVENTS
from schemas.events import MAX_SEQ
from tests.ingest.device import TableDevice
from tests.ingest.gate_run import F, Run


def stranger(seq: int, prevhash: str | None = None, subject: str = "forged", number: int = 0) -> bytes:
    """An unsigned event of PG-07 that anybody can make."""
    forger = TableDevice(seed=1_000 + seq % 999 + number, signs=False)
    forger.seq, forger.prevhash = seq, prevhash or Random(f"{seq} {number}").randbytes(32).hex()
    return forger.say("wager.placed", subject, seat=1, wager="pai_gow", amount_cents=100)


def unharmed(run: Run, said: list[bytes]) -> None:
    assert [admitted.raw for admitted in run.admitted] == said, "what the table said, in order, and nothing else"
    assert run.flags() == {}


# --- a leap -----------------------------------------------------------------------------------------------------------


def test_one_forged_event_with_the_last_number_there_is_blinds_nobody() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send(said[:20]).send([stranger(MAX_SEQ)])
    run.admitted += run.gate.finish()  # `muckraker run` ends here, and another begins
    more = device.rounds(100)
    run.send(said[20:]).send(more).end()
    assert run.codes == ["GATE-035"]
    unharmed(run, said + more)
    assert run.rows[20][9:11] == (
        QUARANTINED,
        "2,147,483,627 numbers ahead of the table's chain, without a good signature",
    )
    assert "the table goes on with seq 20" in run.the_finding.sentence


def test_a_leap_counts_under_a_good_signature_and_only_what_came_before_it_is_lost() -> None:
    """A controller that lost its memory of 5,000 events: what it says before its next signature is in quarantine."""
    device = TableDevice()
    before = device.rounds(3)
    device.rounds(600)
    after = device.rounds(10)
    run = Run(device).send(before).send(after).end()
    assert run.statuses() == {RECORDED: 27 + 82, QUARANTINED: 8}
    assert run.codes == ["GATE-035", "GATE-003"]
    assert "5,400 events are missing (seq 27 to 5426)" in run.findings[1].sentence
    assert run.flags() == {5435: F.GAP_BEFORE}
    assert run.seqs()[-1] == device.seq - 1


def test_up_to_the_window_what_came_before_the_signature_counts_too() -> None:
    for lost, codes, quarantined in ((LEAP_EVENTS, ["GATE-003"], 0), (LEAP_EVENTS + 9, ["GATE-035", "GATE-003"], 8)):
        device = TableDevice()
        before = device.rounds(3)
        while device.seq < 27 + lost:
            device.say("device.online", device="rack")
        after = device.rounds(10)
        run = Run(device).send(before).send(after).end()
        assert (run.codes, run.statuses()[QUARANTINED]) == (codes, quarantined)


def test_a_table_whose_first_events_are_not_on_record_begins_where_it_is_signed() -> None:
    device = TableDevice()
    device.rounds(1_000)
    after = device.rounds(5)
    run = Run(device).send([stranger(MAX_SEQ)]).send(after).end()
    assert run.seqs() == list(range(9_000, 9_045)) and run.flags() == {9_000: F.GAP_BEFORE}
    assert run.codes == ["GATE-003"] and run.without_place() == 1


def test_a_table_without_a_key_goes_by_the_chain() -> None:
    device = TableDevice(signs=False)
    said = device.rounds(20)
    run = Run().send(said[:20]).send([stranger(MAX_SEQ), stranger(20), stranger(22), stranger(30)])
    run.admitted += run.gate.finish()
    run.send(said[20:]).end()
    assert run.codes == ["GATE-008", "GATE-035"]
    unharmed(run, said)


def test_a_gap_at_a_table_without_a_key_is_declared_for_what_hangs_together() -> None:
    device = TableDevice(signs=False)
    said = device.rounds(20)
    junk = [stranger(seq, number=seq) for seq in range(21, 60)]
    run = Run().send(said[:20]).send(junk).send(said[21:]).end()
    assert set(run.codes) == {"GATE-008", "GATE-003", "GATE-035"}
    assert run.seqs() == [seq for seq in range(180) if seq != 20] and run.flags() == {21: F.GAP_BEFORE}


# --- a few numbers ahead ----------------------------------------------------------------------------------------------


def test_forged_events_within_the_window_never_declare_a_gap() -> None:
    device = TableDevice()
    said = device.rounds(60)
    junk = [stranger(seq, number=seq) for seq in range(21, 21 + 3 * HELD_EVENTS)]
    run = Run(device).send(said[:20]).send(junk)
    run.admitted += run.gate.finish()
    run.send(said[20:]).end()
    assert run.codes == ["GATE-035"]
    unharmed(run, said)


def test_a_forged_event_under_a_number_to_come_does_not_take_it() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send(said[:12]).send([stranger(14), stranger(12)]).send(said[12:]).end()
    assert run.codes == ["GATE-035"], "one for the burst"
    unharmed(run, said)
    assert run.without_place() == 2


def test_the_true_event_is_let_through_beside_a_forged_one_even_when_it_is_early_itself() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send(said[:12]).send([stranger(13), said[13], said[12], *said[14:]]).end()
    assert sorted(run.codes) == ["GATE-005", "GATE-035"]
    unharmed(run, said)


def test_a_lost_event_and_a_flood_of_forged_ones_at_once_cost_no_more_than_the_lost_one() -> None:
    device = TableDevice()
    said = device.rounds(20)
    junk = [stranger(200 + seq, number=seq) for seq in range(40)]
    run = Run(device).send(said[:20]).send(junk).send(said[21:]).end()
    assert run.seqs() == [seq for seq in range(180) if seq != 20]
    assert run.flags() == {21: F.GAP_BEFORE} and run.codes == ["GATE-003"]
    assert run.without_place() == 40


def test_after_many_forged_events_only_what_is_next_or_signed_is_taken_in_until_an_hour_has_passed() -> None:
    device = TableDevice()
    said = device.rounds(60)
    run = Run(device).send(said[:9])
    for at in range(9, 9 + DISOWNED_IN_A_WINDOW):
        run.send([stranger(at, number=at), said[at]])
    at = 9 + DISOWNED_IN_A_WINDOW
    run.send([stranger(at + 3, number=7)])
    run.send(said[at:]).end()
    unharmed(run, said)
    assert run.codes == ["GATE-035"]
    assert run.statuses()[QUARANTINED] == 1 and run.without_place() == DISOWNED_IN_A_WINDOW


def test_what_waits_is_bounded_and_the_oldest_that_nobody_vouches_for_goes_first() -> None:
    device = TableDevice()
    said = device.rounds(3)
    run = Run(device).send(said[:20]).send([stranger(300, number=number) for number in range(WAITING_EVENTS + 40)])
    assert run.gate.held_count() < WAITING_EVENTS
    run.send(said[20:]).end()
    unharmed(run, said)


def test_a_forged_event_whose_place_is_taken_and_that_is_sent_again_is_a_copy() -> None:
    device = TableDevice()
    said = device.rounds(3)
    forged = stranger(14)
    run = Run(device).send(said[:12]).send([forged]).send(said[12:]).send([forged]).end()
    assert run.codes == ["GATE-035", "GATE-004"]
    unharmed(run, said)


def test_an_event_that_was_sent_away_is_taken_when_it_comes_again_in_its_turn() -> None:
    device = TableDevice()
    said = device.rounds(60)
    run = Run(device).send(said[:18])
    run.send(said[19 : 19 + 7])  # no signature among them
    run.send([stranger(400, number=number) for number in range(WAITING_EVENTS)])
    run.send([stranger(401, prevhash=event_hash(stranger(400, number=0)))])
    run.send(said[18:]).end()
    assert [admitted.raw for admitted in run.admitted] == said and run.flags() == {}


def test_a_broken_chain_waits_for_the_signature_that_stands_on_it() -> None:
    """Altered on the way: which of the two sides of the break is the table's own, the next signature tells."""
    device = TableDevice()
    said = device.rounds(3)
    said[12] = said[12].replace(b"2500", b"9900")
    run = Run(device).send(said[:17])
    assert run.seqs() == list(range(13)) and run.gate.held_count() == 4
    run.send(said[17:18])
    assert run.seqs() == list(range(18)) and run.gate.held_count() == 0
    run.send(said[18:]).end()
    assert run.codes == ["GATE-002"] and run.flags() == {13: F.CHAIN_BROKEN}


# --- resynchronising --------------------------------------------------------------------------------------------------


def blinded(device: TableDevice) -> tuple[list[bytes], Run]:
    """Somebody stole the key and leapt to the end of the numbers."""
    said = device.rounds(3)
    thief = TableDevice()
    thief.seq, thief.prevhash, thief.time = MAX_SEQ, "ab" * 32, device.time
    leap = thief.say("table.heartbeat")
    run = Run(device).send(said).send([leap])
    run.admitted += run.gate.finish()
    return said, run


def resynced(run: Run, new: TableDevice, from_seq: int) -> None:
    """Another key, and an order to go on from a number, both from the next record on."""
    now = Place(us=1_000 + run.offset)
    history = run.keys.history_of("PG-07").rotated(new.public_hex, now, "stolen", None)
    assert now.us is not None
    run.keys.histories["PG-07"] = history.resynced(now.us, from_seq, "leapt to the end with a stolen key", None)


def test_an_operator_resynchronises_a_table_that_somebody_leapt_away_with_its_key() -> None:
    device = TableDevice()
    said, run = blinded(device)
    assert run.gate.tables_ahead()["PG-07"][0] == MAX_SEQ + 1
    device.key = TableDevice(seed=99).key
    resynced(run, device, device.seq)
    opened = device.say("table.heartbeat")
    more = device.rounds(5)
    run.send([opened, *more]).end()
    assert "GATE-036" in run.codes
    assert [admitted.raw for admitted in run.admitted if admitted.event.seq < MAX_SEQ] == [*said, opened, *more]
    assert run.flags()[27] == F.GAP_BEFORE and run.gate.attested_seq("PG-07") == device.seq - 1
    (finding,) = [finding for finding in run.findings if finding.code == "GATE-036"]
    assert "it stood at seq 2147483647 and goes on from seq 27" in finding.sentence


def test_a_resynchronisation_needs_the_tables_signature_and_is_honoured_once() -> None:
    device = TableDevice()
    _, run = blinded(device)
    device.key = TableDevice(seed=99).key
    resynced(run, device, 27)
    run.send([stranger(27), stranger(28)])
    assert "GATE-036" not in [finding.code for finding in run.gate.take_findings()]
    more = device.rounds(2)
    run.send(more[8:])  # the first one that is signed
    assert [finding.code for finding in run.gate.take_findings()].count("GATE-036") == 1
    assert run.seqs()[-10:] == list(range(35, 45))
    run.send([stranger(30), stranger(29)]).end()
    assert "GATE-036" not in run.codes, "once"


def test_a_resynchronisation_of_a_table_that_is_in_step_again_is_forgotten() -> None:
    device = TableDevice()
    said = device.rounds(4)
    run = Run(device).send(said[:9])
    run.keys.histories["PG-07"] = run.keys.history_of("PG-07").resynced(1_000, 9, "a mistake", None)
    run.send(said[9:]).send([said[35]]).end()
    assert run.codes == ["GATE-004"]
    unharmed(run, said)


def test_a_wrong_order_is_taken_back_by_one_with_a_number_that_the_table_has_passed() -> None:
    def codes(*ordered: int) -> list[str]:
        device = TableDevice()
        run = Run(device).send(device.rounds(2))
        for at, seq in enumerate(ordered):
            run.keys.histories["PG-07"] = run.keys.history_of("PG-07").resynced(1_000 + at, seq, "a slip", None)
        run.send(device.rounds(2))
        device.seq = MAX_SEQ - 5  # somebody has the key
        return run.send([device.say("table.heartbeat")]).end().codes

    assert "GATE-036" in codes(MAX_SEQ - 5), "what was ordered by mistake can be used"
    assert "GATE-036" not in codes(MAX_SEQ - 5, 3)
    assert "GATE-036" in codes(3, MAX_SEQ - 5), "the last order counts"


def test_a_table_without_a_key_is_resynchronised_at_the_number_named() -> None:
    device = TableDevice(signs=False)
    said = device.rounds(3)
    device.rounds(1_000)
    run = Run().send(said).send(device.round())
    run.keys.histories["PG-07"] = KeyHistory("PG-07").resynced(1_000 + run.offset, device.seq, "week lost", None)
    seq, more = device.seq, device.rounds(3)
    run.send(more).end()
    assert run.codes == ["GATE-008", "GATE-035", "GATE-036"]
    assert run.seqs() == [*range(27), *range(seq, seq + 27)] and run.flags() == {seq: F.GAP_BEFORE}


# --- whatever comes ---------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate])
@given(st.integers(0, 10**9), st.booleans(), st.data())
def test_forged_events_anywhere_never_keep_a_true_one_from_its_place(
    seed: int, keyed: bool, data: st.DataObject
) -> None:
    """The chain as the slow and obvious reading has it: each true event in turn, and no forged one beside them."""
    random = Random(seed)
    device = TableDevice(signs=keyed)
    said = device.rounds(random.randint(8, 20))
    sent: list[bytes] = []
    for at, raw in enumerate(said):
        if at > 9 and random.random() < 0.3:  # behind the first signature
            for _ in range(random.choice([1, 1, 3, 80])):
                seq = min(at + random.choice([0, 1, 2, 5, 63, 64, 65, 200, 600, MAX_SEQ]), MAX_SEQ)
                # Without a key two forged events that hang together are as good as two true ones
                parent = random.choice([None, None, event_hash(sent[-1]) if keyed else None])
                if parent == event_hash(said[at - 1]) and seq == at:
                    parent = None  # whoever knows the last hash and is quicker than the table: only a signature tells
                sent.append(stranger(seq, parent, number=random.randrange(10**6)))
        sent.append(raw)
    records = [LogRecord(offset, 10**6 * offset, "PG-07", raw) for offset, raw in enumerate(sent)]
    cut = data.draw(st.integers(0, len(records)))
    run = Run(*([device] if keyed else []))
    got = [admitted for record in records[:cut] for admitted in run.gate.admit(record)]
    if random.random() < 0.5:
        got += run.gate.finish()
    run.gate.take_rows(), run.gate.take_findings()
    again = Run(*([device] if keyed else []))
    again.gate.restore(json.loads(json.dumps(run.gate.state())))
    got += [admitted for record in records[cut:] for admitted in again.gate.admit(record)]
    got += again.gate.finish()
    true = [admitted for admitted in got if admitted.raw in set(said)]
    assert [admitted.raw for admitted in true] == said
    assert not any(admitted.flags & (F.GAP_BEFORE | F.LATE | F.CHAIN_BROKEN) for admitted in true)
    if keyed:
        assert len(got) == len(true)
