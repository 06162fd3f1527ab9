"""The pen with which the house writes to the log of acts.

The log belongs to ``ledger/``, which stands below this room and may use it, never the other way round. So the ledger
hands its pen up here when it starts, and everybody writes with it: one log, one way to write.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from house.actors import Actor


class Pen(Protocol):
    def __call__(self, *, kind: str, subject: str, by: Actor, data: Mapping[str, Any]) -> None: ...


_pen: Pen | None = None


def use(pen: Pen) -> None:
    global _pen  # noqa: PLW0603  one pen for the whole house
    _pen = pen


def record(*, kind: str, subject: str, by: Actor, data: Mapping[str, Any] | None = None) -> None:
    """Write one act to the log, in the caller's transaction: it happened exactly if the act did."""
    if _pen is None:
        raise RuntimeError("no log to write to: the ledger app is not installed")
    _pen(kind=kind, subject=subject, by=by, data=data or {})
