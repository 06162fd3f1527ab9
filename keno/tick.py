"""What Keno does by itself: what is due, by the rows. Cheap when nothing is, safe to run twice at once.

Closing and opening come first: trouble with a draw never holds up the sales. What is only good for later games, the
witness being shown what is promised, comes last: the way from a close to the first number waits for nothing.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from draws.masters import MasterLost
from house.gaming_days import latest_gaming_day
from keno.attempts import current_attempt, seal_closed
from keno.close import close
from keno.draw import number_due_at, record_due_numbers
from keno.master_lost import tell_master_lost
from keno.models import DrawDevice, Game
from keno.open_games import CLERK, keep_open, move_to_open_hours, publish_promise
from keno.settle import settle
from keno.steps import TO_DRAW, Status
from keno.unclaimed import sweep
from kernel.locks import Lock, keep, let_go
from kernel.refusal import Conflict
from ledger.seal import seal

# Beat ticks every second, and a tick may wait in the workers' queue. So the next moment of a game is waited for, by one
# tick at a time, from a few seconds before it to the end of the draw: it comes when it is due, not with the next tick.
WAITED_FOR: Final = timedelta(seconds=5)
LOOK_SECONDS: Final = 0.5  # a supervisor may have changed what is due
ON_TIME_SECONDS: Final = 30.0


def on_time(now: datetime) -> None:
    """The tick, and what falls due soon after it."""
    tick(now)
    if not keep(Lock.KENO_CLOCK):
        return  # another one waits
    try:
        until = time.monotonic() + ON_TIME_SECONDS
        while time.monotonic() < until and (due := next_due(now := timezone.now())) and due < now + WAITED_FOR:
            pause = (due - now).total_seconds()
            time.sleep(min(pause, LOOK_SECONDS))
            if pause <= LOOK_SECONDS:
                tick(timezone.now())
    finally:
        let_go(Lock.KENO_CLOCK)


def next_due(now: datetime) -> datetime | None:
    """The next close, or number to be drawn, that is still to come."""
    games = list(Game.objects.filter(status__in=[Status.OPEN, *TO_DRAW]).order_by("number"))
    found = [game.closes_at for game in games if game.status == Status.OPEN]
    if games and games[0].status in (Status.SEALED, Status.DRAWING) and games[0].device == DrawDevice.RNG:
        found.append(number_due_at(game=games[0], draw=current_attempt(games[0])))
    return min((due for due in found if due > now), default=None)


def tick(now: datetime) -> None:
    closed = _close_due(now)
    move_to_open_hours(now=now)
    if not closed:  # with the close the next one opened, in the same moment
        keep_open(now=now)
    seal_closed(by=CLERK, now=now)  # after the opening: a large set holds no sale up
    try:
        _draw(now)
    except MasterLost as lost:
        tell_master_lost(lost)
    if closed:
        publish_promise()
        keep_open(now=now)
    sweep(now=now)


def _draw(now: datetime) -> None:
    _settle_drawn(now)
    game = record_due_numbers(now=now)
    if game is not None and game.status == Status.DRAWN:
        _settle_drawn(now)


def _close_due(now: datetime) -> bool:
    day = latest_gaming_day(now)
    due = Game.objects.filter(status=Status.OPEN, closes_at__lte=now).values_list("number", flat=True).first()
    if due is None or day is None or not day.is_open_at(now):
        return False
    try:
        close(number=due, now=now)
    except Conflict:
        return False  # another tick, or a supervisor, closed it while we waited for the sales under way
    seal()  # decision 5: at each close
    return True


def _settle_drawn(now: datetime) -> None:
    for number in Game.objects.filter(status=Status.DRAWN).order_by("number").values_list("number", flat=True):
        settle(number=number, now=now)
