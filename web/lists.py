"""Every list of the console: searched, filtered, sorted, paged by cursor, and downloadable as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Any

from django.db.models import BigIntegerField, F, Q, QuerySet
from django.db.models.functions import Cast
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone

from kernel.codes import Permission
from kernel.refusal import Malformed
from ledger.fields import MoneyField
from web import csv
from web.page import Visit
from web.paging import PAGE_ROWS_DEFAULT, Page, page_of


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

    @property
    def icon(self) -> str:
        return {"ascending": "up", "descending": "down"}.get(self.sorted, "")


class Listing:
    """One page of a list, as the template ``web/listing.html`` draws it."""

    def __init__(
        self,
        request: Visit,
        rows: QuerySet[Any],
        *,
        name: str,
        columns: Sequence[Column],
        order: str,
        search: Sequence[str] = (),
        filters: Mapping[str, Callable[[QuerySet[Any], str], QuerySet[Any]]] | None = None,
        personal: Mapping[str, Permission] | None = None,
        size: int = PAGE_ROWS_DEFAULT,
    ) -> None:
        """*personal*: fields that say who somebody is, and the power for it: without it nobody searches or sorts by
        them, which would tell as much as to see them."""
        unseen = {field for field, power in (personal or {}).items() if not request.actor.may(power)}
        search = [field for field in search if field not in unseen]
        columns = [replace(column, order="") if column.order in unseen else column for column in columns]
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
        sign, unique = ("-", "-pk") if self.order.startswith("-") else ("", "pk")
        self.ordering = [self.order, unique]
        if _is_amount(rows, self.order):
            # A cursor holds a position as text, and no amount is read from text: it goes by the micro-dollars.
            rows = rows.annotate(micros_in_order=Cast(self.order.removeprefix("-"), BigIntegerField()))
            self.ordering = [f"{sign}micros_in_order", unique]
        elif self.order.removeprefix("-") in ("pk", rows.model._meta.pk.name):
            self.ordering = [unique]
        self.matching = rows.order_by(*self.ordering)
        self.size = size

    @property
    def narrowed(self) -> bool:
        return bool(self.query or self.chosen)

    @cached_property
    def _page(self) -> Page:
        cursor = self.request.GET.get("cursor")
        try:
            return self._turn(cursor)
        except Malformed:  # a cursor that somebody wrote by hand: the first page is the helpful answer
            return self._turn(None)

    def _turn(self, cursor: str | None) -> Page:
        return page_of(self.matching, order=self.ordering, cursor=cursor, limit=self.size, request=self.request)

    @property
    def rows(self) -> list[Any]:
        return self._page.rows

    @property
    def next(self) -> str | None:
        return self._page.next

    @property
    def previous(self) -> str | None:
        return self._page.previous

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

        def rows() -> Iterator[list[str]]:
            yield [title for title, _ in columns]
            for row in self.matching.iterator(chunk_size=1000):
                yield [_cell(value(row)) for _, value in columns]

        answer = StreamingHttpResponse(csv.lines(rows()), content_type=f"{csv.CSV}; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{self.name}-{timezone.localdate():%Y-%m-%d}.csv"'
        return answer


def _is_amount(rows: QuerySet[Any], order: str) -> bool:
    sorted_by = F(order.removeprefix("-")).resolve_expression(rows.query.clone())
    return isinstance(sorted_by.output_field, MoneyField)


def asked(request: HttpRequest, key: str) -> str:
    """What a query asks for, as text that a database can hold."""
    return request.GET.get(key, "").replace("\0", "").strip()[:100]


def _cell(value: object) -> str:
    text = "" if value is None else value.isoformat() if hasattr(value, "isoformat") else str(value)
    return csv.guarded(text)
