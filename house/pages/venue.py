from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from house import approvals, queries, steps
from house.approvables import OPENING_HOURS
from house.close_early import close_early
from house.models import ProposalStatus
from house.pages import compare
from house.pages.forms.house import EarlyCloseForm
from house.pages.panels import VenuePanel
from house.permissions import CLOSE_EARLY, VIEW_APPROVALS
from house.venue import week
from kernel.refusal import Refusal
from kernel.rooms import offered
from web import words
from web.page import Visit, attempt, done, page, show


@page()
def venue(request: Visit) -> HttpResponseBase:
    return _show_venue(request, EarlyCloseForm())


def _show_venue(request: Visit, early: EarlyCloseForm) -> HttpResponseBase:
    now = timezone.now()
    days: list[Any] = list(queries.days_around(now))
    for day in days:
        opens, ends = timezone.localtime(day.opens_at), timezone.localtime(day.ends_at)
        day.opens_words = words.clock(day.opens_at)
        day.closes_words = words.clock(day.ends_at) if ends.date() == day.date else words.moment(day.ends_at)
        length = (day.ends_at - day.opens_at).total_seconds() / 3600
        day.hours = f"{length:g}" if length == int(length) else f"{length:.1f}"
        moved = (ends.utcoffset() or dt.timedelta()) - (opens.utcoffset() or dt.timedelta())
        day.change = "clock goes forward" if moved > dt.timedelta() else "clock goes back" if moved else ""
        day.is_now, day.is_over = day.is_open_at(now), day.ends_at <= now
    today = next((day for day in days if day.is_now and not day.closed_early_at), None)
    hours = week()
    return show(
        request,
        "house/venue/venue.html",
        form=early,
        early=early,
        days=days,
        today=today,
        hours=[
            (name, compare.hours([pair.opens, pair.closes] if (pair := hours[number]) else None))
            for number, name in enumerate(compare.WEEKDAYS.values())
        ],
        pending=approvals.history(kind=OPENING_HOURS).filter(status=ProposalStatus.PROPOSED).first()
        if request.actor.may(VIEW_APPROVALS)
        else None,
        steps=steps.day_steps(today, request.actor),
        proposable=approvals.proposable(request.actor),
        panels=[(panel.template, panel.context(request)) for panel in offered(VenuePanel)],
    )


@page(CLOSE_EARLY, post=True)
def close(request: Visit) -> HttpResponseBase:
    form = EarlyCloseForm(request.POST)
    open_now = queries.open_day(timezone.now())
    if open_now and request.POST.get("typed", "").strip() != open_now.date.isoformat():
        raise Refusal("not-confirmed", f"Type {open_now.date.isoformat()} to confirm that you mean this gaming day.")
    if form.is_valid():
        day = attempt(form, close_early, at=form.at, reason=form.reason, notice=form.notice, by=request.actor)
        if day:
            return done(
                request,
                f"{words.day(day.date)} closes at {words.clock(day.ends_at)}. Players and the inspector must be told.",
                "venue",
            )
    return _show_venue(request, form)
