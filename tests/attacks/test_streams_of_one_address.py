"""A stranger opens streams until there is no line left for the boards; or lines on which he asks for nothing."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.attacks.raw import head, heard, line, lines
from tests.world.streams import streams

LIMIT = 5
PATH = "/signage/stream"


@pytest.fixture
def kept(transactional_db: None) -> Iterator[ExitStack]:
    with ExitStack() as lines_kept:
        yield lines_kept


def asked(port: int, *more: str) -> tuple[socket.socket, bytes]:
    """A stream asked for, and how its answer begins."""
    one = line(port, first=head("GET", PATH, *more))
    said = b""
    while b"\r\n\r\n" not in said:
        said += one.recv(4_096)
    return one, said


def opens(kept: ExitStack, port: int, *more: str) -> bool:
    one, said = asked(port, *more)
    kept.enter_context(one)
    assert said[9:12] in (b"200", b"429"), said
    return said[9:12] == b"200"


def test_an_address_has_so_many_and_no_more(kept: ExitStack) -> None:
    port = kept.enter_context(streams(METERHOUSE_STREAMS_PER_ADDRESS=str(LIMIT), METERHOUSE_SLOW_SECONDS="1"))
    first, said = asked(port)
    assert b" 200 " in said
    for number in range(1, LIMIT):  # nobody believes what he says about himself
        assert opens(kept, port, f"X-Forwarded-For: 10.0.0.{number}", f"X_Forwarded_For: 10.0.0.{number}")
    refused, said = asked(port, "X-Forwarded-For: 10.9.9.9")
    assert b" 429 " in said
    assert b"retry-after: " in said
    problem = json.loads((said + heard(refused)).partition(b"\r\n\r\n")[2])
    assert (problem["status"], problem["code"]) == (429, "too-many-streams")
    first.close()
    for _ in range(100):  # as soon as its end is noticed
        if opens(kept, port):
            break
    else:
        raise AssertionError("one that was closed is still counted")
    assert not opens(kept, port)

    # Lines on which nothing is asked are cut off, and who listens goes on listening.
    little = (b"", b"GET /signage/str", head("POST", PATH, "Content-Length: 100") + b"a")
    for each in [one for sent in little for one in kept.enter_context(lines(port, 3, sent))]:
        heard(each)


def test_behind_our_proxy_each_caller_is_counted_for_himself(kept: ExitStack) -> None:
    limits = {"METERHOUSE_STREAMS_PER_ADDRESS": "2", "METERHOUSE_TRUSTED_PROXIES": "127.0.0.1"}
    port = kept.enter_context(streams(**limits))
    for caller in ("10.0.0.1", "10.0.0.2", "2001:db8::1"):
        assert opens(kept, port, f"X-Forwarded-For: {caller}")
        assert opens(kept, port, f"X-Forwarded-For: 1.2.3.4, {caller}")  # what the caller wrote before the proxy
        assert not opens(kept, port, f"X-Forwarded-For: {caller}")
    assert not opens(kept, port, "X-Forwarded-For: 2001:db8::ffff:1")  # another address of the same line
