"""Everybody who comes to the house's door: people of every role, devices of every profile, somebody unknown."""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final
from unittest.mock import patch

from django.conf import settings
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.client import ClientHandler

from house import callers
from house.models import Staff
from house.roles import FLOOR, HELD, ROLES
from kernel.actors import Actor
from kernel.refusal import Refusal
from tests.world.addresses import Address
from tests.world.calls import make_device
from tests.world.frame import without_the_frame
from tests.world.sessions import signed_in
from web import page
from web.request_keys import HEADER

NOBODY: Final = "nobody"
UNKNOWN: Final = "no profile"
NO_ROLE: Final = "no role"
PEOPLE: Final = (*(role for role in ROLES if role not in ("table", "signage")), NO_ROLE)
DEVICES: Final = (*(role for role in ROLES if role in FLOOR | HELD), UNKNOWN)
# What a page's form may ask for, besides what it is about.
_FORM: Final = {"comment": "because", "why": "because", "overlap": "0"}
_HANDLER: Final = ClientHandler(enforce_csrf_checks=False)
_REQUESTS: Final = RequestFactory(SERVER_NAME="localhost", REMOTE_ADDR="10.20.30.40")  # not the machine itself


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    code: str
    """Of a refusal."""
    location: str
    body: bytes
    wrote: bool
    """Whether anything was written, in the transaction that was then undone."""


@dataclass(frozen=True, slots=True)
class Walker:
    name: str
    """The role; of a device its profile."""
    is_device: bool
    actor: Actor | None
    headers: dict[str, str] = field(repr=False)

    def call(self, address: Address) -> Answer:
        """What would be answered. Nothing is kept of it."""
        with transaction.atomic():
            response: Any = _HANDLER(self._environ(address))
            body = b"".join(response.streaming_content) if response.streaming else response.content
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
                (wrote,) = cursor.fetchone()
            transaction.set_rollback(True)
        response.close()
        code = response.headers.get("X-Refused", "")
        if response.headers.get("Content-Type") == "application/problem+json":
            code = json.loads(body)["code"]
        return Answer(response.status_code, code, response.headers.get("Location", ""), body, wrote)

    def _environ(self, address: Address) -> dict[str, Any]:
        if address.method == "GET":
            return _REQUESTS.get(address.path, headers=self.headers).environ
        if address.is_call:
            keyed = self.headers | {HEADER: str(uuid.uuid4())}
            body = json.dumps({} if address.body is None else address.body)
            return _REQUESTS.post(address.path, body, content_type="application/json", headers=keyed).environ
        return _REQUESTS.post(address.path, _FORM, headers=self.headers).environ


def everybody() -> list[Walker]:
    Staff.objects.create(username="nils", name="Nils")
    people = [_person(role, "nils" if role == NO_ROLE else role) for role in PEOPLE]
    return [Walker(NOBODY, False, None, {}), *people, *(_device(profile) for profile in DEVICES)]


def _person(role: str, username: str) -> Walker:
    """As after both steps of the sign-in; nobody's activity has to be noted meanwhile."""
    person = Staff.objects.get(username=username)
    key = signed_in(person, busy=timedelta(hours=10)).session.session_key
    return Walker(role, False, person.as_actor(), {"Cookie": f"{settings.SESSION_COOKIE_NAME}={key}"})


def _device(profile: str) -> Walker:
    device, token = make_device(profile)
    actor = callers.actor_for_token(token)
    callers._noted[device.pk] = time.monotonic() + 36_000  # likewise
    return Walker(profile, True, actor, {"Authorization": f"Bearer {token}"})


@contextmanager
def quickly() -> Iterator[None]:
    """Without what is the same on every page, and without a page that says no: they are looked at elsewhere, and would
    take most of the time here."""

    def as_answer(_: object, refusal: Refusal) -> HttpResponse:
        return HttpResponse(refusal.detail, status=refusal.status, headers={"X-Refused": refusal.code})

    with (
        patch.object(page, "_refused", as_answer),
        without_the_frame(),
        patch.object(logging.getLogger("request"), "disabled", True),
    ):
        yield
