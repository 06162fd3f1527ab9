"""The house's own calls: each parses, calls one verb and shows what came of it."""

from __future__ import annotations

import datetime as dt

import pytest
import redis
from django.conf import settings as django_settings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from house.devices import provisioning_code
from house.models import Device, GamingDay, Incident, Proposal, Role, Staff
from kernel.actors import Actor
from tests.world.calls import INCIDENT, Caller, MakeCaller, everything, make_device, problem

HOURS = {day: ["10:00", "04:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
LATER = HOURS | {"mon": ["12:00", "04:00"]}
PROPOSAL = {"kind": "house.opening-hours", "subject": "venue", "new": LATER, "why": "Cleaning."}


@pytest.fixture
def fresh_throttle() -> None:
    """Nobody has tried in this minute."""
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        for key in client.scan_iter("throttle:*"):
            client.delete(key)


def test_who_am_i(caller: MakeCaller) -> None:
    told = caller("signage").get("me").json()
    assert told["identity"].startswith("device:X-")
    assert told["permissions"] == sorted(told["permissions"])


def test_the_permission_table(caller: MakeCaller) -> None:
    table = caller("supervisor").get("permissions/").json()
    assert {"code": "writer", "name": "Keno writer"} in table["roles"]
    rows = {row["code"]: row["roles"] for row in table["permissions"]}
    assert rows["gaming-day.close-early"] == ["manager"]
    assert rows["incidents.close"] == ["manager", "supervisor"]


def test_the_current_gaming_day(caller: MakeCaller) -> None:
    writer = caller("writer")
    GamingDay.objects.all().delete()
    problem(writer.get("gaming-days/current"), 404, "no-gaming-day")
    now = timezone.now()
    opens, closes = now - dt.timedelta(hours=1), now + dt.timedelta(hours=1)
    GamingDay.objects.create(date=opens.date(), opens_at=opens, closes_at=closes)
    told = writer.get("gaming-days/current").json()
    assert told["open"] is True
    assert told["date"] == opens.date().isoformat()
    assert dt.datetime.fromisoformat(told["ends_at"]) == closes
    assert told["opens_at"].endswith(("+11:00", "+10:00"))


def test_propose_approve_and_see_it(caller: MakeCaller) -> None:
    proposer, decider = caller("supervisor"), caller("manager")
    made = proposer.post("approvals/", PROPOSAL)
    assert made.status_code == 201, made.content
    proposal = made.json()
    assert (proposal["status"], proposal["old"], proposal["new"]) == ("proposed", HOURS, LATER)
    assert proposal["says"] == "New opening hours: Monday 12:00 to 04:00."
    waiting = [row["id"] for row in decider.get("approvals/?waiting=true").json()["results"]]
    assert waiting == [proposal["id"]]
    assert proposer.get("approvals/?waiting=true").json()["results"] == []
    done = decider.post(f"approvals/{proposal['id']}/approve", {"comment": "Fine."})
    assert done.status_code == 200, done.content
    shown = decider.get(f"approvals/{proposal['id']}").json()
    assert shown == done.json()
    assert (shown["status"], shown["comment"]) == ("effective", "Fine.")
    assert shown["proposed_by"] != shown["decided_by"]
    assert [row["id"] for row in decider.get("approvals/?status=effective").json()["results"]] == [proposal["id"]]
    assert decider.get("approvals/?kind=keno.schedule").json()["results"] == []


def test_never_by_the_proposer_and_never_twice(caller: MakeCaller) -> None:
    manager, other = caller("manager"), caller("manager")
    proposal = manager.post("approvals/", PROPOSAL).json()["id"]
    for word in ("approve", "reject"):
        before = everything()
        problem(manager.post(f"approvals/{proposal}/{word}"), 403, "own-proposal")
        assert everything() == before
    problem(other.post(f"approvals/{proposal}/withdraw"), 403, "not-your-proposal")
    problem(caller("supervisor").post(f"approvals/{proposal}/approve"), 403, "no-permission")
    assert other.post(f"approvals/{proposal}/reject").json()["status"] == "rejected"
    problem(other.post(f"approvals/{proposal}/approve"), 409, "already-decided")
    problem(manager.post(f"approvals/{proposal}/withdraw"), 409, "already-decided")
    problem(other.post("approvals/99/approve"), 404, "no-such-proposal")


def test_withdrawing_and_impossible_proposals(caller: MakeCaller) -> None:
    manager = caller("manager")
    proposal = manager.post("approvals/", PROPOSAL).json()["id"]
    assert manager.post(f"approvals/{proposal}/withdraw").json()["status"] == "withdrawn"
    before = Proposal.objects.count()
    problem(manager.post("approvals/", PROPOSAL | {"kind": "weather"}), 404, "no-such-kind")
    problem(manager.post("approvals/", PROPOSAL | {"new": HOURS}), 422, "nothing-changes")
    problem(manager.post("approvals/", PROPOSAL | {"new": "later"}), 400, "hours-not-readable")
    past = {"effective_from": "2020-01-01T00:00:00Z"}
    assert problem(manager.post("approvals/", PROPOSAL | past), 422, "time-has-passed")["field"] == "effective_from"
    assert Proposal.objects.count() == before


@pytest.mark.clause("nsw-csp:14.15")
def test_an_incident_from_report_to_close(caller: MakeCaller) -> None:
    table, supervisor = caller("table"), caller("supervisor")
    happened = "2026-01-02T03:04:05+11:00"
    made = table.post("incidents/", {"kind": "equipment-malfunction", "what": "Stuck.", "happened_at": happened})
    assert made.status_code == 201, made.content
    incident = made.json()
    assert (incident["clause"], incident["happened_at"], incident["status"]) == ("nsw-csp:14.15", happened, "open")
    assert [(each["to"], each["due_at"], each["told_at"]) for each in incident["notices"]] == [
        ("inspector", happened, None)
    ]
    overdue = supervisor.get("incidents/?overdue=true").json()["results"]
    assert [row["id"] for row in overdue] == [incident["id"]]
    at = f"incidents/{incident['id']}"
    problem(supervisor.post(f"{at}/close", {"outcome": "Mended."}), 409, "notice-owed")
    missed = supervisor.post(f"{at}/notices", {"to": "inspector", "how": "telephone", "reached": False})
    assert missed.json()["notices"][0]["told_at"] is None
    told = supervisor.post(f"{at}/notices", {"to": "inspector", "how": "in person", "reference": "room 4"})
    assert told.status_code == 201
    assert [each["reached"] for each in told.json()["notices"][0]["attempts"]] == [False, True]
    assert supervisor.get("incidents/?overdue=true").json()["results"] == []
    assert [row["id"] for row in supervisor.get("incidents/?overdue=false").json()["results"]] == [incident["id"]]
    closed = supervisor.post(f"{at}/close", {"outcome": "Mended."}).json()
    assert (closed["status"], closed["outcome"]) == ("closed", "Mended.")
    assert supervisor.get(at).json() == closed
    problem(supervisor.post(f"{at}/close", {"outcome": "Again."}), 409, "incident-closed")


def test_incidents_that_cannot_be(caller: MakeCaller) -> None:
    writer = caller("writer")
    problem(writer.post("incidents/", INCIDENT | {"kind": "weather"}), 422, "no-such-kind")
    problem(writer.post("incidents/", INCIDENT | {"happened_at": "2999-01-01T00:00:00Z"}), 422, "not-happened-yet")
    assert not Incident.objects.exists()


def test_a_list_does_not_ask_once_a_row(
    caller: MakeCaller, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    manager, writer = caller("manager"), caller("writer")
    for _ in range(12):
        writer.post("incidents/", {"kind": "equipment-malfunction", "what": "Stuck."})
    with django_assert_max_num_queries(8):
        assert len(manager.get("incidents/").json()["results"]) == 12


def administrator() -> Actor:
    person = Staff.objects.create(username="adam", name="Adam")
    person.roles.set(Role.objects.filter(code="administrator"))
    return person.as_actor()


def test_a_device_changes_its_code_into_a_token(caller: MakeCaller) -> None:
    device, _ = make_device("writer")
    code = provisioning_code(code=device.code, by=administrator()).secret
    nobody = Caller()
    problem(nobody.post("devices/provision", {"code": "0000-0000"}), 422, "code-not-valid")
    answer = nobody.post("devices/provision", {"code": code})
    assert answer.status_code == 201
    assert answer.json()["device"] == device.code
    assert Caller(answer.json()["token"]).get("me").json()["identity"] == device.identity
    problem(nobody.post("devices/provision", {"code": code}), 422, "code-not-valid")
    stored = str(everything())
    assert answer.json()["token"] not in stored
    assert answer.json()["token"].encode().hex() not in stored


def test_wrong_provisioning_codes_are_heard_later_and_later(caller: MakeCaller) -> None:
    nobody = Caller()
    statuses = [nobody.post("devices/provision", {"code": f"0000-{n:04d}"}).status_code for n in range(8)]
    assert statuses == [422] * 5 + [429] * 3
    answer = nobody.post("devices/provision", {"code": "0000-0000"})
    problem(answer, 429, "too-many-tries")
    assert int(answer["Retry-After"]) <= 5


def test_unknown_tokens_are_counted_by_address_and_good_ones_are_not(
    caller: MakeCaller, fresh_throttle: None, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.throttle.time.time", lambda: 1_800_000_000.0)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"  # each process counts for itself then
    guesser = Caller("mh_00000000_guessed")
    for _ in range(120):
        problem(guesser.get("me"), 401, "token-unknown")
    answer = guesser.get("me")
    problem(answer, 429, "too-many-tries")
    assert answer["Retry-After"] == "60"
    assert caller("writer").get("me").status_code == 200


def test_rolling_and_revoking(caller: MakeCaller) -> None:
    manager = caller("manager")
    device, token = make_device("writer")
    rolled = manager.post(f"devices/{device.code}/roll", {})
    assert rolled.status_code == 201
    new = rolled.json()["token"]
    problem(Caller(token).get("me"), 401, "token-unknown")
    assert Caller(new).get("me").status_code == 200
    newer = manager.post(f"devices/{device.code}/roll", {"overlap": 60}).json()["token"]
    assert Caller(new).get("me").status_code == 200
    problem(manager.post(f"devices/{device.code}/roll", {"overlap": 700_000}), 400, "malformed")
    revoked = manager.post(f"devices/{device.code}/revoke", {"why": "Stolen."}).json()
    assert revoked["status"] == "revoked"
    problem(Caller(newer).get("me"), 401, "token-unknown")
    problem(manager.post(f"devices/{device.code}/revoke", {"why": "Again."}), 409, "device-revoked")
    problem(manager.post("devices/Z-1/revoke", {"why": "Gone."}), 404, "no-such-device")
    rows = manager.get("devices/?status=revoked").json()["results"]
    assert [row["code"] for row in rows] == [device.code]
    assert Device.objects.filter(status="active").count() == 1
