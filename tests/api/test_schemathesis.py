"""Whatever the schema allows, and much that it does not: never a 500, and always what the schema says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import given

from tests.plugins.worlds import kept
from tests.world.calls import make_device
from tests.world.fuzzing import CHECKS, application_in_a_transaction, cases_of, labels_where, operations, tries
from tests.world.people import grant_everything

# Keno's calls are tried at a counter in full swing: tests/keno/test_bad_input.py.
LABELS = labels_where(lambda label: "/keno/" not in label)


def _somebody() -> str:
    """Somebody who may do everything."""
    grant_everything("manager")
    return make_device("manager")[1]


token = kept(_somebody)


@pytest.fixture
def application(db: None) -> Iterator[WSGIHandler]:
    with application_in_a_transaction() as application:
        yield application


def test_every_call_is_tried() -> None:
    assert {label for label in operations() if "/keno/" not in label} == set(LABELS)
    assert len(LABELS) >= 18


@pytest.mark.parametrize("label", LABELS)
def test_never_a_500_and_always_what_the_schema_says(
    label: str, token: str, application: WSGIHandler, exhaustive: bool
) -> None:
    @tries(2, exhaustive=exhaustive)
    @given(case=cases_of(operations()[label], application))
    def try_it(case: Any) -> None:
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)

    try_it()
