"""An inspector's dice in the place of a witness that is away: the movement is decided by them, and marked for ever."""

from __future__ import annotations

from draws import replace
from jackpot import permissions, queries
from jackpot.models import MeterSeal
from kernel.actors import Actor
from kernel.refusal import Conflict


def dice_for_movement(*, code: str, number: int, dice: str, why: str, by: Actor) -> MeterSeal:
    """For one sealed movement that was asked about and has no answer. The tick decides it by them."""
    by.require(permissions.DICE)
    seal = queries.find_meter_seal(code, number)
    if seal.decided_at is not None:
        raise Conflict("movement-decided", f"Movement {number} of {code} is decided: that never changes.")
    replace.throw_dice(seal.commitment, occasion=seal.occasion, attempt=seal.attempt, dice=dice, why=why, by=by)
    return seal
