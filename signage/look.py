"""The venue's own look on its boards and on the check page: a name, a logo, two colours.

An approved value like any other (``approvables.py``), {"name", "accent", "ground", "logo"}, each null where the venue
has not chosen.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework.serializers import Field

from house import approved
from house.approvals import Record, Shape
from house.venue import venue
from kernel.refusal import Refusal
from signage.contrast import LARGE_RATIO, TEXT_RATIO, ratio

KIND: Final = "signage.look"
CODE: Final = "venue"
SVG: Final = "image/svg+xml"
NONE: Final[dict[str, Any]] = {"name": None, "accent": None, "ground": None, "logo": None}
ACCENT, GROUND = "#2bb8a6", "#0b1020"  # Meterhouse's own
LOGO_BYTES_LIMIT: Final = 100_000  # bytes; it is kept in the log

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII)
_LOGO: Final = re.compile(r"data:(image/svg\+xml|image/png);base64,([A-Za-z0-9+/]+={0,2})", re.ASCII)
# What stands on the ground and on the accent in boards.css, and how well it must read there.
_ON_GROUND: Final = (
    ("#e9edf7", TEXT_RATIO, "the words on the boards"),
    ("#a5b0cd", TEXT_RATIO, "the small words on the boards"),
    ("#e9b949", LARGE_RATIO, "the amounts, in gold,"),
)
_ON_ACCENT: Final = "#04211d"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What the venue chose; None where it did not."""

    name: str | None = None
    accent: str | None = None
    ground: str | None = None
    logo: str | None = None


@extend_schema_field({"type": "string", "minLength": 1, "maxLength": 60})
class _Name(Field[str, object, str, object]):
    default_error_messages: ClassVar = {"name": "The name on the boards has at most 60 characters."}

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str) or not 0 < len(data.strip()) <= 60 or not data.isprintable():
            self.fail("name")
        return data


@extend_schema_field({"type": "string", "pattern": "^#[0-9a-f]{6}$", "examples": [ACCENT]})
class _Colour(Field[str, object, str, object]):
    default_error_messages: ClassVar = {"colour": "Write a colour like #2bb8a6."}

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str) or not _COLOUR.fullmatch(data):
            self.fail("colour")
        return data


@extend_schema_field({"type": "string", "pattern": f"^{_LOGO.pattern}$"})
class _Logo(Field[str, object, str, object]):
    default_error_messages: ClassVar = {
        "logo": "A logo is an SVG or PNG picture, as data:image/svg+xml;base64,… or data:image/png;base64,…."
    }

    def to_internal_value(self, data: object) -> str:
        if not isinstance(data, str) or picture_of(data) is None:
            self.fail("logo")
        return data


class LookValue(Record):
    """The venue's own look; null for what it has not chosen."""

    name = _Name(allow_null=True)
    accent = _Colour(allow_null=True)
    ground = _Colour(allow_null=True)
    logo = _Logo(allow_null=True)
    makes = Look


SHAPE: Final = Shape[Look](
    LookValue(),
    unreadable="look-not-readable",
    codes={"name": "name-not-readable", "colour": "colour-not-readable", "logo": "logo-not-readable"},
)


def chosen() -> Look:
    """The look in force."""
    return approved.value(KIND, CODE, SHAPE) or Look()


def in_force() -> dict[str, object]:
    """The same as JSON."""
    return dict(SHAPE.write(chosen()))


def look() -> dict[str, object]:
    """{"name", "accent", "ground", "logo": its address}; the name is the venue's where none is chosen."""
    found = chosen()
    address = f"/signage/logo?v={sha256(found.logo.encode()).hexdigest()[:12]}" if found.logo else None
    return {"name": found.name or venue().name, "accent": found.accent, "ground": found.ground, "logo": address}


def logo() -> tuple[bytes, str] | None:
    """The picture and its media type."""
    return picture_of(chosen().logo or "")


def check(new: Look) -> None:
    """Refuses a look that people could not read across a room, or that does more than look."""
    if new.logo is not None:
        _check_logo(new.logo)
    _check_contrast(accent=new.accent or ACCENT, ground=new.ground or GROUND)


def _check_contrast(*, accent: str, ground: str) -> None:
    for colour, least, what in _ON_GROUND:
        _refuse_below(least, ratio(colour, ground), f"On the ground {ground} {what}", field="new.ground")
    _refuse_below(
        TEXT_RATIO, ratio(_ON_ACCENT, accent), f"On the accent {accent} the numbers drawn", field="new.accent"
    )
    _refuse_below(LARGE_RATIO, ratio(accent, ground), f"On the ground {ground} the accent {accent}", field="new.accent")


def _refuse_below(least: float, found: float, what: str, *, field: str) -> None:
    if found < least:
        raise Refusal(
            "contrast-too-low",
            f"{what} would have a contrast of {found:.1f} to 1; it takes {least:g} to 1 to be read (WCAG AA).",
            field=field,
        )


def picture_of(value: str) -> tuple[bytes, str] | None:
    """The bytes of a logo and their media type; None where it is no picture."""
    found = _LOGO.fullmatch(value)
    try:
        picture = base64.b64decode(found[2], validate=True) if found else b""
    except binascii.Error:
        picture = b""
    kind = found[1] if found else ""
    drawn = picture.lstrip().startswith((b"<svg", b"<?xml")) if kind == SVG else picture[:4] == b"\x89PNG"
    return (picture, kind) if picture and drawn else None


def _check_logo(value: str) -> None:
    picture, kind = picture_of(value) or (b"", "")
    if len(picture) > LOGO_BYTES_LIMIT:
        raise Refusal("logo-too-large", f"A logo has at most {LOGO_BYTES_LIMIT // 1000} kB.", field="new.logo")
    if kind == SVG and re.search(rb"<script|<!entity|\son\w+\s*=", picture, re.IGNORECASE):
        raise Refusal("logo-with-script", "A logo is a picture: this one holds a script.", field="new.logo")
