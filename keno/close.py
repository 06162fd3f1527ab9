"""Closing a game: a barrier between the last sale for it and the first for the next (7.2, decision 7)."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from house.gaming_days import open_gaming_day
from house.log import record_act
from keno import jackpots
from keno.acts import GameClosed
from keno.attempts import seal_tickets
from keno.locks import bar_sales, hold_series, lock_game
from keno.models import Game
from keno.open_games import CLERK, keep_open, open_next, publish_promise
from keno.permissions import RUN_GAMES
from keno.queries.games import find_game
from keno.steps import Step, after
from kernel.actors import Actor
from kernel.transactions import one_transaction
from ledger.seal import seal


def close_game(*, number: int, by: Actor, now: datetime | None = None) -> Game:
    """Close the game before its time and seal its tickets. Outside of transactions: the next one's promise is shown to
    the witness at once, so that games closed by hand, one after the other, do not wait for it."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    find_game(number)  # a number that somebody typed is the key of no lock
    close(number=number, by=by, now=now)
    game = seal_tickets(number=number, by=by, now=now)
    seal()  # decision 5: at each close
    publish_promise()
    keep_open(now=now)
    return game


@one_transaction()
def close(*, number: int, now: datetime, by: Actor = CLERK) -> Game:
    """Wait for the sales under way, close the game and, in the hours of gaming, open the next in the same moment.

    Whoever calls this also calls ``keep_open`` afterwards, which schedules the one after it."""
    bar_sales(number)
    hold_series()
    day = open_gaming_day(now).date  # what is open past the hours is drawn on the next gaming day (4.5, 13.1)
    jackpots.hold_pools(day=day)
    game = lock_game(number)
    game.status = after(game.status, Step.CLOSE, game=number)
    game.closed_at = game.contributed_at = now
    staked = jackpots.feed(game=game, day=day, by=by)
    game.save(update_fields=["status", "closed_at", "contributed_at"])
    record_act(GameClosed(game=number, closed_at=now, jackpot_stakes=dict(sorted(staked.items()))), by=by)
    open_next(now=now, at_once=True, by=by, schedules=False)  # nor does the first number wait for the next promise
    return game
