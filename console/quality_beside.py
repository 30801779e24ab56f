"""Data quality beside a worker that runs on: checked by a process of its own, at low priority, now and then.

The worker never waits for it and never loads Great Expectations. The process is `muckraker quality --beside`; where
several workers share a lake, one of theirs checks and the others' find it busy. Stopping the worker stops it, at any
moment: what it finished is kept.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

import orjson

from console.home import TOPIC, Home
from ingest.lake import LakeError

EVERY_S = 600.0
FIRST_S = 60.0
_LOOK_S = 0.2
_STOP_S = 10.0

logger = logging.getLogger("muckraker.quality")


@contextmanager
def checking_beside(home: Home, stop: Event, every_s: float = EVERY_S, first_s: float = FIRST_S) -> Iterator[None]:
    """As long as this lasts, and until `stop` is set, new segments are checked within about `every_s`."""
    thread = Thread(target=_check_again, args=(home, stop, every_s, first_s), name="quality", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _check_again(home: Home, stop: Event, every_s: float, first_s: float) -> None:
    checked: list[int] | None = None
    wait_s = first_s
    while not stop.wait(wait_s):
        wait_s = every_s
        try:
            there = _positions(home)
        except LakeError as error:
            logger.warning("data quality was not checked", extra={"error": str(error)})
            continue
        if there != checked and _check_once(home, stop):
            checked = there


def _positions(home: Home) -> list[int]:
    lake = home.lake()
    return [lake.position(TOPIC, partition) for partition in lake.partitions(TOPIC)]


def _check_once(home: Home, stop: Event) -> bool:
    """Whether it was checked to the end."""
    command = [sys.executable, "-m", "console.main", "quality", "--beside", "--json", "--home", str(home.path)]
    began = monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        said: tuple[bytes, bytes] | None = None
        while said is None:
            try:
                said = process.communicate(timeout=_LOOK_S)
            except subprocess.TimeoutExpired:
                if stop.is_set():
                    _end(process)
                    return False
        out, err = said
        if process.returncode:
            words = err.decode("utf-8", "replace").strip().splitlines()
            logger.warning(
                "data quality could not be checked",
                extra={"exit": process.returncode, "error": words[-1] if words else ""},
            )
            return False
    new = orjson.loads(out)["checked"]
    logger.info("data quality checked", extra={**new, "seconds": round(monotonic() - began, 1)})
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.communicate(timeout=_STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
