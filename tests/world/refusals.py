"""What is refused, and that nothing changed by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import transaction

from kernel.refusal import Refusal

# What the fixtures that call and expect a refusal are; the answer is its code, clause and field.
Refuses = Callable[..., tuple[str, str | None, str | None]]


def refusal(
    what: Callable[..., object],
    /,
    *args: Any,
    error: type[Refusal] = Refusal,
    unchanged: Callable[[], object] | None = None,
    undone: bool = False,
    **kwargs: Any,
) -> Refusal:
    """The refusal that must come. What ``unchanged`` looks at is then as before; ``undone``: once rolled back."""
    before = unchanged() if unchanged else None
    with pytest.raises(error) as caught, transaction.atomic() if undone else nullcontext():
        what(*args, **kwargs)
    if unchanged:
        assert unchanged() == before
    return caught.value


def refused(call: Callable[[], object], code: str, error: type[Refusal] = Refusal) -> Refusal:
    """It is refused with this code."""
    said = refusal(call, error=error)
    assert said.code == code
    return said
