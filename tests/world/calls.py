"""Callers of the API, and what they find."""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.utils import timezone

from house.callers import life_of
from house.models import Device, DeviceToken, Role, SecondStep, Staff
from house.roles import HELD
from tests.world.rows import rows_of
from tests.world.sessions import signed_in


def make_device(profile: str) -> tuple[Device, str]:
    """A device of any profile, known or not, with its token; a privileged one with somebody who holds it."""
    number = Device.objects.count() + 1
    holder = _holder(profile, number) if profile in HELD else None
    device = Device.objects.create(
        code=f"X-{number:04d}", name=f"A {profile}", kind="service", profile=profile, holder=holder
    )
    token = f"mh_test_{secrets.token_urlsafe(24)}"
    DeviceToken.objects.create(
        device=device,
        hash=hashlib.sha256(token.encode()).hexdigest(),
        prefix="test",
        expires_at=timezone.now() + life_of(profile),
    )
    return device, token


def _holder(role: str, number: int) -> Staff:
    staff = Staff.objects.create(username=f"x-{number:04d}", name=f"A {role}")
    staff.roles.set(Role.objects.filter(code=role))
    SecondStep.objects.create(user=staff, confirmed=True)
    return staff


class Caller:
    """A terminal: its token, and a new request key for each call unless it is given one."""

    def __init__(self, token: str | None = None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers=self.headers | headers)

    def post(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Any:
        data = body if isinstance(body, bytes) else json.dumps({} if body is None else body)
        keyed = {"Idempotency-Key": str(uuid.uuid4()) if key is None else key}
        return self.client.post(
            f"/api/v1/{path}", data=data, content_type="application/json", headers=self.headers | keyed | headers
        )


class AtConsole(Caller):
    """A person signed in with both steps, whose page makes the call."""

    def __init__(self, person: Staff) -> None:
        super().__init__()
        self.client = signed_in(person)


# The fixture ``caller``: somebody of that profile, or nobody.
MakeCaller = Callable[[str | None], Caller]


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of the house and its books, but for when a device was last seen."""
    return rows_of("house", "ledger", "web", but=["DeviceSeen"])


def ok(response: Any, status: int = 200) -> Any:
    """What it says, where it was done."""
    assert response.status_code == status, response.content
    return response.json()


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """The answer is a problem document of this status and code; returns it."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = response.json()
    assert document["status"] == status
    assert document["code"] == code, document
    assert document["type"] == f"/api/docs/problems#{code}"
    assert document["title"]
    assert document["detail"]
    return document


INCIDENT = {"kind": "other", "what": "The lounge clock stopped."}
