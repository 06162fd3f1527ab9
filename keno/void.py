"""A void attempt: the draw did not count, and the same game is drawn again from the same tickets and promise (12).

With balls a supervisor declares it, with a cause. A generator's draw can always be continued: before the witness is
asked two people decide that it is void, and say why. Once it has been asked, or where the other device is to go on
after a ball, two people and the inspector do (``stop_draw.py``); the twenty numbers that would have come are published
with the decision.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from draws.ask import void_attempt
from draws.masters import MasterLost
from house.incidents import open_incident
from house.log import record_act
from house.models import Proposal
from keno.acts import DrawVoided
from keno.attempts import current_attempt, make_attempt, numbers_of, promise_of, said_of
from keno.cancel_late import refuse_requests
from keno.honour import honour_requests
from keno.incident_kinds import BALL_DAMAGED, BALLS_MISSING, BALLS_SPILLED, MALFUNCTION
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, Match
from keno.permissions import RUN_GAMES
from keno.rules.settle import DRAWN
from keno.steps import Step, after
from kernel.actors import Actor
from kernel.refusal import Conflict, Malformed, Refusal

# The cause as it is called in the API: the kind of incident that it is.
CAUSES: Final = {
    "malfunction": MALFUNCTION,
    "balls-missing": BALLS_MISSING,
    "ball-damaged": BALL_DAMAGED,
    "balls-spilled": BALLS_SPILLED,
}


class OthersDecide(Conflict):
    """One person does not declare it void: it is proposed (``stop_draw.py``)."""


class DrawBegun(OthersDecide):
    """Nobody of the house stops it any more: two people and the inspector decide."""


def void_draw(
    *,
    number: int,
    by: Actor,
    cause: str = "malfunction",
    reason: str = "",
    device: str | None = None,
    now: datetime | None = None,
) -> Game:
    """Declare the draw void. The game stays sealed, with everybody in it, and is redrawn; *device*: with this one.

    OthersDecide where it needs a second person, or the inspector: see ``stop_draw.void_or_propose``.
    """
    by.require(RUN_GAMES)
    return void(number=number, by=by, cause=cause, reason=reason, device=device, now=now or timezone.now())


def require_cause(*, cause: str, device: str | None) -> None:
    if device is not None and device not in DrawDevice.values:
        raise Malformed("no-such-device", "A device is “rng” or “mechanical”.", field="device")
    if cause not in CAUSES:
        raise Malformed("no-such-cause", f"The cause is one of {', '.join(CAUSES)}.", field="cause")


@transaction.atomic
def void(
    *,
    number: int,
    by: Actor,
    cause: str,
    reason: str,
    now: datetime,
    device: str | None = None,
    proposal: Proposal | None = None,
) -> Game:
    """*proposal*: by which the inspector has decided it."""
    require_cause(cause=cause, device=device)
    game = lock_game(number)
    new = after(game.status, Step.VOID, game=number)
    draw = current_attempt(game)
    if cause != "malfunction" and draw.device != DrawDevice.MECHANICAL:
        raise Refusal("no-balls", f"Game {number} is drawn without balls.", clause="act-keno:12.4a", field="cause")
    if proposal is None:
        require_one_suffices(draw, device=device)
    reason = reason.strip() or f"The draw of game {number} was declared void."
    would_be = publish_numbers(draw, cause=reason, by=by)
    if draw.asked is not None and would_be is None and device != DrawDevice.MECHANICAL:
        raise Conflict(
            "not-answered-yet",
            f"The witness has not answered about game {number}: what would have come cannot be published, so the draw "
            "cannot be void. It may go on with an inspector’s dice, or with balls.",
            clause="act-keno:12.3",
        )
    draw.would_be = list(would_be or ())
    end_attempt(draw, reason=reason, by=by, now=now, proposal=proposal)
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
            device=following.device,
            would_be=would_be,
            proposal=None if proposal is None else proposal.pk,
        ),
        by=by,
    )
    if would_be is not None:
        refuse_requests(game=number, now=now)
    elif draw.asked is not None:  # nobody knows a number of it: who wanted out meanwhile is let out
        honour_requests(game=number, by=by, now=now)
    open_incident(kind=CAUSES[cause], what=reason, by=by, subject=game.subject)
    return game


def require_one_suffices(draw: Draw, *, device: str | None = None) -> None:
    changes = device is not None and device != draw.device
    if draw.device == DrawDevice.RNG and draw.asked is None:
        raise OthersDecide(
            "second-person-decides",
            f"The draw of game {draw.game_id} can be continued: another person decides whether it is void.",
            clause="act-keno:12.3",
        )
    if draw.asked is not None or is_complete(draw) or (changes and draw.began_at is not None):
        raise DrawBegun(
            "draw-begun",
            f"The draw of game {draw.game_id} has begun: another person of the house and the inspector decide.",
            clause="act-keno:12.3",
        )


def is_complete(draw: Draw) -> bool:
    """All twenty balls wait to be read back: none cracks or spills any more, and who would void them knows who won."""
    return len(draw.numbers) == DRAWN


def publish_numbers(draw: Draw, *, cause: str, by: Actor) -> tuple[int, ...] | None:
    """The twenty numbers that the attempt gives, published as void. None: nobody was asked, or nobody has answered."""
    said = said_of(draw)
    if said is None:
        return None
    assert draw.asked is not None
    try:
        would_be = numbers_of(draw, said)
    except MasterLost as lost:
        raise Conflict("master-lost", str(lost)) from None
    promise, occasion = promise_of(draw.game_id), str(draw.game_id)
    void_attempt(promise, occasion=occasion, attempt=draw.asked, cause=cause, numbers=would_be, by=by)
    return tuple(would_be)


@transaction.atomic
def publish_abandoned(draw: Draw, *, by: Actor) -> bool:
    """An attempt that balls had replaced while the witness was away: what it gives is published as void before the
    generator is used again. False: it has no answer to this day."""
    earlier = Draw.objects.filter(game=draw.game_id, asked__isnull=False, asked__lt=draw.asked, would_be=[])
    if not earlier.exists():
        return True
    lock_game(draw.game_id)
    for each in earlier.order_by("asked"):
        would_be = publish_numbers(each, cause=each.void_reason, by=by)
        if would_be is None:
            return False
        each.would_be = list(would_be)
        each.save(update_fields=["would_be"])
    return True


def end_attempt(draw: Draw, *, reason: str, by: Actor, now: datetime, proposal: Proposal | None = None) -> None:
    """The attempt is void. The game's row is locked."""
    draw.voided_at, draw.voided_by, draw.void_reason = now, by.identity, reason
    draw.void_proposal = proposal
    draw.waits_since = None
    draw.save(update_fields=["voided_at", "voided_by", "void_reason", "void_proposal", "would_be", "waits_since"])
