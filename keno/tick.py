"""What Keno does by itself, every second: what is due, by the rows. Cheap when nothing is, safe to run twice at once.

Closing and opening come first: trouble with a draw never holds up the sales.
"""

from __future__ import annotations

from datetime import datetime

from draws.masters import MasterLost
from house.gaming_days import latest_gaming_day
from keno.attempts import seal_closed
from keno.close import close
from keno.draw import record_due_numbers
from keno.master_lost import tell_master_lost
from keno.models import Game
from keno.open_games import CLERK, keep_open, move_to_open_hours, publish_promise
from keno.settle import settle
from keno.steps import Status
from keno.unclaimed import sweep
from kernel.refusal import Conflict
from ledger.seal import seal


def tick(now: datetime) -> None:
    _close_due(now)
    move_to_open_hours(now=now)
    keep_open(now=now)
    seal_closed(by=CLERK, now=now)  # after the opening: a large set holds no sale up
    try:
        _draw(now)
    except MasterLost as lost:
        tell_master_lost(lost)
    sweep(now=now)


def _draw(now: datetime) -> None:
    _settle_drawn(now)
    game = record_due_numbers(now=now)
    if game is not None and game.status == Status.DRAWN:
        _settle_drawn(now)


def _close_due(now: datetime) -> None:
    day = latest_gaming_day(now)
    due = Game.objects.filter(status=Status.OPEN, closes_at__lte=now).values_list("number", flat=True).first()
    if due is None or day is None or not day.is_open_at(now):
        return
    try:
        close(number=due, now=now)
    except Conflict:
        return  # another tick, or a supervisor, closed it while we waited for the sales under way
    seal()  # decision 5: at each close
    publish_promise()


def _settle_drawn(now: datetime) -> None:
    for number in Game.objects.filter(status=Status.DRAWN).order_by("number").values_list("number", flat=True):
        settle(number=number, now=now)
