"""Every call by everybody: never a 500, and always what the schema says.

A part of it runs in the suite, in an empty house. ``make calls REQUESTS=100000`` is the whole, in the demo venue with
all its rooms: as many requests, spread over all calls, each by somebody drawn for it (SEED decides), half of the
addresses naming what exists.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

import hypothesis
import pytest
from django.apps import apps
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from house.models import Staff
from house.roles import ROLES
from tests.plugins.worlds import kept
from tests.world.calls import make_device
from tests.world.fuzzing import CHECKS, application_in_a_transaction, cases_of, labels_where, operations
from tests.world.sessions import signed_in

NOBODY: Final = "nobody"
AT_THE_CONSOLE: Final = " at the console"
LABELS: Final = labels_where(lambda _: True)
REQUESTS: Final = int(os.environ.get("METERHOUSE_REQUESTS", "0"))  # 0: the suite's part
PART: Final = slice(None, None, 1 if REQUESTS else 6)
NAMED: Final = 20  # codes of each kind that addresses are made of


class Everybody:
    """Who calls: each role by a token of its own, each person's role at the console, and nobody; and what there is."""

    def __init__(self) -> None:
        if REQUESTS:
            call_command("demo", stdout=StringIO())
        self.headers: dict[str, dict[str, str]] = {NOBODY: {}}
        self.headers |= {role: {"Authorization": f"Bearer {make_device(role)[1]}"} for role in ROLES}
        for role in ROLES:
            person = Staff.objects.filter(roles__code=role, is_active=True).first()
            if person is not None:
                cookies = signed_in(person).cookies
                self.headers[role + AT_THE_CONSOLE] = {
                    "Cookie": "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
                }
        codes = {
            str(code)
            for model in apps.get_models()
            for name in ("code", "name", "serial")
            if any(field.name == name for field in model._meta.get_fields())
            for code in model._default_manager.values_list(name, flat=True)[:NAMED]
        }
        self.codes = sorted(code for code in codes if code and "/" not in code)


everybody = kept(Everybody)


@pytest.fixture
def application(db: None) -> Iterator[WSGIHandler]:
    with application_in_a_transaction() as application:
        yield application


def test_every_call_is_tried_by_every_role(everybody: Everybody) -> None:
    assert set(LABELS) == set(operations())
    assert len(LABELS) > 300
    assert {NOBODY, *ROLES} < set(everybody.headers)


@pytest.mark.parametrize("label", LABELS[PART])
def test_never_a_500_whoever_calls(label: str, everybody: Everybody, application: WSGIHandler) -> None:
    there = st.sampled_from([*everybody.codes, "X-0001"])

    @hypothesis.settings(
        max_examples=math.ceil(REQUESTS / len(LABELS)) or 1,
        derandomize=not REQUESTS,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=cases_of(operations()[label], application), who=st.sampled_from(sorted(everybody.headers)), data=st.data()
    )
    def try_it(case: Any, who: str, data: st.DataObject) -> None:
        for name, value in (case.path_parameters or {}).items():
            if data.draw(st.booleans()):
                numbered = isinstance(value, int)
                case.path_parameters[name] = data.draw(st.integers(1, 5) if numbered else there)
        case.call_and_validate(headers=everybody.headers[who], checks=CHECKS)

    try_it()
