"""Callers who do not keep to the usual ways: sockets, and what is written to them when."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

PATIENCE = 30.0


def line(port: int, *, first: bytes = b"", room: int | None = None) -> socket.socket:
    """A connection, something written to it; *room*: how many bytes its reader has space for."""
    made = socket.socket()
    if room is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    made.settimeout(PATIENCE)
    made.connect(("127.0.0.1", port))
    made.sendall(first)
    return made


@contextmanager
def lines(port: int, count: int, first: bytes, *, room: int | None = None) -> Iterator[list[socket.socket]]:
    with ExitStack() as kept:
        yield [kept.enter_context(line(port, first=first, room=room)) for _ in range(count)]


def heard(one: socket.socket) -> bytes:
    """Everything up to the end of the connection, which has to come."""
    said = b""
    try:
        while part := one.recv(65_536):
            said += part
    except ConnectionResetError:
        pass
    return said


def head(method: str, path: str, *more: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *more, "", ""]).encode()
