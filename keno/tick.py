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
# The others leave it alone, as long as nothing is late: two that close, seal and ask at once only wait for each other.
WAITED_FOR: Final = timedelta(seconds=5)
LATE: Final = timedelta(seconds=1)
PAUSE_SECONDS: Final = 1.0  # at most between two ticks of who waits: a supervisor may have changed what is due
ON_TIME_SECONDS: Final = 30.0  # then another one may wait,
HAND_OVER_SECONDS: Final = 2.0  # not so soon before something is due,
LONGEST_SECONDS: Final = 40.0  # but then in any case


def on_time(now: datetime) -> None:
    """The tick, and what falls due soon after it."""
    if not keep(Lock.KENO_CLOCK):
        if is_late(now):  # who waits is held up: by a large game, or by the witness
            tick(now)
        return
    try:
        began = time.monotonic()
        tick(now)
        while (seconds := _seconds_to_wait()) is not None and not _is_long(time.monotonic() - began, seconds):
            time.sleep(seconds if seconds < 2 * PAUSE_SECONDS else PAUSE_SECONDS)
            tick(timezone.now())
    finally:
        let_go(Lock.KENO_CLOCK)


def next_due(now: datetime) -> datetime | None:
    """The next close, or number to be drawn, that is still to come."""
    return min((due for due in _moments() if due > now), default=None)


def due(now: datetime) -> datetime | None:
    """For a quiet house: a little before the next close or number, from when it is waited for; now, where something is
    to be sealed, drawn or settled without anybody; when the next game opens, where none is open."""
    by_itself = Game.objects.filter(status__in=[Status.CLOSED, Status.DRAWN])
    to_draw = Game.objects.filter(status__in=[Status.SEALED, Status.DRAWING], device=DrawDevice.RNG)
    if by_itself.exists() or to_draw.exists():
        return now
    coming = [game.closes_at - WAITED_FOR for game in Game.objects.filter(status=Status.OPEN)]
    opening = Game.objects.filter(status=Status.SCHEDULED).order_by("number").first()
    return min(coming, default=opening.opens_at if opening is not None else None)


def is_late(now: datetime) -> bool:
    """Whether a close or a number should have come a while ago."""
    return any(due < now - LATE for due in _moments())


def late_seconds(now: datetime) -> float:
    """By how much the close or the number that is due first is late."""
    return max(((now - due).total_seconds() for due in _moments()), default=0.0)


def _moments() -> list[datetime]:
    """When the next close and the next number are due."""
    games = list(Game.objects.filter(status__in=[Status.OPEN, *TO_DRAW]).order_by("number"))
    found = [game.closes_at for game in games if game.status == Status.OPEN]
    if games and games[0].status in (Status.SEALED, Status.DRAWING) and games[0].device == DrawDevice.RNG:
        found.append(number_due_at(game=games[0], draw=current_attempt(games[0])))
    return found


def _seconds_to_wait() -> float | None:
    """Until what is due soon; None where nothing is."""
    now = timezone.now()
    due = next_due(now)
    return (due - now).total_seconds() if due is not None and due < now + WAITED_FOR else None


def _is_long(taken_seconds: float, due_seconds: float) -> bool:
    """Whether this tick has waited long enough, and another one may take its place before the next moment."""
    return taken_seconds > LONGEST_SECONDS or (taken_seconds > ON_TIME_SECONDS and due_seconds > HAND_OVER_SECONDS)


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
