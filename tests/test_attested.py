"""Attested means that every event a verdict rests on lies on an unbroken chain under a good signature.

Each test is an attack on the record by somebody who can append to the log and has no key, or an honest correction; all
of it from the log through the worker into the lake.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analytics.warehouse import Warehouse
from console.home import TOPIC
from ingest.lake import Lake
from ingest.retention import Retention
from replay.rounds import RoundFlag
from tests.attested_scene import Scene


def test_a_clean_day_is_attested_to_the_last_round(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.append(*scene.honest())
    scene.run()
    assert {(row["version"], bool(row["flags"] & 32)) for row in scene.day.table("rounds").to_pylist()} == {(1, True)}
    assert scene.codes() == []


@pytest.mark.parametrize("cut", [50_000, 1, 7])
def test_an_unsigned_correction_makes_no_short_pay_vanish(tmp_path: Path, cut: int) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    scene.append(scene.correction(scene.chain[-1]))
    scene.run(segment_records=cut)
    assert scene.versions() == [(1, "differs", True), (2, "verified", False)]
    assert scene.codes() == ["ROUND-005", "SETTLE-101"]


def test_a_signed_correction_counts(tmp_path: Path) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    scene.append(scene.correction(scene.chain[-1], signed=True))
    scene.run()
    assert scene.versions() == [(1, "differs", True), (2, "verified", True)]
    assert scene.codes() == ["SETTLE-101"]


@pytest.mark.parametrize("by", ["S-031", None, " ", "\u00a0", "-"])
def test_a_void_called_after_the_round_says_by_whom(tmp_path: Path, by: str | None) -> None:
    """Signed as it is, a void that nobody answers for changes nothing, and is told."""
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    data = {"reason": "misdeal"} | ({} if by is None else {"by": by})
    seq = json.loads(scene.chain[-1])["seq"] + 1
    scene.append(scene.said("round.voided", seq, scene.round, data, scene.chain[-1], signed=True))
    scene.run()
    rows = [row for row in scene.day.table("rounds").to_pylist() if row["round_id"] == scene.round]
    assert [bool(row["flags"] & RoundFlag.VOIDED) for row in rows] == [False, by == "S-031"]
    assert ("ROUND-002" in scene.codes()) is (by != "S-031")


@pytest.mark.parametrize("member", ["by", "reason"])
@pytest.mark.parametrize("blank", [" ", "\u3000", "\u200b", "..."])
def test_a_correction_that_says_it_with_a_blank_changes_nothing(tmp_path: Path, member: str, blank: str) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    data = {"corrects_seq": scene.win["seq"], "reason": "stack misread", "by": "S-031", "replacement": scene.right}
    seq = json.loads(scene.chain[-1])["seq"] + 1
    said = scene.said("round.corrected", seq, scene.round, {**data, member: blank}, scene.chain[-1], signed=True)
    scene.append(said)
    scene.run()
    assert scene.versions() == [(1, "differs", True), (2, "differs", True)]
    assert scene.codes() == ["ROUND-002", "SETTLE-101", "SETTLE-101"]


def test_a_correction_that_a_later_signature_vouches_for_counts_from_then_on(tmp_path: Path) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    correction = scene.correction(scene.chain[-1])
    heartbeat = scene.said("table.heartbeat", len(scene.chain) + 1, None, {}, correction, signed=True)
    scene.append(correction, heartbeat)
    scene.run()
    assert scene.versions() == [(1, "differs", True), (2, "verified", False), (3, "verified", True)]


@pytest.mark.parametrize("cut", [50_000, 60])
@pytest.mark.parametrize("rounds_ago", [3, 20, 30])
def test_it_counts_however_long_ago_the_round_was(tmp_path: Path, rounds_ago: int, cut: int) -> None:
    """Unsigned itself, it lies under the signature of the round that is played next."""
    scene = Scene(tmp_path, rounds=40, short=100)
    scene.append(*scene.honest(until=scene.closings()[rounds_ago] + 1))
    correction = scene.correction(scene.chain[-1])
    scene.append(correction, *scene.goes_on(correction))
    scene.run(segment_records=cut)
    assert scene.versions() == [(1, "differs", True), (2, "verified", False), (3, "verified", True)]
    with Warehouse(tmp_path / "lake") as warehouse:
        assert warehouse.rows("SELECT code FROM findings") == []


@pytest.mark.parametrize("cut", [50_000, 60])
def test_one_signature_vouches_for_all_rounds_before_it(tmp_path: Path, cut: int) -> None:
    """A controller that signed nothing for thirty rounds signs once."""
    scene = Scene(tmp_path, rounds=30)
    raws: list[bytes] = []
    for body in scene.bodies:
        last = body is scene.bodies[-1]
        raws.append(scene.chained(body, raws[-1] if raws else None, signed=last))
    scene.append(*raws)
    scene.run(segment_records=cut)
    attested = {row["round_id"] for row in scene.day.table("rounds").to_pylist() if row["flags"] & 32}
    assert len(attested) == 30


@pytest.mark.parametrize("cut", [50_000, 60])
@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("rounds_ago", [4, 30])
def test_a_forged_correction_does_not_take_the_place_of_the_right_one(
    tmp_path: Path, rounds_ago: int, signed: bool, cut: int
) -> None:
    """Somebody corrects the round a moment before the controller does: both have the same number."""
    scene = Scene(tmp_path, rounds=40, short=100)
    scene.append(*scene.honest(until=scene.closings()[rounds_ago] + 1))
    seq, wrong = len(scene.chain), {**scene.right, "paid_cents": 1}
    data = {"corrects_seq": scene.win["seq"], "reason": "mine", "by": "nobody", "replacement": wrong}
    scene.append(scene.said("round.corrected", seq, scene.round, data, scene.chain[-1]))
    scene.run(segment_records=cut)
    correction = scene.correction(scene.chain[-1], signed=signed)
    scene.append(correction, *scene.goes_on(correction))
    scene.run(segment_records=cut)
    assert scene.versions()[0] == (1, "differs", True) and scene.versions()[-1][1:] == ("verified", True)
    assert [verdict for _, verdict, attested in scene.versions() if attested] == ["differs", "verified"]


@pytest.mark.parametrize("cut", [50_000, 1, 7])
@pytest.mark.parametrize("ahead", [1, 4, 40])
def test_the_signed_chain_prevails_over_what_was_put_in_its_place(tmp_path: Path, ahead: int, cut: int) -> None:
    """Somebody appends `ahead` events before the controller goes on; the controller's own are forks until it signs."""
    scene = Scene(tmp_path, rounds=12, short=100)
    closings = [body["seq"] for body in scene.bodies if body["type"].endswith("round.closed.v1")]
    scene.append(*scene.honest(until=closings[3] + 3))  # within a round
    forged = [scene.correction(scene.chain[-1])]
    while len(forged) < ahead:
        forged.append(
            scene.said("table.counted", json.loads(forged[-1])["seq"] + 1, None, {"tray_cents": 1}, forged[-1])
        )
    scene.append(*forged)
    scene.append(*scene.honest())
    scene.run(segment_records=cut)
    assert scene.versions()[0] == (1, "differs", True)
    assert all(not attested for version, _, attested in scene.versions()[1:])
    standing = {
        row["round_id"]: row["verdict"]
        for row in sorted(scene.day.table("rounds").to_pylist(), key=lambda row: row["version"])
        if row["flags"] & 32
    }
    assert len(standing) == 12 and sorted(set(standing.values())) == ["differs", "verified"]
    assert [verdict for verdict in standing.values() if verdict == "differs"] == ["differs"]
    assert "GATE-030" in scene.codes() and "ROUND-005" in scene.codes()


