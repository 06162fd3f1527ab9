"""What the tests of the rules share."""

from __future__ import annotations

import pytest

from house.refusal import Refusal


@pytest.fixture(autouse=True)
def _no_day_of_another_test() -> None:
    from house.gaming_days import forget

    forget()


@pytest.fixture
def refused():
    """Call it, and get (code, clause, field) of the refusal that must come."""

    def call(what, *args, **kwargs):
        with pytest.raises(Refusal) as caught:
            what(*args, **kwargs)
        assert caught.value.detail.endswith(".")
        return caught.value.code, caught.value.clause, caught.value.field

    return call
