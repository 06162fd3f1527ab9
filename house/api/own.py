"""Calls about the caller itself: who am I, what became of my request, who may do what here."""

from __future__ import annotations

import json
from typing import Any

from rest_framework import serializers

from house import request_keys
from house.actors import Actor
from house.api.fields import InstantField, StrictSerializer, Text, Whole, shown
from house.api.view import SIGNED_IN, HouseView, read
from house.models import Permission, Role
from house.models.requests import RequestKey


class MeOut(StrictSerializer):
    identity = Text(help_text="What the ledger and the log know you by.")
    name = Text()
    permissions = serializers.ListField(child=Text())
    example = shown({"identity": "device:W-0001", "name": "Counter 1", "permissions": ["incidents.report"]})


class Me(HouseView):
    @read(permission=SIGNED_IN, gives=MeOut)
    def get(self, by: Actor, asked: dict[str, Any]) -> dict[str, Any]:
        """Who you are here, and what you may do."""
        return {"identity": by.identity, "name": by.name, "permissions": sorted(by.permissions)}


class RequestOut(StrictSerializer):
    key = Text()
    method = Text()
    path = Text()
    status = Whole(help_text="The status that was answered.")
    answer = serializers.JSONField(help_text="The body that was answered.")
    created_at = InstantField()
    example = shown(
        {
            "key": "01JCX4T7T0W6",
            "method": "POST",
            "path": "/api/v1/incidents/",
            "status": 201,
            "answer": {"id": 12, "kind": "…"},
            "created_at": "2026-11-16T21:04:00+11:00",
        }
    )


class OneRequest(HouseView):
    @read(permission=SIGNED_IN, gives=RequestOut)
    def get(self, by: Actor, asked: dict[str, Any], *, key: str) -> dict[str, Any]:
        """What became of a request whose answer was lost."""
        found: RequestKey = request_keys.outcome(by=by, key=key)
        return {
            "key": found.key,
            "method": found.method,
            "path": found.path,
            "status": found.status,
            "answer": json.loads(found.answer) if found.answer else None,
            "created_at": found.created_at,
        }


class RoleOut(StrictSerializer):
    code = Text()
    name = Text()


class PermissionOut(StrictSerializer):
    code = Text()
    label = Text()  # type: ignore[assignment]  # a field of that name, not the form's label
    roles = serializers.ListField(child=Text())


class PermissionsOut(StrictSerializer):
    roles = RoleOut(many=True)
    permissions = PermissionOut(many=True)
    example = shown(
        {
            "roles": [{"code": "writer", "name": "Keno writer"}],
            "permissions": [{"code": "incidents.report", "label": "Report an incident", "roles": ["writer"]}],
        }
    )


class Permissions(HouseView):
    @read(permission="permissions.view", gives=PermissionsOut)
    def get(self, by: Actor, asked: dict[str, Any]) -> dict[str, Any]:
        """The table of who may do what."""
        return {
            "roles": Role.objects.all(),
            "permissions": [
                {"code": each.code, "label": each.label, "roles": sorted(grant.role_id for grant in each.grants.all())}
                for each in Permission.objects.prefetch_related("grants")
            ],
        }
