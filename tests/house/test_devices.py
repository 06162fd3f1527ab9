from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection

from house import callers, demo, devices, sign_in
from house.models import Device, DeviceSeen, DeviceToken, Grant, ProvisioningCode, Role, SecondStep, Staff
from house.permissions import REPORT_INCIDENTS
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotFound, NotSignedIn
from tests.house.conftest import NOW, Clock, Log, MakeActor, MakeBrowser, MakePerson
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db


def register(by: Actor, **more: Any) -> Device:
    wanted: dict[str, Any] = {"name": "Counter 1", "kind": "writer-terminal", "by": by} | more
    return devices.register_device(**wanted)


def token_for(device: Device, by: Actor) -> str:
    return devices.roll_token(code=device.code, by=by).secret


def caller(token: str) -> Actor:
    actor = callers.actor_for_token(token)
    assert actor is not None
    return actor


def everything_in_the_database() -> str:
    with connection.cursor() as cursor:
        text = []
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT "{table}"::text FROM "{table}"')
            text += [row[0] for row in cursor.fetchall()]
    return "\n".join(text)


def test_devices_are_numbered_by_kind(administrator: Actor, log: Log) -> None:
    kinds = ["writer-terminal", "writer-terminal", "table-controller", "display", "writer-terminal"]
    made = [register(administrator, kind=kind) for kind in kinds]
    assert [device.code for device in made] == ["W-0001", "W-0002", "T-0001", "D-0001", "W-0003"]
    assert [device.profile for device in made] == ["writer", "writer", "table", "signage", "writer"]
    assert not any(device.opens_own_shift for device in made)
    assert log.acts[0] == ("device.registered", "device:W-0001", "staff:administrator")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"kind": "toaster"}, "no-such-kind"),
        ({"profile": "manager"}, "profile-not-allowed"),
        ({"profile": "pilot"}, "profile-not-allowed"),
        ({"name": "  "}, "name-missing"),
        ({"place": "x" * 81}, "name-missing"),
    ],
)
def test_register_refusals(administrator: Actor, given: dict[str, Any], code: str, log: Log) -> None:
    refused(lambda: register(administrator, **given), code)
    assert not Device.objects.exists()
    assert not log.acts


def test_managing_devices_needs_the_right(actor: MakeActor, administrator: Actor) -> None:
    device = register(administrator)
    supervisor = actor("supervisor")
    for call in (
        lambda: register(supervisor),
        lambda: devices.provisioning_code(code=device.code, by=supervisor),
        lambda: devices.roll_token(code=device.code, by=supervisor),
        lambda: devices.revoke_device(code=device.code, why="?", by=supervisor),
    ):
        refused(call, "no-permission", Forbidden)


def test_a_code_becomes_a_token_once(administrator: Actor, clock: Clock, log: Log) -> None:
    device = register(administrator, place="Main floor")
    issued = devices.provisioning_code(code=device.code, by=administrator)
    assert len(issued.secret.replace("-", "")) == 8
    typed = issued.secret.lower().replace("0", "o").replace("1", "l")  # as people read and type it
    token = devices.provision(code=typed).secret
    assert caller(token).identity == "device:W-0001"
    refused(lambda: devices.provision(code=issued.secret), "code-not-valid")
    assert log.acts[-2:] == [
        ("device.code-made", "device:W-0001", "staff:administrator"),
        ("device.token-issued", "device:W-0001", "device:W-0001"),
    ]


def test_a_code_lasts_ten_minutes_and_a_newer_one_replaces_it(administrator: Actor, clock: Clock) -> None:
    device = register(administrator)
    old = devices.provisioning_code(code=device.code, by=administrator).secret
    new = devices.provisioning_code(code=device.code, by=administrator).secret
    refused(lambda: devices.provision(code=old), "code-not-valid")
    refused(lambda: devices.provision(code="AAAA-AAAA"), "code-not-valid")
    clock.shift(timedelta(minutes=10))
    refused(lambda: devices.provision(code=new), "code-not-valid")
    assert not DeviceToken.objects.exists()
    last = devices.provisioning_code(code=device.code, by=administrator).secret
    clock.shift(timedelta(minutes=10, microseconds=-1))
    devices.provision(code=last)


