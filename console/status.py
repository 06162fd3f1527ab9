"""The status line: where the house stands now, in words. Rooms that have something to say add a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from console import words
from house.gaming_days import latest_gaming_day
from house.models import GamingDay


@dataclass(frozen=True, slots=True)
class Line:
    words: str
    tone: str
    icon: str


def lines() -> list[Line]:
    return [_gaming_day()]


def _gaming_day() -> Line:
    now = timezone.now()
    day = latest_gaming_day(now)
    if day is not None and day.is_open_at(now):
        early = "closes early at" if day.closed_early_at else "open until"
        tone, icon = ("is-attention", "alert") if day.closed_early_at else ("is-good", "live")
        return Line(f"Gaming day {words.day(day.date)} {early} {_until(day)}.", tone, icon)
    following = GamingDay.objects.filter(opens_at__gt=now).order_by("opens_at").first()
    if following is None:
        return Line("No gaming day is open, and none is planned.", "is-stopped", "cross")
    return Line(f"Closed. The next gaming day opens {words.moment(following.opens_at)}.", "is-quiet", "off")


def _until(day: GamingDay) -> str:
    ends = timezone.localtime(day.ends_at)
    return f"{ends:%H:%M}" if ends.date() == timezone.localdate() else words.moment(day.ends_at)
