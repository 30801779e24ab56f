"""A cable to a broker that can be pulled: clients connect to the relay, the relay to the broker.

Killing and stopping a broker tests what a broken machine does. A broken network is another thing: the broker is well,
its peers see it, and one client does not. `cut` drops what is on the wire and answers nobody; `mend` lets new
connections through again (those that were cut stay dead, as after a real cut).
"""

from __future__ import annotations

import contextlib
import selectors
import socket
from threading import Lock, Thread

from ingest.dev_broker.properties import HOST

_CHUNK = 65_536
_CONNECT_S = 2.0


class Relay:
    """Listens on `port` and passes every connection on to `target`, until closed."""

    def __init__(self, port: int, target: int) -> None:
        self.port = port
        self._target = target
        self._cut = False
        self._closed = False
        self._lock = Lock()
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._listener = socket.create_server((HOST, port), backlog=64)
        self._thread = Thread(target=self._accept, name=f"relay {port}", daemon=True)
        self._thread.start()

    @property
    def connections(self) -> int:
        return len(self._pairs)

    def cut(self) -> None:
        """Nothing comes through any more, in either direction; who connects is refused."""
        with self._lock:
            self._cut = True
            pairs, self._pairs = self._pairs, set()
        for pair in pairs:
            _hang_up(pair)

    def mend(self) -> None:
        self._cut = False

    def close(self) -> None:
        self._closed = True
        self._listener.close()
        self.cut()
        self._thread.join(_CONNECT_S)

    def _accept(self) -> None:
        while not self._closed:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            if self._cut:
                client.close()
                continue
            try:
                broker = socket.create_connection((HOST, self._target), timeout=_CONNECT_S)
            except OSError:
                client.close()  # the broker is down: the client sees what it would have seen
                continue
            broker.settimeout(None)
            pair = (client, broker)
            with self._lock:
                if self._cut:
                    _hang_up(pair)
                    continue
                self._pairs.add(pair)
            Thread(target=self._pass_on, args=(pair,), name=f"relay {self.port} connection", daemon=True).start()

    def _pass_on(self, pair: tuple[socket.socket, socket.socket]) -> None:
        client, broker = pair
        with selectors.DefaultSelector() as ready:
            try:
                for ends in (pair, (broker, client)):
                    ready.register(ends[0], selectors.EVENT_READ, ends)
                while pair in self._pairs:
                    for key, _ in ready.select(0.5):
                        end, way_out = key.data
                        data = end.recv(_CHUNK)
                        if not data:
                            return
                        way_out.sendall(data)
            except (OSError, ValueError):
                pass  # cut, or one of the two hung up: the other is told below
            finally:
                with self._lock:
                    self._pairs.discard(pair)
                _hang_up(pair)


def _hang_up(pair: tuple[socket.socket, socket.socket]) -> None:
    for end in pair:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
