"""Whatever the schema allows, and much that it does not: never a 500, and always what the schema says."""

from __future__ import annotations

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from house.api.schema import document
from house.models import Grant, Permission
from tests.api.calls import make_device

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

schema = schemathesis.openapi.from_dict(document())
# Keno's calls are tried at a counter in full swing: tests/keno/test_bad_input.py.
operations = {
    each.ok().label: each.ok()  # type: ignore[union-attr]
    for each in schema.get_all_operations()
    if "/keno/" not in each.ok().label  # type: ignore[union-attr]
}


@pytest.fixture
def token(db):
    """Somebody who may do everything."""
    for permission in Permission.objects.exclude(grants__role="manager"):
        Grant.objects.create(role_id="manager", permission=permission)
    return make_device("manager")[1]


@pytest.fixture
def application(db):
    """The connection stays: it holds the transaction that undoes everything, as in Django's own test client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_every_call_is_tried():
    assert len(operations) >= 18


@pytest.mark.parametrize("label", operations)
def test_never_a_500_and_always_what_the_schema_says(label, token, application):
    operation = operations[label]
    operation.app = application
    operation.schema.app = application
    cases = st.one_of(
        *(operation.as_strategy(generation_mode=mode) for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE))
    )

    @settings(
        max_examples=12,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def try_it(case):
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)

    try_it()
