"""The receipt as a PDF, 80 mm wide and as long as it needs."""

from __future__ import annotations

from io import BytesIO

import segno
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from keno.receipts.data import Receipt, keys, lines

WIDTH = 80 * mm
MARGIN = 4 * mm
LABEL = 20 * mm
FONT, BOLD, SIZE, LEADING = "Helvetica", "Helvetica-Bold", 8, 10.5
QR = 42 * mm
KEY = 8  # points a line of keys


def pdf(receipt: Receipt) -> bytes:
    rows = [(label, _wrapped(text, WIDTH - 2 * MARGIN - LABEL)) for label, text in lines(receipt)]
    height = MARGIN * 2 + 30 + (16 if receipt.duplicate else 0) + QR + 24 + KEY * len(keys(receipt))
    height += sum(LEADING * len(text) for _, text in rows)
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
    _draw_qr(canvas, receipt, top=y)
    canvas.setFont("Courier", 6.5)
    for place, key in enumerate(keys(receipt), start=1):
        canvas.drawCentredString(WIDTH / 2, y - QR - KEY * place, key)
    canvas.setFont(FONT, 7)
    canvas.drawCentredString(WIDTH / 2, MARGIN, "Check your ticket now. The record in the computer decides.")
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


def _draw_qr(canvas: Canvas, receipt: Receipt, *, top: float) -> None:
    matrix = list(segno.make(receipt.code, error="m", micro=False).matrix)
    side = QR / len(matrix)
    left = (WIDTH - QR) / 2
    for row, cells in enumerate(matrix):
        for column, dark in enumerate(cells):
            if dark:
                canvas.rect(left + column * side, top - (row + 1) * side, side, side, stroke=0, fill=1)
