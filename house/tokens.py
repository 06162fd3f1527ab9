"""Tokens: made, replaced, stopped. Who may was asked by the caller; a token itself is shown once and kept nowhere."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from house.acts import DeviceRevoked, DeviceTokenIssued
from house.callers import life_of, token_hash
from house.log import record_act
from house.models import Device, DeviceStatus, DeviceToken, ProvisioningCode, Staff, TokenDue
from kernel.actors import Actor


@dataclass(frozen=True, slots=True)
class Issued:
    """A secret on its way to the device. Shown once; only its hash is kept."""

    device: Device
    secret: str


def issue(*, device: Device, by: Actor, seen_by: str | None = None) -> Issued:
    """*seen_by*: who could have kept it; left out, whoever asked for it."""
    prefix = secrets.token_hex(4)
    token = f"mh_{prefix}_{secrets.token_urlsafe(32)}"  # 32 bytes: 256 bits that are nowhere else
    DeviceToken.objects.create(
        device=device,
        hash=token_hash(token),
        prefix=prefix,
        expires_at=timezone.now() + life_of(device.profile),
        seen_by=by.identity if seen_by is None else seen_by,
    )
    record_act(DeviceTokenIssued(device=device.code, prefix=prefix), by=by)
    return Issued(device=device, secret=token)


def replace_token(*, device: Device, overlap: timedelta, by: Actor) -> Issued:
    """A new token in place of those it has, which end at once or after the overlap, whatever use is made of them."""
    now = timezone.now()
    live = DeviceToken.objects.filter(device=device, revoked_at=None)
    if overlap:
        live.filter(expires_at__gt=now + overlap).update(expires_at=now + overlap)
        live.update(is_replaced=True)
    else:
        live.update(revoked_at=now)
    return issue(device=device, by=by)


def revoke(device: Device, *, why: str, by: Actor) -> None:
    """The same, for whoever has the right by what else he does: dismissing its holder, say."""
    device.status, device.revoked_at = DeviceStatus.REVOKED, timezone.now()
    device.save(update_fields=["status", "revoked_at"])
    stop_tokens(device)
    record_act(DeviceRevoked(device=device.code, why=why), by=by)


def stop_tokens(device: Device) -> None:
    """Everything that would let somebody call through it, now or later."""
    now = timezone.now()
    DeviceToken.objects.filter(device=device, revoked_at=None).update(revoked_at=now)
    ProvisioningCode.objects.filter(device=device, used_at=None, expires_at__gt=now).update(expires_at=now)
    TokenDue.objects.filter(device=device, collected_at=None).delete()


def revoke_held(holder: Staff, *, why: str, by: Actor) -> None:
    """Everything that somebody holds, and what he could still collect: it goes when he goes."""
    for device in Device.objects.select_for_update().filter(holder=holder, status=DeviceStatus.ACTIVE).order_by("pk"):
        revoke(device, why=why, by=by)


def shown_to(person: Staff) -> list[str]:
    """Devices on the floor that still have a token which he was shown; a code that nobody has typed in ends now."""
    now = timezone.now()
    ProvisioningCode.objects.filter(seen_by=person.identity, used_at=None, expires_at__gt=now).update(expires_at=now)
    live = DeviceToken.objects.filter(seen_by=person.identity, revoked_at=None, expires_at__gt=now)
    found = live.filter(device__holder=None, device__status=DeviceStatus.ACTIVE)
    return sorted(set(found.values_list("device__code", flat=True)))
