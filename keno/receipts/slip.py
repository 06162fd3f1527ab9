"""The receipt as a PDF, 80 mm wide and as long as it needs."""

from __future__ import annotations

from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from keno.receipts.code import DOTS_A_MILLIMETRE, QUIET_MODULES, Code, code_of
from keno.receipts.data import Receipt, keys, lines

WIDTH = 80 * mm
MARGIN = 4 * mm
LABEL = 20 * mm
FONT, BOLD, SIZE, LEADING = "Helvetica", "Helvetica-Bold", 8, 10.5
DOT = mm / DOTS_A_MILLIMETRE
KEY = 8  # points a line of keys


def pdf(receipt: Receipt) -> bytes:
    rows = [(label, _wrapped(text, WIDTH - 2 * MARGIN - LABEL)) for label, text in lines(receipt)]
    code = code_of(receipt.code)
    quiet = QUIET_MODULES * code.module_dots * DOT
    square = code.side_millimetres * mm + 2 * quiet
    height = MARGIN * 2 + 30 + (16 if receipt.duplicate else 0) + square + 24 + KEY * len(keys(receipt))
    height += sum(LEADING * len(text) for _, text in rows)
    back = [line for said in receipt.back for line in _wrapped(said, WIDTH - 2 * MARGIN)]
    height += KEY * len(back)
    out = BytesIO()
    # Without the time of making, the same receipt is the same file.
    canvas = Canvas(out, pagesize=(WIDTH, height), invariant=1, pageCompression=0)
    canvas.setTitle(f"Keno {receipt.serial}")
    y = height - MARGIN - 10
    canvas.setFont(BOLD, 11)
    canvas.drawCentredString(WIDTH / 2, y, receipt.venue)
    y -= 13
    canvas.drawCentredString(WIDTH / 2, y, "KENO")
    if receipt.duplicate:
        y -= 16
        canvas.drawCentredString(WIDTH / 2, y, "* * * DUPLICATE * * *")
    y -= 14
    for label, text in rows:
        canvas.setFont(FONT, SIZE)
        canvas.drawString(MARGIN, y, label)
        for line in text:
            canvas.drawString(MARGIN + LABEL, y, line)
            y -= LEADING
    _draw_qr(canvas, code, top=y - quiet)
    canvas.setFont("Courier", 6.5)
    for place, key in enumerate(keys(receipt), start=1):
        canvas.drawCentredString(WIDTH / 2, y - square - KEY * place, key)
    canvas.setFont(FONT, 7)
    below = MARGIN + KEY * len(back)
    canvas.drawCentredString(WIDTH / 2, below, "Check your ticket now. The record in the computer decides.")
    for place, line in enumerate(back, start=1):
        canvas.drawCentredString(WIDTH / 2, below - KEY * place, line)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _wrapped(text: str, width: float) -> list[str]:
    """Broken at spaces, and inside a word that is longer than a line (a commitment)."""
    done: list[str] = []
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}".strip()
        if stringWidth(joined, FONT, SIZE) <= width:
            line = joined
            continue
        if line:
            done.append(line)
        line = ""
        for letter in word:
            if stringWidth(line + letter, FONT, SIZE) > width:
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
