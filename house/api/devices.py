"""Calls about devices."""

from __future__ import annotations

import datetime as dt

from django.db.models import QuerySet
from rest_framework import serializers

from house import device_changes, devices, guesses
from house.guesses import Step
from house.models import Device, DeviceKind, DeviceStatus
from house.permissions import MANAGE_DEVICES, VIEW_DEVICES
from house.queries import all_devices, on_gaming_day
from house.tokens import Issued
from kernel.actors import Actor
from web.fields import Choice, InstantField, Nothing, StrictSerializer, Text, WholeNumber, asked_for, shown
from web.view import IN_SESSION, PUBLIC, ByDay, HouseView, listing, verb


class DeviceOut(StrictSerializer):
    code = Text()
    name = Text()
    kind = Choice(choices=DeviceKind.values)
    profile = Text(help_text="The role whose permissions it has.")
    status = Choice(choices=DeviceStatus.values)
    place = Text(allow_blank=True)
    holder = Text(allow_null=True, source="holder.identity", default=None, help_text="Who acts through it.")
    tables = serializers.ListField(
        child=Text(), allow_null=True, help_text="The only tables it works at; null: bound to none."
    )
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
            "holder": None,
            "tables": None,
            "registered_at": "2026-11-16T10:00:00+11:00",
            "revoked_at": None,
            "last_seen_at": "2026-11-16T21:04:00+11:00",
        }
    )


class DevicesAsked(ByDay):
    status = Choice(choices=DeviceStatus.values, required=False)
    kind = Choice(choices=DeviceKind.values, required=False)


class Devices(HouseView):
    @listing(permission=VIEW_DEVICES, gives=DeviceOut, asks=DevicesAsked)
    def get(self, by: Actor, asked: DevicesAsked) -> QuerySet[Device]:
        """All devices."""
        rows = all_devices().filter(**asked_for(status=asked.status, kind=asked.kind))
        return on_gaming_day(rows, asked.gaming_day, column="registered_at") if asked.gaming_day else rows


class IssuedOut(StrictSerializer):
    device = Text(help_text="The device's code.")
    token = Text(help_text="Shown once. Keep it: it is stored nowhere here.")
    example = shown({"device": "W-0001", "token": "mh_1a2b3c4d_…"})


def _issued(issued: Issued) -> dict[str, str]:
    return {"device": issued.device.code, "token": issued.secret}


class CodeIn(StrictSerializer):
    code = Text(max_length=40, help_text="The one-time code, as shown in the console.")
    example = shown({"code": "7K3M-Q9XA"})


class Provision(HouseView):
    slowed = True

    # Without a request key: the answer holds the token, and the token is kept nowhere.
    @verb(permission=PUBLIC, takes=CodeIn, gives=IssuedOut, status=201, needs_key=False)
    def post(self, by: Actor, data: CodeIn) -> dict[str, str]:
        """Change a one-time code into this device's token.

        After a few wrong codes from an address the next is heard later and later (429, `Retry-After`). Any token the
        device had stops at once.
        """
        with guesses.counted(Step.PROVISION, self.request, wrong="code-not-valid"):
            return _issued(devices.provision(code=data.code))


class RollIn(StrictSerializer):
    overlap = WholeNumber(
        default=0,
        min_value=0,
        max_value=int(devices.TOKEN_OVERLAP_LIMIT.total_seconds()),
        help_text="For how many seconds the old token goes on.",
    )
    example = shown({"overlap": 3600})


class Roll(HouseView):
    # Without a request key, for the same reason; rolled twice, the last token counts.
    @verb(permission=MANAGE_DEVICES, takes=RollIn, gives=IssuedOut, status=201, needs_key=False)
    def post(self, by: Actor, data: RollIn, *, code: str) -> dict[str, str]:
        """Give a device on the floor a new token.

        A privileged device's is proposed (`house.device-token`), and collected by its holder.
        """
        return _issued(devices.roll_token(code=code, overlap=dt.timedelta(seconds=data.overlap), by=by))


class Collect(HouseView):
    # Without a request key, likewise: it is collected once.
    @verb(permission=IN_SESSION, gives=IssuedOut, status=201, needs_key=False)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, str]:
        """Collect the token of a device that you hold.

        Only by the holder's own session at the console, once, after two people have agreed on it.
        """
        return _issued(device_changes.collect_token(code=code, by=by))


class WhyIn(StrictSerializer):
    why = Text(help_text="It stays on record.")
    example = shown({"why": "Stolen from the lounge."})


class Revoke(HouseView):
    @verb(permission=MANAGE_DEVICES, takes=WhyIn, gives=DeviceOut)
    def post(self, by: Actor, data: WhyIn, *, code: str) -> Device:
        """Stop a device for good, its tokens at once."""
        return devices.revoke_device(code=code, why=data.why, by=by)
