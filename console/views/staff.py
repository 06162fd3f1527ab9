from __future__ import annotations

from itertools import groupby

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables
from django_otp.plugins.otp_totp.models import TOTPDevice

from console import lockouts, proposals
from console.forms.staff import HireForm, RolesForm
from console.page import Visit, attempt, done, page, roles_in_words, show
from console.tables import Column, Listing
from house import approvals, sign_in, staff
from house.approvables import ROLE_PERMISSIONS, STAFF_ROLES
from house.models import Grant, Permission, Role, Staff
from house.refusal import NotFound
from house.roles import ROLES


def _people() -> QuerySet[Staff]:
    enrolled = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    return Staff.objects.annotate(enrolled=Exists(enrolled)).prefetch_related("roles")


def _person(username: str) -> Staff:
    found = _people().filter(username=username).first()
    if found is None:
        raise NotFound("no-such-person", f"Nobody here is called “{username}”.")
    return found


@page("staff.view")
def listing(request: Visit) -> HttpResponseBase:
    people = Listing(
        request,
        _people(),
        name="staff",
        order="name",
        search=("name", "username"),
        filters={"role": lambda rows, role: rows.filter(roles__code=role)},
        columns=(
            Column("Name", lambda row: row.name, order="name"),
            Column("User name", lambda row: row.username, order="username"),
            Column("Roles", roles_in_words),
            Column("State", lambda row: "active" if row.is_active else "not active"),
            Column("Last sign-in", lambda row: row.last_login),
        ),
    )
    if people.wants_csv:
        return people.csv()
    return show(
        request,
        "console/staff/list.html",
        listing=people,
        locked=lockouts.locked_until(),
        roles=Role.objects.exclude(code__in=("table", "signage")),
        may_manage=request.actor.may("staff.manage"),
    )


@sensitive_variables("hired")
@page("staff.manage")
def hire(request: Visit) -> HttpResponseBase:
    form = HireForm(request.POST or None)
    if form.is_valid():
        hired = attempt(form, staff.hire, by=request.actor, **form.cleaned_data)
        if hired:
            messages.success(request, f"{hired.staff.name} is hired.")
            return _show_person(request, hired.staff.username, password=hired.password)
    return show(request, "console/staff/hire.html", form=form)


@page("staff.view")
def person(request: Visit, username: str) -> HttpResponseBase:
    return _show_person(request, username)


def _show_person(request: Visit, username: str, *, password: str = "") -> HttpResponseBase:
    """The person's page. A new password is on the answer itself and nowhere else, so not in the session either."""
    somebody = _person(username)
    locked = username in lockouts.locked_until(username)
    return show(
        request,
        "console/staff/person.html",
        somebody=somebody,
        roles=somebody.roles.all(),
        itself=somebody.pk == request.user.pk,
        locked={username} if locked else set(),
        locked_out=locked,
        address=reverse("console:person", args=[username]),
        secret=password,
        history=proposals.described(approvals.history(kind=STAFF_ROLES, subject=somebody.identity)[:20]),
        may_manage=request.actor.may("staff.manage"),
        may_propose=somebody.is_active and proposals.may_propose(request.actor, STAFF_ROLES),
        acts=_acts(somebody),
    )


def _acts(somebody: Staff) -> list[dict[str, str]]:
    """What an administrator may do to somebody's access, each confirmed by a sentence."""

    def act(
        name: str, sentence: str, then: str, button: str, *, tone: str = "primary", typed: str = ""
    ) -> dict[str, str]:
        action = reverse("console:staff-act", args=[somebody.username, name])
        return {
            "id": name,
            "action": action,
            "sentence": f"{sentence} {somebody.name}.",
            "then": then,
            "button": button,
            "tone": tone,
            "typed": typed,
            "comment": "Why",
        }

    return [
        act("unlock", "Unlock", "They can sign in again at once.", "Unlock"),
        act(
            "reset-second-step",
            "Reset the second step of",
            "Their sessions end. The next sign-in asks them to set up an authenticator anew.",
            "Reset second step",
        ),
        act(
            "reset-password",
            "Reset the password of",
            "Their sessions end. You are shown a new password once.",
            "Reset password",
        ),
        act(
            "deactivate",
            "Deactivate",
            "Every session of theirs ends now and they sign in no more. Their acts stay on record.",
            "Deactivate",
            tone="danger",
            typed=somebody.username,
        ),
        act("reactivate", "Reactivate", "They sign in with the password they had and a new second step.", "Reactivate"),
    ]


@page("staff.manage", post=True)
def act(request: Visit, username: str, name: str) -> HttpResponseBase:
    why = request.POST.get("comment", "")
    somebody = _person(username)
    match name:
        case "unlock":
            sign_in.unlock(username=username, why=why, by=request.actor)
            said = f"{somebody.name} is unlocked."
        case "reset-second-step":
            staff.reset_second_step(username=username, why=why, by=request.actor)
            said = f"{somebody.name} sets up a new second step at the next sign-in."
        case "reset-password":
            password = staff.reset_password(username=username, why=why, by=request.actor)
            messages.success(request, f"{somebody.name} has a new password.")
            return _show_person(request, username, password=password)
        case "deactivate":
            staff.deactivate(username=username, why=why, by=request.actor)
            said = f"{somebody.name} is deactivated."
        case "reactivate":
            staff.reactivate(username=username, why=why, by=request.actor)
            said = f"{somebody.name} is active again."
        case _:
            raise NotFound("no-such-act", "There is no such thing to do.")
    return done(request, said, "person", username)


@page("staff.manage")
def propose_roles(request: Visit, username: str) -> HttpResponseBase:
    somebody = _person(username)
    form = RolesForm(request.POST or None, initial={"roles": staff.roles_of(somebody)})
    if form.is_valid():
        given = form.cleaned_data
        proposal = attempt(
            form,
            approvals.propose,
            kind=STAFF_ROLES,
            subject=somebody.identity,
            new=sorted(given["roles"]),
            why=given["why"],
            effective_from=given["effective_from"],
            by=request.actor,
        )
        if proposal:
            return done(request, "Proposed. Needs a second person.", "approval", proposal.pk)
    return show(request, "console/staff/propose_roles.html", form=form, somebody=somebody)


@page()
def roles(request: Visit) -> HttpResponseBase:
    """The permission table, as data, for everybody who works here."""
    posts = sorted(Role.objects.prefetch_related("staff"), key=lambda post: list(ROLES).index(post.code))
    granted = set(Grant.objects.values_list("role_id", "permission_id"))
    rights = [
        {"code": each.code, "label": each.label, "cells": [(post, (post.code, each.code) in granted) for post in posts]}
        for each in Permission.objects.order_by("code")
    ]
    for post in posts:
        post.people = [each for each in post.staff.all() if each.is_active]  # type: ignore[attr-defined]
    rooms = [(room, list(group)) for room, group in groupby(rights, key=lambda each: str(each["code"]).split(".")[0])]
    return show(
        request,
        "console/staff/roles.html",
        roles=posts,
        rooms=rooms,
        mine=set(staff.roles_of(request.user)),
        may_see_staff=request.actor.may("staff.view"),
        may_propose=proposals.may_propose(request.actor, ROLE_PERMISSIONS),
    )
