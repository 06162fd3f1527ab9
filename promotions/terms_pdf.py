"""The terms as a document: what the regulator is sent and players can take away. The same terms are the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from house.venue import venue
from promotions import terms_text
from promotions.models import Promotion, TermsVersion
from promotions.rules.editions import Edition
from promotions.versions import edition_of
from web import faces

# What stands beside its label; anything longer, below it.
_SHORT_CHARACTERS: Final = 1_000
_SHORT_LINES: Final = 20


def terms_pdf(promotion: Promotion, version: TermsVersion) -> bytes:
    rules = edition_of(promotion)
    styles = faces.styles()
    out = io.BytesIO()
    page = SimpleDocTemplate(
        out,
        pagesize=A4,
        title=f"{promotion.title}: terms and conditions, version {version.number}",
        author=venue().name,
        leftMargin=20 * mm,
        rightMargin=20 * mm,
        topMargin=18 * mm,
        bottomMargin=18 * mm,
        invariant=1,
        initialFontName=faces.SANS,
    )
    body = ParagraphStyle("body", parent=styles["BodyText"], fontSize=9, leading=12)
    story: list[object] = [
        Paragraph(escape(promotion.title), styles["Title"]),
        Paragraph(
            escape(
                f"{venue().name}. Promotion {promotion.code}. Terms and conditions, version {version.number}, under "
                f"rule {rules.clauses['rule']} of the edition of {rules.code}."
            ),
            body,
        ),
        Spacer(1, 4 * mm),
        *_told(_numbered(version.data, rules), body),
    ]
    for place, prize in enumerate(version.data.get("prizes", []), start=1):
        story += [
            Spacer(1, 4 * mm),
            Paragraph(escape(f"Prize {place}: {prize['name']}"), styles["Heading3"]),
            *_told(terms_text.prize_lines(prize, rules), body),
        ]
    story += [Spacer(1, 6 * mm), Paragraph(escape(terms_text.COMPLAINT), body)]
    page.build(story)
    return out.getvalue()


def _numbered(data: Mapping[str, object], rules: Edition) -> Iterator[tuple[str, str]]:
    for label, value, number in terms_text.particulars(data):
        yield f"{label} ({rules.clauses['rule']}.{number})" if number else label, value


def _told(rows: Iterable[tuple[str, str]], body: ParagraphStyle) -> Iterator[object]:
    """Label and text side by side; a long text below its label, line by line, so that it may fill pages."""
    short: list[tuple[str, str]] = []
    for label, value in rows:
        if len(value) <= _SHORT_CHARACTERS and value.count("\n") <= _SHORT_LINES:
            short.append((label, value))
            continue
        if short:
            yield _table(short, body)
            short = []
        yield Paragraph(f"<b>{escape(label)}</b>", body)
        yield from (Paragraph(escape(line), body) for line in value.splitlines() if line.strip())
    if short:
        yield _table(short, body)


def _table(rows: list[tuple[str, str]], body: ParagraphStyle) -> Table:
    cells = [[Paragraph(_lines(label), body), Paragraph(_lines(value), body)] for label, value in rows]
    table = Table(cells, colWidths=[55 * mm, 115 * mm])
    table.setStyle(
        TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LINEBELOW", (0, 0), (-1, -1), 0.25, colors.lightgrey)])
    )
    return table


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br/>")
