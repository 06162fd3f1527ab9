"""Pages without what is the same on all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from console import frame


@contextmanager
def without_the_frame() -> Iterator[None]:
    """Without the rail and the status line: they are looked at elsewhere, and are most of what a page takes to make."""
    with patch.object(frame, "navigation", lambda *_: None), patch.object(frame, "status_lines", list):
        yield
