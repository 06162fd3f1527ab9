"""Progress of long commands: a bar on a terminal (rich), a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY = 5.0  # seconds between plain lines


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yields a function to be told how far we are. Writes to standard error, so that output can be piped."""
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
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            share = f" ({done * 100 // total}%)" if total else ""
            print(f"{label}: {done:,} of {total:,}{share}", file=sys.stderr, flush=True)  # noqa: T201

    yield tell
