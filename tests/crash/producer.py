"""The devices of the crash test: plays a simulated day into Kafka at a steady rate, until told to stop.

`python -m tests.crash.producer HOME SEED DAY FIRST_TABLE TABLES RATE SENT_FILE`. SENT_FILE says how many events
are acknowledged and how many were to be sent at least once, as a device's own memory would: killed at any moment and
started again, it sends what was under way once more. SIGTERM asks it to stop: it waits until everything it sent is
acknowledged, and ends.
"""

from __future__ import annotations

import signal
import sys
import time
from datetime import date
from itertools import islice
from pathlib import Path
from threading import Event
from types import FrameType

from console.home import TOPIC, open_home
from ingest.kafka.log import KafkaLog
from tests.crash.plan import devices, events_of

BURST_S = 0.05
MOST_AT_ONCE = 500  # of all tables: the gate knows again what a table said up to 512 events ago


def main() -> None:
    home, seed, day, first, tables, rate, sent_file = sys.argv[1:]
    stop = Event()

    def on_signal(_: int, __: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    settings = open_home(Path(home)).kafka()
    assert settings is not None, f"{home} is not on a cluster"
    log = KafkaLog(settings)
    memory = Path(sent_file)
    sent, begun = remembered(memory)
    events = islice(events_of(devices(int(seed), date.fromisoformat(day), int(first), int(tables))), sent, None)
    log.append(TOPIC, list(islice(events, begun - sent)))
    sent = begun
    began_s = time.monotonic()
    while True:
        remember(memory, sent, sent)
        if stop.wait(BURST_S):
            break
        due = begun + int((time.monotonic() - began_s) * float(rate)) - sent
        batch = list(islice(events, min(max(0, due), MOST_AT_ONCE)))
        remember(memory, sent, sent + len(batch))
        log.append(TOPIC, batch)
        sent += len(batch)
    log.close()


def remembered(path: Path) -> tuple[int, int]:
    """How many events are acknowledged, and how many were begun with."""
    if not path.exists():
        return 0, 0
    sent, begun = path.read_text().split()
    return int(sent), int(begun)


def remember(path: Path, sent: int, begun: int) -> None:
    writing = path.with_suffix(".writing")
    writing.write_text(f"{sent} {begun}")
    writing.replace(path)


if __name__ == "__main__":
    main()
