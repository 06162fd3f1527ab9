from __future__ import annotations

from django.http import HttpResponseBase
from django.urls import reverse
from django.views.decorators.debug import sensitive_variables

from house import access, approvals, guesses, powers, queries, sign_in, staff, steps
from house.approvables import STAFF_ROLES
from house.models import Staff
from house.pages import proposals
from house.pages.forms.staff import HireForm, RolesForm
from house.people import roles_in_words
from house.permissions import MANAGE_STAFF, VIEW_STAFF
from kernel.refusal import NotFound
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


@page(VIEW_STAFF)
def listing(request: Visit) -> HttpResponseBase:
    people = Listing(
        request,
        queries.all_people(),
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
        "house/staff/list.html",
        listing=people,
        slowed=guesses.slowed_until(person.username for person in people.rows),
        roles={role.code: role.name for role in queries.roles_of_people()},
        steps=steps.staff_steps(request.actor),
    )


@page(MANAGE_STAFF)
def hire(request: Visit) -> HttpResponseBase:
    form = HireForm(request.POST or None)
    if form.is_valid():
        hired = attempt(form, access.hire, name=form.name, username=form.username, roles=form.roles, by=request.actor)
        if hired:
            said = f"{hired.staff.name} is hired, and enrols once a second person has agreed."
            return done(request, said, "person", hired.staff.username)
    return show(request, "house/staff/hire.html", form=form)


@sensitive_variables("shown")
@page(VIEW_STAFF, post=True)
def half(request: Visit, username: str) -> HttpResponseBase:
    """One's own half of the code with which somebody enrols."""
    shown = access.show_half(username=username, by=request.actor)
    return _show_person(request, username, secret=shown)


@page(VIEW_STAFF)
def person(request: Visit, username: str) -> HttpResponseBase:
    return _show_person(request, username)


def _show_person(request: Visit, username: str, *, secret: str = "") -> HttpResponseBase:
    """The person's page. Half of a code is on the answer itself and nowhere else, so not in the session either."""
    somebody = queries.person_named(username)
    slowed = guesses.slowed_until([username])
    allowed = steps.person_steps(somebody, request.actor, slowed=bool(slowed))
    return show(
        request,
        "house/staff/person.html",
        somebody=somebody,
        roles=somebody.roles.all(),
        itself=somebody.pk == request.user.pk,
        slowed=slowed,
        address=reverse("console:person", args=[username]),
        secret=secret,
        half_waits=not secret and access.halves_for(somebody, request.actor) is not None,
        held=queries.devices_held_by(somebody),
        history=proposals.described(approvals.history(subject=somebody.identity)[:20]),
        steps=allowed | steps.role_steps(somebody, request.actor),
        staff_steps=steps.staff_steps(request.actor),
        acts=[each for each in _acts(somebody) if each["id"] in allowed],
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
            "reset-access",
            "Reset sign-in:",
            "A second person has to agree. Then password, second step and sessions are gone; you and the second person "
            "each see half of a code, and with both halves they choose a new password and set up a new second step.",
            "Propose",
        ),
        act(
            "deactivate",
            "Deactivate",
            "Every session of theirs ends now, every device they hold stops, and they sign in no more. Their acts stay "
            "on record.",
            "Deactivate",
            tone="danger",
            typed=somebody.username,
        ),
        act("reactivate", "Reactivate", "They enrol anew once a second person has agreed.", "Reactivate"),
    ]


@page(MANAGE_STAFF, post=True)
def act(request: Visit, username: str, name: str) -> HttpResponseBase:
    why = request.POST.get("comment", "")
    somebody = queries.person_named(username)
    match name:
        case "unlock":
            sign_in.unlock(username=username, why=why, by=request.actor)
            said = f"{somebody.name} is unlocked."
        case "reset-access":
            access.propose_access(username=username, because="lost-both", why=why, by=request.actor)
            said = f"Proposed that {somebody.name} enrols anew. Needs a second person."
        case "deactivate":
            staff.deactivate(username=username, why=why, by=request.actor)
            said = f"{somebody.name} is deactivated."
        case "reactivate":
            access.reactivate(username=username, why=why, by=request.actor)
            said = f"{somebody.name} is active again, and enrols once a second person has agreed."
        case _:
            raise NotFound("no-such-act", "That cannot be done here.")
    return done(request, said, "person", username)


@page(MANAGE_STAFF)
def propose_roles(request: Visit, username: str) -> HttpResponseBase:
    somebody = queries.person_named(username)
    form = RolesForm(request.POST or None, initial={"roles": staff.roles_of(somebody)})
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=STAFF_ROLES,
            subject=somebody.identity,
            new=sorted(form.roles),
            why=form.why,
            effective_from=form.effective_from,
            by=request.actor,
        )
        if proposal:
            return done(request, "Proposed. Needs a second person.", "approval", proposal.pk)
    return show(request, "house/staff/propose_roles.html", form=form, somebody=somebody)


@page()
def roles(request: Visit) -> HttpResponseBase:
    """Who may do what, and what it takes, for everybody who works here."""
    posts = queries.roles_with_people()
    granted = queries.grants()
    rooms = {
        room: [
            {
                "code": each,
                "label": each.label,
                "needs": powers.needs_today(each),
                "cells": [(post, (post.code, each) in granted) for post in posts],
            }
            for each in declared
        ]
        for room, declared in powers.by_room().items()
    }
    for post in posts:
        post.people = [each for each in post.staff.all() if each.is_active]  # type: ignore[attr-defined]
    return show(
        request,
        "house/staff/roles.html",
        roles=posts,
        rooms=rooms.items(),
        mine=set(staff.roles_of(request.user)),
        steps=steps.staff_steps(request.actor),
        proposable=approvals.proposable(request.actor),
    )
