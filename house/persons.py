"""Two people are two persons: who may be behind an identity, wherever two are needed."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from house.models import DeviceToken
from kernel.actors import Actor
from kernel.codes import Permission

REMEMBERED: Final = timedelta(days=1)


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


def is_another(by: Actor, power: Permission, *before: str | None) -> bool:
    """Whether somebody else did all that came before. Asked only of a power that says it takes several people."""
    assert power.people > 1, f"{power} is declared as one person's"
    himself = persons_behind(by.identity) | {f"device:{by.device}"}
    return all(each.startswith("system:") for each in himself & persons_behind(*before))
