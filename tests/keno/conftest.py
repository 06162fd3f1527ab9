"""What the tests of Keno share."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.world.refusals import Refuses, refused_as

if TYPE_CHECKING:
    from tests.world.keno_counter import Counter


@pytest.fixture(autouse=True)
def _no_day_of_another_test() -> None:
    from house.gaming_days import forget

    forget()


@pytest.fixture
def refused() -> Refuses:
    """Call it, and get (code, clause, field) of the refusal that must come."""
    return partial(refused_as, "code clause field")


@pytest.fixture
def opening_float() -> str:
    """What the writer at the counter begins with."""
    return "1000.00"


@pytest.fixture
def counter(db: None, opening_float: str) -> Counter:
    """An open counter, a game on sale, and one writer at it."""
    from tests.world.keno_counter import Counter

    return Counter(opening_float)
