"""A void attempt: the draw did not count, and the same game is drawn again with a new seed or a full set of balls (12).

The seed of a void attempt is revealed at once: nothing depends on it any more, and whoever doubts can
see what it was. Where the device is at fault the supervisor may say that the game is redrawn with the other one; those
after it keep the venue's choice.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from chance.seeds import SeedUnreadable
from house.incidents import open_incident
from house.log import record_act
from keno.acts import DrawVoided
from keno.attempts import as_bytes, current_attempt, make_attempt, seed_of
from keno.incident_kinds import BALL_DAMAGED, BALLS_MISSING, BALLS_SPILLED, MALFUNCTION
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, Match
from keno.permissions import RUN_GAMES
from keno.steps import Step, after
from kernel.actors import Actor
from kernel.refusal import Malformed, Refusal

# The cause as it is called in the API: the kind of incident that it is.
CAUSES: Final = {
    "malfunction": MALFUNCTION,
    "balls-missing": BALLS_MISSING,
    "ball-damaged": BALL_DAMAGED,
    "balls-spilled": BALLS_SPILLED,
}


def void_draw(
    *,
    number: int,
    by: Actor,
    cause: str = "malfunction",
    reason: str = "",
    device: str | None = None,
    now: datetime | None = None,
) -> Game:
    """Declare the draw void. The game stays closed, with everybody in it, and is redrawn; *device*: with this one."""
    by.require(RUN_GAMES)
    return void(number=number, by=by, cause=cause, reason=reason, device=device, now=now or timezone.now())


@transaction.atomic
def void(*, number: int, by: Actor, cause: str, reason: str, now: datetime, device: str | None = None) -> Game:
    if device is not None and device not in DrawDevice.values:
        raise Malformed("no-such-device", "A device is “rng” or “mechanical”.", field="device")
    if cause not in CAUSES:
        raise Malformed("no-such-cause", f"The cause is one of {', '.join(CAUSES)}.", field="cause")
    game = lock_game(number)
    new = after(game.status, Step.VOID, game=number)
    draw = current_attempt(game)
    if cause != "malfunction" and draw.device != DrawDevice.MECHANICAL:
        raise Refusal("no-balls", f"Game {number} is drawn without balls.", clause="act-keno:12.4a", field="cause")
    reason = reason.strip() or f"The draw of game {number} was declared void."
    end_attempt(draw, reason=reason, by=by, now=now)
    Match.objects.filter(game=game).delete()
    game.status, game.drawn_at, game.matched_upto = new, None, None
    game.device = device or game.device
    game.save(update_fields=["status", "drawn_at", "matched_upto", "device"])
    following = make_attempt(game=game, attempt=draw.attempt + 1, now=now)
    record_act(
        DrawVoided(
            game=number,
            attempt=draw.attempt,
            cause=cause,
            reason=reason,
            numbers=tuple(draw.numbers),
            seed=as_bytes(draw.seed),
            device=following.device,
            commitment=as_bytes(following.commitment),
        ),
        by=by,
    )
    open_incident(kind=CAUSES[cause], what=reason, by=by, subject=game.subject)
    return game


def end_attempt(draw: Draw, *, reason: str, by: Actor, now: datetime) -> None:
    """The attempt is void, and its seed open to everybody. The game's row is locked."""
    draw.voided_at, draw.voided_by, draw.void_reason = now, by.identity, reason
    draw.waiting, draw.waiting_by = [], None
    if draw.device == DrawDevice.RNG:
        try:
            draw.seed = seed_of(draw)
        except SeedUnreadable:
            draw.seed = None  # lost with its key: that may be the very reason why the attempt is void
    draw.save(update_fields=["voided_at", "voided_by", "void_reason", "waiting", "waiting_by", "seed"])
