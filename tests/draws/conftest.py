from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kernel.actors import system

if TYPE_CHECKING:
    from draws.models import Commitment

BY = system("tests")


@pytest.fixture
def venue(db: None, settings: Any) -> None:
    """The demo venue and its people."""
    from house import demo, gaming_days

    settings.DEMO = True
    gaming_days.forget()
    demo.build_demo()


@pytest.fixture
def promised(venue: None) -> Commitment:
    from draws import commit

    return commit.commit(purpose="keno", name="1042", device="rng", by=BY)
