"""Callers of the API, and what they find."""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from typing import Any

from django.apps import apps
from django.test import Client

from house.models import Device, DeviceToken


def make_device(profile: str) -> tuple[Device, str]:
    """A device of any profile, known or not, with its token."""
    number = Device.objects.count() + 1
    device = Device.objects.create(code=f"X-{number:04d}", name=f"A {profile}", kind="service", profile=profile)
    token = f"mh_test_{secrets.token_urlsafe(24)}"
    DeviceToken.objects.create(device=device, hash=hashlib.sha256(token.encode()).hexdigest(), prefix="test")
    return device, token


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


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of the house and its books, but for when a device was last seen."""
    models = [*apps.get_app_config("house").get_models(), *apps.get_app_config("ledger").get_models()]
    return {
        model.__name__: list(model._default_manager.order_by("pk").values())
        for model in models
        if model.__name__ != "DeviceSeen"
    }


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """The answer is a problem document of this status and code; returns it."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document = response.json()
    assert document["status"] == status
    assert document["code"] == code, document
    assert document["type"] == f"/api/docs/problems#{code}"
    assert document["title"]
    assert document["detail"]
    return document


INCIDENT = {"kind": "other", "what": "The lounge clock stopped."}
