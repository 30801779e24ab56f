"""Work killed just before the n-th thing it does to the disk, for every n: the harness of the kill tests."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

CHANGES = frozenset({"open", "os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir"})


def ready_to_kill() -> None:
    """A process that forks must have no other threads; and what is killed, not cut off its power, needs no fsync."""
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    os.fsync = _no_fsync


def _no_fsync(fd: object) -> None:
    """Whatever a process wrote before it is killed is there afterwards."""


def killed_at(step: int, folder: Path, work: Callable[[], None], changes: frozenset[str] = CHANGES) -> bool:
    """Do the work in a child process that is killed before its step-th change under `folder`; whether it got so far."""
    child = os.fork()
    if child == 0:
        seen = 0
        mine = str(folder)

        def watch(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal seen
            if event not in changes:
                return
            if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
                return
            # rmtree names what is in a folder without the folder
            if event in ("os.remove", "os.rmdir") or str(arguments[0]).startswith(mine):
                seen += 1
                if seen == step:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - this process ends here, whatever it is
            print(f"step {step}: {error!r}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, f"step {step}: the work failed by itself"
    return os.WIFSIGNALED(status)
