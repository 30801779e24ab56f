"""The same log gives the same record: killed and restarted, cut anywhere, in other batches, replayed twice, re-audited.

And what comes after the fact: late and corrected events give a round a new version, and the old one stays.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from console.home import TOPIC, make_home
from ingest.chain import GENESIS, event_hash, sign
from ingest.lake import Lake
from ingest.simulator import CATALOGUE, Labels, Plan, default_plan, simulate, table_keys
from ingest.simulator.voice import private_key
from ingest.worker import Worker
from replay.lake_rounds import reaudit
from replay.stream import Replay
from schemas.admitted import Concluded
from schemas.findings import findings_table
from tests.gaming_day import Day
from tests.lake_content import differences

DAY = date(2026, 11, 17)


def plan(seed: int = 5, rounds: int = 40, faulty: bool = True) -> Plan:
    faults = dict.fromkeys(CATALOGUE, 1) if faulty else {}
    return default_plan(seed=seed, tables=13, rounds=rounds, gaming_day=DAY, faults=faults)


def muckraker(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "console.main", *arguments, "--home", str(home)]


@pytest.mark.slow
def test_killed_at_random_moments_the_run_ends_in_the_same_record(tmp_path: Path) -> None:
    """SIGKILL at random points, many times, then to the end: the record of an uninterrupted run.

    Some are killed while they start, the others a random moment after they have committed something.
    """
    home = make_home(tmp_path / "home")
    day = Day(home.path, home.partitions).record(plan(rounds=60))
    day.run("whole", segment_records=300)
    moments = random.Random(7)
    run = muckraker(home.path, "run", "--segment-records", "300")

    def committed() -> int:
        return len(list((home.path / "lake").glob("*/*/*/manifest.json")))

    killed = 0
    for attempt in range(24):
        before = committed()
        worker = subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if attempt % 3:
            while committed() == before and worker.poll() is None:
                time.sleep(0.005)
            time.sleep(moments.random() * 0.08)
        else:
            time.sleep(moments.random() * 1.5)
        ended = worker.poll() is not None
        worker.send_signal(signal.SIGKILL)
        _, errors = worker.communicate()
        killed += not ended
        if ended:
            assert worker.returncode == 0, errors.decode()
            break
    subprocess.run(run, check=True, capture_output=True)
    assert killed >= 8, killed
    whole = day.content("whole")
    assert whole.rounds.num_rows > 700
    assert list(differences(day.content(), whole)) == []


def test_the_same_log_replayed_twice_or_in_other_batches_gives_the_same_bytes(tmp_path: Path) -> None:
    day = Day(tmp_path).record(plan())
    day.run("one").run("two").run("small_reads", read_records=37)
    assert day.bytes_of_lake("one") == day.bytes_of_lake("two") == day.bytes_of_lake("small_reads")


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(1, 4))])
def test_wherever_it_is_cut_and_whoever_is_killed_the_record_is_the_same(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut at random records, verdicts asked for at random, states kept at random, workers that go without a word: the
    same records, rounds, findings and leaves, and every checkpoint is of the one tree."""
    chance = random.Random(seed)
    monkeypatch.setattr("ingest.worker.STATE_EVERY_RECORDS", chance.choice([1, 700, 10**9]))
    day = Day(tmp_path).record(plan(seed=seed + 20, rounds=25)).run("whole")
    log, lake = day.log(), Lake(tmp_path / "lake")
    killed = cut = 0
    for partition in range(day.partitions):
        end = log.high_water_mark(TOPIC, partition)
        while lake.position(TOPIC, partition) < end:
            with Worker(log, lake, TOPIC, partition, day.keys, Replay) as worker:
                for _ in range(chance.randrange(1, 20)):
                    left = end - 1 - worker.position  # the last record is the drain's, which may have a gap to declare
                    worker.take(log.read(TOPIC, partition, worker.position, min(left, chance.randrange(1, 120))))
                    if chance.random() < 0.3:
                        worker.advance()
                    if chance.random() < 0.4:
                        worker.cut(last=chance.random() < 0.1)
                        cut += 1
                if worker.position == end - 1:
                    worker.drain()
                killed += 1
    log.close()
    assert killed > 6 and cut > 20
    assert list(differences(day.content(), day.content("whole"))) == []


class Published:
    def __init__(self) -> None:
        self.finding_ids: list[str] = []
        self.settled = 0

    def tell(self, concluded: Concluded) -> None:
        self.finding_ids += [finding.id for finding in concluded.findings]

    def settle(self) -> None:
        self.settled += 1


