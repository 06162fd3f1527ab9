"""Progress of long commands: a bar on a terminal (rich), a plain line now and then elsewhere, or whoever listens."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

EVERY_SECONDS = 5.0  # between plain lines
_listener: ContextVar[Callable[[int, int], None] | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(listener: Callable[[int, int], None]) -> Iterator[None]:
    """Whatever tells its progress meanwhile tells it to *listener*: how far, of how much."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields a function to be told how far we are. Writes to standard error, so that output can be piped."""
    if (listener := _listener.get()) is not None:
        listener(0, total)
        yield lambda done: listener(done, total)
        return
    if sys.stderr.isatty():
        try:
            # The offline verifier runs without rich too.
            from rich.console import Console  # noqa: PLC0415
            from rich.progress import (  # noqa: PLC0415
                BarColumn,
                Progress,
                TaskProgressColumn,
                TextColumn,
                TimeRemainingColumn,
            )
        except ImportError:
            pass
        else:
            columns = (TextColumn(label), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
            with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
                task = bar.add_task(label, total=total or None)
                yield lambda done: bar.update(task, completed=done)
            return
    last = time.monotonic()

    def tell(done: int) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY_SECONDS:
            last = time.monotonic()
            share = f" ({done * 100 // total}%)" if total else ""
            print(f"{label}: {done:,} of {total:,}{share}", file=sys.stderr, flush=True)  # noqa: T201

    yield tell
