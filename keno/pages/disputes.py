"""Disputes and what was decided about them (14.6)."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase

from house import people
from house.permissions import AS_INSPECTOR, VIEW_INCIDENTS
from keno.disputes import disputes, review_dispute
from keno.models import DisputeReview
from web.page import Visit, done, page, show

DISPUTES_ROWS = 100  # the latest


@page(VIEW_INCIDENTS)
def listing(request: Visit) -> HttpResponseBase:
    rows: list[Any] = list(disputes().order_by("-id")[:DISPUTES_ROWS])
    reviews = {each.incident_id: each for each in DisputeReview.objects.filter(incident__in=rows)}
    names = people.names([each.decided_by for each in reviews.values()])
    for row in rows:
        row.review = reviews.get(row.pk)
        row.reviewer = names[row.review.decided_by] if row.review else ""
    return show(request, "keno/disputes.html", rows=rows, may_review=request.actor.may(AS_INSPECTOR))


@page(AS_INSPECTOR, post=True)
def review(request: Visit, number: int) -> HttpResponseBase:
    review_dispute(incident_id=number, decision=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"You have decided dispute {number}.", "keno-disputes")
