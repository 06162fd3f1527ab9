"""What a page says."""

from __future__ import annotations

from typing import Any


def text(page: Any) -> str:
    """The answer's text. Lines break where white space does not show, so it is all on one."""
    return " ".join(page.content.decode().split())
