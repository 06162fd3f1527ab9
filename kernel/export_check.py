"""What a room checks of its own in an audit export (``<room>/verify.py``), for the verifier to ask. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable


class Doubt(Exception):
    """What does not fit, as a sentence. The verifier adds the line."""


class RoomCheck(Protocol):
    kinds: frozenset[str]  # of the acts it reads
    attachment: str  # the name of the lines it has in the export beside the sealed rows
    shown: list[str]  # after the end: where the ticket stands that was asked for, in words
    attention: list[str]  # after the end: what is right, and yet a person should look at it
    # Of the act that comes next, as the verifier sets them: its place in the log, its subject, and how far the witness
    # had cosigned by then (None: the log names no witness).
    index: int
    subject: str
    cosigned: int | None

    def act(self, kind: str, data: dict[str, object]) -> None:
        """An act of one of its kinds, in the order of the log. Raises Doubt."""

    def attached(self, line: dict[str, object]) -> None:
        """A line of its attachment, after all acts. Raises Doubt."""

    def end(self, *, attached: bool) -> list[str]:
        """Everything was read; *attached*: the export says that it has the attachment. What was checked, in words."""


@runtime_checkable
class ComparesBalances(Protocol):
    """A room whose figures are compared with what accounts hold."""

    def balances(self, held: Mapping[str, int]) -> None:
        """What every account owes at the end, in micro-dollars. Raises Doubt."""
