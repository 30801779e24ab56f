"""The Ray engine of `muckraker reaudit`: the same function over the same segments, on many machines.

Ray is an optional extra, imported when it is asked for. Without an address a Ray of its own is started on this machine,
reachable over loopback only, and ended again; with one, the work goes to that cluster. The machines read the segments
themselves, by the same path, so before anything runs each of them is asked to show that it

- has this Muckraker: the same source, Python, NumPy and pyarrow, since other rules would give other verdicts;
- sees this lake: the oldest and newest segment of each partition, with the same manifest.

A task whose worker or machine is lost is given out again by Ray. An error in the data is raised as it would be here.
"""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import socket
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from console.reaudit_engines import AHEAD, MOST_LOSSES, Answer, EngineTrouble

INSTALL = "pip install 'ray>=2.50,<3'"
LOOK_SECONDS = 120
"""A node gets so long to import Muckraker and look at the lake; a cold network disk may need a minute."""
REACH_SECONDS = 10
OBJECT_STORE_BYTES = 128 << 20
"""What a Ray of our own sets aside for answers: they are small."""
_PACKAGES = ("schemas", "replay", "analytics", "console")
_OURS = frozenset({".py", ".yaml", ".sql", ".json"})
_LOOPBACK = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # despite its name: without it Ray listens on every network interface
    "RAY_AUTH_MODE": "token",
}


@dataclass(frozen=True)
class Sight:
    """What a machine has and sees."""

    software: str
    source: str
    manifests: tuple[str, ...]


def border_manifests(segments: Sequence[Path]) -> list[Path]:
    """The manifests of the oldest and newest segment of each partition."""
    borders: dict[Path, tuple[Path, Path]] = {}
    for segment in segments:
        first, _ = borders.get(segment.parent, (segment, segment))
        borders[segment.parent] = (first, segment)
    return [path / "manifest.json" for pair in borders.values() for path in dict.fromkeys(pair)]


def look(manifests: Sequence[Path]) -> Sight:
    """What this machine has and sees; run on every node and here."""
    seen = []
    for path in manifests:
        try:
            seen.append(sha256(path.read_bytes()).hexdigest())
        except OSError as error:
            seen.append(f"not readable: {error.strerror}")
    python = ".".join(map(str, sys.version_info[:3]))
    software = f"Python {python}, numpy {version('numpy')}, pyarrow {version('pyarrow')}"
    return Sight(software, _source_digest(), tuple(seen))


def _source_digest() -> str:
    """One hash over Muckraker's own files: the rules are among them."""
    root = Path(__file__).resolve().parent.parent
    digest = sha256()
    for package in _PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix in _OURS and "__pycache__" not in path.parts:
                data = path.read_bytes()
                digest.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode())
                digest.update(data)
    return digest.hexdigest()


def unlike(node: str, its: Sight, ours: Sight, manifests: Sequence[Path]) -> str | None:
    """Why the node cannot take part, in a sentence; None when it can."""
    if its.software != ours.software:
        return (
            f"Ray node {node} has {its.software}, and this machine {ours.software}: install the same on both, so that "
            "both come to the same verdicts"
        )
    if its.source != ours.source:
        return f"Ray node {node} has another version of Muckraker: install the same one on every node"
    for path, theirs, here in zip(manifests, its.manifests, ours.manifests, strict=True):
        if theirs != here:
            problem = theirs if theirs.startswith("not readable") else "another file than here"
            return (
                f"Ray node {node} does not see this lake: {path} is {problem}; every node must have the lake's folder "
                "under the same path (a network file system)"
            )
    return None


class RayTasks:
    """Segments as Ray tasks, in the order given, no more than `AHEAD` for each process at a time."""

    def __init__(self, ray: Any, processes: int) -> None:
        self._ray = ray
        self.processes = processes

    def answers(self, work: Callable[[Path], Answer], segments: Sequence[Path]) -> Iterator[Answer]:
        task = self._ray.remote(max_retries=MOST_LOSSES, num_cpus=1)(_called)
        shared = self._ray.put(work)  # once a cluster, not once a segment
        waiting = deque(segments)
        given: deque[tuple[Path, Any]] = deque()
        try:
            while waiting or given:
                while waiting and len(given) < self.processes * AHEAD:
                    segment = waiting.popleft()
                    given.append((segment, task.remote(shared, segment)))
                segment, promised = given[0]
                answer: Answer = self._got(segment, promised)
                given.popleft()
                yield answer
        finally:
            for _, promised in given:
                self._ray.cancel(promised)

    def _got(self, segment: Path, promised: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(promised)
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, Exception):
                raise cause from None
            raise EngineTrouble(f"{segment}: the task failed: {_first_line(error)}") from error
        except errors.RayError as error:
            raise EngineTrouble(
                f"{segment}: the worker auditing it was lost, {MOST_LOSSES + 1} times over: {_first_line(error)}; see "
                "to the cluster (`ray status`; is there memory enough?) and run again, the lake is untouched"
            ) from error


