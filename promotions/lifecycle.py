"""The life of a promotion, as the one table of what may follow what. Pure.

    draft -> submitted -> running -> closed -> sealed -> drawing -> drawn -> finished
      ^---------/            \\---------|---------/          |         |
                                   postponed <-------------+---------/

Postponed is where a promotion waits whose integrity is in doubt (17.11, 15.12); it goes on from where it stood, or is
cancelled. From drawing on the witness is asked: from there it is postponed or cancelled only by declaring the attempt
void, which takes two people and the inspector (`promotions.void`). The database refuses every other change of status
by a trigger made from this same table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Status(StrEnum):
    DRAFT = "draft"
    SUBMITTED = "submitted"  # the regulator has the terms
    RUNNING = "running"  # entries are taken
    CLOSED = "closed"  # no entry any more
    SEALED = "sealed"  # the root of the entry list is published
    DRAWING = "drawing"  # locked: the witness is asked, and the numbers follow from what it says
    DRAWN = "drawn"
    FINISHED = "finished"  # every prize is paid, forfeited or otherwise dealt with by the terms
    POSTPONED = "postponed"
    CANCELLED = "cancelled"


class Step(StrEnum):
    """What may be done with a promotion as such. `promotions.steps` says by whom."""

    EDIT = "edit"
    SUBMIT = "submit"
    REDRAFT = "redraft"
    GIVE_UP = "give-up"
    START = "start"
    AMEND = "amend"
    ENTER = "enter"
    IMPORT = "import"
    WITHDRAW = "withdraw"
    CLOSE = "close"
    SEAL = "seal"
    DRAW = "draw"
    RECORD = "record"  # what was drawn, once the witness has answered
    FINISH = "finish"
    POSTPONE = "postpone"
    RESUME = "resume"
    CANCEL = "cancel"
    VOID = "void"  # an attempt that the witness was asked about, to be made again
    VOID_FOR_GOOD = "void-for-good"


TRANSITIONS: Final[Mapping[tuple[Status, Step], Status]] = MappingProxyType(
    {
        (Status.DRAFT, Step.SUBMIT): Status.SUBMITTED,
        (Status.SUBMITTED, Step.REDRAFT): Status.DRAFT,  # and the 24 hours begin again with the next submission
        (Status.SUBMITTED, Step.START): Status.RUNNING,
        (Status.RUNNING, Step.CLOSE): Status.CLOSED,
        (Status.CLOSED, Step.SEAL): Status.SEALED,
        (Status.SEALED, Step.DRAW): Status.DRAWING,
        (Status.DRAWING, Step.RECORD): Status.DRAWN,
        (Status.DRAWN, Step.FINISH): Status.FINISHED,
        (Status.RUNNING, Step.POSTPONE): Status.POSTPONED,
        (Status.CLOSED, Step.POSTPONE): Status.POSTPONED,
        (Status.SEALED, Step.POSTPONE): Status.POSTPONED,
        (Status.DRAWING, Step.VOID): Status.POSTPONED,
        (Status.DRAWN, Step.VOID): Status.POSTPONED,
        (Status.DRAFT, Step.GIVE_UP): Status.CANCELLED,
        (Status.SUBMITTED, Step.GIVE_UP): Status.CANCELLED,
        (Status.RUNNING, Step.CANCEL): Status.CANCELLED,  # from here on only where its integrity is compromised
        (Status.CLOSED, Step.CANCEL): Status.CANCELLED,
        (Status.SEALED, Step.CANCEL): Status.CANCELLED,
        (Status.DRAWING, Step.VOID_FOR_GOOD): Status.CANCELLED,
        (Status.DRAWN, Step.VOID_FOR_GOOD): Status.CANCELLED,
        (Status.POSTPONED, Step.CANCEL): Status.CANCELLED,
    }
)

# What leaves the status as it is, or as `Promotion.resumes_as` says.
_WHILE: Final[Mapping[Step, frozenset[Status]]] = {
    Step.EDIT: frozenset({Status.DRAFT}),
    Step.AMEND: frozenset({Status.RUNNING, Status.CLOSED, Status.POSTPONED}),
    Step.ENTER: frozenset({Status.RUNNING}),
    Step.IMPORT: frozenset({Status.RUNNING}),
    Step.WITHDRAW: frozenset({Status.RUNNING, Status.CLOSED}),
    Step.RESUME: frozenset({Status.POSTPONED}),
}

OPEN_IN: Final[Mapping[Step, frozenset[Status]]] = MappingProxyType(
    {step: _WHILE.get(step) or frozenset(old for old, by in TRANSITIONS if by is step) for step in Step}
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
NOT_STARTED: Final = frozenset({Status.DRAFT, Status.SUBMITTED})
OVER: Final = frozenset({Status.FINISHED, Status.CANCELLED})
