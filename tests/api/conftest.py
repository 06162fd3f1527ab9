from __future__ import annotations

from collections.abc import Callable

import pytest


@pytest.fixture(autouse=True)
def _no_day_of_another_test() -> None:
    from house.gaming_days import forget

    forget()


@pytest.fixture
def caller(db: None) -> Callable[[str | None], object]:
    """``caller("writer")``: somebody of that profile; ``caller(None)``: nobody."""
    # Imported here: this file is read before Django is set up.
    from tests.api.calls import Caller, make_device

    def make(profile: str | None) -> Caller:
        return Caller(make_device(profile)[1] if profile else None)

    return make
