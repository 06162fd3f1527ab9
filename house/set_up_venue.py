"""Naming the venue, before its first gaming day."""

from __future__ import annotations

import re

from django.db import transaction

from house.acts import VenueSetUp
from house.log import record_act
from house.models import GamingDay, Venue
from house.permissions import MANAGE_VENUE
from house.venue import time_zone
from kernel.actors import Actor
from kernel.refusal import Refusal

CODE = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)


@transaction.atomic
def set_up_venue(*, code: str, name: str, time_zone_name: str, by: Actor) -> Venue:
    """Name the venue, before its first gaming day. Afterwards its clock stands: the books are kept by it."""
    by.require(MANAGE_VENUE)
    place = Venue.objects.select_for_update().get(pk=1)
    time_zone(time_zone_name)
    if not CODE.fullmatch(code):
        raise Refusal("code-not-allowed", "A venue’s code is up to 16 capitals, digits and dashes.", field="code")
    if not 0 < len(name.strip()) <= 120:
        raise Refusal("name-missing", "A venue has a name of at most 120 characters.", field="name")
    if time_zone_name != place.time_zone and GamingDay.objects.exists():
        raise Refusal("time-zone-stands", "The time zone cannot change once there are gaming days.", field="time_zone")
    place.code, place.name, place.time_zone = code, name.strip(), time_zone_name
    place.save()
    record_act(VenueSetUp(code=place.code, name=place.name, time_zone=place.time_zone), by=by)
    return place
