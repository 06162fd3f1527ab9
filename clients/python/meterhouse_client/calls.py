"""What a room's calls are made with: a terminal's three ways to ask."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import quote

from meterhouse_client.problems import Json


class Asks(Protocol):
    def get(self, path: str) -> Json: ...

    def look(self, path: str, body: Json = None) -> Json: ...

    def post(self, path: str, body: Json = None, *, key: str | None = None) -> Json: ...


def at(room: str, *words: str | int) -> str:
    """An address within a room; what was read from paper cannot make it another one."""
    return "/".join([room, *(quote(str(word), safe="") for word in words)])
