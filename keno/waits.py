"""A game that waits because the witness is away: on record, on the boards and as an incident, once for each attempt."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from house.incidents import open_incident
from house.log import record_act
from keno.acts import DrawWaits
from keno.attempts import current_attempt, said_of
from keno.incident_kinds import WITNESS_AWAY
from keno.locks import lock_game
from keno.steps import Status
from kernel.actors import Actor, system

WAIT_TOLD_AFTER: Final = timedelta(seconds=3)
_TELLER: Final = system("keno-draw")


def note_wait(*, number: int, now: datetime, by: Actor = _TELLER) -> None:
    """Say that the game waits, once the witness has been silent for a moment."""
    with transaction.atomic():
        game = lock_game(number)
        if game.status != Status.SEALED or game.asked_at is None or now - game.asked_at < WAIT_TOLD_AFTER:
            return
        draw = current_attempt(game)
        if draw.asked is None or draw.waits_since is not None or said_of(draw) is not None:
            return
        draw.waits_since = now
        draw.save(update_fields=["waits_since"])
        record_act(DrawWaits(game=number, attempt=draw.attempt), by=by)
        what = (
            f"The witness does not answer about game {number}. The game waits and is asked about again, unchanged; "
            "sales go on for the games whose draws it has seen promised. An inspector may throw dice in its place, "
            "or have balls drawn."
        )
        open_incident(kind=WITNESS_AWAY, what=what, by=by, subject=game.subject)
