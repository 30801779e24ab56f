"""A cluster of one or three Kafka brokers in KRaft mode on loopback, whose brokers a test can kill, hang and restart.

Each broker is a JVM with a folder of its own: `broker-1/server.properties`, `data/`, `broker.log`. `cluster.json` keeps
the ports and the cluster's id, so a folder that was used before goes on with its topics, at the same addresses.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from ingest.dev_broker import die_with_parent
from ingest.dev_broker.jars import fetched_jars
from ingest.dev_broker.java import find_java
from ingest.dev_broker.problem import BrokerError
from ingest.dev_broker.properties import HOST, LISTENERS, RELAY, Node, free_ports, is_free, server_properties
from ingest.dev_broker.relay import Relay

START_S = 120.0  # a machine whose cores are all taken needs far longer than the five seconds of an idle one
STOP_S = 20.0
_STATE = "cluster.json"
_FORMATTED = "formatted"
# Started quickly rather than run fast: the first compiler only, the simple collector, the shared class archive.
_JVM = (
    "-Xms64m",
    "-Xmx400m",
    "-Xshare:auto",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Djava.awt.headless=true",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSZ",
)


class Cluster:
    """Brokers numbered from 1, running until `close`; they also die with this process, however it ends.

    `listeners` beyond PLAINTEXT: SSL (clients must show a certificate), SASL_PLAINTEXT and SASL_SSL (SCRAM with
    `users`, name to password; OAUTHBEARER with unsigned tokens). With `authorizer` only PLAINTEXT may do everything,
    and users need ACLs. RELAYED is plain text through a cable that can be pulled (`relays`). The TLS
    files for clients are in `tls_folder`: ca.pem, client.pem, client.key.
    """

    def __init__(
        self,
        folder: str | Path,
        brokers: int = 1,
        listeners: Sequence[str] = ("PLAINTEXT",),
        users: Mapping[str, str] | None = None,
        authorizer: bool = False,
    ) -> None:
        if brokers not in (1, 3):
            raise BrokerError(f"a development cluster has 1 or 3 brokers, not {brokers}")
        unknown = sorted(set(listeners) - set(LISTENERS))
        if unknown:
            raise BrokerError(f"{unknown[0]} is no listener; there are {', '.join(LISTENERS)}")
        self.folder = Path(folder).resolve()
        self._listeners = [name for name in LISTENERS if name == "PLAINTEXT" or name in listeners]
        self._users = dict(users or {})
        self._authorizer = authorizer
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self.relays: dict[int, Relay] = {}  # of each broker's RELAYED listener
        # A child dies with the *thread* that made it (PR_SET_PDEATHSIG), so one, as old as the cluster, makes them all.
        self._spawner = ThreadPoolExecutor(max_workers=1, thread_name_prefix="dev-broker")
        self._lock_file = self._locked_folder()
        try:
            self._cluster_id, self.nodes = self._state(brokers)
            self._java = find_java()
            self._jars = fetched_jars()
            self._format()
            self._start_all()
            self.wait_ready()
            if "RELAYED" in self._listeners:
                for number, node in self.nodes.items():
                    self.relays[number] = Relay(node.ports[RELAY], node.ports["RELAYED"])
        except BaseException:
            self.close()
            raise

    # --- what a test needs ---------------------------------------------------------------------------------------

    @property
    def bootstrap(self) -> str:
        """host:port of every broker's PLAINTEXT listener, comma between."""
        return self.bootstrap_of("PLAINTEXT")

    def bootstrap_of(self, listener: str) -> str:
        return ",".join(node.advertised(listener) for node in self.nodes.values())

    @property
    def tls_folder(self) -> Path:
        """ca.pem, client.pem and client.key, when SSL or SASL_SSL was asked for."""
        return self.folder / "tls"

    def log_path(self, number: int) -> Path:
        """Where broker `number` writes its log."""
        return self._broker_folder(number) / "broker.log"

    def is_running(self, number: int) -> bool:
        process = self._processes.get(self._known(number))
        return process is not None and process.poll() is None

    def kill(self, number: int) -> None:
        """SIGKILL: the power cut."""
        self._end(self._known(number), signal.SIGKILL)

    def stop(self, number: int) -> None:
        """SIGTERM: an orderly shutdown that hands its partitions over; killed when it takes too long."""
        self._end(self._known(number), signal.SIGTERM)

    def start(self, number: int) -> None:
        """Start a broker that is down, on the data and ports it had. Does not wait: see `wait_ready`."""
        if self.is_running(number):
            raise BrokerError(f"broker {number} of {self.folder} is running already")
        node = self.nodes[number]
        taken = [str(port) for name, port in node.ports.items() if name != RELAY and not is_free(port)]
        if taken:
            raise BrokerError(
                f"broker {number} of {self.folder} cannot start: port {', '.join(taken)} of {HOST} is taken; end what "
                "holds it, or use another folder"
            )
        self._processes[number] = self._spawn(number, "kafka.Kafka", [str(self._properties_path(number))])

    def suspend(self, number: int) -> None:
        """SIGSTOP: connections stay open and nothing answers, like a network that hangs."""
        self._signal(number, signal.SIGSTOP)

    def resume(self, number: int) -> None:
        """SIGCONT: go on after `suspend`."""
        self._signal(number, signal.SIGCONT)

    def wait_ready(self, timeout_s: float = START_S) -> None:
        """Return when every broker that was started is part of the cluster and answers."""
        end = time.monotonic() + timeout_s
        wanted = {number for number in self._processes if self.is_running(number) or self._died(number)}
        while True:
            for number in wanted:
                if self._died(number):
                    raise BrokerError(
                        f"broker {number} of {self.folder} ended with {self._processes[number].returncode}; the last "
                        f"lines of {self.log_path(number)}:\n{_last_lines(self.log_path(number))}"
                    )
            seen = self._members()
            if wanted <= seen:
                return
            if time.monotonic() > end:
                missing = ", ".join(str(number) for number in sorted(wanted - seen))
                raise BrokerError(
                    f"broker {missing} of {self.folder} is not ready after {timeout_s:.0f} s; see "
                    f"{self.log_path(min(wanted - seen))}, or give it more time: is the machine busy?"
                )
            time.sleep(0.1)

    def close(self, orderly: bool = False) -> None:
        """End every broker. A killed broker loses nothing it has acknowledged, so tests need no orderly shutdown."""
        if orderly:
            for process in self._processes.values():
                if process.poll() is None:
                    process.send_signal(signal.SIGCONT)
                    process.terminate()
            end = time.monotonic() + STOP_S / 2  # the last one waits for a quorum that is gone
            for process in self._processes.values():
                try:
                    process.wait(max(0.0, end - time.monotonic()))
                except subprocess.TimeoutExpired:
                    break
        for process in self._processes.values():
            if process.poll() is None:
                process.kill()
        for process in self._processes.values():
            process.wait()
        for relay in self.relays.values():
            relay.close()
        self._processes.clear()
        self._spawner.shutdown()
        self._lock_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- the folder ----------------------------------------------------------------------------------------------

    def _locked_folder(self) -> TextIO:
        """Two clusters over one folder would destroy each other's data."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            file = (self.folder / "cluster.lock").open("w")
        except OSError as error:
            raise BrokerError(f"{self.folder} cannot hold a cluster ({error}); name another folder") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise BrokerError(f"a cluster runs in {self.folder} already; end it, or name another folder") from error
        return file

    def _state(self, brokers: int) -> tuple[str, dict[int, Node]]:
        """The cluster's id and nodes: those of the folder's last run, or new ones."""
        path = self.folder / _STATE
        names = [*self._listeners, "CONTROLLER", *([RELAY] if "RELAYED" in self._listeners else [])]
        if path.is_file():
            try:
                said = json.loads(path.read_text(encoding="utf-8"))
                cluster_id, ports = str(said["cluster_id"]), [dict(ports) for ports in said["ports"]]
            except (ValueError, KeyError, TypeError) as error:
                raise BrokerError(f"{path} is damaged ({error}); remove {self.folder}, or name another") from error
            if len(ports) != brokers or any(set(of_node) != set(names) for of_node in ports):
                raise BrokerError(
                    f"{self.folder} holds a cluster of {len(ports)} with listeners {', '.join(ports[0])}, and "
                    f"{brokers} with {', '.join(names)} were asked for; ask for the same, or name another folder"
                )
        else:
            cluster_id = _new_cluster_id()
            free = iter(free_ports(brokers * len(names)))
            ports = [{name: next(free) for name in names} for _ in range(brokers)]
            path.write_text(json.dumps({"cluster_id": cluster_id, "ports": ports}, indent=1), encoding="utf-8")
        return cluster_id, {number: Node(number, of_node) for number, of_node in enumerate(ports, 1)}

    def _broker_folder(self, number: int) -> Path:
        return self.folder / f"broker-{number}"

    def _properties_path(self, number: int) -> Path:
        return self._broker_folder(number) / "server.properties"

    def _format(self) -> None:
        """Write every broker's properties, and format the data folders that are new, side by side."""
        tls = None
        if any(name.endswith("SSL") for name in self._listeners):
            from ingest.dev_broker.certificates import make_certificates  # its library is for development only

            tls = make_certificates(self.tls_folder)
        formatting: dict[int, subprocess.Popen[bytes]] = {}
        for number, node in self.nodes.items():
            folder = self._broker_folder(number)
            folder.mkdir(exist_ok=True)
            self._properties_path(number).write_text(
                server_properties(node, list(self.nodes.values()), folder / "data", tls, self._authorizer),
                encoding="utf-8",
            )
            if not (folder / _FORMATTED).is_file():
                formatting[number] = self._spawn(number, "kafka.tools.StorageTool", self._format_arguments(number))
        for number, process in formatting.items():
            if process.wait() != 0:
                raise BrokerError(
                    f"{self._broker_folder(number)} cannot be formatted:\n{_last_lines(self.log_path(number))}"
                )
            (self._broker_folder(number) / _FORMATTED).touch()

    def _format_arguments(self, number: int) -> list[str]:
        said = ["format", "-t", self._cluster_id, "-c", str(self._properties_path(number)), "--ignore-formatted"]
        for name, password in self._users.items():
            for mechanism in ("SCRAM-SHA-256", "SCRAM-SHA-512"):
                said += ["--add-scram", f"{mechanism}=[name={name},password={password}]"]
        return said

    # --- processes -----------------------------------------------------------------------------------------------

    def _start_all(self) -> None:
        for number in self.nodes:
            self.start(number)

    def _spawn(self, number: int, main_class: str, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        command = [self._java, *_JVM, "-cp", f"{self._jars}/*", main_class, *arguments]
        python = [sys.executable, "-I", "-S", die_with_parent.__file__, str(os.getpid())]

        def run() -> subprocess.Popen[bytes]:
            with self.log_path(number).open("ab") as log:
                return subprocess.Popen(
                    [*python, *command],
                    cwd=self._broker_folder(number),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # Ctrl-C in a terminal is for us, who then end the brokers in order
                )

        return self._spawner.submit(run).result()

    def _known(self, number: int) -> int:
        if number not in self.nodes:
            raise BrokerError(f"{self.folder} has brokers 1 to {len(self.nodes)}, not {number}")
        return number

    def _died(self, number: int) -> bool:
        """Ended without having been asked to."""
        process = self._processes.get(number)
        return process is not None and process.poll() is not None

    def _signal(self, number: int, sign: signal.Signals) -> None:
        if not self.is_running(number):
            raise BrokerError(f"broker {number} of {self.folder} is not running; start it first")
        self._processes[number].send_signal(sign)

    def _end(self, number: int, sign: signal.Signals) -> None:
        process = self._processes.pop(number, None)
        if process is None:
            return
        process.send_signal(sign)
        if sign is not signal.SIGKILL:
            process.send_signal(signal.SIGCONT)  # one that hangs would never hear of it
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _members(self) -> set[int]:
        """The brokers that are registered, not fenced, and answer for themselves."""
        from ingest.dev_broker.membership import answering_brokers

        addresses = {number: self.nodes[number].address("PLAINTEXT") for number in self._processes}
        return answering_brokers(addresses)


def _new_cluster_id() -> str:
    """As Kafka makes them: 22 characters, the first no hyphen, or it would be taken for an option."""
    while True:
        cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not cluster_id.startswith("-"):
            return cluster_id


def _last_lines(path: Path, count: int = 12) -> str:
    try:
        return "\n".join(path.read_text(encoding="utf-8", errors="replace").splitlines()[-count:])
    except OSError as error:
        return f"({error})"
