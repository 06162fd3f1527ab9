from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone

from console import compare, proposals, words
from console.forms.house import EarlyCloseForm
from console.page import Visit, attempt, done, page, show
from house import approvals
from house.approvables import OPENING_HOURS, PLAYER_PROTECTION
from house.close_early import close_early
from house.models import GamingDay, ProposalStatus
from house.refusal import Refusal
from house.venue import week
from signage import look
from signage.approvables import LOOK


@page()
def venue(request: Visit) -> HttpResponseBase:
    return _show_venue(request, EarlyCloseForm())


def _show_venue(request: Visit, early: EarlyCloseForm) -> HttpResponseBase:
    now = timezone.now()
    days: list[Any] = list(GamingDay.objects.filter(closes_at__gt=now - dt.timedelta(days=2)).order_by("date")[:21])
    for day in days:
        opens, ends = timezone.localtime(day.opens_at), timezone.localtime(day.ends_at)
        day.opens_words = words.clock(day.opens_at)
        day.closes_words = words.clock(day.ends_at) if ends.date() == day.date else words.moment(day.ends_at)
        length = (day.ends_at - day.opens_at).total_seconds() / 3600
        day.hours = f"{length:g}" if length == int(length) else f"{length:.1f}"
        moved = (ends.utcoffset() or dt.timedelta()) - (opens.utcoffset() or dt.timedelta())
        day.change = "clock goes forward" if moved > dt.timedelta() else "clock goes back" if moved else ""
        day.is_now, day.is_over = day.is_open_at(now), day.ends_at <= now
    hours = week()
    return show(
        request,
        "console/venue/venue.html",
        form=early,
        early=early,
        days=days,
        today=next((day for day in days if day.is_now and not day.closed_early_at), None),
        hours=[
            (name, compare.hours([pair.opens, pair.closes] if (pair := hours[number]) else None))
            for number, name in enumerate(compare.WEEKDAYS.values())
        ],
        pending=approvals.history(kind=OPENING_HOURS).filter(status=ProposalStatus.PROPOSED).first()
        if request.actor.may("approvals.view")
        else None,
        may_close=request.actor.may("gaming-day.close-early"),
        may_propose_hours=proposals.may_propose(request.actor, OPENING_HOURS),
        may_propose_protection=proposals.may_propose(request.actor, PLAYER_PROTECTION),
        may_propose_look=proposals.may_propose(request.actor, LOOK),
        look=look.look(),
        look_own={"accent": look.ACCENT, "ground": look.GROUND},
    )


@page("gaming-day.close-early", post=True)
def close(request: Visit) -> HttpResponseBase:
    form = EarlyCloseForm(request.POST)
    open_now = GamingDay.objects.filter(opens_at__lte=timezone.now(), closes_at__gt=timezone.now()).first()
    if open_now and request.POST.get("typed", "").strip() != open_now.date.isoformat():
        raise Refusal("not-confirmed", f"Type {open_now.date.isoformat()} to confirm that you mean this gaming day.")
    if form.is_valid():
        day = attempt(form, close_early, by=request.actor, **form.cleaned_data)
        if day:
            return done(
                request,
                f"{words.day(day.date)} closes at {words.clock(day.ends_at)}. Players and the inspector must be told.",
                "venue",
            )
    return _show_venue(request, form)
