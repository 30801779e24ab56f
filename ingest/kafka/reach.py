"""Whether a Kafka cluster answers at all, found out within a time that the asker names.

kafka-python is patient, as a worker must be. Whoever types `muckraker status` wants an answer now, also while the
brokers are down, out of reach, or hang: a connection is made to every bootstrap server at once, and each is asked for
the versions it speaks, the one thing a broker says to anybody.
"""

from __future__ import annotations

import socket
import ssl
import struct
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from ingest.kafka.settings import KafkaSettings
from ingest.kafka.trouble import tls_context
from ingest.log import LogError

_CLIENT = b"muckraker"
_API_VERSIONS = struct.pack(">hhih", 18, 0, 1, len(_CLIENT)) + _CLIENT
_MOST_SERVERS = 8

Answer = TypeVar("Answer")


class NotReachable(LogError):
    """No broker answered in time; the message says what became of each connection."""


def check_reachable(settings: KafkaSettings, patience_s: float) -> None:
    """A NotReachable unless a broker answers within `patience_s`."""
    context = tls_context(settings) if settings.security_protocol.endswith("SSL") else None
    servers = settings.bootstrap_servers[:_MOST_SERVERS]
    answers: SimpleQueue[tuple[str, str | None]] = SimpleQueue()

    def ask(server: str) -> None:
        answers.put((server, _problem_of(server, context, patience_s)))

    for server in servers:
        Thread(target=ask, args=(server,), daemon=True).start()
    deadline = monotonic() + patience_s
    problems = dict.fromkeys(servers, "does not take a connection")
    for _ in servers:
        try:
            server, problem = answers.get(timeout=max(0.0, deadline - monotonic()) + 0.1)
        except Empty:
            break
        if problem is None:
            return
        problems[server] = problem
    said = "; ".join(f"{server} {problem}" for server, problem in problems.items())
    raise NotReachable(
        f"the brokers cannot be reached within {patience_s:g} s ({said}); start them, or correct kafka.toml"
    )


def _problem_of(server: str, context: ssl.SSLContext | None, patience_s: float) -> str | None:
    host, port = server.rsplit(":", 1)
    host = host.strip("[]")
    connected = False
    try:
        with socket.create_connection((host, int(port)), timeout=patience_s) as plain:
            connected = True
            connection = plain if context is None else context.wrap_socket(plain, server_hostname=host)
            with connection:
                connection.sendall(struct.pack(">i", len(_API_VERSIONS)) + _API_VERSIONS)
                return None if connection.recv(1) else "hangs up"
    except TimeoutError:
        return "takes connections and does not answer" if connected else "does not take a connection"
    except ssl.SSLError:
        return None  # it answers, and whoever connects in earnest says what is wrong with that
    except OSError as error:
        return f"cannot be connected to: {error.strerror or error}"


def within(patience_s: float, ask: Callable[[], Answer]) -> Answer:
    """What `ask` answers, or raises. A NotReachable if it takes longer: then it is left to itself."""
    answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            answers.put((ask(), None))
        except BaseException as error:  # noqa: BLE001 - raised again, in the thread that asked
            answers.put((None, error))

    Thread(target=run, daemon=True).start()
    try:
        answer, error = answers.get(timeout=patience_s)
    except Empty:
        raise NotReachable(
            f"the cluster did not answer everything within {patience_s:g} s: a broker hangs or is slow; try again"
        ) from None
    if error is not None:
        raise error
    found: Answer = answer
    return found
