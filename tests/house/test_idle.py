from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user, login
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse

from house.middleware import ACTIVE_AT, IdleTimeout, note_activity
from house.models import Staff
from house.sign_in import BACKEND
from tests.house.conftest import Log, MakeBrowser, MakePerson

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)


class Visitor:
    """Anna, signed in at NOW: ``visit(seconds)`` answers whether a request so much later is still hers."""

    def __init__(self, anna: Staff, browser: MakeBrowser) -> None:
        self.browser, request = browser, browser()
        self.session = request.session
        with time_machine.travel(NOW, tick=False):
            login(request, anna, backend=BACKEND)
            note_activity(request, NOW)

    def __call__(self, seconds: float, **headers: str) -> bool:
        page = self.browser()
        page.session = self.session
        page.META |= headers
        page.user = get_user(page)
        with time_machine.travel(NOW + timedelta(seconds=seconds), tick=False):
            IdleTimeout(lambda seen: HttpResponse())(page)
        return bool(page.user.is_authenticated)


@pytest.fixture
def visit(person: MakePerson, browser: MakeBrowser) -> Visitor:
    return Visitor(person("anna", "manager"), browser)


def test_fifteen_minutes_of_nothing_sign_out(visit: Visitor, log: Log) -> None:
    assert visit(15 * 60)
    log.acts.clear()
    assert not visit(30 * 60 + 1)
    assert log.acts == [("staff.timed-out", "staff:anna", "staff:anna")]
    assert not visit(30 * 60 + 2)
    assert log.kinds == ["staff.timed-out"]


def test_activity_is_written_at_most_once_a_minute(visit: Visitor) -> None:
    visit(59)
    assert visit.session[ACTIVE_AT] == NOW.timestamp()
    visit(60)
    assert visit.session[ACTIVE_AT] == NOW.timestamp() + 60


def test_a_page_that_refreshes_itself_is_nobody_doing_something(visit: Visitor) -> None:
    assert visit(14 * 60, HTTP_X_BACKGROUND="1")
    assert not visit(15 * 60 + 1, HTTP_X_BACKGROUND="1")


def test_a_demo_session_ends_with_the_demo(visit: Visitor, settings: Any) -> None:
    Staff.objects.update(is_demo=True)
    settings.DEMO = True
    assert visit(1)
    settings.DEMO = False
    assert not visit(2)


def test_a_request_without_a_session_costs_no_query(browser: MakeBrowser, django_assert_num_queries: Any) -> None:
    request = browser()
    request.session = SessionStore()
    with django_assert_num_queries(0):
        IdleTimeout(lambda seen: HttpResponse())(request)
