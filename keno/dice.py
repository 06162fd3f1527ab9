"""An inspector's dice in the place of a witness that is away: the game goes on, and is marked for ever."""

from __future__ import annotations

from django.db import transaction

from draws.replace import throw_dice
from keno.attempts import current_attempt, promise_of
from keno.models import Game
from keno.queries.games import find_game
from keno.steps import require_generator
from kernel.actors import Actor
from kernel.refusal import Conflict


@transaction.atomic
def dice_for_game(*, number: int, dice: str, why: str, by: Actor) -> Game:
    """Only where the witness has been asked and has not answered (under its lock). The worker then draws the game."""
    game = find_game(number)
    require_generator(game)
    draw = current_attempt(game)
    if draw.asked is None:
        raise Conflict("not-asked", f"The witness has not been asked about game {number} yet.", clause="act-keno:12.3")
    throw_dice(promise_of(number), occasion=str(number), attempt=draw.asked, dice=dice, why=why, by=by)
    return game
