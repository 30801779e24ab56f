"""Runs the Ray engine in a process of its own and prints what came of it, for test_reaudit_engines.py."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from analytics.warehouse import committed_segments
from console.reaudit_engines import EngineTrouble
from console.reaudit_ray import ray_engine
from console.reaudit_segment import compare_segment
from tests.console.conftest import call_process
from tests.console.pool_work import audited_bytes, dies, dies_once, notes_order


def pid_of(segment: Path) -> int:
    return os.getpid()


def listening(pids: set[int]) -> list[str]:
    """The addresses these processes listen on, from /proc: hexadecimal, the last byte first."""
    sockets = {os.readlink(fd) for pid in pids for fd in _descriptors(pid)}
    inodes = {name[8:-1] for name in sockets if name.startswith("socket:[")}
    addresses = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            words = line.split()
            if words[3] == "0A" and words[9] in inodes:
                last_four = bytes.fromhex(words[1].split(":")[0][-8:])[::-1]
                addresses.append(".".join(map(str, last_four)))
    return addresses


def _descriptors(pid: int) -> list[str]:
    folder = f"/proc/{pid}/fd"
    found = []
    for name in os.listdir(folder):
        path = f"{folder}/{name}"
        if os.path.islink(path):
            found.append(path)
    return found


def descendants(pid: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has just ended
    found, before = {pid}, 0
    while len(found) != before:
        before = len(found)
        found |= {child for child, parent in parents.items() if parent in found}
    return found


def main() -> None:
    home, tmp = Path(sys.argv[1]), Path(sys.argv[2])
    lake = home / "lake"
    segments = committed_segments(lake)
    said: dict[str, Any] = {}
    with ray_engine(2, None, lake, segments) as engine:
        import ray

        said["processes"] = engine.processes
        said["answers"] = [(name, sha256(data).hexdigest()) for name, data in engine.answers(audited_bytes, segments)]
        said["pids"] = list(engine.answers(pid_of, segments))
        said["listening"] = listening(descendants(os.getpid()))
        work = partial(dies_once, mark=tmp / "died", victim=segments[5].name)
        said["after_a_kill"] = list(engine.answers(work, segments))
        (tmp / "begun").mkdir()
        answers = engine.answers(partial(notes_order, folder=tmp / "begun"), segments)
        next(answers)
        said["most_ahead"] = len(list((tmp / "begun").iterdir()))
        answers.close()  # type: ignore[attr-defined]
        try:
            (tmp / "empty").mkdir()
            list(engine.answers(compare_segment, [tmp / "empty"]))
        except Exception as error:  # noqa: BLE001 - which one it is is what the test asks
            said["damaged"] = f"{type(error).__name__}: {error}"
        try:
            list(engine.answers(dies, segments[:1]))
        except EngineTrouble as error:
            said["lost"] = str(error)
        address = ray.get_runtime_context().gcs_address
        result = call_process("reaudit", "--engine", "ray", "--address", address, "--home", home, "--json")
        assert result.returncode == 0, result.stderr
        said["command"] = json.loads(result.stdout)
    print(json.dumps(said))


if __name__ == "__main__":
    main()
