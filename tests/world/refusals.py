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


def refused_with(
    call: Callable[[], object],
    error: type[Refusal] = Refusal,
    *,
    unchanged: Callable[[], object] | None = None,
    undone: bool = False,
    **expected: object,
) -> Refusal:
    """The refusal, which says this: ``refused_with(call, Conflict, code="drawn", clause=None)``."""
    said = refusal(call, error=error, unchanged=unchanged, undone=undone)
    for name, value in expected.items():
        assert getattr(said, name) == value
    return said


def refused(call: Callable[..., object], code: str, error: type[Refusal] = Refusal, **options: Any) -> Refusal:
    """It is refused with this code."""
    said = refusal(call, error=error, **options)
    assert said.code == code
    return said


def refused_as(names: str, what: Callable[..., object], /, *args: Any, **options: Any) -> Any:
    """What the refusal that must come says: ``refused_as("code clause", verb, …)``. Its detail is a sentence."""
    said = refusal(what, *args, **options)
    assert said.detail.endswith(".")
    values = tuple(getattr(said, name) for name in names.split())
    return values if len(values) > 1 else values[0]
