"""A report as a table: a title, columns, rows and totals; written as CSV and as PDF. Every room makes its own."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from io import BytesIO, StringIO
from typing import Any, Final
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

from ledger.money import Money

# A spreadsheet would run a cell that begins with one of these.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
LONG: Final = 40


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    totals: tuple[Any, ...] = field(default=())

    def written(self) -> list[list[str]]:
        """Every cell as text, totals last."""
        rows = [*self.rows, *([self.totals] if self.totals else [])]
        return [[_cell(value) for value in row] for row in rows]


def report(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, add: Sequence[str] = (), says: str = "Total"
) -> Report:
    """*add*: the columns of money or counts that are added up in the last line."""
    made = tuple(map(tuple, rows))
    if not add:
        return Report(title, tuple(columns), made)
    totals = [_total([row[place] for row in made]) if name in add else "" for place, name in enumerate(columns)]
    totals[0] = says
    return Report(title, tuple(columns), made, tuple(totals))


def _total(values: Sequence[Any]) -> Any:
    if values and isinstance(values[0], int):
        return sum(values)
    return Money.total(values)


def as_csv(made: Report) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    writer.writerow(made.columns)
    rows = [*made.rows, *([made.totals] if made.totals else [])]
    writer.writerows([[guarded(value) for value in row] for row in rows])
    return out.getvalue()


def as_pdf(made: Report, *, venue: str) -> bytes:
    out = BytesIO()
    page = SimpleDocTemplate(
        out,
        pagesize=landscape(A4),
        title=made.title,
        leftMargin=12 * mm,
        rightMargin=12 * mm,
        topMargin=12 * mm,
        bottomMargin=12 * mm,
        invariant=1,
    )
    styles = getSampleStyleSheet()
    small = ParagraphStyle("cell", parent=styles["BodyText"], fontSize=7, leading=8)
    # Long texts (reasons, addresses) are wrapped; a short cell stays on its line.
    rows = [[Paragraph(escape(cell), small) if len(cell) > LONG else cell for cell in row] for row in made.written()]
    table = Table([list(made.columns), *rows], repeatRows=1)
    look = [
        ("FONTSIZE", (0, 0), (-1, -1), 7),
        ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, colors.black),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [colors.white, colors.whitesmoke]),
    ]
    if made.totals:
        look += [("FONTNAME", (0, -1), (-1, -1), "Helvetica-Bold"), ("LINEABOVE", (0, -1), (-1, -1), 0.5, colors.black)]
    table.setStyle(TableStyle(look))
    page.build([Paragraph(f"{venue}: {made.title}".replace("<", "&lt;"), styles["Heading2"]), table])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


def guarded(value: Any) -> str:
    """A cell that a spreadsheet shows and does not run."""
    text = _cell(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text


def percent(part: Money, whole: Money) -> str:
    """To two decimals, computed in whole numbers."""
    if not whole:
        return ""
    quotient, rest = divmod(10_000 * part.micros, whole.micros)
    hundredths = quotient + (2 * rest >= whole.micros)
    sign, size = ("-", -hundredths) if hundredths < 0 else ("", hundredths)
    return f"{sign}{size // 100}.{size % 100:02d}%"
