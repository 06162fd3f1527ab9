"""Two people are two persons: who may be behind an identity, wherever two are needed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from house.models import DeviceToken
from kernel.actors import SYSTEM, Actor
from kernel.codes import Permission
from kernel.prepared import execute
from kernel.refusal import Forbidden

REMEMBERED: Final = timedelta(days=1)
COMMAND_LINE: Final = f"{SYSTEM}command line"


_HERE: Final = "SELECT is_active FROM house_staff WHERE username = %(username)s FOR SHARE"


def hold_here(by: Actor) -> None:
    """Whoever decides works here until it is decided: to dismiss him waits for it, or was first and he is gone."""
    rows = execute(_HERE, {"username": by.identity.removeprefix("staff:")}) if by.identity.startswith("staff:") else []
    if rows and not rows[0][0]:
        raise Forbidden("not-here-any-more", f"{by.name} does not work here any more.")


def persons_behind(*identities: str | None) -> set[str]:
    """These, and for a device on the floor whoever was shown a token of it that still works, or did today.

    Wherever two people are needed, somebody and the terminal whose token he has seen may be one.
    """
    found = {identity for identity in identities if identity}
    devices = [identity.removeprefix("device:") for identity in found if identity.startswith("device:")]
    if devices:
        live = Q(revoked_at=None) | Q(revoked_at__gt=timezone.now() - REMEMBERED)
        found.update(
            DeviceToken.objects.filter(live, device__code__in=devices)
            .exclude(seen_by="")
            .values_list("seen_by", flat=True)
        )
    return found


def may_be_one(some: Iterable[str | None], others: Iterable[str | None]) -> bool:
    """Whether one person may stand on both sides.

    Nobody knows who was shown a token at a command line: in a real house it may have been anybody, also whoever stands
    on the other side. There such a device is nobody's second person until its token is rolled in the console.
    """
    some, others = set(some), set(others)
    one, other = persons_behind(*some), persons_behind(*others)
    if not settings.DEMO and COMMAND_LINE in (one | other) - some - others:
        return True
    return any(not each.startswith(SYSTEM) for each in one & other)


def is_another(by: Actor, power: Permission, *before: str | None) -> bool:
    """Whether somebody else did all that came before. Asked only of a power that says it takes several people."""
    assert power.people > 1, f"{power} is declared as one person's"
    return not may_be_one([by.identity, f"device:{by.device}" if by.device else None], before)