def test_secrets_are_nowhere_in_the_database(administrator: Actor, log: Log) -> None:
    device = register(administrator)
    code = devices.provisioning_code(code=device.code, by=administrator).secret
    token = devices.provision(code=code).secret
    prefix, secret = token.split("_", 2)[1:]
    stored = everything_in_the_database() + str(log.acts) + str(log.data)
    assert prefix in stored  # to recognise it by
    for hidden in (token, secret, code, code.replace("-", "")):
        assert hidden not in stored
    assert len(secret) == 43  # 256 bits in base64
    assert DeviceToken.objects.get().hash == hashlib.sha256(token.encode()).hexdigest()


def test_an_actor_has_what_its_profile_has_in_one_query(
    administrator: Actor, django_assert_num_queries: Any, clock: Clock
) -> None:
    device = register(administrator)
    token = token_for(device, administrator)
    callers.actor_for_token(token)  # the first call also notes that it was seen
    with django_assert_num_queries(1):
        actor = callers.actor_for_token(token)
    assert actor == Actor(
        identity="device:W-0001",
        name="Counter 1",
        permissions=frozenset(Grant.objects.filter(role="writer").values_list("permission", flat=True)),
        device="W-0001",
    )
    assert actor.may(REPORT_INCIDENTS)


@pytest.mark.parametrize("profile", ["pilot", "", "WRITER", "writer "])
def test_an_unknown_profile_gets_nothing(administrator: Actor, profile: str) -> None:
    token = token_for(register(administrator), administrator)
    Device.objects.update(profile=profile)
    assert caller(token).permissions == frozenset()


def test_a_role_without_grants_gets_nothing(administrator: Actor) -> None:
    token = token_for(register(administrator), administrator)
    Grant.objects.filter(role="writer").delete()
    assert caller(token).permissions == frozenset()


@pytest.mark.parametrize("token", ["", "mh_", "mh_12345678_x", "\0", "\ud800", "x" * 100_000])
def test_an_unknown_token_is_nobody(db: None, token: str) -> None:
    assert callers.actor_for_token(token) is None


def test_rolling_stops_the_old_token_at_once_or_after_the_overlap(administrator: Actor, clock: Clock) -> None:
    device = register(administrator)
    first = token_for(device, administrator)
    second = token_for(device, administrator)
    assert callers.actor_for_token(first) is None
    third = devices.roll_token(code=device.code, by=administrator, overlap=timedelta(hours=1)).secret
    assert callers.actor_for_token(second)
    assert callers.actor_for_token(third)
    # A longer overlap the next time does not lengthen what was already ending.
    fourth = devices.roll_token(code=device.code, by=administrator, overlap=timedelta(hours=5)).secret
    clock.shift(timedelta(hours=1))
    assert callers.actor_for_token(second) is None
    assert callers.actor_for_token(third)
    assert callers.actor_for_token(fourth)
    for overlap in (timedelta(seconds=-1), timedelta(days=7, seconds=1)):
        refused(
            partial(devices.roll_token, code=device.code, by=administrator, overlap=overlap),
            "overlap-not-allowed",
        )


def test_revoking_stops_everything_it_has(administrator: Actor, clock: Clock, log: Log) -> None:
    device = register(administrator)
    token = token_for(device, administrator)
    code = devices.provisioning_code(code=device.code, by=administrator).secret
    refused(lambda: devices.revoke_device(code=device.code, why=" ", by=administrator), "reason-missing")
    assert callers.actor_for_token(token)
    devices.revoke_device(code=device.code, why="Stolen", by=administrator)
    assert callers.actor_for_token(token) is None
    refused(lambda: devices.provision(code=code), "code-not-valid")
    assert log.acts[-1] == ("device.revoked", "device:W-0001", "staff:administrator")
    for call in (
        lambda: devices.revoke_device(code=device.code, why="Again", by=administrator),
        lambda: devices.roll_token(code=device.code, by=administrator),
        lambda: devices.provisioning_code(code=device.code, by=administrator),
    ):
        refused(call, "device-revoked", Conflict)
    refused(lambda: devices.roll_token(code="W-0009", by=administrator), "no-such-device", NotFound)
    assert not ProvisioningCode.objects.filter(used_at=None, expires_at__gt=NOW).exists()
    assert register(administrator).code == "W-0002"  # a code is never used again


