"""The life of a promotion, as the one table of what may follow what. Pure.

    draft -> submitted -> running -> closed -> sealed -> drawn -> finished
      ^---------/            \\---------|---------/
                                   postponed

Postponed is where a promotion waits whose integrity is in doubt (17.11, 15.12); it goes on from where it stood, or is
cancelled. The database refuses every other change of status by a trigger made from this same table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from house.refusal import Conflict


class Status(StrEnum):
    DRAFT = "draft"
    SUBMITTED = "submitted"  # the regulator has the terms
    RUNNING = "running"  # entries are taken
    CLOSED = "closed"  # no entry any more
    SEALED = "sealed"  # the root of the entry list is published
    DRAWN = "drawn"
    FINISHED = "finished"  # every prize is paid, forfeited or otherwise dealt with by the terms
    POSTPONED = "postponed"
    CANCELLED = "cancelled"


class Step(StrEnum):
    SUBMIT = "submitted"
    REDRAFT = "taken back to be edited"
    START = "started"
    CLOSE = "closed"
    SEAL = "sealed"
    DRAW = "drawn"
    FINISH = "finished"
    POSTPONE = "postponed"
    CANCEL = "cancelled"


TRANSITIONS: Final[Mapping[tuple[Status, Step], Status]] = MappingProxyType(
    {
        (Status.DRAFT, Step.SUBMIT): Status.SUBMITTED,
        (Status.SUBMITTED, Step.REDRAFT): Status.DRAFT,  # and the 24 hours begin again with the next submission
        (Status.SUBMITTED, Step.START): Status.RUNNING,
        (Status.RUNNING, Step.CLOSE): Status.CLOSED,
        (Status.CLOSED, Step.SEAL): Status.SEALED,
        (Status.SEALED, Step.DRAW): Status.DRAWN,
        (Status.DRAWN, Step.FINISH): Status.FINISHED,
        (Status.RUNNING, Step.POSTPONE): Status.POSTPONED,
        (Status.CLOSED, Step.POSTPONE): Status.POSTPONED,
        (Status.SEALED, Step.POSTPONE): Status.POSTPONED,
        (Status.DRAWN, Step.POSTPONE): Status.POSTPONED,  # the draw itself is void then
        (Status.DRAFT, Step.CANCEL): Status.CANCELLED,
        (Status.SUBMITTED, Step.CANCEL): Status.CANCELLED,
        (Status.RUNNING, Step.CANCEL): Status.CANCELLED,
        (Status.CLOSED, Step.CANCEL): Status.CANCELLED,
        (Status.SEALED, Step.CANCEL): Status.CANCELLED,
        (Status.DRAWN, Step.CANCEL): Status.CANCELLED,
        (Status.POSTPONED, Step.CANCEL): Status.CANCELLED,
    }
)

# Where a postponed promotion may go on; which of them is on its row (`Promotion.resumes_as`). A list that was sealed
# before the doubt arose may have to be corrected: then it goes on closed, and is sealed anew.
RESUMES: Final = frozenset({Status.RUNNING, Status.CLOSED, Status.SEALED})

# For the trigger: a status that stays the same is no transition.
CHANGES: Final = sorted(
    {(old.value, new.value) for (old, _), new in TRANSITIONS.items()}
    | {(Status.POSTPONED.value, new.value) for new in RESUMES}
)

# The public sees a promotion from its submission on, and for good.
PUBLIC: Final = frozenset(set(Status) - {Status.DRAFT})
OVER: Final = frozenset({Status.FINISHED, Status.CANCELLED})


def after(status: str, step: Step, *, code: str, clause: str | None = None) -> Status:
    """The status that *step* leads to, or a refusal: 409, with the clause the caller knows to decide."""
    new = TRANSITIONS.get((Status(status), step))
    if new is None:
        raise Conflict(f"promotion-{status}", f"Promotion {code} is {status}: it cannot be {step} now.", clause=clause)
    return new
