"""The witness over HTTP. A limit on everything: bytes, time, how many at once, how often.

Nobody signs in: what counts is signed. C2SP's ``add-checkpoint`` is one of these calls; a proxy may put TLS before it.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from witness.calls import TEXT, Reply, Witness, in_json
from witness.trouble import Refused

BODY_BYTES_LIMIT: Final = 262_144
CONNECTIONS_LIMIT: Final = 64
REQUEST_SECONDS: Final = 20.0  # for one request, from its first byte to the last of its answer
IDLE_SECONDS: Final = 10.0
RATE: Final = 50.0  # requests a second from one address, over time
BURST: Final = 200.0
ADDRESSES_LIMIT: Final = 10_000


class Rates:
    """A bucket of requests for each address, which fills up again."""

    def __init__(self) -> None:
        self._buckets: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def allow(self, address: str) -> bool:
        now = time.monotonic()
        with self._lock:
            if len(self._buckets) > ADDRESSES_LIMIT:
                self._buckets.clear()
            left, at = self._buckets.get(address, (BURST, now))
            left = min(BURST, left + (now - at) * RATE) - 1
            self._buckets[address] = (max(left, 0.0), now)
        return left >= 0


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "witness", ""
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        self._answer(lambda: self.server.witness.get(address.path, parse_qs(address.query, max_num_fields=4)))

    def do_POST(self) -> None:
        self._answer(lambda: self.server.witness.post(urlsplit(self.path).path, self._body()))

    def parse_request(self) -> bool:
        self.server.due(self.connection, REQUEST_SECONDS)
        return super().parse_request()

    def log_message(self, format: str, *args: object) -> None:
        """A line a request would be a log that anybody fills: what counts is in the journal."""

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or "Transfer-Encoding" in self.headers:
            self.close_connection = True
            raise Refused(411, "length-required", "Say how long the body is.")
        if int(length) > BODY_BYTES_LIMIT:
            self.close_connection = True
            raise Refused(413, "too-large", f"A body has at most {BODY_BYTES_LIMIT:,} bytes.")
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            self.close_connection = True
            raise Refused(400, "unreadable", "The body is cut off.")
        return body

    def _answer(self, call: Callable[[], Reply]) -> None:
        try:
            if not self.server.rates.allow(self.client_address[0]):
                self.close_connection = True
                raise Refused(429, "too-often", "Wait a second.")
            reply = call()
        except Refused as refused:
            reply = self._refusal(refused)
        except ValueError:  # too many fields in a query
            reply = self._refusal(Refused(400, "unreadable", "This cannot be read."))
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
        self.send_header("Referrer-Policy", "no-referrer")
        self.end_headers()
        self.wfile.write(reply.body)

    def _refusal(self, refused: Refused) -> Reply:
        if self.command == "POST" and urlsplit(self.path).path == "/add-checkpoint":
            if refused.code == "size":
                return Reply(f"{refused.detail}\n".encode(), "text/x.tlog.size", refused.status)
            return Reply(f"{refused.detail}\n".encode(), TEXT, refused.status)
        return in_json({"code": refused.code, "detail": refused.detail, **refused.more}, refused.status)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = CONNECTIONS_LIMIT

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        self.witness = witness
        self.rates = Rates()
        self._places = threading.BoundedSemaphore(CONNECTIONS_LIMIT)
        self._due: dict[socket.socket, float] = {}
        self._ended = threading.Event()
        super().__init__(address, Handler)
        threading.Thread(target=self._hurry, daemon=True).start()

    def server_bind(self) -> None:
        """Without asking the network for our own name."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._places.acquire(blocking=False):
            self.shutdown_request(request)
            return
        self.due(request, REQUEST_SECONDS)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._due.pop(request, None)
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller who went away is no error of ours; anything else ends in the supervisor's log."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def due(self, connection: socket.socket, seconds: float) -> None:
        """By when this connection must have said and heard what it wants."""
        self._due[connection] = time.monotonic() + seconds

    def server_close(self) -> None:
        self._ended.set()
        super().server_close()

    def _hurry(self) -> None:
        """Hang up on whoever drips his request in."""
        while not self._ended.wait(1.0):
            now = time.monotonic()
            for connection, due in list(self._due.items()):
                if due < now:
                    self._due.pop(connection, None)
                    try:
                        connection.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        continue
