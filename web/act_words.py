"""An act of the log in words, through the class that its room declares."""

from __future__ import annotations

from collections.abc import Mapping

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


def sentence(kind: str, subject: str, data: Mapping[str, Json]) -> str:
    """What was done, said after the name of whoever did it; nothing where nobody knows how to say it."""
    act = read_act(kind, subject, data)
    return act.sentence() if act is not None else ""
