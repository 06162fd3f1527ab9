"""The venue's own look on its boards: a logo and two colours, from ``signage/`` in the data folder.

``look.json`` may name ``accent`` and ``ground`` as ``#rrggbb``; ``logo.svg`` or ``logo.png`` beside it is the
logo. Without them the boards look like Meterhouse.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from config.environment import data_folder

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}", re.ASCII | re.IGNORECASE)
LOGOS: Final = {"logo.svg": "image/svg+xml", "logo.png": "image/png"}


def folder() -> Path:
    return data_folder() / "signage"


def look() -> dict[str, Any]:
    """{"accent", "ground", "logo"}, each None where the venue has not chosen."""
    try:
        chosen = json.loads((folder() / "look.json").read_text())
    except (OSError, ValueError):
        chosen = {}
    found = chosen if isinstance(chosen, dict) else {}
    colours = {name: str(found.get(name, "")) for name in ("accent", "ground")}
    return {
        **{name: colour if _COLOUR.fullmatch(colour) else None for name, colour in colours.items()},
        "logo": "/signage/logo" if logo() else None,
    }


def logo() -> tuple[Path, str] | None:
    return next(((folder() / name, kind) for name, kind in LOGOS.items() if (folder() / name).is_file()), None)