def test_a_forged_filing_is_undone_by_the_signed_chain(tmp_path: Path) -> None:
    """Between two rounds somebody says that the table opened under another schedule of fees."""
    scene = Scene(tmp_path)
    closings = [body["seq"] for body in scene.bodies if body["type"].endswith("round.closed.v1")]
    scene.append(*scene.honest(until=closings[3] + 1))
    opened = next(body["data"] for body in scene.bodies if body["type"].endswith("table.opened.v1"))
    other = {**opened, "options": {**opened.get("options", {}), "schedule": "own_3"}}
    scene.append(scene.said("table.opened", closings[3] + 1, None, other, scene.chain[-1]))
    scene.append(*scene.honest())
    scene.run()
    for row in scene.day.table("rounds").to_pylist():
        assert row["verdict"] == "verified" or not row["flags"] & 32, row["round_id"]
    attested = {row["round_id"] for row in scene.day.table("rounds").to_pylist() if row["flags"] & 32}
    assert len(attested) == 8


def test_an_event_put_in_anothers_place_is_never_attested(tmp_path: Path) -> None:
    """The controller's event is taken out of the stream and another put in: what is behind it is signed, it is not."""
    scene = Scene(tmp_path, short=100)
    raws = scene.honest()
    at = scene.win["seq"]
    raws[at] = scene.chained({**scene.win, "data": scene.right}, raws[at - 1])
    scene.append(*raws)
    scene.run()
    assert scene.versions() == [(1, "verified", False)]


