"""Who is calling with a token: a device on the floor, or the person who holds a privileged one."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from house.models import DeviceStatus, DeviceToken
from house.roles import HELD
from kernel.actors import Actor
from kernel.prepared import execute
from kernel.refusal import NotSignedIn

SEEN_EVERY: Final = timedelta(seconds=30)
RENEWED_AFTER: Final = timedelta(days=1)
KNOWN_LIMIT: Final = 10_000  # tokens that a process remembers
# Renewed by use: what nobody uses for so long is forgotten somewhere, and stops.
_LIFE_HELD: Final = timedelta(days=30)
_LIFE_ON_THE_FLOOR: Final = timedelta(days=365)

# Asked with every call, so written out: composing it anew took longer than answering it. The holder's right to act is
# asked for in the same statement: a role taken away, or a person let go, takes the token with it at once.
_CALLER: Final = """
    SELECT d.id, d.code, d.name, d.profile, d.tables, t.expires_at, t.is_replaced,
           ARRAY(SELECT g.permission_id FROM house_grant g WHERE g.role_id = d.profile),
           h.username, h.name,
           CASE WHEN h.id IS NULL THEN ''
                WHEN NOT h.is_active THEN 'gone'
                WHEN h.is_demo AND NOT %(demo)s THEN 'demo'
                WHEN h.must_change_password
                  OR NOT EXISTS (SELECT FROM house_secondstep o WHERE o.user_id = h.id AND o.confirmed) THEN 'enrol'
                WHEN NOT EXISTS (SELECT FROM house_staff_roles r WHERE r.staff_id = h.id AND r.role_id = d.profile)
                  THEN 'role'
                ELSE '' END
    FROM house_devicetoken t JOIN house_device d ON d.id = t.device_id LEFT JOIN house_staff h ON h.id = d.holder_id
    WHERE t.hash = %(hash)s AND t.revoked_at IS NULL AND d.status = %(active)s
      AND t.expires_at > %(now)s
"""
_WHY_NOT: Final = {
    "gone": "{name}, who holds {code}, does not work here any more.",
    "demo": "{code} is held by a demo person, and the demo is off.",
    "enrol": "{name}, who holds {code}, has to enrol again before anything is done in that name.",
    "role": "{name}, who holds {code}, does not have its role any more.",
}


def actor_for_token(token: str) -> Actor | None:
    """Who is calling. One indexed query; nobody for an unknown, revoked or expired token.

    To be called before the request's own transaction begins: it also notes, now and then, that the device was seen.
    """
    now = timezone.now()
    hashed = token_hash(token)
    asked = {"hash": hashed, "active": DeviceStatus.ACTIVE.value, "now": now, "demo": settings.DEMO}
    rows = execute(_CALLER, asked)
    if not rows:
        return None
    device_id, code, name, profile, tables, expires_at, is_replaced, permissions, username, holder, why_not = rows[0]
    if why_not:
        raise NotSignedIn("holder-may-not-act", _WHY_NOT[why_not].format(name=holder, code=code))
    note_seen(device_id, at=now)
    if not is_replaced and expires_at - now < life_of(profile) - RENEWED_AFTER:
        _renew(hashed, until=now + life_of(profile))
    actor = Actor(
        identity=f"staff:{username}" if username else f"device:{code}",
        name=holder or name,
        permissions=frozenset(permissions),
        device=code,
        tables=_bound_to(profile, tables),
    )
    if not username:
        _remember(hashed, _Known(actor, device_id, renewed_from=expires_at - life_of(profile) + RENEWED_AFTER))
    return actor


@dataclass(frozen=True, slots=True)
class _Known:
    actor: Actor
    device_id: int
    renewed_from: datetime


_known: dict[str, _Known] = {}


def _remember(hashed: str, known: _Known) -> None:
    if len(_known) >= KNOWN_LIMIT:
        _known.clear()
    _known[hashed] = known


def remembered(hashed: str) -> Actor | None:
    """Which device on the floor called this process with that token before. A guess, not a permission: whoever acts on
    it asks the database, in the transaction in which he acts, whether it is still so (``web.at_once``).

    None where the token is to be renewed, too: that is done where it is looked at step by step.
    """
    known = _known.get(hashed)
    return known.actor if known is not None and timezone.now() < known.renewed_from else None


def confirmed(hashed: str) -> None:
    """It was the same device: noted as seen, now and then."""
    if (known := _known.get(hashed)) is not None:
        note_seen(known.device_id, at=timezone.now())


def _bound_to(profile: str, tables: list[str] | None) -> frozenset[str] | None:
    """A table's device that nobody has bound works everywhere in the demo, and nowhere in a real house."""
    if tables is None:
        return frozenset() if profile == "table" and not settings.DEMO else None
    return frozenset(tables)


def life_of(profile: str) -> timedelta:
    return _LIFE_HELD if profile in HELD else _LIFE_ON_THE_FLOOR


def token_hash(token: str) -> str:
    """Plain SHA-256 is enough: 256 random bits cannot be guessed back."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


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


def _renew(hashed: str, *, until: datetime) -> None:
    """A token that is used goes on; written once a day at most."""
    DeviceToken.objects.filter(hash=hashed, is_replaced=False, revoked_at=None, expires_at__lt=until).update(
        expires_at=until
    )
