from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.world.calls import Caller, MakeCaller


@pytest.fixture(autouse=True)
def _no_day_of_another_test() -> None:
    from house.gaming_days import forget

    forget()


@pytest.fixture
def caller(db: None) -> MakeCaller:
    """``caller("writer")``: somebody of that profile; ``caller(None)``: nobody."""
    # Imported here: this file is read before Django is set up.
    from tests.world.calls import Caller, make_device

    def make(profile: str | None) -> Caller:
        return Caller(make_device(profile)[1] if profile else None)

    return make
