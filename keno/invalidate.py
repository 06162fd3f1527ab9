"""Invalidating a game (14.1, 14.4): it is not drawn again, and every ticket gets back what was paid for it (14.5)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.incidents import open_incident
from house.log import record_act
from keno import jackpots
from keno.acts import GameInvalidated
from keno.attempts import as_bytes, current_attempt
from keno.incident_kinds import GAME_INVALIDATED
from keno.locks import bar_sales, hold_series, lock_game
from keno.models import Game, InvalidationCause, Match
from keno.open_games import open_next
from keno.permissions import INVALIDATE
from keno.queries.games import find_game
from keno.refunds import refund_game
from keno.steps import Step, after
from keno.void import end_attempt
from kernel.actors import Actor
from kernel.refusal import Malformed


@transaction.atomic
def invalidate_game(
    *,
    number: int,
    by: Actor,
    cause: str = InvalidationCause.IMPRACTICAL,
    reason: str = "",
    now: datetime | None = None,
) -> Game:
    """Invalidate a game that is not settled. Its stakes become refunds, its contributions leave the jackpots."""
    by.require(INVALIDATE)
    if cause not in InvalidationCause.values:
        raise Malformed("no-such-cause", f"The cause is one of {', '.join(InvalidationCause.values)}.", field="cause")
    now = now or timezone.now()
    reason = reason.strip() or f"Game {number} was invalidated."
    day = gaming_day_at(now).date
    find_game(number)
    bar_sales(number)
    hold_series()
    jackpots.hold_pools(day=day)
    game = lock_game(number)
    game.status = after(game.status, Step.INVALIDATE, game=number)
    game.invalidated_at, game.invalidated_by = now, by.identity
    game.invalidation_cause, game.invalidation_reason = cause, reason
    game.save(update_fields=["status", "invalidated_at", "invalidated_by", "invalidation_cause", "invalidation_reason"])
    draw = current_attempt(game)
    end_attempt(draw, reason=reason, by=by, now=now)
    Match.objects.filter(game=game).delete()
    jackpots.take_back(game=game, day=day, why=reason, by=by)
    refunded = refund_game(game=number, by=by, day=day, at=now)
    record_act(
        GameInvalidated(
            game=number,
            cause=cause,
            reason=reason,
            refunded=refunded,
            numbers=tuple(draw.numbers),
            seed=as_bytes(draw.seed),
        ),
        by=by,
    )
    open_incident(kind=GAME_INVALIDATED, what=reason, by=by, subject=game.subject)
    open_next(now=now, at_once=True, by=by)
    return game
