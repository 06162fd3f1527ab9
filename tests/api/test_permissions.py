"""Every call × every profile: who has no right is told so, and nothing changes."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.test import Client
from django.urls import path
from django_otp.plugins.otp_totp.models import TOTPDevice

from house.api import checks
from house.api.checks import routes
from house.api.fields import Nothing
from house.api.view import PUBLIC, SIGNED_IN, HouseView
from house.models import Grant, Role, Staff
from house.roles import ROLES
from tests.api.calls import Caller, everything, make_device, problem

UNKNOWN = "no-such-profile"


def filled(route: str) -> str:
    """The address with something in its gaps that does not exist."""
    return re.sub(r"<int:\w+>", "999999", re.sub(r"<(?:str|path|slug):\w+>", "Z-9999", route)).removeprefix("api/v1/")


def call(caller: Caller, route: checks.Route):
    if route.method == "GET":
        return caller.get(filled(route.path))
    example = route.call.takes.example
    return caller.post(filled(route.path), [example] if route.call.takes_many else example)


def test_there_are_calls():
    found = {(route.method, route.path) for route in routes()}
    assert ("POST", "api/v1/approvals/<int:id>/approve") in found
    assert ("POST", "api/v1/devices/provision") in found
    assert len(found) >= 18
    public = {route.name for route in routes() if route.call.permission == PUBLIC}
    assert public == {"device-provision", "jackpot-mystery", "jackpot-mystery-one"}
    for route in routes():  # what changes something without a key has said why beside its declaration
        if route.method == "POST" and not route.call.needs_key and route.path.startswith("api/v1/devices"):
            assert route.name in {"device-provision", "device-roll"}


@pytest.mark.parametrize("profile", [UNKNOWN, *ROLES])
def test_every_call_asks_for_its_permission(db, profile):
    _, token = make_device(profile)
    caller = Caller(token)
    held = set(Grant.objects.filter(role_id=profile).values_list("permission_id", flat=True))
    assert held or profile in {UNKNOWN, "signage"}
    denied = 0
    before = everything()
    for route in routes():
        needs = route.call.permission
        if needs == PUBLIC:
            continue
        response = call(caller, route)
        if needs in held or needs == SIGNED_IN:
            assert response.status_code not in {401, 500}, route
            if response.status_code == 403:  # the kind of change asks for more than the call
                assert needs == "approvals.view", route
        else:
            document = problem(response, 403, "no-permission")
            assert needs in document["detail"]
            denied += 1
        if response.status_code == 403:
            assert everything() == before, route
        before = everything()
    if profile == UNKNOWN:
        assert denied == sum(route.call.permission not in {PUBLIC, SIGNED_IN} for route in routes())


def test_nobody_gets_nowhere(db):
    before = everything()
    for route in routes():
        if route.call.permission != PUBLIC:
            problem(call(Caller(), route), 401, "not-signed-in")
            problem(call(Caller("mh_00000000_nobody"), route), 401, "token-unknown")
    assert everything() == before


def test_a_revoked_device_gets_nowhere(db):
    device, token = make_device("manager")
    assert Caller(token).get("me").status_code == 200
    device.tokens.update(revoked_at=device.registered_at)
    problem(Caller(token).get("me"), 401, "token-unknown")


@pytest.fixture
def person(db):
    person = Staff.objects.create(username="ruth", name="Ruth")
    person.roles.set(Role.objects.filter(code="supervisor"))
    return person


def signed_in(person: Staff, *, second_step: bool, csrf: bool = False) -> Client:
    client = Client(enforce_csrf_checks=csrf)
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    session = client.session
    if second_step:
        device = TOTPDevice.objects.create(user=person, name="phone", confirmed=True)
        session["otp_device_id"] = device.persistent_id
    from django.utils import timezone

    session["active-at"] = timezone.now().timestamp()
    session.save()
    return client


def test_staff_by_session_only_after_the_second_step(person):
    problem(signed_in(person, second_step=False).get("/api/v1/me"), 401, "second-step-missing")
    told = signed_in(person, second_step=True).get("/api/v1/me").json()
    assert told["identity"] == "staff:ruth"
    assert "incidents.close" in told["permissions"]


def test_staff_by_session_need_the_pages_csrf_token(person):
    client = signed_in(person, second_step=True, csrf=True)
    body = b'{"kind": "other", "what": "x"}'
    before = everything()

    def post(**headers: str):
        sent = {"Idempotency-Key": "k"} | headers
        return client.post("/api/v1/incidents/", body, content_type="application/json", headers=sent)

    problem(post(), 403, "csrf")
    assert everything() == before
    secret = "a" * 32
    client.cookies["csrftoken"] = secret
    assert post(**{"X-CSRFToken": secret}).status_code == 201
    assert client.get("/api/v1/incidents/").status_code == 200


def test_a_method_without_its_permission_does_not_import():
    with pytest.raises(ImproperlyConfigured, match="does not say which permission"):
        type("Forgotten", (HouseView,), {"get": lambda self, request: None})


def test_the_check_finds_what_is_reachable_without_a_permission():
    assert checks.every_call_names_its_permission() == []
    plain = path("", lambda request: HttpResponse(), name="plain")
    with patch.object(checks, "_api", lambda: iter([("api/v1/plain", plain, None)])):
        assert [error.id for error in checks.every_call_names_its_permission()] == ["house.E001"]


def test_calls_that_take_something_show_an_example():
    for route in routes():
        if route.call.takes is not Nothing:
            assert route.call.takes.example is not None, route
            form = route.call.takes(data=route.call.takes.example)
            assert form.is_valid(), (route, form.errors)
