"""`python -m ingest.dev_broker`: run a Kafka to develop with, in the foreground, until Ctrl-C (`make kafka`).

`--prepare` starts nothing: it brings Java, Maven and the jars, or says the one command to type (`make test`).
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from ingest.dev_broker import jars
from ingest.dev_broker.cluster import Cluster
from ingest.dev_broker.java import find_java, install_missing
from ingest.dev_broker.problem import BrokerError

DEFAULT_FOLDER = Path("muckraker-home") / "dev-broker"
_WATCH_S = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m ingest.dev_broker", description="A Kafka to develop with.")
    parser.add_argument("--brokers", type=int, choices=(1, 3), default=1, help="how many brokers (1)")
    parser.add_argument(
        "--folder",
        type=Path,
        help=f"where data and logs are kept ({DEFAULT_FOLDER}-<brokers>)",
    )
    parser.add_argument(
        "--prepare", action="store_true", help="bring what a broker needs (Java, Maven, the jars), and start none"
    )
    said = parser.parse_args()
    try:
        if said.prepare:
            prepare()
        else:
            run(said.folder or DEFAULT_FOLDER.with_name(f"{DEFAULT_FOLDER.name}-{said.brokers}"), said.brokers)
    except BrokerError as error:
        print(f"dev_broker: {error}", file=sys.stderr)
        return 1
    return 0


def prepare() -> None:
    """Silent when everything is there, so that `make test` says nothing about it the second time."""
    cached = jars.are_cached()
    installed = install_missing(cached)
    if installed:
        print(f"Installed {' and '.join(installed)} for the Kafka tests.")
    find_java()
    if not cached:
        print(f"Fetching Apache Kafka by Maven into {jars.cache_folder()} ...", flush=True)
        jars.fetched_jars()


def run(folder: Path, brokers: int) -> None:
    prepare()
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    print(f"Starting {brokers} Kafka broker{'s' if brokers > 1 else ''} in {folder} ...", flush=True)
    cluster = Cluster(folder, brokers)
    try:
        settings = write_settings(folder, cluster)
        print(
            f"Kafka is ready at {cluster.bootstrap}\n\n"
            "A home on it, and a simulated day through it (docs/kafka.md):\n\n"
            f"    muckraker init --home HOME --kafka {settings} --partitions 4\n"
            "    muckraker run --home HOME --follow      # in as many terminals as you like\n"
            "    muckraker simulate --home HOME\n\n"
            f"Its log and data are kept in {folder}, for the next time. Ctrl-C ends it.",
            flush=True,
        )
        while not ended.wait(_WATCH_S):
            for broker in cluster.nodes:
                if not cluster.is_running(broker):
                    raise BrokerError(f"broker {broker} ended; see {cluster.log_path(broker)}, and start it again")
        print("\nEnding the brokers ...", flush=True)
    finally:
        cluster.close(orderly=True)


def write_settings(folder: Path, cluster: Cluster) -> Path:
    """The kafka.toml that leads to this cluster; where it is."""
    path = folder / "kafka.toml"
    servers = ", ".join(f'"{address}"' for address in cluster.bootstrap.split(","))
    path.write_text(f"bootstrap_servers = [{servers}]\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
