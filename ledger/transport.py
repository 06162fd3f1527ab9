"""How the house reaches the witness: short calls over HTTP with a limit on time and size, and two ways to fail."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from django.conf import settings

from kernel.environment import own_witness

PATIENCE_SECONDS: Final = 3.0
BYTES_LIMIT: Final = 2_000_000
STOPPED: Final = "This witness has stopped for ever"  # also where it answers in plain text, as C2SP has it


class Away(Exception):
    """Nobody answers there, or nobody who talks like a witness: try again later."""


class SaidNo(Exception):
    """The witness answered, and refused."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        try:
            said = json.loads(body)
            self.code, detail = str(said["code"]), str(said["detail"])
        except (ValueError, KeyError, TypeError):
            self.code, detail = "", body.decode(errors="replace").strip()
        if status == 503 and detail.startswith(STOPPED):
            self.code = "stopped"
        self.size = int(detail) if status == 409 and detail.isascii() and detail.isdigit() else None
        super().__init__(f"{status}: {detail[:300]}")


class _Straight(HTTPRedirectHandler):
    """A witness is where it was said to be."""

    def redirect_request(self, *args: object, **more: object) -> None:
        return None


_opener = build_opener(ProxyHandler({}), _Straight())


def address() -> str:
    """Where the witness is: WITNESS_URL, or the one beside us; empty where there is none."""
    return settings.WITNESS_URL or own_witness()


def call(path: str, body: bytes | None = None) -> bytes:
    """GET, or POST where there is a body. Raises Away or SaidNo."""
    url = address()
    if urlsplit(url).scheme not in ("http", "https"):
        raise Away("No witness runs here, and WITNESS_URL names none.")
    try:
        with _opener.open(Request(url + path, body), timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
            given = answer.read(BYTES_LIMIT + 1)
    except HTTPError as error:
        with error:
            raise SaidNo(error.code, error.read(BYTES_LIMIT)) from None
    except (OSError, ValueError) as error:  # refused, too late, broken off, not HTTP
        raise Away(f"The witness at {url} does not answer: {error}.") from None
    if len(given) > BYTES_LIMIT:
        raise Away(f"The witness at {url} says too much.")
    return bytes(given)


def call_json(path: str, said: object = None) -> Any:
    answer = call(path, None if said is None else json.dumps(said).encode())
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        raise Away("What answers there is no witness.") from None
