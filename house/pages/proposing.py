"""Propose a change of the house: what a role may do, player protection, erasure of personal data."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase

from house import approvals, queries, retention
from house.approvables import PLAYER_PROTECTION, ROLE_PERMISSIONS
from house.pages import proposals
from house.pages.forms.proposing import ErasureForm, ProtectionForm, RightsForm
from house.permissions import MANAGE_PERMISSIONS, PROPOSE
from house.venue import venue
from web.page import Visit, attempt, done, page, show


def proposed(request: Visit, form: Any, *, kind: str, subject: str) -> HttpResponseBase | None:
    if not form.is_valid():
        return None
    proposal = attempt(
        form,
        approvals.propose,
        kind=kind,
        subject=subject,
        new=form.new,
        why=form.why,
        effective_from=form.effective_from,
        by=request.actor,
    )
    return done(request, proposals.proposed(proposal), "approval", proposal.pk) if proposal else None


@page(MANAGE_PERMISSIONS)
def rights(request: Visit, code: str) -> HttpResponseBase:
    role = queries.role_coded(code)
    form = RightsForm(request.POST or None, initial={"rights": queries.granted_to(role)})
    return proposed(request, form, kind=ROLE_PERMISSIONS, subject=f"role:{code}") or show(
        request, "house/staff/propose_rights.html", form=form, role=role, rooms=form.rooms()
    )


@page(PROPOSE)
def protection(request: Visit) -> HttpResponseBase:
    here = venue()
    initial = {
        "cards_required": "yes" if here.player_cards_required else "no",
        "cooling_off_hours": here.limit_cooling_off_hours,
    }
    form = ProtectionForm(request.POST or None, initial=initial)
    return proposed(request, form, kind=PLAYER_PROTECTION, subject="venue") or show(
        request, "house/venue/propose_protection.html", form=form
    )


@page(PROPOSE)
def erasure(request: Visit) -> HttpResponseBase:
    kinds = list(retention.kept_today())
    form = ErasureForm(request.POST or None, kinds=[each for each in kinds if each.until])
    return proposed(request, form, kind=retention.ERASURE, subject=form.subject if form.is_valid() else "") or show(
        request, "house/venue/personal_data.html", form=form, kinds=kinds
    )
