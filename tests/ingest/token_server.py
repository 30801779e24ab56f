"""An endpoint that gives out tokens, on loopback."""

from __future__ import annotations

import json
import ssl
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from ingest.dev_broker.certificates import make_certificates


class TokenServer:
    """An identity provider of our own, over TLS, that counts and remembers what it was asked."""

    def __init__(self, folder: Path) -> None:
        tls = make_certificates(folder)
        self.ca_file = tls.truststore
        self.asked: list[tuple[str, dict[str, list[str]]]] = []
        self.status = 200
        self.answer: object = {"access_token": "token-1", "expires_in": 3600}
        self.headers: dict[str, str] = {}
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                served.asked.append((self.headers["Authorization"], urllib.parse.parse_qs(body)))
                self.send_response(served.status)
                for name, value in served.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(json.dumps(served.answer).encode())

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls.keystore)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
