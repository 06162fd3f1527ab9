"""Doing one thing from many threads at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import connection, transaction


@contextmanager
def patient() -> Iterator[None]:
    """Waits for a lock as long as a busy machine takes: a caller would be told to ask again after three seconds."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '60s'")
    try:
        yield
    finally:
        if connection.connection is not None and not connection.connection.closed:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")


def in_threads(count: int, do: Callable[[], Any]) -> list[Any]:
    """Everybody waits for the last one to be ready; answers come back in any order."""
    return at_once([do] * count)


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Each call in a thread of its own, begun together; answers in the order of the calls."""
    together = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        try:
            together.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def overtaken(slow: Callable[[], Any], quick: Callable[[], Any]) -> tuple[Any, Any]:
    """*slow* begins its transaction first and has its number, as a call has with its request key; *quick* comes in
    between and is done before. The answers of both."""
    begun, go = threading.Event(), threading.Event()

    def one() -> Any:
        try:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_current_xact_id()")
                begun.set()
                assert go.wait(timeout=30)
                return slow()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(one)
        try:
            assert begun.wait(timeout=30)
            first = quick()
        finally:
            go.set()
        return waiting.result(), first


def raised_at_once(*calls: Callable[[], object]) -> list[BaseException]:
    """The same; only what they raised."""
    raised: list[BaseException] = []

    def one(call: Callable[[], object]) -> None:
        try:
            with patient():
                call()
        except BaseException as error:
            raised.append(error)

    at_once([partial(one, call) for call in calls])
    return raised
