"""How a call knows who calls, and that each says what it needs. Who then may: tests/powers."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.urls import path

from house.api import checks
from house.api.checks import routes
from house.models import Role, Staff
from tests.world.calls import Caller, everything, make_device, problem
from tests.world.sessions import signed_in
from web.fields import Nothing
from web.throttle import Throttle
from web.view import PUBLIC, HouseView


def test_there_are_calls() -> None:
    found = {(route.method, route.path) for route in routes()}
    assert ("POST", "api/v1/approvals/<int:id>/approve") in found
    assert ("POST", "api/v1/devices/provision") in found
    assert len(found) >= 18
    public = {route.name for route in routes() if route.call.permission == PUBLIC}
    assert public == {"device-provision", "jackpot-mystery", "jackpot-mystery-one"}
    for route in routes():  # what changes something without a key has said why beside its declaration
        if route.method == "POST" and not route.call.needs_key and route.path.startswith("api/v1/devices"):
            assert route.name in {"device-provision", "device-roll", "device-collect"}


def test_a_token_that_nobody_has_gets_nowhere(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Throttle, "count", lambda *_: None)  # as if from as many addresses
    before = everything()
    for asked in ("me", "approvals/", "keno/tickets", "players/"):
        problem(Caller("mh_00000000_nobody").get(asked), 401, "token-unknown")
    assert everything() == before


def test_a_revoked_device_gets_nowhere(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Throttle, "count", lambda *_: None)  # whatever this address has tried before
    device, token = make_device("manager")
    assert Caller(token).get("me").status_code == 200
    device.tokens.update(revoked_at=device.registered_at)
    problem(Caller(token).get("me"), 401, "token-unknown")


@pytest.fixture
def person(db: None) -> Staff:
    person = Staff.objects.create(username="ruth", name="Ruth")
    person.roles.set(Role.objects.filter(code="supervisor"))
    return person


def test_staff_by_session_only_after_the_second_step(person: Staff) -> None:
    problem(signed_in(person, second_step=False).get("/api/v1/me"), 401, "second-step-missing")
    told = signed_in(person, second_step=True).get("/api/v1/me").json()
    assert told["identity"] == "staff:ruth"
    assert "incidents.close" in told["permissions"]


def test_staff_by_session_need_the_pages_csrf_token(person: Staff) -> None:
    client = signed_in(person, second_step=True, csrf=True)
    body = b'{"kind": "other", "what": "x"}'
    before = everything()

    def post(**headers: str) -> Any:
        sent = {"Idempotency-Key": "k"} | headers
        return client.post("/api/v1/incidents/", body, content_type="application/json", headers=sent)

    problem(post(), 403, "csrf")
    assert everything() == before
    secret = "a" * 32
    client.cookies["csrftoken"] = secret
    assert post(**{"X-CSRFToken": secret}).status_code == 201
    assert client.get("/api/v1/incidents/").status_code == 200


def test_a_method_without_its_permission_does_not_import() -> None:
    with pytest.raises(ImproperlyConfigured, match="does not say which permission"):
        type("Forgotten", (HouseView,), {"get": lambda self, request: None})


def test_the_check_finds_what_is_reachable_without_a_permission() -> None:
    assert checks.every_call_names_its_permission() == []
    plain = path("", lambda request: HttpResponse(), name="plain")
    with patch.object(checks, "_api", lambda: iter([("api/v1/plain", plain, None)])):
        assert [error.id for error in checks.every_call_names_its_permission()] == ["house.E001"]


def test_calls_that_take_something_show_an_example() -> None:
    for route in routes():
        if route.call.takes is not Nothing:
            assert route.call.takes.example is not None, route
            form = route.call.takes(data=route.call.takes.example)
            assert form.is_valid(), (route, form.errors)