def test_last_seen_is_written_every_thirty_seconds_at_most(
    administrator: Actor, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    device = register(administrator)
    token = token_for(device, administrator)
    running = [0.0]
    monkeypatch.setattr("house.callers.time.monotonic", lambda: running[0])

    def seen_after(seconds: float, queries: int) -> datetime:
        running[0] = seconds
        with time_machine.travel(NOW + timedelta(seconds=seconds), tick=False), django_assert_num_queries(queries):
            callers.actor_for_token(token)
        return DeviceSeen.objects.get().seen_at

    assert seen_after(0, queries=2) == NOW
    assert seen_after(29, queries=1) == NOW
    assert seen_after(31, queries=2) == NOW + timedelta(seconds=31)
    callers._noted.clear()  # another process, which does not know: the row itself says that it is too soon
    assert seen_after(40, queries=2) == NOW + timedelta(seconds=31)


def test_devices_offline(administrator: Actor, clock: Clock) -> None:
    never, silent, here, revoked = (register(administrator, name=name) for name in ("never", "silent", "here", "gone"))
    tokens = {device: token_for(device, administrator) for device in (silent, here, revoked)}
    callers.actor_for_token(tokens[silent])
    callers.actor_for_token(tokens[revoked])
    devices.revoke_device(code=revoked.code, why="Old", by=administrator)
    clock.shift(timedelta(minutes=2, seconds=1))
    callers.actor_for_token(tokens[here])
    assert list(devices.offline()) == [never, silent]


def test_by_identity(administrator: Actor) -> None:
    device = register(administrator)
    assert devices.by_identity("device:W-0001") == device
    assert devices.by_identity("staff:W-0001") is None
    assert devices.by_identity("device:W-0002") is None


@pytest.mark.parametrize(
    ("role", "code"),
    [
        ("writer", "W-0001"),
        ("table", "T-0001"),
        ("signage", "D-0001"),
        ("supervisor", "S-0001"),
        ("manager", "S-0001"),
        ("inspector", "S-0001"),
    ],
)
def test_manage_token(db: None, capsys: pytest.CaptureFixture[str], role: str, code: str) -> None:
    call_command("token", role, "--name", "Bench 1")
    call_command("token", role)
    lines = capsys.readouterr().out.splitlines()
    tokens = [lines[1], lines[3]]
    first, second = (caller(token) for token in tokens)
    who = f"staff:{role}-0001" if code == "S-0001" else f"device:{code}"
    assert (first.identity, first.name, first.device) == (who, "Bench 1", code)
    assert second.identity != first.identity  # two people are two tokens
    assert first.permissions == set(Grant.objects.filter(role=role).values_list("permission", flat=True))
    assert {device.opens_own_shift for device in Device.objects.all()} == {role == "writer"}


@pytest.mark.parametrize("role", ["pilot", "administrator", "dealer", "auditor", ""])
def test_manage_token_refuses_in_a_plain_sentence(db: None, role: str) -> None:
    with pytest.raises(
        CommandError, match=f"There is no token for “{role}”. Choose one of: writer, table, signage"
    ) as no:
        call_command("token", role)
    assert no.value.returncode == 1
    assert not Device.objects.exists()


def held(role: str = "manager") -> tuple[str, Staff]:
    issued = devices.service_token(role=role)
    assert issued.device.holder is not None
    return issued.secret, issued.device.holder


def test_a_privileged_device_acts_as_its_holder_in_one_query(db: None, django_assert_num_queries: Any) -> None:
    token, holder = held()
    caller(token)
    with django_assert_num_queries(1):
        acting = caller(token)
    assert (acting.identity, acting.name, acting.device) == (holder.identity, holder.name, "S-0001")
    assert acting.permissions == holder.as_actor().permissions
    assert Device.objects.get().identity == holder.identity


@pytest.mark.parametrize("lost", ["gone", "password", "second step", "role", "demo"])
def test_a_token_ends_with_what_its_holder_may(db: None, settings: Any, lost: str) -> None:
    token, holder = held()
    match lost:
        case "gone":
            Staff.objects.update(is_active=False)
        case "password":
            Staff.objects.update(must_change_password=True)
        case "second step":
            SecondStep.objects.all().delete()
        case "role":
            holder.roles.set(Role.objects.filter(code="supervisor"))
        case "demo":
            settings.DEMO = False
    refused(lambda: callers.actor_for_token(token), "holder-may-not-act", NotSignedIn)


def test_who_may_hold_what(administrator: Actor, person: MakePerson) -> None:
    person("sue", "supervisor")
    person("mia", "manager")
    refused(lambda: register(administrator, kind="service", profile="manager"), "needs-second-person", Conflict)
    refused(lambda: devices.service_token(role="manager", holder="mia"), "needs-second-person", Conflict)  # she is real
    Staff.objects.filter(username="sue").update(is_demo=True)
    refused(lambda: devices.service_token(role="manager", holder="sue"), "holder-not-allowed")
    refused(lambda: devices.service_token(role="writer", holder="sue"), "holder-not-allowed")
    refused(lambda: devices.service_token(role="manager", holder="nobody"), "no-such-person", NotFound)
    assert not Device.objects.exists()


def test_a_table_token_is_bound_to_its_tables(db: None) -> None:
    assert caller(devices.service_token(role="table").secret).tables is None
    bound = devices.service_token(role="table", tables=["GJ-01", "CSP-01"])
    assert caller(bound.secret).tables == frozenset({"GJ-01", "CSP-01"})
    refused(lambda: devices.service_token(role="writer", tables=["GJ-01"]), "tables-not-allowed")


def test_a_token_lives_by_use(db: None, clock: Clock) -> None:
    used, unused = (devices.service_token(role="manager").secret for _ in range(2))
    writer = devices.service_token(role="writer").secret
    for _ in range(40):
        clock.shift(timedelta(days=1))
        caller(used)
    assert callers.actor_for_token(unused) is None  # thirty days
    clock.shift(timedelta(days=320))
    assert callers.actor_for_token(used) is None
    caller(writer)  # a year, on the floor
    clock.shift(timedelta(days=365))
    assert callers.actor_for_token(writer) is None


def test_a_token_is_renewed_once_a_day_at_most(db: None, clock: Clock, django_assert_num_queries: Any) -> None:
    token = devices.service_token(role="writer").secret
    caller(token)
    until = DeviceToken.objects.get().expires_at
    with django_assert_num_queries(1):
        caller(token)
    clock.shift(timedelta(days=1, seconds=1))
    caller(token)
    renewed = DeviceToken.objects.get().expires_at
    assert renewed - until == timedelta(days=1, seconds=1)
    with django_assert_num_queries(1):
        caller(token)


def test_what_is_replaced_ends_when_it_ends(administrator: Actor, clock: Clock) -> None:
    device = register(administrator)
    old = token_for(device, administrator)
    devices.roll_token(code=device.code, by=administrator, overlap=timedelta(days=7))
    clock.shift(timedelta(days=6))
    caller(old)
    clock.shift(timedelta(days=1))
    assert callers.actor_for_token(old) is None


def test_the_person_of_a_token_never_signs_in(db: None, browser: MakeBrowser, settings: Any) -> None:
    _, holder = held()
    holder.set_password("somebody set one")
    holder.save()
    refused(
        lambda: sign_in.password_step(request=browser(), username=holder.username, password="somebody set one"),
        "sign-in-refused",
        NotSignedIn,
    )
    assert holder.username not in {each.username for each in demo.credentials()}
