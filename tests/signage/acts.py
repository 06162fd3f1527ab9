"""The acts that Keno and the jackpots write, as they write them; and a stream to listen to."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from kernel.actors import system
from ledger import log

BY = system("test")
WAITS = 30  # seconds a busy machine may take; no test asserts it


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + WAITS
    while not holds():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.01)


def record(what: str, about: str, /, **data: Any) -> None:
    log.write(kind=what, subject=about, by=BY, data=data)


def promise(game: int) -> str:
    return sha256(b"%d" % game).hexdigest()


def open_game(number: int) -> None:
    record(
        "keno.opened",
        f"keno-game:{number}",
        game=number,
        opens_at="2026-11-16T10:00:00+00:00",
        closes_at=f"2026-11-16T10:{number % 60:02}:00+00:00",
        gaming_day="2026-11-16",
        device="rng",
        commitment=promise(number),
    )


def close_game(number: int) -> None:
    record("keno.closed", f"keno-game:{number}", game=number, closed_at="2026-11-16T10:03:00+00:00", jackpot_stakes={})


def ball(number: int, place: int, drawn: int, attempt: int = 1) -> None:
    record("keno.ball", f"keno-game:{number}", game=number, attempt=attempt, place=place, number=drawn)


def numbers_of(game: int) -> list[int]:
    return random.Random(game).sample(range(1, 81), 20)


def finish_game(number: int, *, jackpots: dict[str, Any] | None = None) -> None:
    rest = {"game": number, "attempt": 1, "numbers": numbers_of(number), "ticket_root": "ab" * 32, "ticket_count": 7}
    record("keno.drawn", f"keno-game:{number}", **rest)
    none = {"before": "0.00", "after": "0.00", "count": 0}
    totals = {
        "stakes": "120.00",
        "prizes": "80.00",
        "winners": 3,
        "biggest": "60.00",
        "majors": none,
        "jackpots": jackpots or {},
    }
    settled = {**rest, "device": "rng", "commitment": promise(number), "seed": "cd" * 32, "totals": totals}
    record("keno.settled", f"keno-game:{number}", **settled)


def play_game(number: int) -> None:
    open_game(number)
    close_game(number)
    for place, drawn in enumerate(numbers_of(number), start=1):
        ball(number, place, drawn)
    finish_game(number)


def open_link(code: str, title: str, *tables: str) -> None:
    record("jackpot.pool-opened", f"jackpot:{code}", title=title, levels=["prize"])
    for table in tables:
        record("jackpot.table-joined", f"table:{table}", link=code, boxes=7)


def hit(code: str, number: int, amount: str, *, table: str, what: str = "jackpot.hit", status: str = "claimed") -> None:
    record(
        what,
        f"jackpot:{code}",
        hit=number,
        sequence=number,
        link=code,
        table=table,
        round=1,
        box=3,
        hand="royal-flush",
        kind="royal",
        amount=amount,
        from_pool=amount,
        from_house="0.00",
        measured_on=None,
        status=status,
    )


class Listening:
    """One connection to a stream."""

    def __init__(self, port: int, *, after: str | None = None, header: bool = True) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WAITS)
        headers = {"Last-Event-ID": after} if after and header else {}
        self.connection.request(
            "GET", f"/signage/stream{'' if header or not after else f'?after={after}'}", None, headers
        )
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        self._line()  # retry
        self._line()

    def _line(self) -> str:
        return self.response.readline().decode().rstrip("\n")

    def events(self) -> Iterator[dict[str, Any]]:
        """Every event as {"id", "event", "data"}; a comment as {"comment"}."""
        said: dict[str, Any] = {}
        while True:
            line = self._line()
            if not line and said:
                yield said
                said = {}
            elif line.startswith(":"):
                said["comment"] = line
            elif line:
                name, _, value = line.partition(": ")
                said[name] = json.loads(value) if name == "data" else value

    def take(self, count: int) -> list[dict[str, Any]]:
        events = self.events()
        return [next(events) for _ in range(count)]

    def until(self, kind: str, **data: Any) -> list[dict[str, Any]]:
        """Up to and with an event of that kind whose data has these parts."""
        found = []
        for event in self.events():
            found.append(event)
            if event.get("event") == kind and data.items() <= event["data"].items():
                return found
        raise AssertionError("the stream ended")

    def close(self) -> None:
        self.response.close()
        self.connection.close()
