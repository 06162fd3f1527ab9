"""Decision 10: the same request twice has one effect."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.db import transaction
from django.utils import timezone

from house.models import Incident
from kernel.actors import Actor
from kernel.refusal import Busy, Conflict, Refusal
from ledger import log
from ledger.models import Act
from tests.world.calls import INCIDENT, Caller, MakeCaller, everything, make_device, problem
from tests.world.threads import in_threads
from web import request_keys
from web.models import RequestKey
from web.tasks import purge_request_keys

REPLAYED = "Idempotency-Replayed"


def test_the_same_key_and_body_answers_the_same_and_does_nothing_twice(caller: MakeCaller) -> None:
    writer = caller("writer")
    first = writer.post("incidents/", INCIDENT, key="sale-1")
    assert first.status_code == 201
    assert REPLAYED not in first
    before = everything()
    again = writer.post("incidents/", INCIDENT, key="sale-1")
    assert (again.status_code, again.content, again["Content-Type"]) == (201, first.content, first["Content-Type"])
    assert again[REPLAYED] == "true"
    assert everything() == before


def test_spacing_and_order_do_not_make_it_another_request(caller: MakeCaller) -> None:
    writer = caller("writer")
    first = writer.post("incidents/", b'{"kind":"other","what":"x"}', key="k")
    again = writer.post("incidents/", b' { "what" : "\\u0078", "kind" : "other" } ', key="k")
    assert again[REPLAYED] == "true"
    assert again.content == first.content


@pytest.mark.parametrize("key", ["", "   ", "k" * 201, "schlüssel", "a\tb", "a\x7f"])
def test_without_a_readable_key_nothing_is_done(caller: MakeCaller, key: str) -> None:
    writer = caller("writer")
    before = everything()
    problem(writer.post("incidents/", INCIDENT, key=key), 400, "idempotency-key-missing")
    response = writer.client.post(
        "/api/v1/incidents/", json.dumps(INCIDENT), content_type="application/json", headers=writer.headers
    )
    problem(response, 400, "idempotency-key-missing")
    assert everything() == before


def test_a_key_of_200_characters_is_one(caller: MakeCaller) -> None:
    assert caller("writer").post("incidents/", INCIDENT, key="k" * 200).status_code == 201


def test_another_body_or_address_under_the_same_key_is_a_conflict(caller: MakeCaller) -> None:
    manager = caller("manager")
    made = manager.post("incidents/", INCIDENT, key="k").json()
    before = everything()
    document = problem(
        manager.post("incidents/", INCIDENT | {"what": "Other."}, key="k"), 409, "idempotency-key-reused"
    )
    assert "/api/v1/incidents/" in document["detail"]
    close = {"outcome": "Wound up."}
    problem(manager.post(f"incidents/{made['id']}/close", close, key="k"), 409, "idempotency-key-reused")
    assert everything() == before


def test_keys_belong_to_their_caller(caller: MakeCaller) -> None:
    one, two = caller("writer"), caller("writer")
    first = one.post("incidents/", INCIDENT, key="k")
    second = two.post("incidents/", INCIDENT, key="k")
    assert first.json()["id"] != second.json()["id"]
    assert REPLAYED not in second
    problem(caller("writer").get("requests/k"), 404, "request-unknown")


def test_a_final_refusal_is_remembered_and_its_effects_are_not(caller: MakeCaller) -> None:
    """Remembered although it would succeed by now: the terminal that asks again gets the answer it missed."""
    writer = caller("writer")
    real = __import__("house.incidents", fromlist=["report_incident"]).report_incident

    def half_done(**arguments: Any) -> None:
        real(**arguments)
        raise Conflict("too-late", "The day is over.", clause="act-keno:13.1")

    with patch("house.incidents.report_incident", half_done):
        first = writer.post("incidents/", INCIDENT, key="k")
    problem(first, 409, "too-late")
    assert not Incident.objects.exists()
    again = writer.post("incidents/", INCIDENT, key="k")
    assert (again.status_code, again.content) == (409, first.content)
    assert again["Content-Type"] == "application/problem+json"
    assert again[REPLAYED] == "true"
    assert not Incident.objects.exists()
    assert writer.post("incidents/", INCIDENT, key="k2").status_code == 201


def test_a_passing_refusal_leaves_the_key_free(caller: MakeCaller) -> None:
    writer = caller("writer")
    with patch("house.incidents.report_incident", side_effect=Busy("busy", "Try again.")):
        problem(writer.post("incidents/", INCIDENT, key="k"), 503, "busy")
    problem(writer.post("incidents/", {"kind": "other"}, key="k"), 400, "malformed")
    problem(caller("signage").post("incidents/", INCIDENT, key="k"), 403, "no-permission")
    problem(writer.get("requests/k"), 404, "request-unknown")
    assert not RequestKey.objects.exists()
    assert writer.post("incidents/", INCIDENT, key="k").status_code == 201


def test_what_became_of_a_request(caller: MakeCaller) -> None:
    writer = caller("writer")
    sent = writer.post("incidents/", INCIDENT, key="a lost/call?")
    answer = writer.get("requests/a%20lost%2Fcall%3F")
    assert answer.status_code == 200, answer.content
    told = answer.json()
    assert (told["key"], told["method"], told["path"]) == ("a lost/call?", "POST", "/api/v1/incidents/")
    assert (told["status"], told["answer"]) == (201, sent.json())
    problem(writer.get("requests/never-sent"), 404, "request-unknown")


def test_keys_are_forgotten_after_thirty_days(caller: MakeCaller) -> None:
    writer = caller("writer")
    for key in ("old", "young"):
        writer.post("incidents/", INCIDENT, key=key)
    RequestKey.objects.filter(key="old").update(created_at=timezone.now() - dt.timedelta(days=30, seconds=1))
    RequestKey.objects.filter(key="young").update(created_at=timezone.now() - dt.timedelta(days=29, hours=23))
    assert purge_request_keys() == 1
    assert [row.key for row in RequestKey.objects.all()] == ["young"]
    assert Incident.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_twin_waits_for_the_first_and_goes_on_alone_if_it_fails() -> None:
    """The first holds the key uncommitted, then rolls back: the twin must neither be refused nor replay."""
    _, token = make_device("writer")
    by = Actor(identity="device:X-0001", name="X")

    class Undone(Exception):
        pass

    def first() -> None:
        try:
            with transaction.atomic():
                request_keys.once(
                    by=by,
                    key="k",
                    method="POST",
                    path="/api/v1/incidents/",
                    body=INCIDENT,
                    effect=lambda: (200, "{}"),
                    refused=lambda refusal: (422, "{}"),
                )
                assert RequestKey.objects.count() == 1
                raise Undone
        except Undone:
            pass

    in_threads(1, first)
    assert Caller(token).post("incidents/", INCIDENT, key="k").status_code == 201
    assert Incident.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_twins_at_the_same_moment_make_one_effect() -> None:
    _, token = make_device("writer")
    answers = in_threads(8, lambda: Caller(token).post("incidents/", INCIDENT, key="k"))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sorted(REPLAYED in answer for answer in answers) == [False] + [True] * 7
    assert Incident.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_without_the_keys_the_double_effect_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same race with the mechanism off, so that the test above shows something."""

    def bypass(*, effect: Callable[[], Any], **_: Any) -> request_keys.Answer:
        status, body = effect()
        return request_keys.Answer(status, body, replayed=False)

    monkeypatch.setattr(request_keys, "once", bypass)
    _, token = make_device("writer")
    answers = in_threads(8, lambda: Caller(token).post("incidents/", INCIDENT, key="k"))
    assert {answer.status_code for answer in answers} == {201}
    assert Incident.objects.count() == 8


