"""Requests held up inside their transaction, and locks that are not taken, when a test's header asks for it.

A request that is to be held waits for an advisory lock that the test holds: the test sees in ``pg_locks`` that it has
arrived, lets others pass, and lets go. Nothing sleeps. This lives in the tests: no server of the house imports it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

from keno import balls, cancel, locks, sell
from keno.models import Game

HOLD = "X-Test-Hold"  # "sale", "cancel" or "first-number": where this request waits
UNLOCKED = "X-Test-Unlocked"  # "sale" or "cancel": the lock that this request does not take
GATE = 0x54455354  # the class of the advisory locks that requests wait at
GATES = {"sale": 1, "cancel": 2, "first-number": 3}
PATIENCE = 30.0

_held: ContextVar[str] = ContextVar("held", default="")
_unlocked: ContextVar[str] = ContextVar("unlocked", default="")


class WorstMoments:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        _before(sell, "take", "sale")  # the game is found and held open, nothing is written
        _before(cancel, "lock_ticket", "cancel")  # the game's first number is held off, nothing is written
        _before(balls, "record", "first-number")  # the set of tickets is sealed, not yet committed
        _without(locks, "hold_open_for_sale", "sale", _open_game)
        _without(locks, "hold_before_asking", "cancel", _not_begun)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        _held.set(request.headers.get(HOLD, ""))
        _unlocked.set(request.headers.get(UNLOCKED, ""))
        return self.get_response(request)


def _before(module: Any, name: str, point: str) -> None:
    real = getattr(module, name)

    def held(*args: Any, **named: Any) -> Any:
        if _held.get() == point:
            with connection.cursor() as cursor:  # however long it takes: the test decides, not the lock's time-out
                cursor.execute("SET LOCAL lock_timeout = 0")
                cursor.execute("SELECT pg_advisory_xact_lock_shared(%s, %s)", [GATE, GATES[point]])
                cursor.execute("SET LOCAL lock_timeout = DEFAULT")
        return real(*args, **named)

    setattr(module, name, held)


def _without(module: Any, name: str, lock: str, instead: Callable[[int], Any]) -> None:
    real = getattr(module, name)

    def called(game_number: int, **more: Any) -> Any:
        return instead(game_number) if _unlocked.get() == lock else real(game_number, **more)

    setattr(module, name, called)


def _open_game(number: int) -> locks.OnSale | None:
    return locks.OnSale(number) if Game.objects.filter(number=number, status="open").exists() else None


def _not_begun(number: int) -> bool:
    return not Game.objects.filter(number=number, began_at__isnull=False).exists()


# The test's side


@contextmanager
def gate(point: str) -> Iterator[Callable[[], None]]:
    """Requests that hold at *point* wait until the block ends; what is given waits until one has arrived."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", [GATE, GATES[point]])
        try:
            yield lambda: someone_waits("classid = %s AND objid = %s", GATE, GATES[point])
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [GATE, GATES[point]])


def someone_waits(which: str, *values: Any) -> None:
    """Until somebody waits for such a lock."""
    deadline = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while True:
            cursor.execute(f"SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND {which})", values)
            if cursor.fetchone()[0]:
                return
            assert time.monotonic() < deadline, f"nobody waits for {which}"
