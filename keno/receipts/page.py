"""The receipt as a page 80 mm wide, with its QR code drawn into it: nothing is fetched from anywhere."""

from __future__ import annotations

from html import escape
from io import BytesIO

from django.conf import settings

from keno.receipts.code import DOTS_A_MILLIMETRE, QUIET_MODULES, code_of
from keno.receipts.data import CHECK_NOW, Receipt, fine_print, lines, numbered
from keno.receipts.printed import printed
from web.languages.paper import on_paper

_STYLE = """
@page { size: 80mm auto; margin: 3mm }
body { width: 74mm; margin: 0 auto; font: 9pt/1.35 "Meterhouse Sans", sans-serif; color: #000; background: #fff }
h1 { font-size: 12pt; margin: 2mm 0; text-align: center }
.duplicate { border: 0.6mm solid #000; font-weight: 700; text-align: center; padding: 1mm; letter-spacing: 2pt }
dl { display: grid; grid-template-columns: 20mm 1fr; gap: 0.4mm 2mm; margin: 2mm 0 }
dt { color: #333 } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
.code { text-align: center } .code svg { shape-rendering: crispEdges }
.marked { font: 700 17pt/1.25 "Meterhouse Sans", sans-serif; font-variant-numeric: tabular-nums; text-align: center }
.price { font-size: 12pt; font-weight: 700 }
.fine { font: 6.5pt/1.3 "Meterhouse Mono", monospace }
p { margin: 1mm 0; text-align: center }
.back { font-size: 7pt; margin: 0.5mm 0 }
"""


def html(receipt: Receipt) -> str:
    marked = "".join(
        f'<p>{escape(on_paper(name))}</p><p class="marked">{escape(text)}</p>' for name, text in numbered(receipt)
    )
    rest = [(row[0], *map(escape, printed(row))) for row in lines(receipt) if row not in numbered(receipt)]
    rows = "".join(
        f"<dt>{name}</dt><dd{' class=price' if label == 'Price' else ''}>{text}</dd>" for label, name, text in rest
    )
    fine = "".join(f'<p class="fine">{escape(" ".join(printed(row)))}</p>' for row in fine_print(receipt))
    back = "".join(f'<p class="back">{escape(on_paper(said))}</p>' for said in receipt.back)
    duplicate = '<p class="duplicate">' + on_paper("DUPLICATE") + "</p>" if receipt.duplicate else ""
    return (
        f'<!doctype html><html lang="{settings.PAPER_LANGUAGE}"><head><meta charset="utf-8">'
        f"<title>Keno {escape(receipt.serial)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(receipt.venue)}<br>KENO</h1>{duplicate}{marked}<dl>{rows}</dl>"
        f'<div class="code">{_qr(receipt)}</div><p>{escape(on_paper(CHECK_NOW))}</p>{back}{fine}</body></html>'
    )


def _qr(receipt: Receipt) -> str:
    out = BytesIO()
    code = code_of(receipt.code)
    code.qr.save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=True,
        border=QUIET_MODULES,
        scale=code.module_dots / DOTS_A_MILLIMETRE,
        unit="mm",
        title=f"Ticket {receipt.serial}",
    )
    return out.getvalue().decode()
