"""Today's turnover, win and hold on the home page, for whoever sees Keno's reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import timezone
from django.utils.safestring import SafeString

from house.gaming_days import latest_gaming_day
from keno.permissions import REPORTS
from keno.queries.today import WEEK, SoFar, so_far
from kernel.actors import Actor
from web import charts, words
from web.templatetags.figures import money


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    now: SafeString | str
    before: str
    tone: str = ""


def figures(actor: Actor) -> Mapping[str, object] | None:
    now = timezone.now()
    day = latest_gaming_day(now) if actor.may(REPORTS) else None
    if day is None:
        return None
    today = so_far(day=day.date, opens=day.opens_at, upto=now)
    before = so_far(day=day.date - WEEK, opens=day.opens_at - WEEK, upto=now - WEEK)
    return {"figures": _figures(today, before), "course": _course(today)}


def _figures(today: SoFar, before: SoFar) -> list[Figure]:
    beside = "at this hour last week"
    return [
        Figure("Turnover", money(today.turnover), _beside(words.money(before.turnover), before, beside)),
        Figure(
            "Win",
            money(today.win),
            _beside(words.money(before.win), before, beside),
            "is-stopped" if today.win.micros < 0 else "",
        ),
        Figure("Hold", _share(today), _beside(_share(before), before, beside)),
        Figure(
            "Games",
            words.number(today.games),
            _beside(words.number(before.games), before, beside) or "none a week ago",
        ),
    ]


def _share(of: SoFar) -> str:
    return words.percent(of.hold) if of.hold is not None else "–"


def _beside(figure: str, before: SoFar, said: str) -> str:
    return f"{figure} {said}" if before.games else ""


def _course(today: SoFar) -> SafeString:
    return charts.sparkline(today.course, label="Turnover of today, by the hour")
