"""Transactions without savepoints that nobody would go back to.

A verb opens its own transaction, and verbs are built from verbs: each level would be a savepoint, two statements that
cost as much as some of the work. Directly within another whole block an inner one needs none: an error that leaves the
inner block leaves the outer one too, or the database refuses to go on. Whoever means to catch an error and go on
opens a ``transaction.atomic()`` around what may fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.transaction import Atomic


class _Whole(Atomic):
    """Marks the block in the connection's stack of blocks."""


@contextmanager
def whole() -> Iterator[None]:
    """All of it or nothing, like ``transaction.atomic()``; within another whole block it is simply part of that."""
    around = connection.atomic_blocks
    part = bool(around) and isinstance(around[-1], _Whole)
    with _Whole(DEFAULT_DB_ALIAS, savepoint=not part, durable=False):
        yield
