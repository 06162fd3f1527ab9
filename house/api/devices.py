"""Calls about devices."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import QuerySet

from house import devices
from house.actors import Actor
from house.api.days import on_gaming_day
from house.api.fields import Choice, InstantField, StrictSerializer, Text, Whole, shown
from house.api.throttle import Throttle
from house.api.view import PUBLIC, ByDay, HouseView, listing, verb
from house.models import Device, DeviceKind, DeviceStatus


class DeviceOut(StrictSerializer):
    code = Text()
    name = Text()
    kind = Choice(choices=DeviceKind.values)
    profile = Text(help_text="The role whose permissions it has.")
    status = Choice(choices=DeviceStatus.values)
    place = Text(allow_blank=True)
    registered_at = InstantField()
    revoked_at = InstantField(allow_null=True)
    last_seen_at = InstantField(allow_null=True, source="seen.seen_at", default=None)
    example = shown(
        {
            "code": "W-0001",
            "name": "Counter 1",
            "kind": "writer-terminal",
            "profile": "writer",
            "status": "active",
            "place": "Keno lounge",
            "registered_at": "2026-11-16T10:00:00+11:00",
            "revoked_at": None,
            "last_seen_at": "2026-11-16T21:04:00+11:00",
        }
    )


class DevicesAsked(ByDay):
    status = Choice(choices=DeviceStatus.values, required=False)
    kind = Choice(choices=DeviceKind.values, required=False)


class Devices(HouseView):
    @listing(permission="devices.view", gives=DeviceOut, asks=DevicesAsked)
    def get(self, by: Actor, asked: dict[str, Any]) -> QuerySet[Device]:
        """All devices."""
        date = asked.pop("gaming_day", None)
        rows = Device.objects.filter(**asked).select_related("seen")
        return on_gaming_day(rows, date, column="registered_at") if date else rows


class IssuedOut(StrictSerializer):
    device = Text(help_text="The device's code.")
    token = Text(help_text="Shown once. Keep it: it is stored nowhere here.")
    example = shown({"device": "W-0001", "token": "mh_1a2b3c4d_…"})


def _issued(issued: devices.Issued) -> dict[str, str]:
    return {"device": issued.device.code, "token": issued.secret}


class CodeIn(StrictSerializer):
    code = Text(max_length=40, help_text="The one-time code, as shown in the console.")
    example = shown({"code": "7K3M-Q9XA"})


class Provision(HouseView):
    throttle = Throttle(what="provision", tries=10)

    # Without a request key: the answer holds the token, and the token is kept nowhere.
    @verb(permission=PUBLIC, takes=CodeIn, gives=IssuedOut, status=201, needs_key=False)
    def post(self, by: Actor, data: dict[str, Any]) -> dict[str, str]:
        """Change a one-time code into this device's token.

        At most ten tries a minute. Any token the device had stops at once.
        """
        return _issued(devices.provision(code=data["code"]))


class RollIn(StrictSerializer):
    overlap = Whole(
        default=0,
        min_value=0,
        max_value=int(devices.LONGEST_OVERLAP.total_seconds()),
        help_text="For how many seconds the old token goes on.",
    )
    example = shown({"overlap": 3600})


class Roll(HouseView):
    # Without a request key, for the same reason; rolled twice, the last token counts.
    @verb(permission="devices.manage", takes=RollIn, gives=IssuedOut, status=201, needs_key=False)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> dict[str, str]:
        """Give a device a new token."""
        return _issued(devices.roll_token(code=code, overlap=dt.timedelta(seconds=data["overlap"]), by=by))


class WhyIn(StrictSerializer):
    why = Text(help_text="It stays on record.")
    example = shown({"why": "Stolen from the lounge."})


class Revoke(HouseView):
    @verb(permission="devices.manage", takes=WhyIn, gives=DeviceOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> Device:
        """Stop a device for good, its tokens at once."""
        return devices.revoke_device(code=code, why=data["why"], by=by)
