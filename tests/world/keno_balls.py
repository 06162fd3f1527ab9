"""Balls that a test draws: counted first, from the approved set A, where nobody has counted them yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from keno import approved
from keno import balls as machine
from keno.models import Draw, Game
from kernel.actors import Actor
from tests.world.approvals import put_in_force

SET = "A"


def approve_set(code: str = SET) -> None:
    if not approved.known(approved.BALL_SET, code):
        put_in_force(approved.full_name(approved.BALL_SET), code, {"name": f"Set {code}", "reference": "1"})


def enter_balls(*, number: int, balls: Sequence[int], by: Actor, now: datetime | None = None) -> Game:
    """As ``keno.balls.enter_balls``; the same person has counted eighty before the first."""
    if Draw.objects.filter(game=number, voided_at=None, device="mechanical", balls_counted=None).exists():
        count_eighty(number=number, by=by, now=now)
    return machine.enter_balls(number=number, balls=balls, by=by, now=now)


def count_eighty(*, number: int, by: Actor, now: datetime | None = None) -> Game:
    approve_set()
    return machine.count_balls(number=number, counted=80, ball_set=SET, by=by, now=now)
