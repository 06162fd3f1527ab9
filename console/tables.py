"""Every list of the console: searched, filtered, sorted, paged by cursor, and downloadable as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.db.models import BigIntegerField, F, Q, QuerySet
from django.db.models.functions import Cast
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from rest_framework.exceptions import NotFound as BadCursor
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from ledger.fields import MoneyField


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    value: Callable[[Any], object] | None = None  # what the CSV says; None: not in the CSV
    order: str = ""  # the field it is sorted by; empty: it is not sorted
    css: str = ""
    shown: bool = True  # False: only in the CSV


@dataclass(frozen=True, slots=True)
class Head:
    title: str
    css: str
    url: str
    sorted: str  # "ascending", "descending" or nothing


class Listing:
    """One page of a list, as the template ``_listing.html`` draws it."""

    def __init__(
        self,
        request: HttpRequest,
        rows: QuerySet[Any],
        *,
        name: str,
        columns: Sequence[Column],
        order: str,
        search: Sequence[str] = (),
        filters: Mapping[str, Callable[[QuerySet[Any], str], QuerySet[Any]]] | None = None,
        size: int = 50,
    ) -> None:
        self.request, self.name, self.columns = request, name, columns
        self.searchable = bool(search)
        self.query = asked(request, "q") if search else ""
        if self.query:
            rows = rows.filter(reduce(or_, (Q(**{f"{field}__icontains": self.query}) for field in search)))
        self.chosen: dict[str, str] = {}
        for key, narrow in (filters or {}).items():
            if value := asked(request, key):
                self.chosen[key] = value
                rows = narrow(rows, value)
        sortable = {column.order for column in columns if column.order}
        wanted = request.GET.get("order", "")
        self.order = wanted if wanted.removeprefix("-") in sortable else order
        self.ordering = (self.order, "-pk" if self.order.startswith("-") else "pk")
        if _is_amount(rows, self.order):
            # A cursor holds a position as text, and no amount is read from text: it goes by the micro-dollars.
            rows = rows.annotate(micros_in_order=Cast(self.order.removeprefix("-"), BigIntegerField()))
            sign = self.order.removesuffix(self.order.removeprefix("-"))
            self.ordering = (f"{sign}micros_in_order", self.ordering[1])
        self.matching = rows.order_by(*self.ordering)
        self.size = size

    @property
    def narrowed(self) -> bool:
        return bool(self.query or self.chosen)

    def _turn(self) -> None:
        pages = CursorPagination()
        pages.page_size = self.size
        pages.ordering = self.ordering
        try:
            self._rows = pages.paginate_queryset(self.matching, Request(self.request)) or []
            self._next, self._previous = pages.get_next_link(), pages.get_previous_link()
        except (BadCursor, ValidationError, DataError, ValueError, TypeError):
            # A cursor that somebody wrote by hand: the first page is the helpful answer.
            self._rows, self._next, self._previous = list(self.matching[: self.size]), None, None

    @property
    def rows(self) -> list[Any]:
        if not hasattr(self, "_rows"):
            self._turn()
        return self._rows

    @property
    def next(self) -> str | None:
        return (self.rows is not None and self._next) or None

    @property
    def previous(self) -> str | None:
        return (self.rows is not None and self._previous) or None

    def _link(self, **changes: str | None) -> str:
        query = self.request.GET.copy()
        query.pop("cursor", None)
        for key, value in changes.items():
            query.pop(key, None)
            if value is not None:
                query[key] = value
        return f"?{query.urlencode()}"

    @property
    def heads(self) -> list[Head]:
        heads = []
        for column in self.columns:
            if not column.shown:
                continue
            state, link = "", ""
            if column.order:
                down = self.order == f"-{column.order}"
                state = "descending" if down else "ascending" if self.order == column.order else ""
                link = self._link(order=column.order if down or not state else f"-{column.order}")
            heads.append(Head(title=column.title, css=column.css, url=link, sorted=state))
        return heads

    @property
    def csv_url(self) -> str:
        return self._link(format="csv")

    @property
    def wants_csv(self) -> bool:
        return self.request.GET.get("format") == "csv"

    def csv(self) -> StreamingHttpResponse:
        """Everything that matches, not only this page, streamed in flat memory."""
        columns = [(column.title, column.value) for column in self.columns if column.value]

        def lines() -> Iterator[str]:
            writer = csv.writer(_Echo())
            yield writer.writerow([title for title, _ in columns])
            for row in self.matching.iterator(chunk_size=1000):
                yield writer.writerow([_cell(value(row)) for _, value in columns])

        answer = StreamingHttpResponse(lines(), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{self.name}-{timezone.localdate():%Y-%m-%d}.csv"'
        return answer


def _is_amount(rows: QuerySet[Any], order: str) -> bool:
    sorted_by = F(order.removeprefix("-")).resolve_expression(rows.query.clone())
    return isinstance(sorted_by.output_field, MoneyField)


def asked(request: HttpRequest, key: str) -> str:
    """What a query asks for, as text that a database can hold."""
    return request.GET.get(key, "").replace("\0", "").strip()[:100]


class _Echo:
    def write(self, line: str) -> str:
        return line


def _cell(value: object) -> str:
    """A spreadsheet must not take what somebody typed for a formula."""
    text = "" if value is None else value.isoformat() if hasattr(value, "isoformat") else str(value)
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text
