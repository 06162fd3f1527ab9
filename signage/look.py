"""The venue's own look on its boards and on the check page: a name, a logo, two colours.

An approved setting like any other (``approvables.py``), {"name", "accent", "ground", "logo"}, each null where the venue
has not chosen. What is in force is the last act ``signage.look``: this room keeps nothing but what is in the log.
"""

from __future__ import annotations

import base64
import binascii
import re
from hashlib import sha256
from typing import Any, Final

from house.refusal import Malformed, Refusal
from house.venue import venue
from ledger.models import Act
from signage.contrast import LARGE, TEXT, ratio

ACT: Final = "signage.look"
NONE: Final[dict[str, Any]] = {"name": None, "accent": None, "ground": None, "logo": None}
ACCENT, GROUND = "#2bb8a6", "#0b1020"  # Meterhouse's own
LARGEST_LOGO: Final = 100_000  # bytes; it is kept in the log

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_LOGO: Final = re.compile(r"data:(image/svg\+xml|image/png);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
# What stands on the ground and on the accent in boards.css, and how well it must read there.
_ON_GROUND: Final = (
    ("#e9edf7", TEXT, "the words on the boards"),
    ("#a5b0cd", TEXT, "the small words on the boards"),
    ("#e9b949", LARGE, "the amounts, in gold,"),
)
_ON_ACCENT: Final = "#04211d"


def in_force() -> dict[str, Any]:
    last = Act.objects.filter(kind=ACT).order_by("-id").values_list("data", flat=True).first()
    return NONE if last is None else {name: last.get(name) for name in NONE}


def look() -> dict[str, Any]:
    """{"name", "accent", "ground", "logo": its address}; the name is the venue's where none is chosen."""
    chosen = in_force()
    address = f"/signage/logo?v={sha256(chosen['logo'].encode()).hexdigest()[:12]}" if chosen["logo"] else None
    return {**chosen, "name": chosen["name"] or venue().name, "logo": address}


def logo() -> tuple[bytes, str] | None:
    chosen = in_force()["logo"]
    return _read_logo(chosen) if chosen else None


def check(value: Any) -> None:
    """Refuses a look that cannot be shown, or that people could not read across a room."""
    if not isinstance(value, dict) or value.keys() != NONE.keys():
        raise Malformed(
            "look-not-readable", "A look has a name, accent, ground and logo, or null for each.", field="new"
        )
    name = value["name"]
    if name is not None and (not isinstance(name, str) or not 0 < len(name.strip()) <= 60 or not name.isprintable()):
        raise Malformed("name-not-readable", "The name on the boards has at most 60 characters.", field="new.name")
    for part in ("accent", "ground"):
        colour = value[part]
        if colour is not None and not (isinstance(colour, str) and _COLOUR.fullmatch(colour)):
            raise Malformed("colour-not-readable", "Write a colour like #2bb8a6.", field=f"new.{part}")
    if value["logo"] is not None:
        _read_logo(value["logo"])
    _check_contrast(accent=value["accent"] or ACCENT, ground=value["ground"] or GROUND)


def _check_contrast(*, accent: str, ground: str) -> None:
    for colour, least, what in _ON_GROUND:
        _refuse_below(least, ratio(colour, ground), f"On the ground {ground} {what}", field="new.ground")
    _refuse_below(TEXT, ratio(_ON_ACCENT, accent), f"On the accent {accent} the numbers drawn", field="new.accent")
    _refuse_below(LARGE, ratio(accent, ground), f"On the ground {ground} the accent {accent}", field="new.accent")


def _refuse_below(least: float, found: float, what: str, *, field: str) -> None:
    if found < least:
        raise Refusal(
            "contrast-too-low",
            f"{what} would have a contrast of {found:.1f} to 1; it takes {least:g} to 1 to be read (WCAG AA).",
            field=field,
        )


def _read_logo(value: Any) -> tuple[bytes, str]:
    found = _LOGO.fullmatch(value) if isinstance(value, str) else None
    try:
        picture = base64.b64decode(found[2], validate=True) if found else b""
    except binascii.Error:
        picture = b""
    kind = found[1] if found else ""
    drawn = picture.lstrip().startswith((b"<svg", b"<?xml")) if kind == "image/svg+xml" else picture[:4] == b"\x89PNG"
    if not picture or not drawn:
        message = "A logo is an SVG or PNG picture, as data:image/svg+xml;base64,… or data:image/png;base64,…"
        raise Malformed("logo-not-readable", message + ".", field="new.logo")
    if len(picture) > LARGEST_LOGO:
        raise Refusal("logo-too-large", f"A logo has at most {LARGEST_LOGO // 1000} kB.", field="new.logo")
    if kind == "image/svg+xml" and re.search(rb"<script|<!entity|\son\w+\s*=", picture, re.IGNORECASE):
        raise Refusal("logo-with-script", "A logo is a picture: this one holds a script.", field="new.logo")
    return picture, kind
