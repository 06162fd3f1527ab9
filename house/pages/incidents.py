from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from house import incidents, people, queries, steps
from house.incident_kinds import kinds
from house.pages import incident_rows as shown
from house.pages.days import choices
from house.pages.forms.house import NoticeForm, ReportForm
from house.permissions import CLOSE_INCIDENTS, NOTIFY_INCIDENTS, REPORT_INCIDENTS, VIEW_INCIDENTS
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


@page(VIEW_INCIDENTS)
def listing(request: Visit) -> HttpResponseBase:
    now = timezone.now()
    found = Listing(
        request,
        queries.incidents_counted(now),
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
        "house/incidents/list.html",
        listing=found,
        overdue=late,
        kinds={code: kind.label for code, kind in kinds().items()},
        day_choices=choices(),
        steps=steps.incidents_steps(request.actor),
    )


def _is_date(text: str) -> bool:
    return any(day.date.isoformat() == text for day in choices())


@page(REPORT_INCIDENTS)
def report(request: Visit) -> HttpResponseBase:
    form = ReportForm(request.POST or None)
    if form.is_valid():
        made = attempt(
            form,
            incidents.report_incident,
            kind=form.kind,
            what=form.what,
            happened_at=form.happened_at,
            subject=form.subject,
            rules=form.rules,
            by=request.actor,
        )
        if made and "view" in steps.incidents_steps(request.actor):
            return done(request, f"Incident {made.pk} is reported.", "incident", made.pk)
        if made:
            return show(request, "house/incidents/reported.html", number=made.pk)
    return show(
        request,
        "house/incidents/report.html",
        form=form,
        steps=steps.incidents_steps(request.actor),
        kinds=[{"label": kind.label, "says": shown.says(kind)} for kind in kinds().values()],
    )


@page(VIEW_INCIDENTS)
def incident(request: Visit, number: int) -> HttpResponseBase:
    return _show_incident(request, number)


def _show_incident(request: Visit, number: int, *, bound: tuple[int, NoticeForm] | None = None) -> HttpResponseBase:
    found: Any = queries.incident_numbered(number)
    found.title = shown.title(found.kind)
    notices = shown.clocks(queries.notices_of(found), now=timezone.now())
    names = people.names(
        [found.reported_by, found.closed_by, *(each.by for notice in notices for each in notice.attempts.all())]
    )
    for notice in notices:
        refused = bound is not None and bound[0] == notice.pk
        notice.reopened = refused
        notice.steps = steps.notice_steps(notice, request.actor)
        # Ids of its own for each dialog, so that every label finds its field.
        notice.form = bound[1] if bound and refused else NoticeForm(auto_id=f"tell-{notice.pk}-%s")
        for each in notice.attempts.all():
            each.person = names.get(each.by, each.by)
    return show(
        request,
        "house/incidents/incident.html",
        form=bound[1] if bound else None,
        incident=found,
        notices=notices,
        owed=[notice for notice in notices if notice.told_at is None and notice.due_at],
        reporter=names.get(found.reported_by),
        closer=names.get(found.closed_by or ""),
        steps=steps.incident_steps(found, request.actor),
    )


@page(NOTIFY_INCIDENTS, post=True)
def notify(request: Visit, notice: int) -> HttpResponseBase:
    found = queries.notice_numbered(notice)
    form = NoticeForm(request.POST, auto_id=f"tell-{notice}-%s")
    if form.is_valid():
        told = attempt(
            form,
            incidents.record_notice,
            incident_id=found.incident_id,
            to=found.to,
            how=form.how,
            reached=form.reached,
            reference=form.reference,
            notes=form.notes,
            by=request.actor,
        )
        if told:
            said = f"The {found.to} was told." if told.reached else f"The attempt to reach the {found.to} is on record."
            return done(request, said, "incident", found.incident_id)
    return _show_incident(request, found.incident_id, bound=(found.pk, form))


@page(CLOSE_INCIDENTS, post=True)
def close(request: Visit, number: int) -> HttpResponseBase:
    incidents.close_incident(incident_id=number, outcome=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Incident {number} is closed.", "incident", number)