def test_a_forged_late_event_does_not_hide_what_was_found(tmp_path: Path) -> None:
    """An event between two rounds was lost; somebody sends one with its number that names the round that was short."""
    scene = Scene(tmp_path, rounds=30, short=100)
    raws = scene.honest()
    lost = next(
        body["seq"]
        for body in scene.bodies
        if "subject" not in body and body["seq"] > scene.win["seq"] + 300 and "sig" not in body
    )
    scene.append(*raws[:lost], *raws[lost + 1 :])
    scene.run()
    before = scene.versions()
    assert before == [(1, "differs", True)]
    scene.append(scene.said("wager.withdrawn", lost, scene.round, {"seat": 1, "wager": "player"}, raws[lost - 1]))
    scene.run()
    assert scene.versions()[0] == before[0]
    assert not any(attested for _, _, attested in scene.versions()[1:])


def test_a_forged_late_event_does_not_fill_the_gap_of_another(tmp_path: Path) -> None:
    """The settlement that was short was lost; somebody sends a right one with its number before it turns up."""
    scene = Scene(tmp_path, rounds=20, short=100)
    raws, at = scene.honest(), scene.win["seq"]
    scene.append(*raws[:at], *raws[at + 1 :])
    scene.run()
    assert scene.versions() == [(1, "cannot_tell", False)]
    scene.append(scene.chained({**scene.win, "data": scene.right}, raws[at - 1]))
    scene.run()
    assert scene.versions() == [(1, "cannot_tell", False)]
    scene.append(raws[at])
    scene.run()
    assert scene.versions() == [(1, "cannot_tell", False), (2, "differs", True)]
    assert scene.codes() == ["GATE-003", "GATE-005", "GATE-009", "SETTLE-101"]


@pytest.mark.parametrize("lost", [(0, 1), (-1, 0, 1)])
@pytest.mark.parametrize("cut", [50_000, 1])
def test_a_forged_late_event_within_a_longer_gap_makes_nothing_verified(
    tmp_path: Path, lost: tuple[int, ...], cut: int
) -> None:
    """Only of the last missing event does the next one name the hash; a forged one with another number gets a place,
    and then the round is as little known as before."""
    scene = Scene(tmp_path, rounds=20, short=100)
    raws, at = scene.honest(), scene.win["seq"]
    missing = [at + one for one in lost]
    scene.append(*(raw for seq, raw in enumerate(raws) if seq not in missing))
    scene.run(cut)
    forged = scene.chained({**scene.win, "data": scene.right}, raws[at - 1])
    scene.append(forged)
    scene.run(cut)
    scene.append(*(raws[seq] for seq in missing if seq != at))
    scene.run(cut)
    assert {(verdict, attested) for _, verdict, attested in scene.versions()} == {("cannot_tell", False)}
    scene.append(raws[at])
    scene.run(cut)
    assert {(verdict, attested) for _, verdict, attested in scene.versions()} == {("cannot_tell", False)}
    reasons = [row["reason"] for row in scene.day.table("rounds").to_pylist() if row["round_id"] == scene.round]
    assert all("nothing vouches for what came late in their place" in reason for reason in reasons)
    assert "SETTLE-101" not in scene.codes()


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("cut", [50_000, 1])
def test_a_gap_that_is_closed_by_the_true_events_is_closed(tmp_path: Path, order: int, cut: int) -> None:
    scene = Scene(tmp_path, rounds=20, short=100)
    raws, at = scene.honest(), scene.win["seq"]
    missing = [at - 1, at, at + 1][::order]
    scene.append(*(raw for seq, raw in enumerate(raws) if seq not in missing))
    scene.run(cut)
    for seq in missing:
        assert {verdict for _, verdict, _ in scene.versions()} == {"cannot_tell"}
        scene.append(raws[seq])
        scene.run(cut)
    assert scene.versions()[-1][1:] == ("differs", True)


