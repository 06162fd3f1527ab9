from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test import Client, RequestFactory
from pytest_django import Settings

from console.views.problems import server_error
from house.models import Incident
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from tests.world.calls import INCIDENT, MakeCaller, everything, problem
from web import problems
from web.codes import all_codes
from web.problems import errors_in


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nothing",
        b"[1, 2]",
        b'"text"',
        b"null",
        b"3",
        b'{"kind": "other", "kind": "other", "what": "x"}',
        b'{"kind": "other", "what": NaN}',
        b'{"kind": "other", "what": 1e999}',
        b'{"kind": "other", "what": "\xff\xfe"}',
        b'{"kind": "other", "what": "a\\u0000b"}',
        b'{"kind": "other", "what": "\\ud800"}',
        b'{"kind": "other", "wh\\u0000at": "x"}',
        b'{"kind": "other", "what": "x", "subject": ' + b"9" * 5000 + b"}",
        b'{"kind": "other", "what": "x", "subject": ' + b"9" * 30 + b"}",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 40 + b"1" + b"}" * 40,
        b'{"kind": 1, "what": "x"}',
        b'{"kind": true, "what": "x"}',
        b'{"kind": null, "what": "x"}',
        b'{"kind": {}, "what": "x"}',
        b'{"kind": "other", "what": "   "}',
        b'{"kind": "other", "what": "x", "happened_at": "2026-11-16T21:04:00"}',
        b'{"kind": "other", "what": "x", "happened_at": "2026-02-30T21:04:00Z"}',
        b'{"kind": "other", "what": "x", "happened_at": "9999-12-31T23:59:59-14:00"}',
        b'{"kind": "other", "what": "x", "happened_at": 1763287440}',
        b"\xef\xbb\xbf{}",
    ],
    ids=lambda body: repr(body[:40]),
)
def test_what_cannot_be_read_is_400_and_changes_nothing(caller: MakeCaller, body: Any) -> None:
    writer = caller("writer")
    before = everything()
    document = problem(writer.post("incidents/", body), 400, "malformed")
    assert "Traceback" not in document["detail"]
    assert everything() == before


def test_the_field_in_question_is_named(caller: MakeCaller) -> None:
    writer = caller("writer")
    assert problem(writer.post("incidents/", {"kind": "other", "what": 3}), 400, "malformed")["field"] == "what"
    several = problem(writer.post("incidents/", {"kind": 1, "what": 3}), 400, "malformed")
    assert [(each["field"], each["code"]) for each in several["errors"]] == [
        ("kind", "malformed"),
        ("what", "malformed"),
    ]
    nul = writer.post("incidents/", b'{"kind": "other", "what": "a\\u0000"}')
    assert problem(nul, 400, "malformed")["field"] == "what"


def test_paths_of_nested_errors() -> None:
    detail = {"plays": [{}, {"stake": ["no"]}], "numbers": {3: ["bad"]}, "non_field_errors": ["whole"]}
    assert [(each["field"], each["detail"]) for each in errors_in(detail)] == [
        ("plays[1].stake", "no"),
        ("numbers[3]", "bad"),
        ("", "whole"),
    ]


def test_unknown_fields_are_refused(caller: MakeCaller) -> None:
    writer = caller("writer")
    document = problem(writer.post("incidents/", INCIDENT | {"colour": "red"}), 400, "unknown-field")
    assert document["field"] == "colour"
    both = problem(writer.post("incidents/", {"kind": "other", "colour": "red"}), 400, "malformed")
    assert {(each["field"], each["code"]) for each in both["errors"]} == {
        ("colour", "unknown-field"),
        ("what", "malformed"),
    }
    assert not Incident.objects.exists()


