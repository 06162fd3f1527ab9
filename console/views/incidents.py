from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q
from django.http import HttpResponseBase
from django.utils import timezone

from console import incidents as shown
from console import people
from console.days import choices
from console.forms.house import NoticeForm, ReportForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house import incidents
from house.incident_kinds import kinds
from house.models import Incident, Notice
from house.refusal import NotFound


@page("incidents.view")
def listing(request: Visit) -> HttpResponseBase:
    now = timezone.now()
    owed = Q(notices__told_at=None, notices__due_at__isnull=False)
    rows = Incident.objects.annotate(
        notices_count=Count("notices"),
        owed=Count("notices", filter=owed),
        overdue=Exists(incidents.overdue(now=now).order_by().filter(incident=OuterRef("pk"))),
    )
    found = Listing(
        request,
        rows,
        name="incidents",
        order="-happened_at",
        search=("what", "subject", "kind"),
        filters={
            "kind": lambda rows, kind: rows.filter(kind=kind),
            "status": lambda rows, status: rows.filter(status=status),
            "day": lambda rows, day: rows.filter(gaming_day__date=day) if _is_date(day) else rows.none(),
        },
        columns=(
            Column("No.", lambda row: row.pk, order="id"),
            Column("What", lambda row: row.what, order="kind"),
            Column("Kind", lambda row: row.kind, shown=False),
            Column("Subject", lambda row: row.subject, shown=False),
            Column("Happened", lambda row: row.happened_at, order="happened_at"),
            Column("To be told", lambda row: row.owed),
            Column("Status", lambda row: row.status, order="status"),
            Column("Rule", lambda row: row.clause, shown=False),
            Column("Reported by", lambda row: row.reported_by, shown=False),
            Column("Outcome", lambda row: row.outcome, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.title = shown.title(row.kind)
    late = shown.clocks(incidents.overdue(now=now)[:50], now=now)
    for notice in late:
        notice.incident.title = shown.title(notice.incident.kind)
    return show(
        request,
        "console/incidents/list.html",
        listing=found,
        overdue=late,
        kinds={code: kind.label for code, kind in kinds().items()},
        day_choices=choices(),
        may_report=request.actor.may("incidents.report"),
    )


def _is_date(text: str) -> bool:
    return any(day.date.isoformat() == text for day in choices())


@page("incidents.report")
def report(request: Visit) -> HttpResponseBase:
    form = ReportForm(request.POST or None)
    if form.is_valid():
        made = attempt(form, incidents.report_incident, by=request.actor, **form.cleaned_data)
        if made and request.actor.may("incidents.view"):
            return done(request, f"Incident {made.pk} is reported.", "incident", made.pk)
        if made:
            return show(request, "console/incidents/reported.html", number=made.pk)
    return show(
        request,
        "console/incidents/report.html",
        form=form,
        may_view=request.actor.may("incidents.view"),
        kinds=[{"label": kind.label, "says": shown.says(kind)} for kind in kinds().values()],
    )


@page("incidents.view")
def incident(request: Visit, number: int) -> HttpResponseBase:
    return _show_incident(request, number)


def _show_incident(request: Visit, number: int, *, bound: tuple[int, NoticeForm] | None = None) -> HttpResponseBase:
    found: Any = Incident.objects.filter(pk=number).select_related("gaming_day").first()
    if found is None:
        raise NotFound("no-such-incident", f"There is no incident {number}.")
    found.title = shown.title(found.kind)
    notices = shown.clocks(
        found.notices.prefetch_related("attempts").order_by(F("due_at").asc(nulls_last=True), "id"), now=timezone.now()
    )
    names = people.names(
        [found.reported_by, found.closed_by, *(each.by for notice in notices for each in notice.attempts.all())]
    )
    for notice in notices:
        refused = bound is not None and bound[0] == notice.pk
        notice.reopened = refused
        # Ids of its own for each dialog, so that every label finds its field.
        notice.form = bound[1] if bound and refused else NoticeForm(auto_id=f"tell-{notice.pk}-%s")
        for each in notice.attempts.all():
            each.person = names.get(each.by, each.by)
    return show(
        request,
        "console/incidents/incident.html",
        form=bound[1] if bound else None,
        incident=found,
        notices=notices,
        owed=[notice for notice in notices if notice.told_at is None and notice.due_at],
        reporter=names.get(found.reported_by),
        closer=names.get(found.closed_by or ""),
        may_notify=request.actor.may("incidents.notify"),
        may_close=request.actor.may("incidents.close"),
    )


@page("incidents.notify", post=True)
def notify(request: Visit, notice: int) -> HttpResponseBase:
    found = Notice.objects.filter(pk=notice).first()
    if found is None:
        raise NotFound("no-such-notice", f"There is no notice {notice}.")
    form = NoticeForm(request.POST, auto_id=f"tell-{notice}-%s")
    if form.is_valid():
        told = attempt(
            form,
            incidents.record_notice,
            incident_id=found.incident_id,
            to=found.to,
            by=request.actor,
            **form.cleaned_data,
        )
        if told:
            said = f"The {found.to} was told." if told.reached else f"The attempt to reach the {found.to} is on record."
            return done(request, said, "incident", found.incident_id)
    return _show_incident(request, found.incident_id, bound=(found.pk, form))


@page("incidents.close", post=True)
def close(request: Visit, number: int) -> HttpResponseBase:
    incidents.close_incident(incident_id=number, outcome=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Incident {number} is closed.", "incident", number)
