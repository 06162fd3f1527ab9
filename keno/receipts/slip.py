"""The receipt as a PDF, 80 mm wide and as long as it needs: numbers large, particulars, the code, the foot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from keno.receipts.code import DOTS_A_MILLIMETRE, QUIET_MODULES, Code, code_of
from keno.receipts.data import CHECK_NOW, Receipt, fine_print, lines, numbered
from keno.receipts.printed import printed
from web import faces
from web.languages.paper import on_paper

WIDTH = 80 * mm
MARGIN = 4 * mm
LABEL = 20 * mm
DOT = mm / DOTS_A_MILLIMETRE


@dataclass(frozen=True, slots=True)
class Line:
    """One line of print; what is *beside* stands in a column of its own."""

    text: str
    face: str = faces.SANS
    points: float = 9.0
    beside: str | None = None
    above: float = 0.0  # points of white before it

    @property
    def height(self) -> float:
        return self.points * 1.25 + self.above


FINE: Final = 6.5


def pdf(receipt: Receipt) -> bytes:
    faces.on_paper()
    head, foot = list(_head(receipt)), list(_foot(receipt))
    code = code_of(receipt.code)
    quiet = QUIET_MODULES * code.module_dots * DOT
    square = code.side_millimetres * mm + 2 * quiet
    height = 2 * MARGIN + square + sum(line.height for line in (*head, *foot))
    out = BytesIO()
    canvas = faces.canvas(out, size=(WIDTH, height), title=f"Keno {receipt.serial}")
    y = _print(canvas, head, height - MARGIN)
    _draw_qr(canvas, code, top=y - quiet)
    _print(canvas, foot, y - square)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _head(receipt: Receipt) -> Iterator[Line]:
    yield Line(receipt.venue, faces.BOLD, 12)
    yield Line("KENO", faces.BOLD, 20)
    if receipt.duplicate:
        yield Line(f"* * * {on_paper('DUPLICATE')} * * *", faces.BOLD, 12, above=4)
    for label, group in numbered(receipt):
        yield Line(on_paper(label), points=8, above=6)
        for part in _wrapped(group, WIDTH - 2 * MARGIN, faces.BOLD, 18):
            yield Line(part, faces.BOLD, 18)
    said = {label for label, _ in numbered(receipt)}
    for place, (label, text) in enumerate(row for row in lines(receipt) if row[0] not in said):
        face, points = (faces.BOLD, 12.0) if label == "Price" else (faces.SANS, 9.0)
        face = faces.MONO if label in ("Serial", "Security") and "-" in text else face
        name, words = printed((label, text))
        for nth, part in enumerate(_wrapped(words, WIDTH - 2 * MARGIN - LABEL, face, points)):
            yield Line(name if nth == 0 else "", face, points, beside=part, above=0 if place else 6)


def _foot(receipt: Receipt) -> Iterator[Line]:
    wide = WIDTH - 2 * MARGIN
    for said in (CHECK_NOW, *receipt.back):
        for part in _wrapped(on_paper(said), wide, faces.SANS, 7.5):
            yield Line(part, points=7.5)
    for label, text in map(printed, fine_print(receipt)):
        for nth, part in enumerate(_wrapped(f"{label} {text}", wide, faces.MONO, FINE)):
            yield Line(part, faces.MONO, FINE, above=0 if nth else 2)


def _print(canvas: Canvas, printed: list[Line], y: float) -> float:
    for line in printed:
        y -= line.height
        base = y + line.points * 0.3
        canvas.setFont(line.face, line.points)
        if line.beside is None:
            canvas.drawCentredString(WIDTH / 2, base, line.text)
            continue
        canvas.drawString(MARGIN + LABEL, base, line.beside)
        canvas.setFont(faces.SANS, 8)
        canvas.drawString(MARGIN, base, line.text)
    return y


def _wrapped(text: str, width: float, face: str, points: float) -> list[str]:
    """Broken at spaces, and inside a word that is longer than a line."""
    done: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}".strip()
        if stringWidth(joined, face, points) <= width:
            line = joined
            continue
        if line:
            done.append(line)
        line = ""
        for letter in word:
            if stringWidth(line + letter, face, points) > width:
                done.append(line)
                line = ""
            line += letter
    return [*done, line]


def _draw_qr(canvas: Canvas, code: Code, *, top: float) -> None:
    """From a whole dot on, in both directions: the page's lower left corner is one."""
    side = code.module_dots * DOT
    left, top = (DOT * round(edge / DOT) for edge in ((WIDTH - code.side_millimetres * mm) / 2, top))
    for row, cells in enumerate(code.matrix):
        for column, dark in enumerate(cells):
            if dark:
                canvas.rect(left + column * side, top - (row + 1) * side, side, side, stroke=0, fill=1)