def test_being_asked_for_verdicts_in_between_changes_nothing_and_tells_every_finding(tmp_path: Path) -> None:
    """Pushed record by record as a consumer group does, with verdicts asked for at random moments."""
    day = Day(tmp_path).record(plan()).run("one", segment_records=4_000)
    log, lake, moments = day.log(), Lake(tmp_path / "asked"), random.Random(3)
    listener = Published()
    for partition in range(day.partitions):
        records = log.read(TOPIC, partition, 0, 10**6)
        with Worker(
            log,
            lake,
            TOPIC,
            partition,
            day.keys,
            Replay,
            segment_records=4_000,
            listener=listener,
        ) as worker:
            at = 0
            while at < len(records) // 4_000 * 4_000:
                size = moments.randrange(1, 400)
                worker.take(records[at : at + size])
                at += size
                if moments.random() < 0.5:
                    worker.advance()
            assert worker.committed % 4_000 == 0
            worker.drain()
    log.close()
    assert list(differences(day.content("asked"), day.content("one"))) == []
    recorded = day.table("findings", "asked").column("finding_id").to_pylist()
    assert len(recorded) > 30
    assert set(listener.finding_ids) == set(recorded)
    assert listener.settled == len(list((tmp_path / "asked").rglob("manifest.json")))


def test_findings_do_not_depend_on_where_segments_are_cut(tmp_path: Path) -> None:
    day = Day(tmp_path).record(plan()).run("one").run("small", segment_records=333)
    assert list(differences(day.content("one"), day.content("small"))) == []


def test_a_reaudit_from_the_lake_gives_the_same_bytes(tmp_path: Path) -> None:
    day = Day(tmp_path).record(plan()).run(segment_records=5_000)
    paths = sorted((tmp_path / "lake").rglob("rounds.parquet"))
    assert len(paths) > 2
    for path in paths:
        rounds = pq.read_table(path)
        again, findings = reaudit(rounds)
        assert again.equals(rounds)
        recorded = pq.read_table(path.with_name("findings.parquet"))
        by_replay = pa.compute.invert(pa.compute.starts_with(recorded.column("code"), "GATE-"))
        assert findings_table(findings).equals(recorded.filter(by_replay))
        halves = [reaudit(rounds.slice(0, 7)), reaudit(rounds.slice(7))]
        assert findings_table([finding for _, part in halves for finding in part]).equals(findings_table(findings))
    assert day.table("findings").num_rows > 20


class Controller:
    """Goes on with a table's chain after the simulator stopped."""

    def __init__(self, day: Day, plan: Plan, table_id: str) -> None:
        self.table_id = table_id
        self.key = private_key(plan.seed, table_id)
        log = day.log()
        raws = [
            record.value
            for partition in range(day.partitions)
            for record in log.read(TOPIC, partition, 0, 10**6)
            if record.key == table_id
        ]
        log.close()
        self.events = [json.loads(raw) for raw in raws]
        self.last = raws[-1] if raws else b""

    def say(self, event_type: str, subject: str | None, data: dict[str, object]) -> tuple[str, bytes]:
        seq = self.events[-1]["seq"] + 1
        event = {
            **self.events[-1],
            "id": f"01932b3e-7c00-7abc-8def-{seq:012d}",
            "type": f"muckraker.{event_type}.v1",
            "seq": seq,
            "prevhash": event_hash(self.last) if self.last else GENESIS,
            "subject": subject,
            "data": data,
        }
        event.pop("sig", None)
        if subject is None:
            del event["subject"]
        self.last = sign(json.dumps(event, separators=(",", ":")).encode(), self.key)
        self.events.append(event)
        return self.table_id, self.last


def one_table(tmp_path: Path) -> tuple[Day, Plan]:
    whole = plan(rounds=12, faulty=False)
    few = Plan(whole.seed, DAY, [table for table in whole.tables if table.table_id == "SB-01"], 12)
    return Day(tmp_path).record(few), few


