"""What is written on a PDF of ours, in the order of writing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ContentStream


def marks(pdf: bytes) -> Iterator[tuple[str, str]]:
    """``("re", "")`` where a rectangle is drawn, ``("Tj", text)`` where something is written."""
    for page in PdfReader(BytesIO(pdf)).pages:
        fonts = {name: _letters(font.get_object()) for name, font in _fonts(page).items()}
        letters: dict[int, str] = {}
        for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
            if operator == b"Tf":
                letters = fonts[operands[0]]
            elif operator == b"re":
                yield "re", ""
            elif operator == b"Tj":
                yield "Tj", "".join(letters.get(code, chr(code)) for code in operands[0].original_bytes)


def said(pdf: bytes) -> list[str]:
    return [text for what, text in marks(pdf) if what == "Tj"]


def whole(pdf: bytes) -> str:
    return " ".join(said(pdf))


def pages(pdf: bytes) -> int:
    return len(PdfReader(BytesIO(pdf)).pages)


def faces(pdf: bytes) -> set[str]:
    """The names of the faces it is set in, without the prefix of the subset."""
    return {
        str(font.get_object()["/BaseFont"]).rpartition("+")[2].removeprefix("/")
        for page in PdfReader(BytesIO(pdf)).pages
        for font in _fonts(page).values()
    }


def _fonts(page: Any) -> Any:
    return page["/Resources"]["/Font"]


def _letters(font: Any) -> dict[int, str]:
    """By the face's own table: which code stands for which character."""
    if "/ToUnicode" not in font:
        return {}
    table = font["/ToUnicode"].get_data().decode("latin-1")
    pairs = re.findall(r"^<([0-9A-F]{2})> <([0-9A-F]{4})>$", table, flags=re.MULTILINE)
    return {int(code, 16): chr(int(sign, 16)) for code, sign in pairs if int(sign, 16)}
