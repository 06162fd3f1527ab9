"""A report on paper: landscape A4, the venue's name above, figures in a size that fits, totals, and on every page who
made it, when, and how many pages there are. Made by the same person at the same moment it is the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from io import BytesIO
from typing import Any, Final
from xml.sax.saxutils import escape

from django.utils import timezone
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from web import faces, words
from web.reports import Keys, Report, key_lines, shown

FOOT: Final = "The log when this was made"
_SIZE: Final = landscape(A4)
_SIDE, _HEAD, _TAIL = 14 * mm, 24 * mm, 16 * mm
_WIDTH: Final = _SIZE[0] - 2 * _SIDE
_INK, _SOFT, _LINE = HexColor("#0d1526"), HexColor("#4b5670"), HexColor("#c9d0df")
_POINTS: Final = (10.0, 9.0, 8.0, 7.0)  # of the figures: the first at which every column has its place
_CELL_PADDING: Final = 8.0
_WIDEST_CELL: Final = 60 * mm  # a longer text is broken


def as_pdf(
    made: Report, *, venue: str, foot: str = "", keys: Keys = (), by: str = "", at: datetime | None = None
) -> bytes:
    """*by*, *at*: who has it made, and when, where somebody asks for it."""
    return as_pack([made], title=made.title, venue=venue, foot=foot, keys=keys, by=by, at=at)


def as_pack(
    reports: Sequence[Report],
    *,
    title: str,
    venue: str,
    foot: str = "",
    keys: Keys = (),
    by: str = "",
    at: datetime | None = None,
) -> bytes:
    """Several reports as one paper, each from a page of its own on."""
    out = BytesIO()
    margins = {"leftMargin": _SIDE, "rightMargin": _SIDE, "topMargin": _HEAD, "bottomMargin": _TAIL}
    page = SimpleDocTemplate(
        out, pagesize=_SIZE, title=title, author=venue, invariant=1, initialFontName=faces.SANS, **margins
    )
    story = [part for nth, made in enumerate(reports) for part in ([PageBreak()] if nth else []) + _story(made)]
    if foot:
        fine = ParagraphStyle("foot", fontName=faces.MONO, fontSize=6, leading=8, spaceBefore=6 * mm, textColor=_SOFT)
        said = [f"{FOOT}:", *foot.rstrip().splitlines(), *map(": ".join, key_lines(keys))]
        story.append(Paragraph("<br/>".join(map(escape, said)), fine))
    when = f"{words.day(timezone.localtime(at), year=True)}, {words.clock(at)}" if at else ""
    made_by = ", ".join(part for part in (f"Made by {by}" if by else "", when) if part)
    page.build(story, canvasmaker=partial(_Numbered, venue=venue, title=title, made=made_by))
    return out.getvalue()


def _story(made: Report) -> list[Flowable]:
    styles = faces.styles()
    title = ParagraphStyle("title", parent=styles["Heading1"], fontSize=16, leading=20, textColor=_INK)
    story: list[Flowable] = [Paragraph(escape(made.title), title), Spacer(1, 2 * mm)]
    if made.chart is not None and made.chart.labels:
        story += [made.chart.drawing(width=_WIDTH - 12), Spacer(1, 4 * mm)]
    return [*story, _table(made) if made.rows else Paragraph("Nothing in these days.", styles["BodyText"])]


class _Numbered(Canvas):  # type: ignore[misc]
    """Letterhead and foot of every page are drawn once it is known how many there are."""

    def __init__(self, *args: Any, venue: str, title: str, made: str, **more: Any) -> None:  # Any: reportlab's own
        super().__init__(*args, **more)
        self._said = venue, title, made
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._pages, start=1):
            self.__dict__.update(page)
            self._letterhead(number, len(self._pages))
            super().showPage()
        super().save()

    def _letterhead(self, number: int, pages: int) -> None:
        venue, title, made = self._said
        right, top = _SIZE[0] - _SIDE, _SIZE[1] - 14 * mm
        self.setStrokeColor(_LINE)
        self.setFillColor(_INK)
        self.setFont(faces.BOLD, 12)
        self.drawString(_SIDE, top, venue)
        self.line(_SIDE, top - 4 * mm, right, top - 4 * mm)
        self.setFont(faces.SANS, 9)
        self.setFillColor(_SOFT)
        self.drawRightString(right, top, title)
        self.drawString(_SIDE, 9 * mm, made)
        self.drawRightString(right, 9 * mm, f"Page {number} of {pages}")


def _table(made: Report) -> Table:
    lines = [[shown(value, name) for value, name in zip(row, made.columns, strict=False)] for row in made.lines()]
    numeric = made.numeric()
    texts = [list(made.columns), *lines]
    size, widths = _fitted(texts)
    cells = [
        [
            _cell(text, size, width, right=right, bold=not nth)
            for text, width, right in zip(row, widths, numeric, strict=True)
        ]
        for nth, row in enumerate(texts)
    ]
    look: list[tuple[object, ...]] = [
        ("FONTNAME", (0, 0), (-1, -1), faces.SANS),
        ("FONTSIZE", (0, 0), (-1, -1), size),
        ("TEXTCOLOR", (0, 0), (-1, -1), _INK),
        ("FONTNAME", (0, 0), (-1, 0), faces.BOLD),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), _CELL_PADDING / 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), _CELL_PADDING / 2),
        ("LINEBELOW", (0, 0), (-1, 0), 0.75, _INK),
        ("LINEBELOW", (0, 1), (-1, -1), 0.25, _LINE),
        *(("ALIGN", (place, 0), (place, -1), "RIGHT") for place, right in enumerate(numeric) if right),
    ]
    if made.totals:
        look += [("FONTNAME", (0, -1), (-1, -1), faces.BOLD), ("LINEABOVE", (0, -1), (-1, -1), 0.75, _INK)]
    return Table(cells, colWidths=widths, repeatRows=1, hAlign="LEFT", style=TableStyle(look))


def _fitted(lines: Sequence[Sequence[str]]) -> tuple[float, list[float]]:
    """The largest size at which the columns fit beside each other, and how wide each is."""
    for size in _POINTS:
        widths = [
            min(_WIDEST_CELL, max(stringWidth(text, faces.BOLD, size) for text in column)) + _CELL_PADDING + 1
            for column in zip(*lines, strict=False)
        ]
        if sum(widths) <= _WIDTH:
            break
    else:
        widths = [width * _WIDTH / sum(widths) for width in widths]
    return size, widths


def _cell(text: str, size: float, width: float, *, right: bool, bold: bool = False) -> str | Paragraph:
    """As it is where it fits on a line; else broken."""
    face = faces.BOLD if bold else faces.SANS
    if stringWidth(text, faces.BOLD, size) + _CELL_PADDING <= width:
        return text
    style = ParagraphStyle(
        "cell", fontName=face, fontSize=size, leading=size * 1.2, textColor=_INK, alignment=2 if right else 0,
        splitLongWords=True,
    )  # fmt: skip
    return Paragraph(escape(text), style)
