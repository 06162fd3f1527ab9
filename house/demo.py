"""The demo venue: open round the clock, one person a role, nobody real.

Demo people can sign in only while ``settings.DEMO`` is on (sign_in, Staff.as_actor and the idle middleware all ask).
Their one password is derived from the installation's secret key: different in every installation, the same at every
start, and written down nowhere, so there is nothing to leak when the setting is turned off. Their second steps are
random secrets in the database like anybody's; the sign-in page reads the present code from here.
"""

from __future__ import annotations

import base64
import time as clock
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from house import plan_days
from house.acts import PersonHired
from house.log import record_act
from house.models import OpeningHours, SecondStep, Staff, Venue
from house.models.second_steps import DIGITS, STEP_SECONDS
from house.permissions import MANAGE_VENUE
from house.seed import DEFAULT_TIME_ZONE, UNNAMED
from house.set_up_venue import set_up_venue
from house.staff import known_roles
from house.venue import venue
from kernel.actors import Actor
from kernel.refusal import Refusal

CODE: Final = "DEMO"
# Of a house to practise in: on every page, board, ticket and report, and in the name of its log.
PRACTICE_CODE: Final = "PRACTICE"
PRACTICE_NAME: Final = "PRACTICE: not for play"
# Tables and displays are devices: manage.py token makes theirs.
PEOPLE: Final = {
    "writer": "Wendy Marsh",
    "dealer": "Daniel Okafor",
    "supervisor": "Sunita Rao",
    "manager": "Marcus Lindqvist",
    "inspector": "Ines Carvalho",
    "administrator": "Aiko Tanaka",
    "auditor": "Arthur Bell",
}
_BUILDER: Final = Actor(identity="system:demo", name="demo", permissions=frozenset({MANAGE_VENUE}))


@dataclass(frozen=True, slots=True)
class Credential:
    """What the sign-in page shows of one demo person."""

    username: str
    name: str
    role: str
    password: str
    code: str


@transaction.atomic
def build_demo() -> Venue:
    """Make the demo venue, or complete what is missing of it. What was changed in it since stays changed."""
    if not settings.DEMO:
        raise Refusal("demo-off", "The demo setting is off (METERHOUSE_DEMO): there is no demo to build.")
    place = venue()
    code, name = (PRACTICE_CODE, PRACTICE_NAME) if settings.PRACTICE else (CODE, "Meterhouse Demo Casino")
    if place.code == UNNAMED:
        place = set_up_venue(code=code, name=name, time_zone_name=DEFAULT_TIME_ZONE, by=_BUILDER)
        OpeningHours.objects.update(opens=settings.DEMO_OPENS, closes=settings.DEMO_OPENS)
        plan_days.reschedule(now=timezone.now())
    elif place.code != code:
        raise Refusal("not-a-demo", f"This is {place.name}, a real venue: no demo is built into it.")
    plan_days.ensure_gaming_days()
    for role, name in PEOPLE.items():
        _person(role, name)
    return place


def _person(role: str, name: str) -> None:
    staff, new = Staff.objects.get_or_create(username=role, defaults={"name": name, "is_demo": True})
    if not staff.is_demo:
        return  # somebody real goes by that name
    if new:
        staff.roles.set(known_roles([role]))
        record_act(PersonHired(person=role, name=name, roles=[role], demo=True), by=_BUILDER)
    if new or not staff.check_password(password()):
        staff.set_password(password())
        staff.save(update_fields=["password"])
    if not SecondStep.objects.filter(user=staff, confirmed=True).exists():
        SecondStep.objects.create(user=staff, name="Demo", confirmed=True)


def password() -> str:
    """Eighty bits, in four groups that can be typed."""
    letters = (
        base64.b32encode(salted_hmac("house.demo-password", CODE, algorithm="sha256").digest()[:10]).decode().lower()
    )
    return "-".join(letters[start : start + 4] for start in range(0, 16, 4))


def credentials() -> list[Credential]:
    """How to sign in to the demo; nothing at all while the demo setting is off."""
    if not settings.DEMO:
        return []
    devices = SecondStep.objects.filter(user__is_demo=True, user__is_active=True, confirmed=True).select_related("user")
    codes = {device.user_id: _code(device) for device in devices}
    people = Staff.objects.filter(pk__in=codes, username__in=PEOPLE)
    order = list(PEOPLE)
    return [
        Credential(username=each.username, name=each.name, role=each.username, password=password(), code=codes[each.pk])
        for each in sorted(people, key=lambda person: order.index(person.username))
    ]


def _code(device: SecondStep) -> str:
    """The code that will be accepted now: the present one, or the next if the present one is used up."""
    try:
        totp = device.totp()
    except InvalidTag:  # copied from elsewhere, or the key of this installation is another one
        return ""
    totp.time = max(int(clock.time() // STEP_SECONDS), device.last_t + 1) * STEP_SECONDS
    return f"{totp.token():0{DIGITS}d}"
