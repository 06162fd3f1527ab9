"""Choosing what makes the numbers: the random number generator, or the mechanical device."""

from __future__ import annotations

from django.db import transaction

from house.log import record_act
from keno import approved
from keno.acts import DrawDeviceChosen
from keno.models import DrawDevice, KenoSettings
from keno.permissions import CHOOSE_DEVICE
from kernel.actors import Actor
from kernel.refusal import Malformed, Refusal


@transaction.atomic
def choose_device(*, device: str, by: Actor) -> KenoSettings:
    """Draw by random number generator or by mechanical device, from the next game on: the open one keeps its own.

    Which one draws is a supervisor's choice, among those that an inspector has approved.
    """
    by.require(CHOOSE_DEVICE)
    if device not in DrawDevice.values:
        raise Malformed("no-such-device", "A device is “rng” or “mechanical”.", field="device")
    if device != KenoSettings.current().device and approved.value(approved.DRAW_DEVICE, device) is None:
        raise Refusal(
            "device-not-approved",
            "No such draw device is approved: propose it, and an inspector decides.",
            clause="act-keno:1.1",
            field="device",
        )
    settings = KenoSettings.objects.select_for_update().get(pk=1)
    if settings.device != device:
        chosen = DrawDeviceChosen(old=settings.device, new=device)
        settings.device = device
        settings.save(update_fields=["device"])
        record_act(chosen, by=by)
    return settings
