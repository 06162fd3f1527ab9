"""The life of a game, as the one table of what may follow what. Pure.

    scheduled -> open -> closed -> drawing -> drawn -> settled
                            ^---------void-----/

An attempt that is void leaves the game closed, to be redrawn under its own number (12.2-12.4). An invalidated game (14)
is over: it is not redrawn. The database refuses every other change of status by a trigger made from this same table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from house.refusal import Conflict


class Status(StrEnum):
    SCHEDULED = "scheduled"
    OPEN = "open"
    CLOSED = "closed"
    DRAWING = "drawing"
    DRAWN = "drawn"
    SETTLED = "settled"
    INVALIDATED = "invalidated"


class Step(StrEnum):
    OPEN = "opened"
    CLOSE = "closed"
    FIRST_NUMBER = "drawn"
    LAST_NUMBER = "finished"
    SETTLE = "settled"
    VOID = "declared void"
    INVALIDATE = "invalidated"


TRANSITIONS: Final[Mapping[tuple[Status, Step], Status]] = MappingProxyType(
    {
        (Status.SCHEDULED, Step.OPEN): Status.OPEN,
        (Status.OPEN, Step.CLOSE): Status.CLOSED,
        (Status.CLOSED, Step.FIRST_NUMBER): Status.DRAWING,  # 7.2: after the game has closed
        (Status.DRAWING, Step.LAST_NUMBER): Status.DRAWN,  # 7.1: the twentieth
        (Status.DRAWN, Step.SETTLE): Status.SETTLED,
        # Before the first number (12.2: balls are missing), during the draw (12.3, 12.4) or after it, until it counts.
        (Status.CLOSED, Step.VOID): Status.CLOSED,
        (Status.DRAWING, Step.VOID): Status.CLOSED,
        (Status.DRAWN, Step.VOID): Status.CLOSED,
        # A settled game stands: its prizes may be in players' hands. What is wrong with it then is a dispute (14.6).
        (Status.OPEN, Step.INVALIDATE): Status.INVALIDATED,
        (Status.CLOSED, Step.INVALIDATE): Status.INVALIDATED,
        (Status.DRAWING, Step.INVALIDATE): Status.INVALIDATED,
        (Status.DRAWN, Step.INVALIDATE): Status.INVALIDATED,
    }
)

# For the trigger: a status that stays the same is no transition.
CHANGES: Final = sorted({(old.value, new.value) for (old, _), new in TRANSITIONS.items() if old != new})

OVER: Final = frozenset({Status.SETTLED, Status.INVALIDATED})

_CLAUSES: Final[Mapping[Step, str]] = {
    Step.FIRST_NUMBER: "act-keno:7.2",
    Step.LAST_NUMBER: "act-keno:7.1",
    Step.VOID: "act-keno:12.3",
    Step.INVALIDATE: "act-keno:14.1",
}


def after(status: str, step: Step, *, game: int) -> Status:
    """The status that *step* leads to, or a refusal: 409, with the clause where there is one."""
    new = TRANSITIONS.get((Status(status), step))
    if new is None:
        raise Conflict(
            f"game-{status}",
            f"Game {game} is {status}: it cannot be {step} now.",
            clause=_CLAUSES.get(step),
        )
    return new
