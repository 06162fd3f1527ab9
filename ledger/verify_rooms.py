"""What a room checks of its own in an export: one with a ``verify_export.py`` is asked. Having it is registering it.

The verifier stands above the rooms and imports none: it looks for them by name, and works without them. Such a module
is pure, like everything here: no Django, no database.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

MODULE = "verify_export"


class Doubt(Exception):
    """What does not fit, as a sentence. The verifier adds the line."""


class RoomCheck(Protocol):
    kinds: frozenset[str]  # of the acts it reads
    attachment: str  # the name of the lines it has in the export beside the sealed rows
    shown: list[str]  # after the end: where the ticket stands that was asked for, in words

    def act(self, kind: str, data: dict[str, Any]) -> None:
        """An act of one of its kinds, in the order of the log. Raises Doubt."""

    def attached(self, line: dict[str, Any]) -> None:
        """A line of its attachment, after all acts. Raises Doubt."""

    def end(self, *, attached: bool) -> list[str]:
        """Everything was read; *attached*: the export says that it has the attachment. What was checked, in words."""


def room_checks(*, ticket: str | None = None) -> list[RoomCheck]:
    """A check of each room that has one. *ticket*: a serial whose place in its draws is to be shown."""
    root = Path(__file__).resolve().parent.parent
    names = sorted(path.parent.name for path in root.glob(f"*/{MODULE}.py"))
    return [import_module(f"{name}.{MODULE}").Check(ticket=ticket) for name in names]
