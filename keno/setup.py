"""How the venue runs its games: the one row of settings, and the choice of the device."""

from __future__ import annotations

from django.db import transaction

from house import acts
from house.actors import Actor
from house.refusal import Malformed
from keno.models import Device, KenoSettings
from keno.permissions import CHOOSE_DEVICE


def keno_settings() -> KenoSettings:
    return KenoSettings.objects.filter(pk=1).first() or KenoSettings.objects.get_or_create(pk=1)[0]


@transaction.atomic
def choose_device(*, device: str, by: Actor) -> KenoSettings:
    """Draw by random number generator or by mechanical device, from the next game on: the open one keeps its own."""
    by.require(CHOOSE_DEVICE)
    if device not in Device.values:
        raise Malformed("no-such-device", "A device is “rng” or “mechanical”.", field="device")
    keno_settings()
    settings = KenoSettings.objects.select_for_update().get(pk=1)
    if settings.device != device:
        data = {"old": settings.device, "new": device}
        settings.device = device
        settings.save(update_fields=["device"])
        acts.record(kind="keno.device-chosen", subject="keno", by=by, data=data)
    return settings
