"""The one face of pages, boards, terminals and paper, and a monospace for serials and hashes: from pinned packages.

Here whence they come, and paper, for which reportlab takes the packages' own files; what browsers are served is made of
them in ``served_faces.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Final

from reportlab.lib.fonts import addMapping
from reportlab.lib.styles import StyleSheet1, getSampleStyleSheet
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

SANS, BOLD, MONO = "Meterhouse", "Meterhouse-Bold", "Meterhouse-Mono"


def _source(weight: str) -> Callable[[], bytes]:
    return (resources.files("font_source_sans_pro") / "files" / f"SourceSansPro-{weight}.ttf").read_bytes


def _cascadia() -> bytes:
    from pymupdf_fonts import CascadiaMono_Regular  # noqa: PLC0415  unpacks itself: only where it is asked for

    whole: bytes = CascadiaMono_Regular.fontbuffer
    return whole


FACES: Final[dict[str, Callable[[], bytes]]] = {
    "sans-400": _source("Regular"),
    "sans-600": _source("Semibold"),
    "sans-700": _source("Bold"),
    "mono-400": _cascadia,
}


@cache
def on_paper() -> None:
    """Tells reportlab of SANS, BOLD and MONO; a PDF then holds what it uses of them."""
    for name, face in ((SANS, "sans-400"), (BOLD, "sans-700"), (MONO, "mono-400")):
        pdfmetrics.registerFont(TTFont(name, BytesIO(FACES[face]())))
    for bold, italic in ((0, 0), (0, 1), (1, 0), (1, 1)):
        addMapping(SANS, bold, italic, BOLD if bold else SANS)
        addMapping(MONO, bold, italic, MONO)


def canvas(out: BytesIO, *, size: tuple[float, float], title: str) -> Canvas:
    """An empty page to draw on. Without the time of making: the same paper is the same bytes."""
    on_paper()
    page = Canvas(out, pagesize=size, invariant=1, initialFontName=SANS)
    page.setTitle(title)
    return page


def styles() -> StyleSheet1:
    """What running text is set in: reportlab's sheet in our face."""
    on_paper()
    sheet = getSampleStyleSheet()
    for style in sheet.byName.values():
        style.fontName = BOLD if "Bold" in getattr(style, "fontName", "") else SANS
        style.bulletFontName = SANS
    return sheet
