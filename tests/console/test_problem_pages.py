"""No page, no right, an expired form, a mistake of ours: in the design, to somebody signed in and to a stranger."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory

from console.views import problems
from house.models import Venue
from tests.world.owner import as_owner

pytestmark = pytest.mark.django_db


def test_no_such_page_for_somebody_signed_in(signed_in: Callable[[str], Client]) -> None:
    answer = signed_in("writer").get("/no/such/page")
    page = answer.content.decode()
    assert answer.status_code == 404
    assert "There is no such page" in page
    assert 'aria-label="Navigation"' in page  # the frame: one goes on from here
    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_no_such_page_for_a_stranger(venue: None) -> None:
    answer = Client().get("/no/such/page")
    page = answer.content.decode()
    assert answer.status_code == 404
    assert "There is no such page" in page
    assert "There is nothing at this address." in page
    assert 'aria-label="Navigation"' not in page
    assert answer.headers["X-Frame-Options"] == "DENY"


def test_a_form_without_its_token(venue: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "manager", "password": "x"})
    assert answer.status_code == 403
    assert "That form had expired" in answer.content.decode()
    assert "web/base.css" in answer.content.decode()


def test_a_mistake_of_ours_needs_no_database(django_assert_num_queries: Callable[[int], object]) -> None:
    with as_owner():
        Venue.objects.all().delete()
    request = RequestFactory().get("/keno/")
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        answer = problems.server_error(request)
    page = answer.content.decode()  # type: ignore[attr-defined]
    assert answer.status_code == 500
    assert "Something went wrong here" in page
    assert "It is in the log under request" in page


def test_strangers_and_bad_requests() -> None:
    request = RequestFactory().get("/keno/")
    assert problems.not_allowed(request, PermissionDenied()).status_code == 403
    assert "This request cannot be read" in problems.bad_request(request, ValueError()).content.decode()  # type: ignore[attr-defined]
    call = RequestFactory().get("/api/v1/keno/games/")
    for answer in (problems.not_found(call, ValueError()), problems.bad_request(call, ValueError())):
        assert answer.headers["Content-Type"] == "application/problem+json"
