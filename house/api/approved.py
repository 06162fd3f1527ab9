"""Every approved value, in force or before, and by whose word."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house import approved
from house.api.standing import WithStanding
from house.approvals import Standing
from house.models import ApprovedValue
from kernel.actors import Actor
from web.fields import InstantField, Text, WholeNumber, shown
from web.view import SIGNED_IN, HouseView, Paging, listing


class ApprovedValueOut(WithStanding):
    kind = Text()
    code = Text()
    version = WholeNumber()
    value = serializers.JSONField(allow_null=True, help_text="In the shape of its kind; null: withdrawn.")
    since = InstantField()
    approved_by = Text()
    proposal = WholeNumber(source="proposal_id", allow_null=True, help_text="The approval it came from.")
    example = shown(
        {
            "kind": "keno.voucher-type",
            "code": "DINE",
            "version": 1,
            "value": {"name": "Dinner voucher"},
            "since": "2026-11-16T21:04:00+11:00",
            "approved_by": "staff:ines",
            "proposal": 12,
            "authority": "inspector",
            "basis": "decided",
            "by_letter": False,
            "countersigned_at": None,
        }
    )

    def standing_of(self, row: ApprovedValue) -> Standing:
        return approved.standing(row)


class ApprovedAsked(Paging):
    kind = Text(required=False, max_length=64)
    code = Text(required=False, max_length=64)


class ApprovedValues(HouseView):
    @listing(permission=SIGNED_IN, gives=ApprovedValueOut, asks=ApprovedAsked)
    def get(self, by: Actor, asked: ApprovedAsked) -> QuerySet[ApprovedValue]:
        """Approved values in every version, the newest first, each with by whose word it is or was in force."""
        return approved.versions(kind=asked.kind, code=asked.code)