def _called(work: Callable[[Path], Answer], segment: Path) -> Answer:
    return work(segment)


@contextmanager
def ray_engine(jobs: int | None, address: str | None, lake: Path, segments: Sequence[Path]) -> Iterator[RayTasks]:
    """Connect to the cluster at `address`, or start one here, and see that every node can do the work."""
    if address is not None and address.startswith("ray://"):
        raise EngineTrouble(
            f"{address} is a Ray client address: run this on a node of the cluster and give --address auto or "
            "HOST:PORT, or hand it to the cluster with `ray job submit`"
        )
    folder = Path(tempfile.mkdtemp(prefix="muckraker-ray-")) if address is None else None
    own = dict(_LOOPBACK, RAY_AUTH_TOKEN=secrets.token_hex(32)) if address is None else {}
    try:
        # Ray tells of lost workers on standard output, where the answer belongs.
        with _environment({"RAY_USAGE_STATS_ENABLED": "0", **own}), redirect_stdout(sys.stderr):
            ray = _ray()
            _connect(ray, address, folder, jobs)
            try:
                manifests = border_manifests(segments)
                processors = _check_nodes(ray, manifests, lake)
                yield RayTasks(ray, max(1, min(jobs or processors, processors, max(1, len(segments)))))
            finally:
                ray.shutdown()
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)  # Ray's sockets and logs; its processes may still be closing them


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise EngineTrouble(f"Ray is not installed ({error}): type {INSTALL}, or leave --engine ray out") from error
    return ray


def _connect(ray: Any, address: str | None, folder: Path | None, jobs: int | None) -> None:
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if address is None:
        settings |= {
            "address": "local",
            "num_cpus": min(jobs, os.cpu_count() or 1) if jobs else os.cpu_count() or 1,
            "include_dashboard": False,
            "object_store_memory": OBJECT_STORE_BYTES,
            "_temp_dir": str(folder),
        }
    else:
        settings["address"] = address
    where = "a local Ray cannot be started" if address is None else f"no Ray cluster can be reached at {address}"
    way_out = "see the message above" if address is None else "see that `ray start` ran there and the port is open"
    try:
        if address is not None and address != "auto":
            _reach(address)
        ray.init(**settings)
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        raise EngineTrouble(f"{where}: {_first_line(error)}; {way_out}") from error


def _reach(address: str) -> None:
    """An OSError at once when nobody answers there: Ray itself would go on trying for minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise ValueError("an address is HOST:PORT, or auto")
    socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_SECONDS).close()


def _check_nodes(ray: Any, manifests: Sequence[Path], lake: Path) -> int:
    """See that every node can do the work; how many processors they have together."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    if not nodes:
        raise EngineTrouble("the Ray cluster has no node with a processor to give: start one with `ray start`")
    seeing = ray.remote(num_cpus=0, max_retries=MOST_LOSSES)(look)
    asked = [
        seeing.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote(manifests)
        for node in nodes
    ]
    ours = look(manifests)
    for node, promised in zip(nodes, asked, strict=True):
        name = node["NodeManagerHostname"] or node["NodeManagerAddress"]
        try:
            its = ray.get(promised, timeout=LOOK_SECONDS)
        except ray.exceptions.RayTaskError as error:
            raise EngineTrouble(
                f"Ray node {name} cannot run Muckraker ({_first_line(error.cause)}): install the same version on every "
                "node"
            ) from error
        except ray.exceptions.GetTimeoutError as error:
            raise EngineTrouble(
                f"Ray node {name} did not answer in {LOOK_SECONDS} s: is it busy, or {lake} slow to read there?"
            ) from error
        except ray.exceptions.RayError as error:
            raise EngineTrouble(f"Ray node {name} was lost: {_first_line(error)}; see `ray status`") from error
        problem = unlike(name, its, ours, manifests)
        if problem is not None:
            raise EngineTrouble(problem)
    return int(sum(node["Resources"]["CPU"] for node in nodes))


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """Variables for Ray and the processes it starts; what the user has set himself stays."""
    added = [name for name in wanted if name not in os.environ]
    for name in added:
        os.environ[name] = wanted[name]
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
