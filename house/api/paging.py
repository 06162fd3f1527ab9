"""Lists come in pages, newest first.

A cursor is a position in the order, not a count: rows added meanwhile move nothing.
"""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from rest_framework.request import Request

from house.refusal import Malformed

USUAL, MOST = 50, 200


@dataclass(frozen=True, slots=True)
class Page:
    rows: list[Any]
    next: str | None
    previous: str | None


def page_of(rows: QuerySet[Any], *, order: str, cursor: str | None, limit: int, request: Request) -> Page:
    """One page of *rows* by the unique column *order* (``-id``: newest first)."""
    column, falling = order.lstrip("-"), order.startswith("-")
    backwards, position = _read(cursor) if cursor else (False, None)
    descending = falling != backwards
    if position is not None:
        try:
            rows = rows.filter(**{f"{column}__{'lt' if descending else 'gt'}": position})
        except (TypeError, ValueError):
            raise _unreadable() from None
    found = list(rows.order_by(f"-{column}" if descending else column)[: limit + 1])
    more = len(found) > limit
    found = found[:limit]
    if backwards:
        found.reverse()
    after = bool(found) and (backwards or more)
    before = bool(found) and (more if backwards else position is not None)
    return Page(
        rows=found,
        next=_url(request, backwards=False, row=found[-1], column=column) if after else None,
        previous=_url(request, backwards=True, row=found[0], column=column) if before else None,
    )


def _url(request: Request, *, backwards: bool, row: Model, column: str) -> str:
    asked = {name: value for name, value in request.query_params.items() if name != "cursor"}
    position = json.dumps([int(backwards), getattr(row, column)], separators=(",", ":"))
    cursor = urlsafe_b64encode(position.encode()).decode().rstrip("=")
    return request.build_absolute_uri(f"{request.path}?{urlencode(asked | {'cursor': cursor})}")


def _read(cursor: str) -> tuple[bool, int | str]:
    try:
        position = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        raise _unreadable() from None
    match position:
        case [0 | 1 as backwards, int() | str() as value] if type(backwards) is int and type(value) is not bool:
            if isinstance(value, int) and abs(value) >= 2**63:
                raise _unreadable()
            return bool(backwards), value
    raise _unreadable()


def _unreadable() -> Malformed:
    return Malformed("malformed", "This cursor is not one of ours: follow “next” and “previous”.", field="cursor")
