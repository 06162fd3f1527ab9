"""The receipt as a page 80 mm wide, with its QR code drawn into it: nothing is fetched from anywhere."""

from __future__ import annotations

from html import escape
from io import BytesIO

from keno.receipts.code import DOTS_A_MILLIMETRE, QUIET_MODULES, code_of
from keno.receipts.data import Receipt, keys, lines

_STYLE = """
@page { size: 80mm auto; margin: 3mm }
body { width: 74mm; margin: 0 auto; font: 9pt/1.35 system-ui, sans-serif; color: #000; background: #fff }
h1 { font-size: 12pt; margin: 2mm 0; text-align: center }
.duplicate { border: 0.6mm solid #000; font-weight: 700; text-align: center; padding: 1mm; letter-spacing: 2pt }
dl { display: grid; grid-template-columns: 20mm 1fr; gap: 0.4mm 2mm; margin: 2mm 0 }
dt { color: #333 } dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
.code { text-align: center } .code svg { shape-rendering: crispEdges }
.keys { font: 7pt/1.3 ui-monospace, monospace }
p { margin: 1mm 0; text-align: center }
.back { font-size: 7pt; margin: 0.5mm 0 }
"""


def html(receipt: Receipt) -> str:
    rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in lines(receipt))
    named = "".join(f'<p class="keys">{escape(key)}</p>' for key in keys(receipt))
    back = "".join(f'<p class="back">{escape(said)}</p>' for said in receipt.back)
    duplicate = '<p class="duplicate">DUPLICATE</p>' if receipt.duplicate else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>Keno {escape(receipt.serial)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(receipt.venue)}<br>KENO</h1>{duplicate}<dl>{rows}</dl>"
        f'<div class="code">{_qr(receipt)}</div>{named}'
        "<p>Check your ticket now. The record in the computer decides.</p>"
        f"{back}</body></html>"
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
