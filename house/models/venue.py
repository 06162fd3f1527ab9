from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.constraints import ExclusionConstraint
from django.contrib.postgres.fields import DateTimeRangeField, RangeOperators
from django.db import models
from django.db.models import F, Func, Q

from kernel.checks import together


class TsTzRange(Func):
    """``[opens, closes)``: one day may open at the moment another closes."""

    function = "TSTZRANGE"
    output_field = DateTimeRangeField()


class Venue(models.Model):
    """The one house this installation runs. A second row is refused by the database."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    code = models.CharField(max_length=16)
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64, help_text="IANA name, such as Australia/Sydney")

    player_cards_required = models.BooleanField(default=False, help_text="nsw-csp:5.1: no wager without a valid card")
    limit_cooling_off_hours = models.PositiveIntegerField(default=168, help_text="before a higher limit counts")

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(id=1), name="house_venue_one_row"),)

    def __str__(self) -> str:
        return self.name


class OpeningHours(models.Model):
    """A weekday's hours as local times. Both empty: closed that day.

    ``closes`` at or before ``opens`` means the next day; the same time means round the clock.
    """

    weekday = models.SmallIntegerField(primary_key=True, help_text="0 is Monday")
    opens = models.TimeField(null=True)
    closes = models.TimeField(null=True)

    class Meta:
        ordering = ("weekday",)
        constraints = (
            models.CheckConstraint(condition=Q(weekday__range=(0, 6)), name="house_openinghours_weekday"),
            together("opens", "closes", name="house_openinghours_both_or_closed"),
        )


class GamingDay(models.Model):
    """act-keno:13.1: a day of business with its own opening and closing, in UTC. Not the calendar day."""

    date = models.DateField(unique=True, help_text="the venue's calendar date on which it opens")
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(help_text="as scheduled; an early close does not rewrite it")
    closed_early_at = models.DateTimeField(null=True)
    closed_early_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    closed_early_reason = models.TextField(blank=True)
    closed_early_notice = models.TextField(blank=True, help_text="what players were told, act-keno:13.2")

    fleeting: ClassVar = True

    class Meta:
        ordering = ("date",)
        constraints = (
            models.CheckConstraint(condition=Q(opens_at__lt=F("closes_at")), name="house_gamingday_opens_first"),
            models.CheckConstraint(
                condition=Q(closed_early_at__isnull=True)
                | Q(closed_early_at__gte=F("opens_at"), closed_early_at__lt=F("closes_at")),
                name="house_gamingday_early_is_early",
            ),
            together("closed_early_at", "closed_early_by", name="house_gamingday_early_by_somebody"),
            ExclusionConstraint(
                name="house_gamingday_no_overlap",
                expressions=[(TsTzRange("opens_at", "closes_at"), RangeOperators.OVERLAPS)],
            ),
        )
        indexes = (models.Index(fields=["-opens_at"], name="house_gamingday_latest"),)

    def __str__(self) -> str:
        return self.date.isoformat()

    @property
    def ends_at(self) -> datetime:
        """When business really ends: the early close where there is one."""
        return self.closed_early_at or self.closes_at

    def is_open_at(self, moment: datetime) -> bool:
        return self.opens_at <= moment < self.ends_at
