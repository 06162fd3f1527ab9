"""Invalidating a game (14.1, 14.4): it is not drawn again, and every ticket gets back what was paid for it (14.5).

Once the witness has been asked two people and the inspector decide (``stop_draw.py``).
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from draws.commit import reveal
from draws.masters import MasterLost
from house.gaming_days import gaming_day_at
from house.incidents import open_incident
from house.log import record_act
from house.models import Proposal
from keno import jackpots
from keno.acts import GameInvalidated
from keno.attempts import current_attempt, promise_of
from keno.cancel_late import mark_honoured, waiting_requests
from keno.incident_kinds import GAME_INVALIDATED
from keno.locks import bar_sales, hold_series, lock_game
from keno.models import Game, InvalidationCause, Match
from keno.open_games import open_next
from keno.permissions import INVALIDATE
from keno.queries.games import find_game
from keno.refunds import refund_game
from keno.steps import Step, after
from keno.void import DrawBegun, end_attempt, is_complete, publish_numbers
from kernel.actors import Actor
from kernel.refusal import Conflict, Malformed


def invalidate_game(
    *,
    number: int,
    by: Actor,
    cause: str = InvalidationCause.IMPRACTICAL,
    reason: str = "",
    now: datetime | None = None,
) -> Game:
    """Invalidate a game that is not settled. Its stakes become refunds, its contributions leave the jackpots.

    DrawBegun where it needs the inspector: see ``stop_draw.invalidate_or_propose``.
    """
    by.require(INVALIDATE)
    return invalidate(number=number, by=by, cause=cause, reason=reason, now=now or timezone.now())


def require_cause(cause: str) -> None:
    if cause not in InvalidationCause.values:
        raise Malformed("no-such-cause", f"The cause is one of {', '.join(InvalidationCause.values)}.", field="cause")


def hold_to_invalidate(number: int, *, now: datetime) -> None:
    """The advisory locks, in their order."""
    bar_sales(number)
    hold_series()
    jackpots.hold_pools(day=gaming_day_at(now).date)


@transaction.atomic
def invalidate(
    *, number: int, by: Actor, cause: str, reason: str, now: datetime, proposal: Proposal | None = None
) -> Game:
    """*proposal*: by which the inspector has decided it."""
    require_cause(cause)
    reason = reason.strip() or f"Game {number} was invalidated."
    day = gaming_day_at(now).date
    find_game(number)
    hold_to_invalidate(number, now=now)
    game = lock_game(number)
    game.status = after(game.status, Step.INVALIDATE, game=number)
    draw = current_attempt(game)
    if proposal is None and (game.asked_at is not None or is_complete(draw)):
        raise DrawBegun(
            "draw-begun",
            f"The draw of game {number} has begun: another person of the house and the inspector decide.",
            clause="act-keno:14.1",
        )
    would_be = publish_numbers(draw, cause=reason, by=by)
    game.invalidated_at, game.invalidated_by = now, by.identity
    game.invalidation_cause, game.invalidation_reason = cause, reason
    game.save(update_fields=["status", "invalidated_at", "invalidated_by", "invalidation_cause", "invalidation_reason"])
    draw.would_be = list(would_be or ())
    end_attempt(draw, reason=reason, by=by, now=now, proposal=proposal)
    Match.objects.filter(game=game).delete()
    jackpots.take_back(game=game, day=day, why=reason, by=by)
    refunded = refund_game(game=number, by=by, day=day, at=now)
    for request in waiting_requests(number):  # they have their refund with everybody's
        mark_honoured(request, now=now)
    try:
        reveal(promise_of(number), by=by)
    except MasterLost as lost:
        raise Conflict("master-lost", str(lost)) from None
    record_act(
        GameInvalidated(
            game=number,
            cause=cause,
            reason=reason,
            refunded=refunded,
            numbers=tuple(draw.numbers),
            would_be=would_be,
            proposal=None if proposal is None else proposal.pk,
        ),
        by=by,
    )
    open_incident(kind=GAME_INVALIDATED, what=reason, by=by, subject=game.subject)
    open_next(now=now, at_once=True, by=by)
    return game
