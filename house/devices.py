"""Machines: registering them, giving them a token, taking it away, and knowing which is calling.

Allowed routes by profile: every API view names one permission; a device holds the permissions of the role that its
profile names, and no others. A profile that is no role of this house, or has no grants, reaches nothing.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from house import acts
from house.actors import Actor, system
from house.models import Device, DeviceKind, DeviceStatus, DeviceToken, ProvisioningCode
from house.prepared import execute
from house.refusal import Conflict, NotFound, Refusal
from house.staff import refuse_without_reason

PREFIXES: Final = {
    DeviceKind.WRITER_TERMINAL: "W",
    DeviceKind.TABLE_CONTROLLER: "T",
    DeviceKind.DISPLAY: "D",
    DeviceKind.SERVICE: "S",
}
# What a device of each kind may stand in for. A service account takes any of them (manage.py token).
PROFILES: Final = {
    DeviceKind.WRITER_TERMINAL: ("writer",),
    DeviceKind.TABLE_CONTROLLER: ("table",),
    DeviceKind.DISPLAY: ("signage",),
    DeviceKind.SERVICE: ("supervisor", "manager", "inspector"),
}
CODE_LIFE: Final = timedelta(minutes=10)
LONGEST_OVERLAP: Final = timedelta(days=7)
SEEN_EVERY: Final = timedelta(seconds=30)
OFFLINE_AFTER: Final = timedelta(minutes=2)
# Crockford's letters: none that is read as another.
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


@dataclass(frozen=True, slots=True)
class Issued:
    """A secret on its way to the device. Shown once; only its hash is kept."""

    device: Device
    secret: str


@transaction.atomic
def register_device(
    *, name: str, kind: str, by: Actor, profile: str | None = None, place: str = "", opens_own_shift: bool = False
) -> Device:
    by.require("devices.manage")
    return _register(name=name, kind=kind, profile=profile, place=place, opens_own_shift=opens_own_shift, by=by)


@transaction.atomic
def service_token(*, role: str, name: str | None = None) -> Issued:
    """``manage.py token``: a new identity of that role with its token, from the machine's own command line."""
    kind = next((kind for kind, profiles in PROFILES.items() if role in profiles), None)
    if kind is None:
        roles = ", ".join(profile for profiles in PROFILES.values() for profile in profiles)
        raise Refusal("no-such-role", f"There is no token for “{role}”. Choose one of: {roles}.", field="role")
    by = system("command line")
    name = name or f"{role.capitalize()} from the command line"
    device = _register(name=name, kind=kind, profile=role, place="", opens_own_shift=role == "writer", by=by)
    return _issue(device=device, by=by)


def _register(*, name: str, kind: str, profile: str | None, place: str, opens_own_shift: bool, by: Actor) -> Device:
    name, place = name.strip(), place.strip()
    if kind not in DeviceKind.values:
        raise Refusal("no-such-kind", f"A device is one of: {', '.join(DeviceKind.values)}.", field="kind")
    kind = DeviceKind(kind)
    profile = profile or PROFILES[kind][0]
    if profile not in PROFILES[kind]:
        raise Refusal(
            "profile-not-allowed",
            f"A {kind.value} has one of the profiles: {', '.join(PROFILES[kind])}.",
            field="profile",
        )
    if not 0 < len(name) <= 120 or len(place) > 80:
        raise Refusal(
            "name-missing", "A device has a name (up to 120 characters) and a place (up to 80).", field="name"
        )
    with connection.cursor() as cursor:  # one at a time, so that codes have no gaps and no twins
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('house.devices'))")
    number = Device.objects.filter(kind=kind).count() + 1  # devices are revoked, never deleted
    device = Device.objects.create(
        code=f"{PREFIXES[kind]}-{number:04d}",
        name=name,
        kind=kind,
        profile=profile,
        place=place,
        opens_own_shift=opens_own_shift,
    )
    acts.record(
        kind="device.registered",
        subject=device.identity,
        by=by,
        data={"name": name, "kind": kind.value, "profile": profile, "place": place},
    )
    return device


@transaction.atomic
def provisioning_code(*, code: str, by: Actor) -> Issued:
    """A one-time code for the device with this *code*, to be typed into it within ten minutes."""
    by.require("devices.manage")
    device = lock_active(code)
    now = timezone.now()
    ProvisioningCode.objects.filter(device=device, used_at=None, expires_at__gt=now).update(expires_at=now)
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    ProvisioningCode.objects.create(device=device, hash=_code_hash(letters), expires_at=now + CODE_LIFE)
    acts.record(kind="device.code-made", subject=device.identity, by=by)
    return Issued(device=device, secret=f"{letters[:4]}-{letters[4:]}")


@transaction.atomic
def provision(*, code: str) -> Issued:
    """A device changes its one-time code into its token. Any token that it had stops at once."""
    letters = code.upper().translate(_READ_AS)
    now = timezone.now()
    found = (
        ProvisioningCode.objects.select_for_update()
        .filter(hash=_code_hash(letters), used_at=None, expires_at__gt=now)
        .first()
    )
    if found is None:
        raise Refusal(
            "code-not-valid", "This code is unknown, used or older than ten minutes. Ask for a new one.", field="code"
        )
    device = lock_active(Device.objects.get(pk=found.device_id).code)
    found.used_at = now
    found.save(update_fields=["used_at"])
    DeviceToken.objects.filter(device=device, revoked_at=None).update(revoked_at=now)
    return _issue(device=device, by=Actor(identity=device.identity, name=device.name))


