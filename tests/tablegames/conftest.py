from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
import time_machine


@pytest.fixture
def tables(request: pytest.FixtureRequest, db: None) -> Iterator[None]:
    """The demo venue's gaming tables, on a gaming day that is open: today's, or of the moment that a test is ``at``."""
    marked = request.node.get_closest_marker("at")
    with time_machine.travel(marked.args[0], tick=False) if marked else nullcontext():
        _open_tables()
        yield


def _open_tables() -> None:
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from tablegames.demo import build_demo

    forget()
    ensure_gaming_days()
    build_demo()
