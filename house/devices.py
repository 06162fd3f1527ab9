"""Machines: registering them, giving them a token, taking it away, and knowing who is silent.

Allowed routes by profile: every API view names one permission; a device holds the permissions of the role that its
profile names, and no others. A profile that is no role of this house, or has no grants, reaches nothing.

A device of a privileged profile has a holder and acts as him, while he has that role himself and may act at all.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from house import steps
from house.acts import DeviceCodeMade, DeviceRegistered
from house.log import record_act
from house.models import Device, DeviceKind, DeviceStatus, DeviceToken, ProvisioningCode, Staff
from house.permissions import MANAGE_DEVICES
from house.roles import HELD
from house.staff import demo_holder, find, refuse_without_reason
from house.tokens import Issued, issue, replace_token, revoke
from kernel import locks
from kernel.actors import Actor, system
from kernel.locks import Lock
from kernel.refusal import Conflict, NotFound, Refusal

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
TOKEN_OVERLAP_LIMIT: Final = timedelta(days=7)
OFFLINE_AFTER: Final = timedelta(minutes=2)
# Crockford's letters: none that is read as another.
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


@transaction.atomic
def register_device(
    *, name: str, kind: str, by: Actor, profile: str | None = None, place: str = "", opens_own_shift: bool = False
) -> Device:
    """A device that stands on the floor. A table's works at no table before two people have bound it to some."""
    by.require(MANAGE_DEVICES)
    if kind == DeviceKind.SERVICE:
        raise Conflict(
            "needs-second-person", "A privileged device is proposed, with who is to hold it; another person decides."
        )
    tables: list[str] | None = [] if kind == DeviceKind.TABLE_CONTROLLER else None
    return add_device(
        name=name, kind=kind, profile=profile, place=place, opens_own_shift=opens_own_shift, tables=tables, by=by
    )


@transaction.atomic
def service_token(
    *, role: str, name: str | None = None, holder: str | None = None, tables: Collection[str] | None = None
) -> Issued:
    """``manage.py token``: a new device of that role with its token, from the machine's own command line.

    A privileged one acts as *holder*. With the demo on and nobody named, a demo person of its own holds it, so that two
    tokens are two people there, and nowhere else.
    """
    kind = kind_for(role)
    by = system("command line")
    name = name or f"{role.capitalize()} from the command line"
    locks.hold(Lock.DEVICES)
    person = None
    if role in HELD:
        if needs_second_person(holder):
            raise Conflict("needs-second-person", "A privileged token is proposed, and collected by its holder.")
        person = demo_holder(role=role, name=name, by=by) if holder is None else find(holder)
    elif holder is not None:
        refuse_holder(role, find(holder))
    if role == "table" and not settings.DEMO:
        tables = []  # two people bind it to its tables
    device = add_device(
        name=name,
        kind=kind,
        profile=role,
        place="",
        opens_own_shift=role == "writer",
        holder=person,
        tables=tables,
        by=by,
    )
    return issue(device=device, by=by)


def needs_second_person(holder: str | None) -> bool:
    """Only demo people get a privileged token from the command line; anybody real collects his own."""
    return not settings.DEMO or (holder is not None and not find(holder).is_demo)


def kind_for(role: str) -> DeviceKind:
    """The kind of device that has this profile."""
    kind = next((kind for kind, profiles in PROFILES.items() if role in profiles), None)
    if kind is None:
        roles = ", ".join(profile for profiles in PROFILES.values() for profile in profiles)
        raise Refusal("no-such-role", f"There is no token for “{role}”. Choose one of: {roles}.", field="role")
    return kind


def refuse_holder(profile: str, holder: Staff | None) -> None:
    """Whoever holds a privileged device has that role himself; a device on the floor is nobody's."""
    if profile not in HELD:
        if holder is not None:
            raise Refusal(
                "holder-not-allowed", f"A {profile} device stands on the floor: nobody holds it.", field="holder"
            )
        return
    if holder is None:
        raise Refusal("holder-missing", f"A {profile} device acts as a person: say who holds it.", field="holder")
    if not holder.is_active or not holder.roles.filter(code=profile).exists():
        raise Refusal(
            "holder-not-allowed", f"{holder.name} is no {profile}, so cannot hold this device.", field="holder"
        )


def add_device(
    *,
    name: str,
    kind: str,
    profile: str | None,
    place: str,
    opens_own_shift: bool,
    by: Actor,
    holder: Staff | None = None,
    tables: Collection[str] | None = None,
) -> Device:
    """The row and its act. Who may was asked by the caller."""
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
    refuse_holder(profile, holder)
    if tables is not None and profile != "table":
        raise Refusal("tables-not-allowed", "Only a table's device is bound to tables.", field="tables")
    locks.hold(Lock.DEVICES)  # one at a time, so that codes have no gaps and no twins
    number = Device.objects.filter(kind=kind).count() + 1  # devices are revoked, never deleted
    device = Device.objects.create(
        code=f"{PREFIXES[kind]}-{number:04d}",
        name=name,
        kind=kind,
        profile=profile,
        place=place,
        opens_own_shift=opens_own_shift,
        holder=holder,
        tables=None if tables is None else sorted(set(tables)),
    )
    registered = DeviceRegistered(
        device=device.code,
        name=name,
        kind_=kind.value,
        profile=profile,
        place=place,
        holder=holder.identity if holder else None,
        tables=device.tables,
    )
    record_act(registered, by=by)
    return device


@transaction.atomic
def provisioning_code(*, code: str, by: Actor) -> Issued:
    """A one-time code for the device with this *code*, to be typed into it within ten minutes."""
    device = lock_active(code)
    steps.refuse_provisioning(device, by)
    now = timezone.now()
    ProvisioningCode.objects.filter(device=device, used_at=None, expires_at__gt=now).update(expires_at=now)
    letters = "".join(secrets.choice(_LETTERS) for _ in range(8))
    ProvisioningCode.objects.create(
        device=device, hash=_code_hash(letters), expires_at=now + CODE_LIFE, seen_by=by.identity
    )
    record_act(DeviceCodeMade(device=device.code), by=by)
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
    return issue(device=device, by=Actor(identity=device.identity, name=device.name), seen_by=found.seen_by)


@transaction.atomic
def roll_token(*, code: str, by: Actor, overlap: timedelta = timedelta(0)) -> Issued:
    """A new token. The old one stops at once, or after a stated overlap of at most a week."""
    if not timedelta(0) <= overlap <= TOKEN_OVERLAP_LIMIT:
        raise Refusal("overlap-not-allowed", "The old token may go on for at most seven days.", field="overlap")
    device = lock_active(code)
    steps.refuse_roll(device, by)
    return replace_token(device=device, overlap=overlap, by=by)


@transaction.atomic
def revoke_device(*, code: str, why: str, by: Actor) -> Device:
    """The device calls no more: its tokens and codes stop with this transaction."""
    by.require(MANAGE_DEVICES)
    refuse_without_reason(why)
    device = lock_active(code)
    revoke(device, why=why, by=by)
    return device


def lock_active(code: str) -> Device:
    """The device's row, held until the transaction ends."""
    device = Device.objects.select_for_update().filter(code=code).first()
    if device is None:
        raise NotFound("no-such-device", f"There is no device {code}.")
    steps.refuse_revoked(device)
    return device


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


def _code_hash(letters: str) -> str:
    """Forty bits can be guessed back from a plain hash, so this one needs the installation's secret as well."""
    return salted_hmac("house.provisioning-code", letters, algorithm="sha256").hexdigest()
