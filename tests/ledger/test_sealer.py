"""The sealer's loop: what was committed is sealed, whoever asks is heard, and nothing else costs more than a look."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ledger import sealer
from ledger.seal import CannotSeal
from ledger.wake_sealer import wake_sealer

pytestmark = pytest.mark.django_db(transaction=True)


class Loop:
    """The loop turns once for each snapshot that it is to find, and ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, stop: threading.Event) -> None:
        self.sealed: list[str] = []
        self.found = ""
        self.fails = False
        self.stop = stop
        monkeypatch.setattr(sealer, "EVERY_SECONDS", 0.0)
        monkeypatch.setattr(sealer, "retire_keys", lambda: None)
        monkeypatch.setattr(sealer, "seal", self.seal)
        monkeypatch.setattr(sealer, "_snapshot", self.snapshot)

    def run(self, *snapshots: str) -> list[str]:
        self.coming: Iterator[str] = iter(snapshots)
        self.left = len(snapshots)
        sealer._work(self.stop)
        return self.sealed

    def snapshot(self) -> str:
        self.left -= 1
        if not self.left:
            self.stop.set()
        self.found = next(self.coming)
        return self.found

    def seal(self) -> None:
        self.sealed.append(self.found)
        if self.fails:
            raise CannotSeal("not now")


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    return Loop(monkeypatch, threading.Event())


def test_it_seals_where_something_was_committed(loop: Loop) -> None:
    assert loop.run("1:1:", "1:1:", "1:1:", "1:2:", "1:2:", "2:2:") == ["1:1:", "1:2:", "2:2:"]


def test_what_could_not_be_sealed_is_tried_again(loop: Loop) -> None:
    loop.fails = True
    assert loop.run("1:1:", "1:1:", "1:1:") == ["1:1:"] * 3


def test_now_and_then_it_seals_all_the_same(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealer, "LOOK_SECONDS", -1.0)
    assert loop.run("1:1:", "1:1:") == ["1:1:"] * 2


def test_whoever_asks_is_heard_though_nothing_was_committed(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealer, "EVERY_SECONDS", 30.0)
    monkeypatch.setattr(sealer, "LOOK_SECONDS", float("inf"))

    def asks() -> str:
        if loop.left > 1:
            wake_sealer()  # on this connection, too: it waits with the others
        else:
            monkeypatch.setattr(sealer, "EVERY_SECONDS", 0.0)  # the last turn waits for nobody
        return Loop.snapshot(loop)

    monkeypatch.setattr(sealer, "_snapshot", asks)
    assert loop.run("1:1:", "1:1:") == ["1:1:"] * 2
