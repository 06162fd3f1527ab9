"""Disputes about results and payments (14.6): the operator decides, an inspector may review, in his own name.

A dispute is an incident of its own kind; whoever of the house closes it has decided it. The inspector reviews it before
that or after: his word is on record beside the operator's, and closes what is still open.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house.incidents import close_decided
from house.log import record_act
from house.models import Incident
from house.permissions import AS_INSPECTOR
from keno.incident_kinds import DISPUTE
from keno.models import DisputeReview
from keno.prize_acts import DisputeReviewed
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal


def disputes() -> QuerySet[Incident]:
    return Incident.objects.filter(kind=DISPUTE.code)


@transaction.atomic
def review_dispute(*, incident_id: int, decision: str, by: Actor) -> DisputeReview:
    """Decide a dispute as the inspector, whatever the operator had decided."""
    by.require(AS_INSPECTOR)
    incident = disputes().select_for_update().filter(pk=incident_id).first()
    if incident is None:
        raise NotFound("no-such-dispute", f"There is no dispute {incident_id}.", clause="act-keno:14.6")
    if not decision.strip():
        raise Refusal("decision-missing", "Say what you decide, and why.", clause="act-keno:14.6", field="decision")
    if DisputeReview.objects.filter(incident=incident).exists():
        raise Conflict("reviewed-already", f"Dispute {incident_id} has been reviewed.", clause="act-keno:14.6")
    review = DisputeReview.objects.create(
        incident=incident,
        decision=decision.strip(),
        decided_by=by.identity,
        decided_at=timezone.now(),
        operators=incident.outcome,
    )
    record_act(DisputeReviewed(incident=incident.pk, decision=review.decision), by=by)
    close_decided(incident_id=incident.pk, outcome=f"The inspector decided: {review.decision}", by=by)
    return review
