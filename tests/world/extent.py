"""How far a test goes: some of it in make test, all of it in make test-long. See also the fixture ``exhaustive``."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")


def seeds(count: int, *, always: int) -> list[Any]:
    """The numbers of a test that is tried with so many seeds; the first few of them always."""
    return [seed if seed < always else pytest.param(seed, marks=pytest.mark.long) for seed in range(count)]


def some(values: Iterable[Case], *, always: Container[Case]) -> list[Any]:
    """The cases of a test that is tried with each of these; some of them always."""
    return [value if value in always else pytest.param(value, marks=pytest.mark.long) for value in values]
