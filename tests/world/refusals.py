"""What is refused, and that nothing changed by it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from kernel.refusal import Refusal


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


def refused(call: Callable[..., object], code: str, error: type[Refusal] = Refusal, **expected: Any) -> Refusal:
    """It is refused with this code; the rest as ``refused_with``."""
    return refused_with(call, error, code=code, **expected)


def refused_at(code: str, clause: str | None, field: str | None, call: Callable[[], object]) -> None:
    """It is refused so, at this field of what was asked."""
    refused_with(call, code=code, clause=clause, field=field)


def refused_as(names: str, what: Callable[..., object], /, *args: Any, **options: Any) -> Any:
    """What the refusal that must come says: ``refused_as("code clause", verb, …)``. Its detail is a sentence."""
    said = refusal(what, *args, **options)
    assert said.detail.endswith(".")
    values = tuple(getattr(said, name) for name in names.split())
    return values if len(values) > 1 else values[0]


refused_in_full = partial(refused_as, "code clause field")


def refused_by_database(what: Callable[..., object], /, *args: Any, **kwargs: Any) -> str:
    """The database itself refuses; the reason that it gives."""
    with pytest.raises(DatabaseError) as error, transaction.atomic():
        what(*args, **kwargs)
    return str(error.value)
