"""What may be done next, and by whom: with an over- or underpayment, and on the pages of table games.

The verbs ask ``must_take``, which refuses; pages ask ``error_steps``, which asks it too, and show what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from django.utils import timezone

from house.persons import is_another
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.refusal import Forbidden, Refusal
from tablegames import in_force, permissions
from tablegames.models import GamingTable, PaymentError
from tablegames.rules.payment_errors import Direction, NextStep, Status, allow

_NEEDS: Final[Mapping[NextStep, Permission]] = {
    NextStep.DECIDE: permissions.RECTIFY,
    NextStep.STEP: permissions.RECTIFY,
    NextStep.RECTIFY: permissions.RECTIFY,
    NextStep.CLOSE: permissions.CLOSE,
}


def must_take(step: NextStep, error: PaymentError, by: Actor) -> None:
    """Money leaves, or is given up, on two people's word: one wrote down what was wrong, another pays or lets it go."""
    by.require(_NEEDS[step])
    allow(Status(error.status), step)
    leaves = step == NextStep.CLOSE or (step == NextStep.RECTIFY and error.direction == Direction.UNDER)
    if leaves and not is_another(by, _NEEDS[step], error.found_by):
        raise Forbidden("same-person", "Another person does this than the one who wrote the error down.")


def error_steps(error: PaymentError, by: Actor) -> frozenset[NextStep]:
    allowed = set()
    for step in NextStep:
        try:
            must_take(step, error, by)
        except Refusal:
            continue
        allowed.add(step)
    return frozenset(allowed)


class SignStep(StrEnum):
    LIMITS = "limits"
    SEAT = "seat"
    LEAVE = "leave"
    TAKE_DOWN = "take-down"
    ANNOUNCE_CLOSING = "announce-closing"
    CLOSE = "close"
    REOPEN = "reopen"


def sign_steps(table: GamingTable, by: Actor) -> frozenset[SignStep]:
    """What may be done at a table's sign: the verbs ask the same, and say why not."""
    if not by.may(permissions.SIGNS):
        return frozenset()
    if in_force.is_closed(table):
        return frozenset({SignStep.REOPEN, SignStep.LIMITS, SignStep.TAKE_DOWN})
    signs = in_force.signs_at(table)
    offered = set(SignStep) - {SignStep.REOPEN}
    if signs.closing is not None:
        offered.discard(SignStep.ANNOUNCE_CLOSING)
    try:
        signs.must_close(at=timezone.now())
    except Refusal:
        offered.discard(SignStep.CLOSE)
    return frozenset(offered)


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
