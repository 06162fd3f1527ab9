"""Disputes and what was decided about them (14.6)."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponseBase

from house import people
from house.models import Incident
from house.permissions import AS_INSPECTOR, VIEW_INCIDENTS
from keno.disputes import disputes, review_dispute
from keno.models import DisputeReview
from web.page import Visit, done, page, show

DISPUTES_ROWS = 100  # the latest


@dataclass(frozen=True, slots=True)
class Dispute:
    incident: Incident
    review: DisputeReview | None
    reviewer: str


@page(VIEW_INCIDENTS)
def listing(request: Visit) -> HttpResponseBase:
    incidents = list(disputes().order_by("-id")[:DISPUTES_ROWS])
    reviews = {each.incident_id: each for each in DisputeReview.objects.filter(incident__in=incidents)}
    names = people.names([each.decided_by for each in reviews.values()])
    rows = [
        Dispute(each, review, names[review.decided_by] if review else "")
        for each, review in ((each, reviews.get(each.pk)) for each in incidents)
    ]
    return show(request, "keno/disputes.html", rows=rows, may_review=request.actor.may(AS_INSPECTOR))


@page(AS_INSPECTOR, post=True)
def review(request: Visit, number: int) -> HttpResponseBase:
    review_dispute(incident_id=number, decision=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"You have decided dispute {number}.", "keno-disputes")
