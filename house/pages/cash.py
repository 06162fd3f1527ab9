"""Cash of every room: what is reported to the authority and by when, and what may be one payment cut into several.

Who was paid stays out of the lists, and out of their files: it is on a report's own page, with a right of its own.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from house import people
from house.cash import files, queries, steps
from house.cash.kinds import CashKind
from house.cash.limits import KIND, SUBJECT, cash_limits
from house.cash.threshold import report_sent
from house.models import ThresholdReport
from house.pages.forms.cash import LimitsForm, SentForm
from house.pages.proposing import proposed
from house.permissions import PERSONAL, PROPOSE, RAISE_MATTER, REPORT_FILES, REPORT_THRESHOLD, REPORTS
from house.steps import allowed
from house.times import due_for_people
from kernel.actors import Actor
from kernel.rooms import offered
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


def format_of(request: Visit) -> str:
    wanted = request.POST.get("format", "")
    return wanted if wanted in files.FORMATS else files.FORMATS[0]


def _room_steps(by: Actor) -> frozenset[str]:
    return allowed(
        {
            "download": lambda: by.require(REPORT_FILES),
            "raise": lambda: by.require(RAISE_MATTER),
            "propose": lambda: by.require(PROPOSE),
        }
    )


@page(REPORTS)
def threshold_reports(request: Visit) -> HttpResponseBase:
    now = timezone.now()
    found = Listing(
        request,
        queries.reports_seen_by(request.actor),
        name="threshold-reports",
        order="-id",
        search=("reference", "sent_reference"),
        filters={
            "state": lambda rows, state: rows.filter(queries.STATES[state](now)) if state in queries.STATES else rows,
            "room": lambda rows, room: rows.filter(room=room),
        },
        columns=(
            Column("Report", lambda row: row.pk, order="id"),
            Column("Paid for", lambda row: queries.kind_of(row).label, order="room"),
            Column("Reference", lambda row: row.reference, order="reference"),
            Column("Gaming day", lambda row: row.day, order="day"),
            Column("In cash", lambda row: row.cash, css="right", order="cash"),
            Column("Due", lambda row: row.due_at, order="due_at"),
            Column("Sent", lambda row: row.reported_at),
            Column("Sent by", lambda row: row.reported_by, shown=False),
            Column("Authority’s reference", lambda row: row.sent_reference, shown=False),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        _describe(row, request.actor)
    return show(
        request,
        "house/cash/threshold_reports.html",
        listing=found,
        limits=cash_limits(),
        rooms=sorted({kind.room for kind in offered(CashKind)}),
        steps=_room_steps(request.actor),
    )


def _describe(row: Any, by: Actor) -> None:
    row.kind = queries.kind_of(row)
    row.is_late = row.reported_at is None and row.due_at <= timezone.now()
    row.due = due_for_people(row.due_at)
    row.steps = steps.report_steps(row, by)


@page(REPORTS)
def threshold_report(request: Visit, number: int) -> HttpResponseBase:
    return _show_report(request, queries.report_numbered(number, request.actor))


def _show_report(request: Visit, report: ThresholdReport, form: SentForm | None = None) -> HttpResponseBase:
    lines: list[Any] = list(report.lines.order_by("pk"))
    names = people.names([report.made_by, report.reported_by, *(line.by for line in lines)])
    for line in lines:
        line.kind, line.payer = queries.kind_of(line), names[line.by]
    _describe(report, request.actor)
    return show(
        request,
        "house/cash/threshold_report.html",
        form=form,
        report=report,
        lines=lines,
        who=report.receiver if request.actor.may(PERSONAL) else None,
        sender=names.get(report.reported_by or ""),
        sent_form=form or SentForm(auto_id="send-%s"),
        reopened="send" if form is not None else "",
        steps=_room_steps(request.actor),
    )


@page(REPORT_THRESHOLD, post=True)
def threshold_report_sent(request: Visit, number: int) -> HttpResponseBase:
    form = SentForm(request.POST, auto_id="send-%s")
    if form.is_valid():
        reference = form.reference
        if attempt(form, report_sent, report_id=number, reference=reference, by=request.actor):
            return done(request, f"Threshold report {number} went to the authority.", "threshold-report", number)
    return _show_report(request, queries.report_numbered(number, request.actor), form)


@page(REPORT_FILES, post=True)
def threshold_file(request: Visit, number: int | None = None) -> HttpResponseBase:
    return files.reports_file(by=request.actor, format=format_of(request), report_id=number).response()


@page(REPORTS)
def structuring(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.hints(),
        name="possible-structuring",
        order="-id",
        search=("about", "incident__what"),
        filters={"state": lambda rows, state: rows.filter(incident__status=state)},
        columns=(
            Column("Gaming day", lambda row: row.day, order="day"),
            Column("About", lambda row: row.about, order="about"),
            Column("What", lambda row: row.incident.what),
            Column("Payments"),
            Column("Incident", lambda row: row.incident_id),
            Column("", css="act"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    for row in found.rows:
        row.lines = list(queries.lines_of(row))
        for line in row.lines:
            line.kind = queries.kind_of(line)
        kind, _, who = row.about.partition(":")
        row.whose = f"Customer {who}" if kind == "customer" else f"Unknown people at {who.partition(':')[2]}"
    return show(request, "house/cash/structuring.html", listing=found, steps=_room_steps(request.actor))


@page(PROPOSE)
def propose_limits(request: Visit) -> HttpResponseBase:
    form = LimitsForm(request.POST or None, limits=cash_limits())
    return proposed(request, form, kind=KIND, subject=SUBJECT) or show(
        request, "house/cash/propose_limits.html", form=form
    )
