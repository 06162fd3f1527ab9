"""The gaming day in the API: the current one, and lists of one day."""

from __future__ import annotations

from django.utils import timezone

from house.gaming_days import latest_gaming_day
from kernel.actors import Actor
from kernel.refusal import NotFound
from web.fields import DayField, InstantField, Nothing, StrictSerializer, TrueOrFalse, shown
from web.view import SIGNED_IN, HouseView, read


class GamingDayOut(StrictSerializer):
    date = DayField(help_text="The venue's calendar date on which it opens.")
    opens_at = InstantField()
    closes_at = InstantField(help_text="As scheduled.")
    ends_at = InstantField(help_text="When business really ends: the early close where there is one.")
    open = TrueOrFalse(help_text="Whether it is open now.")
    example = shown(
        {
            "date": "2026-11-16",
            "opens_at": "2026-11-16T10:00:00+11:00",
            "closes_at": "2026-11-17T04:00:00+11:00",
            "ends_at": "2026-11-17T04:00:00+11:00",
            "open": True,
        }
    )


class CurrentGamingDay(HouseView):
    @read(permission=SIGNED_IN, gives=GamingDayOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """The gaming day that is open, else the one that closed last."""
        now = timezone.now()
        day = latest_gaming_day(now)
        if day is None:
            raise NotFound("no-gaming-day", "The house has not had a gaming day yet.", clause="act-keno:13.1")
        return {
            "date": day.date,
            "opens_at": day.opens_at,
            "closes_at": day.closes_at,
            "ends_at": day.ends_at,
            "open": day.is_open_at(now),
        }
