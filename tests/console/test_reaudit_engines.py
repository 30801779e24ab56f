"""Every engine of the re-audit gives the same answers in the same order, and outlives the loss of a worker."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from analytics.warehouse import WarehouseError, committed_segments
from console.reaudit_engines import AHEAD, EngineTrouble, InThisProcess, ProcessPool, local_engine
from console.reaudit_ray import Sight, border_manifests, look, ray_engine, unlike
from console.reaudit_segment import compare_segment
from tests.console.conftest import ROOT, Call, call_command, call_process
from tests.console.pool_work import audited_bytes, dies, dies_once, notes_order


@pytest.fixture(scope="module")
def cut_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checked home whose lake has many small segments, so that there is an order to lose."""
    home = tmp_path_factory.mktemp("cut") / "home"
    plan = ("--tables", "4", "--rounds", "160", "--seed", "3", "--faults", "wrong_payout,fee_not_taken")
    for arguments in (("simulate", *plan, "--fault-rate", "0.05"), ("run", "--segment-records", "250")):
        result = call_command(*arguments, "--home", home)
        assert result.exit_code == 0, result.output
    return home


@pytest.mark.slow
def test_a_pool_gives_the_answers_in_order_and_no_more_ahead_than_allowed(cut_home: Path, tmp_path: Path) -> None:
    segments = committed_segments(cut_home / "lake")
    assert len(segments) > 3 * AHEAD
    pool = ProcessPool(2)
    assert list(pool.answers(audited_bytes, segments)) == list(InThisProcess().answers(audited_bytes, segments))
    answers = pool.answers(partial(notes_order, folder=tmp_path), segments)
    next(answers)
    assert next(answers) and len(list(tmp_path.iterdir())) <= 2 * AHEAD + 2
    answers.close()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_pool_replaces_a_process_that_was_killed(cut_home: Path, tmp_path: Path) -> None:
    segments = committed_segments(cut_home / "lake")[:12]
    work = partial(dies_once, mark=tmp_path / "died", victim=segments[5].name)
    assert list(ProcessPool(2).answers(work, segments)) == [segment.name for segment in segments]
    assert (tmp_path / "died").exists()


@pytest.mark.slow
def test_a_pool_that_loses_every_process_says_so(cut_home: Path) -> None:
    segments = committed_segments(cut_home / "lake")[:2]
    with pytest.raises(EngineTrouble, match=r"was lost 4 times.*fewer --jobs"):
        list(ProcessPool(2).answers(dies, segments))


def test_no_more_processes_than_segments() -> None:
    with local_engine(jobs=64, segments=1) as engine:
        assert engine.processes == 1