def test_every_refusal_of_http_itself_is_a_problem(caller: MakeCaller) -> None:
    manager = caller("manager")
    nobody = caller(None)
    problem(manager.client.put("/api/v1/incidents/", b"{}", headers=manager.headers), 405, "method-not-allowed")
    assert manager.client.put("/api/v1/incidents/", headers=manager.headers)["Allow"] == "GET, POST, HEAD"
    problem(manager.get("incidents/", Accept="text/html"), 406, "not-acceptable")
    form = manager.client.post(
        "/api/v1/incidents/", {"kind": "other"}, headers=manager.headers | {"Idempotency-Key": "k"}
    )
    problem(form, 415, "wrong-content-type")
    problem(manager.get("nowhere"), 404, "not-found")
    problem(manager.get("incidents/123456789012345678901234567890"), 404, "no-such-incident")
    problem(manager.get("incidents/4"), 404, "no-such-incident")
    problem(manager.post("devices/W%00/revoke", {"why": "x"}), 404, "not-found")
    problem(manager.post("incidents/?loud=1", INCIDENT), 400, "unknown-field")
    problem(nobody.client.get("/api/v1/incidents/", headers={"Host": "elsewhere.example"}), 400, "malformed")
    unknown = problem(nobody.get("me"), 401, "not-signed-in")
    assert nobody.get("me")["WWW-Authenticate"].startswith("Bearer")
    assert "clause" not in unknown
    for value in ("Bearer mh_unknown", "Bearer \x7f", "Bearer", "Basic YTpi", "Bearer é"):
        response = nobody.client.get("/api/v1/me", headers={"Authorization": value})
        assert response.status_code == 401, value
        assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_body_too_large_is_413(caller: MakeCaller, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    problem(caller("writer").post("incidents/", {"kind": "other", "what": "x" * 200}), 413, "too-large")


def database_error(kind: type[Exception]) -> OperationalError:
    error = OperationalError("canceling statement")
    error.__cause__ = kind("canceling statement")
    return error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (database_error(psycopg.errors.LockNotAvailable), 503, "busy"),
        (database_error(psycopg.errors.SerializationFailure), 503, "busy"),
        (database_error(psycopg.errors.DeadlockDetected), 503, "busy"),
        (database_error(psycopg.OperationalError), 503, "unavailable"),
        (DataError("out of range"), 400, "malformed"),
        (Conflict("no-way", "Not now.", clause="act-keno:3.1a", until=Money.cents(250)), 409, "no-way"),
        (RuntimeError("secret path /etc"), 500, "unexpected"),
    ],
    ids=repr,
)
def test_what_goes_wrong_in_a_verb(caller: MakeCaller, error: Exception, status: int, code: str) -> None:
    writer = caller("writer")
    before = everything()
    with patch("house.incidents.report_incident", side_effect=error):
        response = writer.post("incidents/", INCIDENT, key="first", **{"X-Request-ID": "from-the-terminal"})
    document = problem(response, status, code)
    if status == 503:
        assert response["Retry-After"] == "1"
    if status == 500:
        assert document["request_id"] == "from-the-terminal"
        assert "secret" not in response.content.decode()
    if status == 409:
        assert document["clause"] == "act-keno:3.1a"
        assert document["until"] == "2.50"
    after = everything()
    remembered = after.pop("RequestKey")
    assert [row["status"] for row in remembered] == ([409] if status == 409 else [])
    before.pop("RequestKey")
    assert after == before


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_does_not_come_is_busy_for_real(caller: MakeCaller) -> None:
    from house.models import Device
    from tests.world.calls import make_device
    from tests.world.threads import in_threads

    manager = caller("manager")
    device, _ = make_device("writer")
    with transaction.atomic():
        Device.objects.select_for_update().get(pk=device.pk)

        def revoke() -> Any:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '50ms'")
            try:
                return manager.post(f"devices/{device.code}/revoke", {"why": "Lost."})
            finally:
                with connection.cursor() as cursor:  # others use this connection later
                    cursor.execute("RESET lock_timeout")

        (response,) = in_threads(1, revoke)
    problem(response, 503, "busy")
    device.refresh_from_db()
    assert device.status == "active"


def test_outside_the_api_a_problem_is_a_page(client: Client) -> None:
    response = client.get("/nowhere/at/all")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")
    assert "There is nothing at this address." in response.content.decode()


def test_a_bug_outside_any_view_is_a_problem_too() -> None:
    response: Any = server_error(RequestFactory().get("/api/v1/me"))
    assert json.loads(response.content)["code"] == "unexpected"
    assert response.status_code == 500


def test_codes_are_collected_from_the_source(client: Client) -> None:
    codes = {(each.code, each.status): each for each in all_codes()}
    assert ("idempotency-key-missing", 400) in codes
    assert ("idempotency-key-reused", 409) in codes
    assert ("no-permission", 403) in codes
    assert ("unknown-field", 400) in codes
    assert codes["outside-gaming-hours", 422].clauses == ("act-keno:13.1",)
    page = client.get("/api/docs/problems").content.decode()
    for code, _ in codes:
        assert f'id="{code}"' in page


def test_a_refusal_renders_only_what_it_has() -> None:
    assert problems.document(Refusal("too-late", "The game is closed.")) == {
        "type": "/api/docs/problems#too-late",
        "title": "Refused by a rule",
        "status": 422,
        "code": "too-late",
        "detail": "The game is closed.",
    }


def test_a_call_without_its_final_slash_is_not_found_rather_than_redirected() -> None:
    """A redirect would turn the POST into a GET and lose what was sent."""
    from django.test import Client

    answer = Client().post("/api/v1/incidents", data="{}", content_type="application/json")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
