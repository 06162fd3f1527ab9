"""Propose a change of the house: what a role may do, player protection, the look of the boards."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase

from console.forms.proposing import LookForm, ProtectionForm, RightsForm
from console.page import Visit, attempt, done, page, show
from house import approvals
from house.approvables import PLAYER_PROTECTION, ROLE_PERMISSIONS
from house.models import Grant, Role
from house.refusal import NotFound
from house.venue import venue
from signage import look
from signage.approvables import LOOK


def _proposed(request: Visit, form: Any, *, kind: str, subject: str) -> HttpResponseBase | None:
    if not form.is_valid():
        return None
    given = form.cleaned_data
    proposal = attempt(
        form,
        approvals.propose,
        kind=kind,
        subject=subject,
        new=form.new,
        why=given["why"],
        effective_from=given["effective_from"],
        by=request.actor,
    )
    return done(request, "Proposed. Needs a second person.", "approval", proposal.pk) if proposal else None


@page("permissions.manage")
def rights(request: Visit, code: str) -> HttpResponseBase:
    role = Role.objects.filter(code=code).first()
    if role is None:
        raise NotFound("no-such-role", f"There is no role “{code}”.")
    now = list(Grant.objects.filter(role=role).values_list("permission_id", flat=True))
    form = RightsForm(request.POST or None, initial={"rights": now})
    return _proposed(request, form, kind=ROLE_PERMISSIONS, subject=f"role:{code}") or show(
        request, "console/staff/propose_rights.html", form=form, role=role, rooms=form.rooms()
    )


@page("approvals.propose")
def protection(request: Visit) -> HttpResponseBase:
    here = venue()
    initial = {
        "cards_required": "yes" if here.player_cards_required else "no",
        "cooling_off_hours": here.limit_cooling_off_hours,
    }
    form = ProtectionForm(request.POST or None, initial=initial)
    return _proposed(request, form, kind=PLAYER_PROTECTION, subject="venue") or show(
        request, "console/venue/propose_protection.html", form=form
    )


@page("approvals.propose")
def look_of_boards(request: Visit) -> HttpResponseBase:
    now = look.in_force()
    form = LookForm(request.POST or None, request.FILES or None, now=now)
    return _proposed(request, form, kind=LOOK, subject="venue") or show(
        request,
        "console/venue/propose_look.html",
        form=form,
        now=now,
        preview={"accent": now["accent"] or look.ACCENT, "ground": now["ground"] or look.GROUND},
        own={"accent": look.ACCENT, "ground": look.GROUND},
    )
