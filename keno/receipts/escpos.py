"""The receipt as ESC/POS bytes, for the thermal printer of a writer terminal (80 mm: 48 columns of font A).

Only commands that every such printer has: initialise, align, bold, double size, QR model 2, feed and cut.
"""

from __future__ import annotations

from textwrap import wrap
from typing import Final

from keno.receipts.code import code_of
from keno.receipts.data import CHECK_NOW, Receipt, fine_print, lines, numbered
from keno.receipts.printed import printed
from web.languages.paper import on_paper

COLUMNS: Final = 48
LABEL: Final = 11
_INIT: Final = b"\x1b@"
_LEFT, _CENTRE = b"\x1ba\x00", b"\x1ba\x01"
_BOLD, _PLAIN = b"\x1bE\x01", b"\x1bE\x00"
_DOUBLE, _SINGLE = b"\x1d!\x11", b"\x1d!\x00"
_SMALL, _LARGE = b"\x1bM\x01", b"\x1bM\x00"  # font B, font A
SMALL_COLUMNS: Final = 64
# As German is written where there are no such letters.
_IN_ASCII: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_CUT: Final = b"\n\n\n\n\x1dV\x42\x00"


def escpos(receipt: Receipt) -> bytes:
    out = [_INIT, _CENTRE, _BOLD, _text(receipt.venue), _DOUBLE, _text("KENO"), _SINGLE]
    if receipt.duplicate:
        out += [_text("*" * 9 + f" {on_paper('DUPLICATE')} " + "*" * 9)]
    for label, group in numbered(receipt):
        out += [_SINGLE, _text(on_paper(label)), _DOUBLE, *(_text(part) for part in wrap(group, COLUMNS // 2))]
    out += [_SINGLE, _PLAIN, _LEFT]
    for label, text in (printed(row) for row in lines(receipt) if row not in numbered(receipt)):
        parts = wrap(text, COLUMNS - LABEL) or [""]
        for place, part in enumerate(parts):
            out.append(_text((label if place == 0 else "").ljust(LABEL) + part))
    out += [
        _CENTRE,
        _qr(receipt.code),
        *(_text(part) for said in (CHECK_NOW, *receipt.back) for part in wrap(on_paper(said), COLUMNS)),
        _SMALL,
        *(_text(part) for row in fine_print(receipt) for part in wrap(" ".join(printed(row)), SMALL_COLUMNS)),
        _LARGE,
        _CUT,
    ]
    return b"".join(out)


def _text(line: str) -> bytes:
    """ASCII: a printer's code page is anybody's guess, and a control byte in a name must not become a command."""
    plain = line.translate(_IN_ASCII)
    printable = "".join(letter if letter.isprintable() else " " for letter in plain)
    return printable.encode("ascii", "replace") + b"\n"


def _qr(text: str) -> bytes:
    def command(function: int, payload: bytes) -> bytes:
        body = bytes([49, function]) + payload
        return b"\x1d(k" + len(body).to_bytes(2, "little") + body

    data = text.encode("ascii")
    return b"".join(
        [
            command(65, bytes([50, 0])),  # model 2
            command(67, bytes([code_of(text).module_dots])),
            command(69, bytes([49])),  # error correction M
            command(80, bytes([48]) + data),
            command(81, bytes([48])),
        ]
    )
