"""The devices of the crash test: plays a simulated day into Kafka at a steady rate, until told to stop.

`python -m benchmarks.crash_producer HOME SEED FIRST_TABLE TABLES RATE DONE_FILE`. SIGTERM asks it to stop: it waits
until everything it sent is acknowledged, writes how many events that was into DONE_FILE, and ends.
"""

from __future__ import annotations

import signal
import sys
import time
from itertools import islice
from pathlib import Path
from threading import Event
from types import FrameType

from benchmarks.crash_plan import devices, events_of
from console.home import TOPIC, open_home
from ingest.kafka_log import KafkaLog

BURST_S = 0.05


def main() -> None:
    home, seed, first, tables, rate, done_file = sys.argv[1:]
    stop = Event()

    def on_signal(_: int, __: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    settings = open_home(Path(home)).kafka()
    assert settings is not None, f"{home} is not on a cluster"
    log = KafkaLog(settings)
    sent = 0
    began = time.monotonic()
    events = events_of(devices(int(seed), int(first), int(tables)))
    while not stop.is_set():
        due = int((time.monotonic() - began) * float(rate)) - sent
        batch = list(islice(events, max(0, due)))
        log.append(TOPIC, batch)
        sent += len(batch)
        stop.wait(BURST_S)
    log.close()
    Path(done_file).write_text(str(sent))


if __name__ == "__main__":
    main()