@pytest.mark.parametrize("cut", [50_000, 7])
def test_a_round_that_came_late_as_a_whole_is_told_when_the_last_of_it_came(tmp_path: Path, cut: int) -> None:
    scene = Scene(tmp_path, rounds=20, short=100)
    raws = scene.honest()
    of_it = [seq for seq, body in enumerate(scene.bodies) if body.get("subject") == scene.round]
    scene.append(*(raw for seq, raw in enumerate(raws) if seq not in of_it))
    scene.run(cut)
    assert scene.versions() == []
    for seq in of_it:
        assert {verdict for _, verdict, _ in scene.versions()} <= {"cannot_tell"}
        scene.append(raws[seq])
        scene.run(cut)
    assert scene.versions()[-1][1:] == ("differs", True)


@pytest.mark.parametrize("cut", [50_000, 7])
def test_a_round_that_somebody_makes_up_in_a_gap_is_not_verified(tmp_path: Path, cut: int) -> None:
    scene = Scene(tmp_path, rounds=20, short=100)
    raws = scene.honest()
    of_it = [seq for seq, body in enumerate(scene.bodies) if body.get("subject") == scene.round]
    scene.append(*(raw for seq, raw in enumerate(raws) if seq not in of_it))
    scene.run(cut)
    forged = [raws[of_it[0] - 1]]
    for seq in of_it:
        body = {**scene.bodies[seq], "data": scene.right} if seq == scene.win["seq"] else scene.bodies[seq]
        forged.append(scene.chained(body, forged[-1]))
    for raw in forged[1:]:
        scene.append(raw)
    scene.run(cut)
    assert {(verdict, attested) for _, verdict, attested in scene.versions()} == {("cannot_tell", False)}


def test_the_attested_version_stands_and_its_findings_stay(tmp_path: Path) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    scene.append(scene.correction(scene.chain[-1]))
    scene.run()
    with Warehouse(tmp_path / "lake") as warehouse:
        (stands,) = warehouse.rows(
            "SELECT version, verdict, attested, contested FROM rounds WHERE round_id = ?", [scene.round]
        )
        found = warehouse.rows("SELECT code, contested FROM findings ORDER BY code")
        beside = warehouse.rows("SELECT version, stands, attested FROM round_versions WHERE contested OR NOT stands")
    assert stands == {"version": 1, "verdict": "differs", "attested": True, "contested": True}
    assert found == [{"code": "ROUND-005", "contested": False}, {"code": "SETTLE-101", "contested": True}]
    assert [row["version"] for row in beside] == [1, 2]


def test_a_signed_correction_supersedes_and_says_who_and_why(tmp_path: Path) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    scene.append(scene.correction(scene.chain[-1], signed=True))
    scene.run()
    with Warehouse(tmp_path / "lake") as warehouse:
        (stands,) = warehouse.rows("SELECT version, contested FROM rounds WHERE round_id = ?", [scene.round])
        found = warehouse.rows("SELECT code, superseded FROM finding_versions")
    assert stands == {"version": 2, "contested": False}
    assert found == [{"code": "SETTLE-101", "superseded": True}]


@pytest.mark.parametrize("signed", [False, True])
def test_no_event_rebuilds_a_round_whose_bytes_were_removed(tmp_path: Path, signed: bool) -> None:
    """After `retain --remove` the round's events are gone: one more event is no round."""
    scene = Scene(tmp_path, rounds=10, short=100)
    scene.append(*scene.honest())
    scene.run(segment_records=30)
    lake = Lake(tmp_path / "lake")
    for partition in lake.partitions(TOPIC):
        with Retention(lake, TOPIC, partition) as retention:
            for old in retention.old(2**62):
                retention.retire(old, None, "a test")
    scene.append(scene.correction(scene.chain[-1], signed=signed))
    scene.run(segment_records=30)
    assert scene.versions() == [(1, "differs", True)]
    assert scene.codes() == ["ROUND-006", "SETTLE-101"]