@pytest.mark.slow
def test_on_ray_with_two_workers_everything_is_the_same(cut_home: Path, tmp_path: Path, call: Call) -> None:
    """One Ray for all of it: starting one takes seconds.

    In a process of its own (tests/console/ray_driver.py), because Ray stays in a process that has imported it.
    """
    lake = cut_home / "lake"
    segments = committed_segments(lake)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    with tempfile.TemporaryDirectory(prefix="ray", dir="/tmp") as short:  # the path of a socket has to be short
        driver = subprocess.run(
            [sys.executable, "-W", "error", "-m", "tests.console.ray_driver", str(cut_home), str(tmp_path)],
            cwd=ROOT,
            env={**environment, "PYTHONPATH": str(ROOT), "TMPDIR": short, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert driver.returncode == 0, driver.stderr
        assert not os.listdir(short)  # nothing is left behind
    assert not (tmp_path / ".ray").exists()
    said = json.loads(driver.stdout)
    local = [[name, sha256(data).hexdigest()] for name, data in InThisProcess().answers(audited_bytes, segments)]
    assert said["answers"] == local
    assert said["processes"] == 2 and len(set(said["pids"])) == 2
    assert said["after_a_kill"] == [segment.name for segment in segments]
    assert (tmp_path / "died").exists()
    assert "rounds.parquet cannot be read" in said["damaged"] and "WarehouseError" in said["damaged"]
    assert "was lost, 4 times over" in said["lost"]
    assert said["listening"] and all(address.startswith("127.") for address in said["listening"])
    assert said["most_ahead"] <= 2 * AHEAD + 2

    document = json.loads(call("reaudit", "--home", cut_home, "--json").stdout)
    on_ray = said["command"]
    assert (document.pop("engine"), on_ray.pop("engine")) == ("local", "ray")
    assert (document.pop("processes"), on_ray.pop("processes")) == (1, 2)
    for timed in ("seconds", "rounds_per_second"):
        document.pop(timed), on_ray.pop(timed)
    assert document == on_ray and document["rounds"] == 160 and document["identical"]


def test_a_cluster_that_is_not_there_is_an_error_in_one_sentence(cut_home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        result = call_process("reaudit", "--engine", "ray", "--address", address, "--home", cut_home)
    assert result.returncode == 3, result.stderr
    assert f"no Ray cluster can be reached at {address}" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--address", "10.0.0.1:6379"], "give --engine ray with it"),
        (["--engine", "ray", "--address", "tables"], "an address is HOST:PORT, or auto"),
        (["--engine", "ray", "--address", "ray://10.0.0.1:10001"], "is a Ray client address: run this on a node"),
    ],
)
def test_an_address_that_does_not_fit_is_refused(
    call: Call, cut_home: Path, arguments: list[str], message: str
) -> None:
    result = call("reaudit", "--home", cut_home, *arguments)
    assert result.exit_code in (2, 3) and message in result.output


def test_without_ray_the_message_says_what_to_type(call: Call, cut_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # importing it now fails as if it were not installed
    result = call("reaudit", "--engine", "ray", "--home", cut_home)
    assert result.exit_code == 3 and "pip install 'ray" in result.output


def test_an_empty_lake_needs_no_ray(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert call("simulate", "--tables", "1", "--rounds", "1", "--home", tmp_path / "home").exit_code == 0
    result = call("reaudit", "--engine", "ray", "--home", tmp_path / "home", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["rounds"] == 0


# --- do all nodes see the same? --------------------------------------------------------------------------------------


def test_each_partition_shows_its_oldest_and_newest_segment(cut_home: Path) -> None:
    segments = committed_segments(cut_home / "lake")
    manifests = border_manifests(segments)
    assert [path.parent for path in manifests] == sorted(
        border for partition in ("0", "1") for border in _borders([s for s in segments if s.parent.name == partition])
    )
    assert border_manifests(segments[:1]) == [segments[0] / "manifest.json"]


def _borders(segments: list[Path]) -> list[Path]:
    return [segments[0], segments[-1]]


def test_a_node_that_is_unlike_this_machine_is_refused_by_name(cut_home: Path) -> None:
    manifests = border_manifests(committed_segments(cut_home / "lake"))
    ours = look(manifests)
    assert unlike("n1", look(manifests), ours, manifests) is None
    other = Sight("Python 3.12.0, numpy 2.0, pyarrow 17", ours.source, ours.manifests)
    assert "Ray node n1 has Python 3.12.0" in str(unlike("n1", other, ours, manifests))
    other = Sight(ours.software, "0" * 64, ours.manifests)
    assert "another version of Muckraker" in str(unlike("n1", other, ours, manifests))
    elsewhere = [cut_home / "elsewhere" / path.relative_to(cut_home) for path in manifests]
    message = str(unlike("n1", look(elsewhere), ours, manifests))
    assert "does not see this lake" in message and "No such file" in message and str(manifests[0]) in message
    other = Sight(ours.software, ours.source, ("0" * 64, *ours.manifests[1:]))
    assert "another file than here" in str(unlike("n1", other, ours, manifests))


def test_an_unreadable_segment_is_the_error_it_is_here(cut_home: Path, tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match="cannot be read"):
        compare_segment(tmp_path)
    with pytest.raises(EngineTrouble, match="Ray client"), ray_engine(1, "ray://x:1", cut_home, []):
        pass
