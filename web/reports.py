"""A report as a table: a title, columns, rows and totals, perhaps a chart; written as CSV and as PDF.

Every room makes its own ``Report``; the API gives it as data or as a file (``house.api.reports``), the console a page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from io import BytesIO
from typing import Any, Final
from xml.sax.saxutils import escape

from django.utils import timezone
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from kernel.money import Money
from web import csv
from web.charts import Chart

PDF: Final = "application/pdf"
SVG: Final = "image/svg+xml"
_MARGIN: Final = 12 * mm
LONG_CELL_CHARACTERS: Final = 40
FOOT: Final = "The log when this was made"

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


def as_pdf(made: Report, *, venue: str, foot: str = "", keys: Keys = ()) -> bytes:
    """Landscape A4, the heading on every page; the same report is the same bytes."""
    out = BytesIO()
    size = landscape(A4)
    margins = {f"{side}Margin": _MARGIN for side in ("left", "right", "top", "bottom")}
    page = SimpleDocTemplate(out, pagesize=size, title=made.title, invariant=1, **margins)
    styles = getSampleStyleSheet()
    small = ParagraphStyle("cell", parent=styles["BodyText"], fontSize=7, leading=8)
    # Long texts (reasons, addresses) are wrapped; a short cell stays on its line.
    cells = [
        [Paragraph(escape(text), small) if len(text) > LONG_CELL_CHARACTERS else text for text in row]
        for row in made.written()
    ]
    look = [
        ("FONTSIZE", (0, 0), (-1, -1), 7),
        ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, colors.whitesmoke]),
    ]
    if made.totals:
        look += [("FONTNAME", (0, -1), (-1, -1), "Helvetica-Bold"), ("LINEABOVE", (0, -1), (-1, -1), 0.5, colors.black)]
    story: list[Flowable] = [Paragraph(escape(f"{venue}: {made.title}"), styles["Heading2"])]
    if made.chart is not None and made.chart.labels:
        story += [made.chart.drawing(width=size[0] - 2 * _MARGIN - 12), Spacer(1, 4 * mm)]
    story.append(Table([list(made.columns), *cells], repeatRows=1, style=TableStyle(look)))
    if foot:
        fine = ParagraphStyle("foot", parent=small, fontName="Courier", fontSize=6, leading=7, spaceBefore=4 * mm)
        said = [f"{FOOT}:", *foot.rstrip().splitlines(), *map(": ".join, key_lines(keys))]
        story.append(Paragraph("<br/>".join(map(escape, said)), fine))
    page.build(story)
    return out.getvalue()


def cell(value: object) -> str:
    """A value as text. A moment is told on the venue's clock."""
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