def test_a_correction_after_the_round_gives_a_new_version_and_the_old_one_stays(tmp_path: Path) -> None:
    day, few = one_table(tmp_path)
    day.run()
    controller = Controller(day, few, "SB-01")
    settled = next(
        event
        for event in controller.events
        if event["type"] == "muckraker.wager.settled.v1" and event["data"]["paid_cents"]
    )
    wrong = dict(settled["data"], paid_cents=settled["data"]["paid_cents"] + 500)
    said = {"corrects_seq": settled["seq"], "reason": "camera shows another stack", "by": "S-1", "replacement": wrong}
    day.append([controller.say("round.corrected", settled["subject"], said)])
    day.run()
    versions = [
        (row["version"], row["verdict"])
        for row in day.table("rounds").to_pylist()
        if row["round_id"] == settled["subject"]
    ]
    assert versions == [(1, "verified"), (2, "differs")]
    (finding,) = day.table("findings").to_pylist()
    assert (finding["code"], finding["round_version"], finding["difference_cents"]) == ("SETTLE-101", 2, 500)


def content(day: Day, lake: str) -> tuple[list[str], list[str]]:
    """The rounds and the findings of a lake, every version, whatever segments they are in."""
    rounds, findings = (sorted(map(str, day.table(name, lake).to_pylist())) for name in ("rounds", "findings"))
    return rounds, findings


def test_every_correction_is_a_version_whereever_segments_are_cut(tmp_path: Path) -> None:
    """Three corrections of one round in a row, and a late event: a version each, in one segment or in many."""
    day, few = one_table(tmp_path)
    controller = Controller(day, few, "SB-01")
    settled = next(
        event
        for event in controller.events
        if event["type"] == "muckraker.wager.settled.v1" and event["data"]["paid_cents"]
    )
    right = settled["data"]["paid_cents"]
    for paid in (right + 500, right + 700, right):
        said = {
            "corrects_seq": settled["seq"],
            "reason": "camera shows another stack",
            "by": "S-1",
            "replacement": dict(settled["data"], paid_cents=paid),
        }
        day.append([controller.say("round.corrected", settled["subject"], said)])
    day.run("one").run("small", segment_records=7).run("single", segment_records=1)
    versions = [
        (row["version"], row["verdict"])
        for row in day.table("rounds", "one").to_pylist()
        if row["round_id"] == settled["subject"]
    ]
    assert versions == [(1, "verified"), (2, "differs"), (3, "differs"), (4, "verified")]
    assert content(day, "one") == content(day, "small") == content(day, "single")


@pytest.mark.parametrize("table_id", ["SB-01", "PG-01"])
def test_an_event_that_comes_late_completes_its_round(table_id: str, tmp_path: Path) -> None:
    whole = plan(rounds=12, faulty=False)
    few = Plan(whole.seed, DAY, [table for table in whole.tables if table.table_id == table_id], 12)
    day = Day(tmp_path)
    for name, public in table_keys(few).items():
        day.keys.register(name, public)
    records = list(simulate(few, Labels()))
    late = next(
        at
        for at, (_, raw) in enumerate(records)
        if json.loads(raw)["type"] == "muckraker.wager.settled.v1" and json.loads(raw)["data"].get("paid_cents")
    )
    round_id = json.loads(records[late][1])["subject"]
    day.append(records[:late] + records[late + 1 :])
    day.run()
    day.append([records[late]])
    day.run()
    versions = [
        (row["version"], row["verdict"]) for row in day.table("rounds").to_pylist() if row["round_id"] == round_id
    ]
    assert versions == [(1, "cannot_tell"), (2, "verified")]
    assert [finding["code"] for finding in day.table("findings").to_pylist()] == ["GATE-003", "GATE-005"]


def test_an_empty_log_is_a_lake_with_nothing_in_it(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    done = subprocess.run(muckraker(home.path, "run"), capture_output=True, text=True, check=True)
    assert "Nothing new" in done.stdout
    assert not list((tmp_path / "home" / "lake").rglob("*.parquet"))


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        (b"{", "GATE-006"),
        (b"null", "GATE-006"),
        (b'{"specversion":"1.0"}', "GATE-006"),
        (b"\xff\xfe", "GATE-026"),
        (b"[" * 5_000, "GATE-025"),
    ],
)
def test_garbage_in_the_log_disturbs_nothing_else(broken: bytes, code: str, tmp_path: Path) -> None:
    day, _ = one_table(tmp_path)
    day.append([("SB-99", broken)])
    day.run()
    assert set(day.table("rounds").column("verdict").to_pylist()) == {"verified"}
    (finding,) = day.table("findings").to_pylist()
    assert finding["code"] == code
    refused = [row for row in day.table("events").to_pylist() if row["status"] == "quarantined"]
    assert [row["raw"] for row in refused] == [broken]
