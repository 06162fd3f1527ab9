"""A report as a table: a title, columns, rows and totals, perhaps a chart; written as CSV, or on paper by another file.

Every room makes its own ``Report``; the API gives it as data or as a file (``house.api.reports``), the console a page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.utils import timezone

from kernel.money import Money
from web import csv, words
from web.charts import Chart

PDF: Final = "application/pdf"
SVG: Final = "image/svg+xml"
_NAMES: Final = frozenset({"Attempt", "Box", "Claim", "Game", "No.", "Order", "Round", "Shift", "Version"})
_STORED: Final = frozenset({"Kind", "Hand", "Level", "Method", "Status"})  # words as they are stored: royal-flush
_AS_PEOPLE_READ: Final[dict[type, Callable[[Any], str]]] = {
    str: str,
    bool: str,
    Money: words.money,
    int: words.number,
    float: "{:,.2f}".format,
    datetime: words.moment,
    date: words.day,
}

Keys = Sequence[tuple[str, str]]  # whose key, and its fingerprint in fours
Row = tuple[Any, ...]  # text, whole numbers, Money, days, moments; None: nothing to say


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    totals: Row = ()
    chart: Chart | None = None

    def written(self) -> list[list[str]]:
        """Every cell as text, totals last."""
        return [[cell(value) for value in row] for row in self.lines()]

    def numeric(self) -> list[bool]:
        """Which columns hold figures, and stand to the right."""
        return [any(isinstance(row[n], Money | int | float) for row in self.rows) for n in range(len(self.columns))]

    def lines(self) -> list[Row]:
        return [*self.rows, *([self.totals] if self.totals else [])]


Make = Callable[..., Report]
"""Makes a report of a first and a last day."""


def report(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    add: Sequence[str] = (),
    chart: Chart | None = None,
) -> Report:
    """*add*: the columns of money or counts that are added up in the last line."""
    made = tuple(map(tuple, rows))
    totals: Row = ()
    if add:
        sums = [_total([row[place] for row in made]) if name in add else "" for place, name in enumerate(columns)]
        totals = ("Total", *sums[1:])
    return Report(title=title, columns=tuple(columns), rows=made, totals=totals, chart=chart)


def _total(values: Sequence[Any]) -> Any:
    counted = [value for value in values if value is not None]
    if counted and isinstance(counted[0], int):
        return sum(counted)
    return Money.total(counted)


def as_csv(made: Report, *, foot: str = "", keys: Keys = ()) -> str:
    """*foot*: the head of the log, whole, in one cell of its own below an empty line; then the *keys*."""
    rows = ([_guarded(value) for value in row] for row in made.lines())
    return "".join(csv.lines([made.columns, *rows, *([[], [foot]] if foot else []), *key_lines(keys)]))


def key_lines(keys: Keys) -> list[tuple[str, str]]:
    return [(f"Key of the {whose}", key) for whose, key in keys]


def shown(value: object, column: str = "") -> str:
    """A value as people read it, on pages and paper. What a *column* names (a game, a shift) is no count."""
    if value is None:
        return ""
    if type(value) is int and column in _NAMES:
        return str(value)
    if isinstance(value, str) and column in _STORED:
        return words.label(value)
    return next((said(value) for kind, said in _AS_PEOPLE_READ.items() if isinstance(value, kind)), str(value))


def cell(value: object) -> str:
    """A value as programs read it: calls and spreadsheets. A moment is told on the venue's clock."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return timezone.localtime(value).isoformat(timespec="seconds")
    if isinstance(value, float):
        return f"{value:.4f}"
    return value.isoformat() if isinstance(value, date) else str(value)


def _guarded(value: object) -> str:
    """A figure may well begin with a minus; what somebody typed may not."""
    return csv.guarded(value) if isinstance(value, str) else cell(value)


def percent(part: Money, whole: Money) -> str:
    """To two decimals, computed in whole numbers."""
    if not whole:
        return ""
    quotient, rest = divmod(10_000 * part.micros, whole.micros)
    hundredths = quotient + (2 * rest >= whole.micros)
    sign, size = ("-", -hundredths) if hundredths < 0 else ("", hundredths)
    return f"{sign}{size // 100}.{size % 100:02d}%"
