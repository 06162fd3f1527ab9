from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection

from house import devices
from house.actors import Actor
from house.models import Device, DeviceSeen, DeviceToken, Grant, ProvisioningCode
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from tests.house.conftest import Clock, Log, MakeActor

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def administrator(actor: MakeActor) -> Actor:
    return actor("administrator")


def refused(call: Callable[[], object], code: str, error: type[Refusal] = Refusal) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code


def register(by: Actor, **more: Any) -> Device:
    wanted: dict[str, Any] = {"name": "Counter 1", "kind": "writer-terminal", "by": by} | more
    return devices.register_device(**wanted)


def token_for(device: Device, by: Actor) -> str:
    return devices.roll_token(code=device.code, by=by).secret


def caller(token: str) -> Actor:
    actor = devices.actor_for_token(token)
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
    kinds = ["writer-terminal", "writer-terminal", "table-controller", "display", "service", "writer-terminal"]
    made = [register(administrator, kind=kind) for kind in kinds]
    assert [device.code for device in made] == ["W-0001", "W-0002", "T-0001", "D-0001", "S-0001", "W-0003"]
    assert [device.profile for device in made] == ["writer", "writer", "table", "signage", "supervisor", "writer"]
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
    devices.actor_for_token(token)  # the first call also notes that it was seen
    with django_assert_num_queries(1):
        actor = devices.actor_for_token(token)
    assert actor == Actor(
        identity="device:W-0001",
        name="Counter 1",
        permissions=frozenset(Grant.objects.filter(role="writer").values_list("permission", flat=True)),
    )
    assert actor.may("incidents.report")


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
    assert devices.actor_for_token(token) is None


def test_rolling_stops_the_old_token_at_once_or_after_the_overlap(administrator: Actor, clock: Clock) -> None:
    device = register(administrator)
    first = token_for(device, administrator)
    second = token_for(device, administrator)
    assert devices.actor_for_token(first) is None
    third = devices.roll_token(code=device.code, by=administrator, overlap=timedelta(hours=1)).secret
    assert devices.actor_for_token(second)
    assert devices.actor_for_token(third)
    # A longer overlap the next time does not lengthen what was already ending.
    fourth = devices.roll_token(code=device.code, by=administrator, overlap=timedelta(hours=5)).secret
    clock.shift(timedelta(hours=1))
    assert devices.actor_for_token(second) is None
    assert devices.actor_for_token(third)
    assert devices.actor_for_token(fourth)
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
    assert devices.actor_for_token(token)
    devices.revoke_device(code=device.code, why="Stolen", by=administrator)
    assert devices.actor_for_token(token) is None
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
    monkeypatch.setattr("house.devices.time.monotonic", lambda: running[0])

    def seen_after(seconds: float, queries: int) -> datetime:
        running[0] = seconds
        with time_machine.travel(NOW + timedelta(seconds=seconds), tick=False), django_assert_num_queries(queries):
            devices.actor_for_token(token)
        return DeviceSeen.objects.get().seen_at

    assert seen_after(0, queries=2) == NOW
    assert seen_after(29, queries=1) == NOW
    assert seen_after(31, queries=2) == NOW + timedelta(seconds=31)
    devices._noted.clear()  # another process, which does not know: the row itself says that it is too soon
    assert seen_after(40, queries=2) == NOW + timedelta(seconds=31)


def test_devices_offline(administrator: Actor, clock: Clock) -> None:
    never, silent, here, revoked = (register(administrator, name=name) for name in ("never", "silent", "here", "gone"))
    tokens = {device: token_for(device, administrator) for device in (silent, here, revoked)}
    devices.actor_for_token(tokens[silent])
    devices.actor_for_token(tokens[revoked])
    devices.revoke_device(code=revoked.code, why="Old", by=administrator)
    clock.shift(timedelta(minutes=2, seconds=1))
    devices.actor_for_token(tokens[here])
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
    assert (first.identity, first.name) == (f"device:{code}", "Bench 1")
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
