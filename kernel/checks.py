"""Constraints that several models share."""

from __future__ import annotations

from enum import StrEnum

from django.db.models import CheckConstraint, F, Q, TextChoices


def one_of(field: str, choices: type[StrEnum | TextChoices], *, name: str) -> CheckConstraint:
    """The database, too, knows the words a status may be."""
    return CheckConstraint(condition=Q(**{f"{field}__in": [str(each.value) for each in choices]}), name=name)


def together(*fields: str, name: str) -> CheckConstraint:
    """Either all of these are known or none is: who and when are one fact."""
    none, every = Q(), Q()
    for field in fields:
        none &= Q(**{f"{field}__isnull": True})
        every &= Q(**{f"{field}__isnull": False})
    return CheckConstraint(condition=none | every, name=name)


def two_people(first: str, second: str, *, name: str) -> CheckConstraint:
    """Never the same person twice. An unknown second person is not yet a second person, so NULL passes."""
    return CheckConstraint(condition=Q(**{f"{second}__isnull": True}) | ~Q(**{second: F(first)}), name=name)
