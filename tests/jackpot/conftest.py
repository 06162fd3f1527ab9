from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.plugins.worlds import kept

if TYPE_CHECKING:
    from jackpot.models import Link


def _open_floor() -> None:
    """The demo venue's links, on a gaming day that is open."""
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from jackpot.demo import build_demo

    forget()
    ensure_gaming_days()
    build_demo()


def _open_link() -> Link:
    """A must-hit-by link with three tables."""
    from tests.world.mystery_link import open_mystery_link

    return open_mystery_link()


floor = kept(_open_floor)
link = kept(_open_floor, _open_link)


@pytest.fixture
def live_floor(transactional_db: None) -> None:
    """The same, committed, for tests in several threads."""
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from house.seed import seed
    from jackpot.demo import build_demo

    seed()
    forget()
    ensure_gaming_days()
    build_demo()
