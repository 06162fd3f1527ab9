"""Calls about disputes (14.6)."""

from __future__ import annotations

from house.permissions import AS_INSPECTOR
from keno.disputes import review_dispute
from keno.models import DisputeReview
from kernel.actors import Actor
from web.fields import InstantField, StrictSerializer, Text, WholeNumber, shown
from web.view import HouseView, verb


class ReviewIn(StrictSerializer):
    decision = Text(help_text="What is decided, and why. It stays on record.")
    example = shown({"decision": "The ticket was altered: nothing is paid."})


class ReviewOut(StrictSerializer):
    incident = WholeNumber(source="incident_id")
    decision = Text()
    decided_by = Text()
    decided_at = InstantField()
    operators = Text(allow_blank=True, help_text="What the operator had decided before, where he had.")
    example = shown(
        {
            "incident": 41,
            "decision": "The ticket was altered: nothing is paid.",
            "decided_by": "staff:ines",
            "decided_at": "2026-11-16T21:09:00+11:00",
            "operators": "",
        }
    )


class Review(HouseView):
    @verb(permission=AS_INSPECTOR, takes=ReviewIn, gives=ReviewOut, status=201)
    def post(self, by: Actor, data: ReviewIn, *, id: int) -> DisputeReview:
        """Decide a dispute as the inspector, in his own name; it is an incident of the kind `keno-dispute`."""
        return review_dispute(incident_id=id, decision=data.decision, by=by)
