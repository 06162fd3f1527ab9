"""The line to the house: one request, one answer, or the line is lost. Kept open from call to call, one a thread."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from meterhouse_client.problems import Json, Trouble

LOST: Final = (OSError, http.client.HTTPException)  # what happens when it is


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: Json
    headers: dict[str, str] = field(default_factory=dict)
    """By their names in small letters."""


class Line:
    def __init__(self, address: str, *, token: str, timeout_seconds: float, context: ssl.SSLContext | None) -> None:
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Trouble(f"{address!r} is no address of a house: write https://house.example.")
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._base = parts.path.rstrip("/") + "/api/v1/"
        self._token, self._timeout_seconds, self._context = token, timeout_seconds, context
        self._each = threading.local()

    def ask(self, method: str, path: str, body: Json = None, **headers: str) -> Answer:
        """One of ``LOST`` where there is no whole answer; whether it was done is then not known."""
        sent = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **headers}
        data = None
        if method != "GET":
            data = json.dumps({} if body is None else body).encode()
            sent["Content-Type"] = "application/json"
        line = self._open()
        try:
            line.request(method, self._base + path, body=data, headers=sent)
            answer = line.getresponse()
            content = answer.read()
        except LOST:
            self.hang_up()
            raise
        return Answer(answer.status, _read(content), {name.lower(): value for name, value in answer.getheaders()})

    def hang_up(self) -> None:
        line: http.client.HTTPConnection | None = getattr(self._each, "line", None)
        self._each.line = None
        if line is not None:
            line.close()

    def _open(self) -> http.client.HTTPConnection:
        line: http.client.HTTPConnection | None = getattr(self._each, "line", None)
        if line is None:
            if self._secure:
                line = http.client.HTTPSConnection(
                    self._host, self._port, timeout=self._timeout_seconds, context=self._context
                )
            else:
                line = http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_seconds)
            self._each.line = line
        return line


def _read(content: bytes) -> Json:
    """What is no JSON comes from something in between, a proxy's page say: its status tells enough."""
    try:
        read: Json = json.loads(content) if content else None
    except ValueError:
        return None
    return read
