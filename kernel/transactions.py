"""Transactions without savepoints that nobody would go back to.

A verb opens its own transaction, and verbs are built from verbs: each level would be a savepoint, two statements that
cost as much as some of the work. Directly within another such block an inner one needs none: an error that leaves the
inner block leaves the outer one too, or the database refuses to go on. Whoever means to catch an error and go on
opens a ``transaction.atomic()`` around what may fail.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.transaction import Atomic

from kernel.prepared import execute


class _Block(Atomic):
    """Marks the block in the connection's stack of blocks."""


class one_transaction(ContextDecorator):
    """All of it or nothing, like ``transaction.atomic()``; within another such block it is simply part of that."""

    def _recreate_cm(self) -> one_transaction:
        return one_transaction()  # one a call: a decorated verb may be in several threads at once, or in itself

    def __enter__(self) -> None:
        around = connections[DEFAULT_DB_ALIAS].atomic_blocks
        self._block: _Block | None = None
        if not (around and isinstance(around[-1], _Block)):
            self._block = _Block(DEFAULT_DB_ALIAS, savepoint=True, durable=False)
            self._block.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._block is not None:
            self._block.__exit__(kind, error, trace)
        elif kind is not None:  # whoever caught it on the way out could not go on with half of it
            connections[DEFAULT_DB_ALIAS].needs_rollback = True


def snapshot() -> str:
    """What this moment has seen, as PostgreSQL writes it. The same text again: nothing was committed in between."""
    return str(execute("SELECT pg_current_snapshot()::text", {})[0][0])
