"""Bodies that do not come: after so many seconds the caller is told so (408), and his connection is ended.

granian waits for a body as long as the caller likes, in a thread that nothing interrupts but the end of the connection;
and it does not say which connection a request came by. So each who is late is answered with words of a length that
nobody else's have: the socket on which just so many bytes were written is his. Only those who are late cost anything.
"""

from __future__ import annotations

import array
import fcntl
import os
import random
import socket
import struct
import sys
import termios
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Protocol

import structlog

LOOK_SECONDS: Final = 0.5
_WRITTEN_LOOKS: Final = 20
_WRITTEN_SECONDS: Final = 0.1  # between two of them
_STATUS: Final = "HTTP/1.1 408 Request Timeout\r\n"
_PADDING: Final = range(100, 50_000)  # far more than may be late at once, and little enough to be written in one go
_ACKNOWLEDGED_AT: Final = 120  # tcpi_bytes_acked in Linux's struct tcp_info

Headers = list[tuple[str, str]]
log = structlog.get_logger(__name__)


class Line(Protocol):
    """granian's way back to the caller. Only the first answer counts."""

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None: ...
    def response_iter(self, status: int, headers: Headers, body: object) -> None: ...


Late = tuple[Line, str]  # and his address


class Watch:
    """Who is waited for, and until when."""

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[float, Late]] = {}
        threading.Thread(target=self._run, name="watch for late bodies", daemon=True).start()

    @contextmanager
    def over(self, line: Line, address: str, *, until: float) -> Iterator[None]:
        self._waiting[id(line)] = (until, (line, address))
        try:
            yield
        finally:
            self._waiting.pop(id(line), None)

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            now = time.monotonic()
            late = [
                who
                for name, (until, who) in list(self._waiting.items())
                if until < now and self._waiting.pop(name, None) is not None
            ]
            if late:
                log.warning("slow bodies cut off", count=len(late), addresses=sorted({who[1] for who in late})[:5])
                cut_off(late)


def cut_off(late: list[Late]) -> None:
    before = {peer: written for _, peer, written in _connections()}
    sent = set()
    for (line, address), padding in zip(late, random.sample(_PADDING, len(late)), strict=True):
        sent.add((address, _say_late(line, padding)))
    for _ in range(_WRITTEN_LOOKS):
        time.sleep(_WRITTEN_SECONDS)
        for number, peer, written in _connections():
            his = (peer[0], written - before.get(peer, 0))
            if his in sent:
                sent.remove(his)
                with suppress(OSError), _borrowed(number) as found:
                    found.shutdown(socket.SHUT_RDWR)
        if not sent:
            return


def _say_late(line: Line, padding: int) -> int:
    """How many bytes that is on the wire: every header is named, so that the server adds none."""
    body = b"The request took too long to arrive.".ljust(padding) + b"\n"
    headers = [
        ("server", "meterhouse"),
        ("connection", "close"),
        ("content-type", "text/plain"),
        ("content-length", str(len(body))),
        ("date", time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())),
    ]
    line.response_bytes(408, headers, body)
    return len(_STATUS) + sum(len(name) + len(value) + 4 for name, value in headers) + 2 + len(body)


def _connections() -> Iterable[tuple[int, tuple[str, int], int]]:
    """Those of this process: number, who is at the other side, how many bytes were ever written to him."""
    if not sys.platform.startswith("linux"):
        return  # nobody is ended there; those who are late hold their threads until they go
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError), _borrowed(int(name)) as found:
            info = found.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
            underway = array.array("i", [0])
            fcntl.ioctl(found, termios.TIOCOUTQ, underway)
            written = struct.unpack_from("Q", info, _ACKNOWLEDGED_AT)[0] + underway[0]
            yield int(name), found.getpeername()[:2], written


@contextmanager
def _borrowed(number: int) -> Iterator[socket.socket]:
    """A socket by its number, which stays open."""
    found = socket.socket(fileno=number)
    try:
        yield found
    finally:
        found.detach()


def end_stalled_readers(*, seconds: float, patience: int = 100) -> None:
    """Have the system end connections whose other side takes nothing for so long. What is accepted inherits it from
    the listening socket, which granian makes for itself once it serves."""
    if not sys.platform.startswith("linux"):
        return
    for _ in range(patience):
        time.sleep(0.1)
        if sum(_set_timeout(int(name), seconds) for name in os.listdir("/proc/self/fd")):
            return


def _set_timeout(number: int, seconds: float) -> bool:
    with suppress(OSError), _borrowed(number) as found:
        if found.family in (socket.AF_INET, socket.AF_INET6) and found.getsockopt(
            socket.SOL_SOCKET, socket.SO_ACCEPTCONN
        ):
            found.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))
            return True
    return False
