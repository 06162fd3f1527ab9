"""Suspicious matters: raised by many, seen by few. Whoever has raised one is told its number, and to tell nobody."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.utils import timezone

from house import people
from house.cash import files, matters, queries, steps
from house.models import SuspiciousMatter
from house.pages.cash import format_of
from house.pages.forms.cash import DismissForm, MatterForm, SentForm
from house.permissions import MATTERS, RAISE_MATTER
from house.times import due_for_people
from web.forms import PageForm
from web.lists import Column, Listing, asked
from web.page import Visit, attempt, done, page, show


@page(MATTERS)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.matters_seen_by(request.actor).select_related("player"),
        name="confidential",
        order="-id",
        search=("what", "reference"),
        filters={
            "state": lambda rows, state: (
                rows.filter(queries.OPEN_MATTER) if state == "open" else rows.exclude(queries.OPEN_MATTER)
            )
        },
        columns=(
            Column("Matter"),
            Column("What"),
            Column("Raised", order="raised_at"),
            Column("Due", order="due_at"),
            Column("State"),
        ),
    )
    now = timezone.now()
    for row in found.rows:
        row.is_late, row.due = row.is_open and row.due_at <= now, due_for_people(row.due_at)
    return show(request, "house/cash/matters.html", listing=found)


@page(RAISE_MATTER)
def raise_one(request: Visit) -> HttpResponseBase:
    initial = {name: asked(request, name) for name in ("reference", "player", "staff")}
    form = MatterForm(request.POST or None, initial=initial)
    if form.is_valid():
        made = attempt(
            form,
            matters.raise_matter,
            what=form.what,
            reference=form.reference,
            player=form.player,
            staff=form.staff_named,
            terrorism=form.terrorism is True,
            by=request.actor,
        )
        if made:
            return show(request, "house/cash/matter_raised.html", number=made.pk)
    return show(request, "house/cash/raise_matter.html", form=form)


@page(MATTERS)
def matter(request: Visit, number: int) -> HttpResponseBase:
    return _show(request, queries.matter_numbered(number, request.actor))


def _show(request: Visit, found: SuspiciousMatter, bound: PageForm | None = None) -> HttpResponseBase:
    forms: dict[str, PageForm] = {"send": SentForm(auto_id="send-%s"), "dismiss": DismissForm(auto_id="dismiss-%s")}
    reopened = next((name for name, form in forms.items() if type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    people_in_it = [found.raised_by, found.sent_by, found.dismissed_by, found.agreed_by, *found.concerns]
    names = people.names(people_in_it)
    return show(
        request,
        "house/cash/matter.html",
        form=bound,
        matter=found,
        line=found.line,
        line_kind=queries.kind_of(found.line) if found.line is not None else None,
        is_late=found.is_open and found.due_at <= timezone.now(),
        due=due_for_people(found.due_at),
        raiser=names[found.raised_by],
        sender=names.get(found.sent_by or ""),
        dismisser=names.get(found.dismissed_by or ""),
        agreer=names.get(found.agreed_by or ""),
        concerned=[names[each] for each in found.concerns],
        forms=forms,
        reopened=reopened,
        steps=steps.matter_steps(found, request.actor),
    )


@page(MATTERS, post=True)
def sent(request: Visit, number: int) -> HttpResponseBase:
    form = SentForm(request.POST, auto_id="send-%s")
    if form.is_valid():
        reference = form.reference
        if attempt(form, matters.matter_sent, matter_id=number, reference=reference, by=request.actor):
            return done(request, f"Matter {number} went to the authority.", "matter", number)
    return _show(request, queries.matter_numbered(number, request.actor), form)


@page(MATTERS, post=True)
def dismiss(request: Visit, number: int) -> HttpResponseBase:
    form = DismissForm(request.POST, auto_id="dismiss-%s")
    if form.is_valid():
        why = form.why
        if attempt(form, matters.dismiss_matter, matter_id=number, why=why, by=request.actor):
            return done(request, f"Matter {number} is due until another person agrees.", "matter", number)
    return _show(request, queries.matter_numbered(number, request.actor), form)


@page(MATTERS, post=True)
def agree(request: Visit, number: int) -> HttpResponseBase:
    matters.agree_to_dismissal(matter_id=number, by=request.actor)
    return done(request, f"Matter {number} is closed, and not reported.", "matter", number)


@page(MATTERS, post=True)
def file(request: Visit, number: int | None = None) -> HttpResponseBase:
    return files.matters_file(by=request.actor, format=format_of(request), matter_id=number).response()
