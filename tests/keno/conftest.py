"""What the tests of Keno share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugins.worlds import kept

if TYPE_CHECKING:
    from tests.world.keno_counter import Counter


@pytest.fixture(autouse=True)
def _no_day_of_another_test() -> None:
    from house.gaming_days import forget

    forget()


def _open_counter() -> Counter:
    """A game on sale, and one writer at the counter."""
    from tests.world.keno_counter import Counter

    return Counter()


counter = kept(_open_counter)
