"""The faces as browsers are served them: subsets as WOFF2, among the static files.

They are made once, beside the packages they are made of, as compiled code is. They bear our name, as the licence of
both (SIL OFL 1.1) asks of what was altered.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.finders import BaseStorageFinder
from django.core.files.storage import FileSystemStorage
from fontTools import subset
from fontTools.ttLib import TTFont

from web.faces import FACES

TOP, UNDER = "meterhouse-faces", "web/faces"
# Latin with its accents, dashes and quotes, arrows, signs of figures, suits, ticks.
_SIGNS: Final = (
    *((0x20, 0x7E), (0xA0, 0x17F), (0x2010, 0x203A), (0x20AC, 0x20AC), (0x2190, 0x2193)),
    *((0x2212, 0x2212), (0x2264, 0x2265), (0x2660, 0x2666), (0x2713, 0x2717)),
)
_FEATURES: Final = ["kern", "liga", "ccmp", "locl", "mark", "tnum", "zero", "case", "frac"]
_OUR_NAMES: Final = (1, 3, 4, 6, 16)  # family, unique, full, PostScript and typographic name
_KEPT_NAMES: Final = [0, *_OUR_NAMES, 2, 5, 13, 14]  # whose it is and its licence, too


def woff2(name: str) -> bytes:
    """What our pages write, and no more."""
    font = TTFont(BytesIO(FACES[name]()), recalcTimestamp=False)
    cutter = subset.Subsetter(subset.Options(hinting=False, layout_features=_FEATURES, name_IDs=_KEPT_NAMES))
    cutter.populate(unicodes=[sign for first, last in _SIGNS for sign in range(first, last + 1)])
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in _OUR_NAMES:
            record.string = f"Meterhouse-{name}"
    font.flavor = "woff2"
    out = BytesIO()
    font.save(out)
    return out.getvalue()


class Finder(BaseStorageFinder):
    """``web/faces/sans-400.woff2`` and its like."""

    def __init__(self) -> None:
        super().__init__(FileSystemStorage(location=_made()))


@cache
def _made() -> Path:
    """The folder that they are below. What is missing there, or older than this code, is made by whoever may write: the
    program that prepares collects them. One that may not, as a user of its own, looks only."""
    homes = [Path(sys.prefix) / "share", Path(settings.DATA)]
    for home in homes:
        try:
            return _made_in(home)
        except OSError:
            continue
    return homes[0] / TOP


def _made_in(home: Path) -> Path:
    top = home / TOP
    missing = [name for name in FACES if not _is_new(top / UNDER / f"{name}.woff2")]
    if missing:
        (top / UNDER).mkdir(parents=True, exist_ok=True)
    for name in missing:
        whole = home / f"{name}.{os.getpid()}"
        whole.write_bytes(woff2(name))
        whole.replace(top / UNDER / f"{name}.woff2")
    return top


def _is_new(file: Path) -> bool:
    return file.exists() and file.stat().st_mtime >= Path(__file__).stat().st_mtime
