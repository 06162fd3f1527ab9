"""Filtering a list by gaming day."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from house.models import GamingDay


def choices() -> list[GamingDay]:
    """The gaming days that have begun, the latest first: a month of them."""
    return list(GamingDay.objects.filter(opens_at__lte=timezone.now()).order_by("-date")[:31])


def chosen(text: str) -> GamingDay | None:
    try:
        return GamingDay.objects.filter(date=dt.date.fromisoformat(text)).first()
    except ValueError:
        return None


def within(rows: QuerySet[Any], field: str, text: str) -> QuerySet[Any]:
    """Rows whose moment lies in that gaming day; none for a day there never was."""
    day = chosen(text)
    if day is None:
        return rows.none()
    return rows.filter(**{f"{field}__gte": day.opens_at, f"{field}__lt": day.closes_at})
