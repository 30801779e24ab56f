"""A witness over HTTP, as C2SP tlog-witness has it: POST /add-checkpoint, GET /<SHA-256 of the origin>/checkpoint.

On loopback unless told otherwise; whoever offers it to the world puts a proxy with TLS in front. Bodies are bounded,
and a caller who says nothing is hung up on.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ingest.seal.witness import MAX_BODY_BYTES, TEXT, Answer, Witness, WitnessError

SILENCE_S = 10.0
MAX_AT_ONCE = 32
_MONITOR = re.compile(r"/([0-9a-f]{64})/checkpoint\Z")


class WitnessServer(ThreadingHTTPServer):
    """Serves one witness; `address` says where."""

    daemon_threads = True

    def __init__(self, witness: Witness, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__((host, port), _Handler)
        self.witness = witness
        self._room = threading.BoundedSemaphore(MAX_AT_ONCE)

    @property
    def address(self) -> str:
        host, port = self.server_address[:2]
        return f"http://{host if isinstance(host, str) else host.decode()}:{port}"

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._room.acquire(timeout=SILENCE_S):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()


class _Handler(BaseHTTPRequestHandler):
    server: WitnessServer
    protocol_version = "HTTP/1.1"
    server_version = "muckraker-witness"
    sys_version = ""
    timeout = SILENCE_S

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.path != "/add-checkpoint":
            self.close_connection = True  # its body is not read
            self._answer(Answer(404, "there is only POST /add-checkpoint\n"))
        elif not length.isdecimal() or self.headers.get("Transfer-Encoding"):
            self.close_connection = True
            self._answer(Answer(411, "say how long the body is\n"))
        elif int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            self._answer(Answer(413, f"a request has {MAX_BODY_BYTES} bytes at most\n"))
        else:
            body = self.rfile.read(int(length))
            self._answered(lambda: self.server.witness.add_checkpoint(body))

    def do_GET(self) -> None:
        self._answered(self._newest)

    def _newest(self) -> Answer:
        match = _MONITOR.match(self.path)
        newest = self.server.witness.newest_by_hash(match[1]) if match is not None else None
        if newest is None:
            return Answer(404, "no checkpoint of that log was signed here\n")
        return Answer(200, str(newest.note))

    def _answered(self, ask: Callable[[], Answer]) -> None:
        """What is wrong with its own folder is told to its operator, on standard error, and not to the caller."""
        try:
            self._answer(ask())
        except WitnessError as error:
            self._answer(Answer(500, "the witness is in trouble; try again later\n", reason=str(error)))

    def _answer(self, answer: Answer) -> None:
        body = answer.body.encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type or TEXT)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        if answer.reason:
            self.log_message("%s", answer.reason)
