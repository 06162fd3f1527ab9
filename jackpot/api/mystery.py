"""Sealed trigger points: what was promised before, and the proof after. Open to everybody."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from house.actors import Actor
from house.api.view import PUBLIC, HouseView, Paging, listing, read
from house.refusal import NotFound
from jackpot import pools, trigger_points
from jackpot.api import fields
from jackpot.models import TriggerPoint


class _TriggerRow(fields.TriggerOut):
    def to_representation(self, sealed: TriggerPoint) -> dict[str, Any]:
        return super().to_representation(trigger_points.published(sealed))


class Triggers(HouseView):
    @listing(permission=PUBLIC, gives=_TriggerRow, asks=Paging, order="-number")
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> QuerySet[TriggerPoint]:
        """The sealed trigger points of a must-hit-by link, the newest first."""
        return TriggerPoint.objects.filter(pool=pools.find(code)).select_related("pool", "hit")


class OneTrigger(HouseView):
    @read(permission=PUBLIC, gives=fields.TriggerOut)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str, number: int) -> dict[str, Any]:
        """One trigger point: its commitment and, once it was reached, the proof.

        Check it offline: `python -m jackpot.rules.mystery_proof FILE COMMITMENT`.
        """
        sealed = TriggerPoint.objects.filter(pool__code=code, number=number).select_related("pool", "hit").first()
        if sealed is None:
            raise NotFound("no-such-trigger", f"{code} has no trigger point {number}.")
        return trigger_points.published(sealed)
