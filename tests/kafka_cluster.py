"""One Kafka broker for all the tests of a run, however many processes run them, and topic names no two tests share.

The process that needs it first starts it; each one that uses it holds a shared lock, and the one that started it waits
for the others before it ends the broker. The system drops the locks of a process that crashes.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.dev_broker import Cluster

_numbers = itertools.count(1)


def unique_topic(stem: str = "events") -> str:
    """A topic name of its own for each call, in this process or another."""
    return f"{stem}-{os.getpid()}-{next(_numbers)}"


@contextmanager
def shared_broker(folder: Path) -> Iterator[str]:
    """The bootstrap address of the one broker of this test run, whose processes share `folder`."""
    address = folder / "kafka-address"
    users = folder / "kafka-users.lock"
    cluster: Cluster | None = None
    with users.open("w") as using:
        try:
            with _locked(folder / "kafka-start.lock"):
                if not _answers(address):
                    cluster = Cluster(folder / f"kafka-{os.getpid()}")
                    address.write_text(cluster.bootstrap, encoding="utf-8")
                bootstrap = address.read_text(encoding="utf-8")
                fcntl.flock(using, fcntl.LOCK_SH)
            yield bootstrap
        finally:
            fcntl.flock(using, fcntl.LOCK_UN)
            if cluster is not None:
                with _locked(folder / "kafka-start.lock"):
                    address.unlink(missing_ok=True)  # whoever comes now starts another
                with users.open("w") as last:
                    fcntl.flock(last, fcntl.LOCK_EX)  # waits until nobody uses this one
                cluster.close()


def _answers(address: Path) -> bool:
    """Whether there is a broker: the process that started it may have been killed, and it died with that."""
    if not address.is_file():
        return False
    host, port = address.read_text(encoding="utf-8").rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), timeout=5.0).close()
    except OSError:
        return False
    return True


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
