"""Lists come in pages, those of the API and those of the console alike.

A cursor is a position in the order, not a count: rows added meanwhile move nothing.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest

from kernel.refusal import Malformed

PAGE_ROWS_DEFAULT, PAGE_ROWS_LIMIT = 50, 200

Value = int | str | None


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Any]
    next: str | None
    previous: str | None


def page_of(rows: QuerySet[Any], *, order: Sequence[str], cursor: str | None, limit: int, request: HttpRequest) -> Page:
    """One page of *rows*, by a unique column (``-id``: newest first), or by any column and then a unique one that goes
    the same way."""
    columns, falling = [column.removeprefix("-") for column in order], order[0].startswith("-")
    backwards, position = _read(cursor, values=len(columns)) if cursor else (False, None)
    descending = falling != backwards
    try:
        if position is not None:
            rows = rows.filter(_beyond(columns, position, descending=descending))
        found = list(rows.order_by(*(f"-{column}" if descending else column for column in columns))[: limit + 1])
    except (TypeError, ValueError, ValidationError, DataError):
        if position is None:
            raise
        raise _unreadable() from None
    more = len(found) > limit
    found = found[:limit]
    if backwards:
        found.reverse()
    after = bool(found) and (backwards or more)
    before = bool(found) and (more if backwards else position is not None)
    return Page(
        rows=found,
        next=_url(request, backwards=False, row=found[-1], columns=columns) if after else None,
        previous=_url(request, backwards=True, row=found[0], columns=columns) if before else None,
    )


def _beyond(columns: Sequence[str], position: Sequence[Value], *, descending: bool) -> Q:
    """What comes after the position. PostgreSQL sorts what has no value as if it were above everything."""
    way = "lt" if descending else "gt"
    *first, unique = columns
    *values, key = position
    later = Q(**{f"{unique}__{way}": key})
    if not first:
        return later
    (column,), (value,) = first, values
    if value is None:
        none = Q(**{f"{column}__isnull": True})
        return (none & later) | ~none if descending else none & later
    # The first condition says nothing that the second does not: it is the one that an index answers.
    past = Q(**{f"{column}__{way}e": value}) & (Q(**{f"{column}__{way}": value}) | later)
    return past if descending else past | Q(**{f"{column}__isnull": True})


def _url(request: HttpRequest, *, backwards: bool, row: Model, columns: Sequence[str]) -> str:
    position = json.dumps([int(backwards), *(_value(row, column) for column in columns)], separators=(",", ":"))
    asked = request.GET.copy()
    asked.pop("cursor", None)
    asked["cursor"] = urlsafe_b64encode(position.encode()).decode().rstrip("=")
    return request.build_absolute_uri(f"{request.path}?{asked.urlencode()}")


def _value(row: Model, column: str) -> Value:
    value: Any = row
    for name in column.split("__"):
        value = getattr(value, name, None)
    if isinstance(value, Model):
        value = value.pk
    return value if value is None or type(value) is int else str(value)


def _read(cursor: str, *, values: int) -> tuple[bool, list[Value]]:
    try:
        backwards, *position = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, TypeError, ValueError, RecursionError):
        raise _unreadable() from None
    if type(backwards) is not int or backwards not in (0, 1) or len(position) != values:
        raise _unreadable()
    if position[-1] is None or not all(map(_is_value, position)):
        raise _unreadable()
    return bool(backwards), position


def _is_value(value: object) -> bool:
    return value is None or isinstance(value, str) or (type(value) is int and abs(value) < 2**63)


def _unreadable() -> Malformed:
    return Malformed("malformed", "This cursor is not one of ours: follow “next” and “previous”.", field="cursor")
