"""What may be done next, and by whom: with an over- or underpayment, and on the pages of table games.

The verbs ask ``must_take``, which refuses; pages ask ``error_steps``, which asks it too, and show what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from kernel.actors import Actor
from kernel.codes import Permission
from kernel.refusal import Refusal
from tablegames import permissions
from tablegames.models import PaymentError
from tablegames.rules.payment_errors import NextStep, Status, allow

_NEEDS: Final[Mapping[NextStep, Permission]] = {
    NextStep.DECIDE: permissions.RECTIFY,
    NextStep.STEP: permissions.RECTIFY,
    NextStep.RECTIFY: permissions.RECTIFY,
    NextStep.CLOSE: permissions.CLOSE,
}


def must_take(step: NextStep, error: PaymentError, by: Actor) -> None:
    by.require(_NEEDS[step])
    allow(Status(error.status), step)


def error_steps(error: PaymentError, by: Actor) -> frozenset[NextStep]:
    allowed = set()
    for step in NextStep:
        try:
            must_take(step, error, by)
        except Refusal:
            continue
        allowed.add(step)
    return frozenset(allowed)


class RoomStep(StrEnum):
    CHECK = "check"
    REPORT = "report"


_ROOM_NEEDS: Final[Mapping[RoomStep, Permission]] = {
    RoomStep.CHECK: permissions.CHECK,
    RoomStep.REPORT: permissions.REPORTS,
}


def room_steps(by: Actor) -> frozenset[RoomStep]:
    """What may be begun from the list: a hand checked, reports read."""
    return frozenset(step for step, permission in _ROOM_NEEDS.items() if by.may(permission))
