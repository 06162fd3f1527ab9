"""A letter to a person, as a PDF: paragraphs of plain words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from io import BytesIO
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer

from web import faces


def letter(title: str, paragraphs: Sequence[str], *, headings: Collection[int] = (0,)) -> bytes:
    """*headings*: which of the paragraphs stand as such, counted from 0."""
    out = BytesIO()
    styles = faces.styles()
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), 25 * mm)
    page = SimpleDocTemplate(out, pagesize=A4, title=title, invariant=1, initialFontName=faces.SANS, **margins)
    flow: list[Flowable] = []
    for place, words in enumerate(paragraphs):
        style = styles["Heading2"] if place in headings else styles["BodyText"]
        flow += [Paragraph(escape(words).replace("\n", "<br/>"), style), Spacer(1, 4 * mm)]
    page.build(flow)
    return out.getvalue()