@transaction.atomic
def roll_token(*, code: str, by: Actor, overlap: timedelta = timedelta(0)) -> Issued:
    """A new token. The old one stops at once, or after a stated overlap of at most a week."""
    by.require("devices.manage")
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise Refusal("overlap-not-allowed", "The old token may go on for at most seven days.", field="overlap")
    device = lock_active(code)
    now = timezone.now()
    live = DeviceToken.objects.filter(device=device, revoked_at=None)
    if overlap:
        live.filter(Q(expires_at=None) | Q(expires_at__gt=now + overlap)).update(expires_at=now + overlap)
    else:
        live.update(revoked_at=now)
    return _issue(device=device, by=by)


@transaction.atomic
def revoke_device(*, code: str, why: str, by: Actor) -> Device:
    """The device calls no more: its tokens and codes stop with this transaction."""
    by.require("devices.manage")
    refuse_without_reason(why)
    device = lock_active(code)
    now = timezone.now()
    device.status, device.revoked_at = DeviceStatus.REVOKED, now
    device.save(update_fields=["status", "revoked_at"])
    DeviceToken.objects.filter(device=device, revoked_at=None).update(revoked_at=now)
    ProvisioningCode.objects.filter(device=device, used_at=None, expires_at__gt=now).update(expires_at=now)
    acts.record(kind="device.revoked", subject=device.identity, by=by, data={"why": why})
    return device


def _issue(*, device: Device, by: Actor) -> Issued:
    prefix = secrets.token_hex(4)
    token = f"mh_{prefix}_{secrets.token_urlsafe(32)}"  # 32 bytes: 256 bits that are nowhere else
    DeviceToken.objects.create(device=device, hash=_token_hash(token), prefix=prefix)
    acts.record(kind="device.token-issued", subject=device.identity, by=by, data={"prefix": prefix})
    return Issued(device=device, secret=token)


def lock_active(code: str) -> Device:
    """The device's row, held until the transaction ends."""
    device = Device.objects.select_for_update().filter(code=code).first()
    if device is None:
        raise NotFound("no-such-device", f"There is no device {code}.")
    if device.status != DeviceStatus.ACTIVE:
        raise Conflict("device-revoked", f"Device {code} is revoked.")
    return device


# Asked with every call, so written out: composing it anew took longer than answering it.
_CALLER: Final = """
    SELECT d.id, d.code, d.name, (SELECT array_agg(g.permission_id) FROM house_grant g WHERE g.role_id = d.profile)
    FROM house_devicetoken t JOIN house_device d ON d.id = t.device_id
    WHERE t.hash = %(hash)s AND t.revoked_at IS NULL AND d.status = %(active)s
      AND (t.expires_at IS NULL OR t.expires_at > %(now)s)
"""


def actor_for_token(token: str) -> Actor | None:
    """Who is calling. One indexed query; nobody for an unknown, revoked or expired token.

    To be called before the request's own transaction begins: it also notes, now and then, that the device was seen.
    """
    now = timezone.now()
    rows = execute(_CALLER, {"hash": _token_hash(token), "active": DeviceStatus.ACTIVE.value, "now": now})
    if not rows:
        return None
    device_id, code, name, permissions = rows[0]
    note_seen(device_id, at=now)
    return Actor(identity=f"device:{code}", name=name, permissions=frozenset(permissions or ()))


_noted: dict[int, float] = {}


def note_seen(device_id: int, *, at: datetime) -> None:
    """Keep when a device last called: at most every 30 seconds a device, never in the hot row.

    Each process remembers when it last wrote; the WHERE keeps several processes from writing more often together.
    """
    if time.monotonic() - _noted.get(device_id, float("-inf")) < SEEN_EVERY.total_seconds():
        return
    _noted[device_id] = time.monotonic()
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO house_deviceseen AS seen (device_id, seen_at) VALUES (%s, %s)
               ON CONFLICT (device_id) DO UPDATE SET seen_at = excluded.seen_at WHERE seen.seen_at < %s""",
            [device_id, at, at - SEEN_EVERY],
        )


def offline(*, now: datetime | None = None) -> QuerySet[Device]:
    """Active devices that have not called for two minutes, the longest silent first; never seen before all."""
    silent_since = (now or timezone.now()) - OFFLINE_AFTER
    return (
        Device.objects.filter(status=DeviceStatus.ACTIVE)
        .filter(Q(seen=None) | Q(seen__seen_at__lt=silent_since))
        .select_related("seen")
        .order_by(F("seen__seen_at").asc(nulls_first=True), "code")
    )


def by_identity(identity: str) -> Device | None:
    """The device behind an actor, or nobody for a person."""
    return (
        Device.objects.filter(code=identity.removeprefix("device:")).first() if identity.startswith("device:") else None
    )


def _token_hash(token: str) -> str:
    """Plain SHA-256 is enough: 256 random bits cannot be guessed back."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _code_hash(letters: str) -> str:
    """Forty bits can be guessed back from a plain hash, so this one needs the installation's secret as well."""
    return salted_hmac("house.provisioning-code", letters, algorithm="sha256").hexdigest()
