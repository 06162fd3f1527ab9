"""Calls about the caller itself: who am I, what became of my request, who may do what here."""

from __future__ import annotations

from rest_framework import serializers

from house.permissions import declared
from house.queries import all_roles, grants
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.codes import At
from web import request_keys
from web.fields import Choice, InstantField, Nothing, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.models.requests import RequestKey
from web.view import SIGNED_IN, HouseView, answered, read


class MeOut(StrictSerializer):
    identity = Text(help_text="What the ledger and the log know you by.")
    name = Text()
    device = Text(allow_null=True, help_text="The device you come through; null at the console.")
    tables = serializers.ListField(
        child=Text(), allow_null=True, help_text="The only tables at which it works; null: bound to none."
    )
    permissions = serializers.ListField(child=Text())
    example = shown(
        {
            "identity": "device:W-0001",
            "name": "Counter 1",
            "device": "W-0001",
            "tables": None,
            "permissions": ["incidents.report"],
        }
    )


class Me(HouseView):
    @read(permission=SIGNED_IN, gives=MeOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """Who you are here, and what you may do."""
        return {
            "identity": by.identity,
            "name": by.name,
            "device": by.device,
            "tables": None if by.tables is None else sorted(by.tables),
            "permissions": sorted(by.permissions),
        }


class RequestOut(StrictSerializer):
    key = Text()
    method = Text()
    path = Text()
    status = WholeNumber(help_text="The status that was answered.")
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
    def get(self, by: Actor, asked: Nothing, *, key: str) -> dict[str, object]:
        """What became of a request whose answer was lost."""
        found: RequestKey = request_keys.outcome(by=by, key=key)
        return {
            "key": found.key,
            "method": found.method,
            "path": found.path,
            "status": found.status,
            "answer": answered(found, by),
            "created_at": found.created_at,
        }


class RoleOut(StrictSerializer):
    code = Text()
    name = Text()


class PermissionOut(StrictSerializer):
    code = Text()
    label = Text()  # a field of that name, not the form's label
    roles = serializers.ListField(child=Text())
    people = WholeNumber(help_text="How many it takes until it is done.")
    above = Text(allow_null=True, help_text="The amount above which it takes so many; null: always.")
    authority = Choice(choices=[*Authority], allow_null=True, help_text="In whose name a decision by it counts.")
    at = serializers.ListField(child=Choice(choices=[*At]), help_text="Where it is used.")
    personal = TrueOrFalse(help_text="Whether it shows who somebody is.")
    note = Text(allow_blank=True, help_text="What else it needs, in a sentence.")


class PermissionsOut(StrictSerializer):
    roles = RoleOut(many=True)
    permissions = PermissionOut(many=True)
    example = shown(
        {
            "roles": [{"code": "writer", "name": "Keno writer"}],
            "permissions": [
                {
                    "code": "keno.pay",
                    "label": "Pay Keno prizes and vouchers",
                    "roles": ["writer"],
                    "people": 2,
                    "above": "the approved amount above which a Keno payment is authorised first",
                    "authority": None,
                    "at": ["floor", "held", "session"],
                    "personal": False,
                    "note": "With the ticket’s security code; what is reported, to somebody who shows who he is.",
                }
            ],
        }
    )


class Permissions(HouseView):
    @read(permission=SIGNED_IN, gives=PermissionsOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """The table of who may do what, and of what it takes."""
        granted: dict[str, list[str]] = {}
        for role, permission in sorted(grants()):
            granted.setdefault(permission, []).append(role)
        return {
            "roles": all_roles(),
            "permissions": [
                {
                    "code": code,
                    "label": each.label,
                    "roles": granted.get(code, []),
                    "people": each.people,
                    "above": None if each.above is None else each.above.label,
                    "authority": each.authority,
                    "at": sorted(each.at),
                    "personal": each.personal,
                    "note": each.note,
                }
                for code, each in sorted(declared().items())
            ],
        }
