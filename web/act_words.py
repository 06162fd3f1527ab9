"""An act of the log in words, through the class that its room declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from kernel.acts import Act, Json
from kernel.rooms import declared_acts


def read_act(kind: str, subject: str, data: Mapping[str, Json]) -> Act | None:
    """The act again. None where no room declares this kind, or what the log kept is not what it declares now."""
    declared = declared_acts().get(kind)
    if declared is None:
        return None
    try:
        return declared.read(data, subject=subject)
    except (ValueError, KeyError, TypeError):
        return None


_AMOUNT: Final = re.compile(r"(?<![\w.,$])\$?(\d+)\.(\d\d)(?![\d.])")


def _as_money(found: re.Match[str]) -> str:
    return f"${int(found[1]):,}.{found[2]}"


def of_whom(name: str, kind: str, subject: str, data: Mapping[str, Json]) -> str:
    """``Sunita Rao verified $50,003.50 at CSP-01, hit 3 of CSP``: a whole sentence, or what is known of it."""
    said = sentence(kind, subject, data)
    return f"{name} {_AMOUNT.sub(_as_money, said)}" if said else f"{name}: {kind} {subject}"


def sentence(kind: str, subject: str, data: Mapping[str, Json]) -> str:
    """What was done, said after the name of whoever did it; nothing where nobody knows how to say it."""
    act = read_act(kind, subject, data)
    return act.sentence() if act is not None else ""