def test_the_act_is_written_in_the_transaction_of_the_effect(caller: MakeCaller) -> None:
    """A log that cannot be written undoes the effect and the key with it."""
    writer = caller("writer")
    with patch.object(log, "write", side_effect=RuntimeError("the log is gone")):
        problem(writer.post("incidents/", INCIDENT, key="k"), 500, "unexpected")
    assert not Incident.objects.exists()
    assert not RequestKey.objects.exists()


@pytest.mark.django_db
def test_what_a_refusal_notes_is_kept_once_and_all_else_undone() -> None:
    """A wrong code is counted although it is refused: once a key, after everything that the call did is gone."""
    by = Actor("device:X-0001", "terminal")

    def effect() -> tuple[int, str]:
        log.write(kind="keno.ball", subject="undone", by=by, data={})
        raise Refusal("code-wrong", "No.").noting(
            lambda: log.write(kind="keno.ball", subject="counted", by=by, data={})
        )

    asked: dict[str, Any] = {"by": by, "key": "k", "method": "POST", "path": "/x", "body": {}, "effect": effect}
    for replayed in (False, True):
        answer = request_keys.once(**asked, refused=lambda refusal: (refusal.status, refusal.code))
        assert (answer.status, answer.body, answer.replayed) == (422, "code-wrong", replayed)
        assert list(Act.objects.filter(kind="keno.ball").values_list("subject", flat=True)) == ["counted"]
