from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def venue(db: None, settings: Any) -> None:
    """The demo venue and its people."""
    from house import demo, gaming_days

    settings.DEMO = True
    gaming_days.forget()
    demo.build_demo()