def test_a_round_played_again_under_an_old_id_hides_nothing(tmp_path: Path) -> None:
    scene = Scene(tmp_path, short=100)
    scene.append(*scene.honest())
    before, seq = scene.chain[-1], len(scene.chain)
    again = []
    for kind in ("round.opened", "round.closed"):
        before = scene.said(kind, seq, scene.round, {}, before, signed=kind == "round.closed")
        again.append(before)
        seq += 1
    scene.append(*again)
    scene.run()
    assert scene.versions() == [(1, "differs", True)]
    assert [attested for _, _, attested in scene.versions(f"{scene.round}#2")] == [True]
    assert "ROUND-004" in scene.codes() and "SETTLE-101" in scene.codes()


def test_a_round_under_an_old_id_whose_opening_is_lost_is_another_round_too(tmp_path: Path) -> None:
    """What was played at midnight under the number of the morning must not become part of the morning's round."""
    scene = Scene(tmp_path, rounds=20, short=100)
    first, last = scene.closings()[10] + 1, scene.closings()[11]
    for body in scene.bodies[first : last + 1]:
        if "subject" in body:
            body["subject"] = scene.round
    raws = scene.honest()
    opening = next(at for at in range(first, last) if scene.bodies[at]["type"].endswith("round.opened.v1"))
    scene.append(*raws[:opening], *raws[opening + 1 :])
    scene.run()
    assert scene.versions() == [(1, "differs", True)]
    assert [verdict for _, verdict, _ in scene.versions(f"{scene.round}#2")] == ["cannot_tell"]
    assert scene.codes() == ["GATE-003", "ROUND-004", "SETTLE-101"]


@pytest.mark.parametrize("lost", [True, False])
def test_a_table_that_closed_is_not_played_under_the_filing_of_the_day_before(tmp_path: Path, lost: bool) -> None:
    """The next day's table.opened is lost, or was never said: nobody knows what was filed for that day."""
    scene = Scene(tmp_path)
    raws = scene.honest()
    opened = next(at for at, body in enumerate(scene.bodies) if body["type"].endswith("table.opened.v1"))
    day_ends = len(raws) + 1 if lost else len(raws)
    played = [body for body in scene.bodies[opened + 1 :] if not body["type"].endswith("table.closed.v1")]
    before = raws[-1]
    if lost:
        before = scene.chained({**scene.bodies[opened], "seq": len(raws)}, before, signed=True)
    for at, body in enumerate(played):
        said = {**body, "seq": day_ends + at, "id": f"01932b3e-7c00-7abc-9def-{at:012d}"}
        if "subject" in body:
            said["subject"] = f"{body['subject']}-b"
        before = scene.chained(said, before, signed="sig" in body)
        raws.append(before)
    scene.append(*raws)
    scene.run()
    second = [row for row in scene.day.table("rounds").to_pylist() if row["round_id"].endswith("-b")]
    assert len(second) == 8
    assert {row["verdict"] for row in second} == {"cannot_tell" if lost else "differs"}
    assert ("FILING-002" in scene.codes()) is not lost


def test_a_forged_late_opening_files_nothing(tmp_path: Path) -> None:
    """Two events between rounds were lost; somebody sends another filing with the number of the first."""
    scene = Scene(tmp_path, rounds=20)
    at = scene.closings()[9]
    raws = scene.honest(until=at + 1)
    other = next(dict(body["data"]) for body in scene.bodies if body["type"].endswith("table.opened.v1"))
    other["options"] = {**other.get("options", {}), "schedule": "own_3"}
    forged = scene.said("table.opened", at + 1, None, other, raws[-1])
    lost = [scene.said("table.heartbeat", at + 1, None, {}, raws[-1], signed=True)]
    lost.append(scene.said("table.heartbeat", at + 2, None, {}, lost[0], signed=True))
    rest = scene.goes_on(lost[1], ahead=2)
    scene.append(*raws, *rest[:60])
    scene.run()
    scene.append(forged)
    scene.append(*rest[60:])
    scene.run()
    rows = scene.day.table("rounds").to_pylist()
    assert len({row["round_id"] for row in rows}) == 20
    assert {(row["verdict"], bool(row["flags"] & 32)) for row in rows if row["version"] == 1} == {("verified", True)}
