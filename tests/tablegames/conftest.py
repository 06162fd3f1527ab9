from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
import time_machine

from tests.plugins.worlds import kept


@pytest.fixture
def _moment(request: pytest.FixtureRequest) -> Iterator[None]:
    """Today, or the moment that a test is ``at``."""
    marked = request.node.get_closest_marker("at")
    with time_machine.travel(marked.args[0], tick=False) if marked else nullcontext():
        yield


def _open_tables() -> None:
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from tablegames.demo import build_demo

    forget()
    ensure_gaming_days()
    build_demo()


_opened = kept(_open_tables)


@pytest.fixture
def tables(_moment: None, _opened: None) -> None:
    """The demo venue's gaming tables, on a gaming day that is open."""
