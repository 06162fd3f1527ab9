from __future__ import annotations

import pytest


@pytest.fixture
def tables(db: None) -> None:
    """The demo venue's gaming tables, on a gaming day that is open."""
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from tablegames.demo import build_demo

    forget()
    ensure_gaming_days()
    build_demo()
