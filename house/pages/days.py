"""Filtering a list by gaming day."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet

from house.models import GamingDay
from house.queries import begun_days, day_named

Row = TypeVar("Row", bound=Model)


def choices() -> list[GamingDay]:
    return begun_days()


def on_day(rows: QuerySet[Row], field: str, text: str) -> QuerySet[Row]:
    """Rows of that gaming day, where they keep its date; none for a day that is not among the choices."""
    return rows.filter(**{field: text}) if any(day.date.isoformat() == text for day in choices()) else rows.none()


def within(rows: QuerySet[Row], field: str, text: str) -> QuerySet[Row]:
    """Rows whose moment lies in that gaming day; none for a day there never was."""
    day = day_named(text)
    if day is None:
        return rows.none()
    return rows.filter(**{f"{field}__gte": day.opens_at, f"{field}__lt": day.closes_at})
