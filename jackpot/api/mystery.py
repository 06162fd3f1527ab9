"""Sealed trigger points: what was promised before, and the proof after. Open to everybody."""

from __future__ import annotations

from django.db.models import QuerySet

from jackpot import queries, trigger_points
from jackpot.api import fields
from jackpot.models import TriggerPoint
from kernel.actors import Actor
from web.fields import Nothing
from web.view import PUBLIC, HouseView, Paging, listing, read


class _TriggerRow(fields.TriggerOut):
    def to_representation(self, sealed: TriggerPoint) -> dict[str, object]:
        return super().to_representation(trigger_points.published(sealed))


class Triggers(HouseView):
    @listing(permission=PUBLIC, gives=_TriggerRow, asks=Paging, order="-number")
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[TriggerPoint]:
        """The sealed trigger points of a must-hit-by link, the newest first."""
        return queries.trigger_points_of(code)


class OneTrigger(HouseView):
    @read(permission=PUBLIC, gives=fields.TriggerOut)
    def get(self, by: Actor, asked: Nothing, *, code: str, number: int) -> dict[str, object]:
        """One trigger point: its commitment and, once it was reached, the proof.

        Check it offline: `python -m jackpot.rules.mystery_proof FILE COMMITMENT`.
        """
        return trigger_points.published(queries.find_trigger_point(code, number))
