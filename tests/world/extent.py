"""How far a test goes: some of it in make test, all of it in make test-long. See also the fixture ``exhaustive``."""

from __future__ import annotations

from typing import Any

import pytest


def seeds(count: int, *, always: int) -> list[Any]:
    """The numbers of a test that is tried with so many seeds; the first few of them always."""
    return [seed if seed < always else pytest.param(seed, marks=pytest.mark.long) for seed in range(count)]
