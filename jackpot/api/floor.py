"""Tables, their rounds, the versions of a link's terms, and contributions that were held back."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from house.actors import Actor
from house.api.fields import Choice, InstantField, StrictSerializer, Text, Whole, shown
from house.api.view import ByDay, HouseView, Paging, listing, verb
from jackpot import links, permissions, pools
from jackpot.api import contributions, fields
from jackpot.models import Batch, BatchStatus, Table, Terms


class JoinIn(StrictSerializer):
    code = Text(max_length=16)
    link = Text(max_length=16)
    boxes = Whole(required=False, min_value=1, max_value=20)
    example = shown({"code": "CSP-05", "link": "CSP", "boxes": 7})


class TablesAsked(Paging):
    link = Text(required=False, max_length=16)


class _TableRow(fields.TableOut):
    link = Text(source="pool.code")


class Tables(HouseView):
    @listing(permission=permissions.VIEW, gives=_TableRow, asks=TablesAsked, order="id")
    def get(self, by: Actor, asked: dict[str, Any]) -> QuerySet[Table]:
        """The tables, and whether each one's jackpot is open."""
        rows = Table.objects.select_related("pool")
        return rows.filter(pool__code=asked["link"]) if "link" in asked else rows

    @verb(permission=permissions.TABLES, takes=JoinIn, gives=_TableRow, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> Table:
        """Put a table on a link: wager, pay table, rates and seed are the link's."""
        return links.join_table(by=by, **data)


class TermsOut(StrictSerializer):
    version = Whole()
    effective_at = InstantField()
    set_by = Text()
    proposal = Whole(source="proposal_id", allow_null=True, help_text="The approval it came from.")
    terms = serializers.DictField(source="data")


class TermsVersions(HouseView):
    @listing(permission=permissions.VIEW, gives=TermsOut, asks=Paging, order="-version")
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> QuerySet[Terms]:
        """Every approved version of a link's terms, the newest first."""
        return Terms.objects.filter(pool=pools.find(code))


class BatchesAsked(ByDay):
    status = Choice(choices=BatchStatus.values, required=False)


class BatchRow(contributions.BatchOut):
    table = Text(source="table.code")


def batches(asked: dict[str, Any]) -> QuerySet[Batch]:
    rows = Batch.objects.select_related("table")
    for name, column in (("status", "status"), ("gaming_day", "day")):
        if name in asked:
            rows = rows.filter(**{column: asked[name]})
    return rows
