"""The mechanical device: balls counted, entered, confirmed, fallen back, the device stopped (2.1, 7.1, 12).

The balls drawn are the official record (12.1): what is entered is what is played. The set is counted before the draw;
who enters the first ball without a count on record answers for the eighty. Where the venue asks for it, a second
person enters the same balls, and only then they count.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.incidents import open_incident
from house.log import record_act
from house.persons import is_another
from keno.acts import BallFellBack
from keno.attempts import current_attempt, seal_tickets
from keno.draw import begin, hold_pools_to_begin, record
from keno.incident_kinds import BALL_FELL_BACK, DEVICE_STOPPED
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, KenoSettings
from keno.permissions import RUN_GAMES
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.settle import settle
from keno.steps import Status, require_balls
from keno.void import void
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal


def count_balls(*, number: int, counted: int, by: Actor, now: datetime | None = None) -> Game:
    """The count before the draw. Anything but 80 makes the draw void, to be redrawn with a full set (12.2)."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    _seal_closed(number, by=by, now=now)
    with transaction.atomic():
        game, draw = _mechanical(number)
        if draw.began_at is not None:
            raise Conflict("draw-begun", "The balls are counted before the first one is drawn.", clause="act-keno:12.2")
        _count(draw, counted=counted, by=by)
        if counted != NUMBERS:
            reason = f"{counted} balls were in the device before the draw of game {number}, not {NUMBERS}."
            return void(number=number, by=by, cause="balls-missing", reason=reason, now=now)
        return game


def enter_balls(*, number: int, balls: Sequence[int], by: Actor, now: datetime | None = None) -> Game:
    """Enter the next balls, in the order drawn. The twentieth completes the draw, and the game is settled."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    _seal_closed(number, by=by, now=now)
    with transaction.atomic():
        game = _enter(number=number, balls=list(balls), by=by, now=now)
    return settle(number=number, by=by, now=now) if game.status == Status.DRAWN else game


def _enter(*, number: int, balls: list[int], by: Actor, now: datetime) -> Game:
    hold_pools_to_begin(number=number, now=now)
    game, draw = _mechanical(number)
    _check(balls, draw)
    if KenoSettings.current().balls_confirmed and not _confirmed(draw, balls, by):
        return game
    if draw.balls_counted is None:
        _count(draw, counted=NUMBERS, by=by)
    if game.status != Status.DRAWING:
        begin(game=game, draw=draw, by=by, now=now)
    draw.waiting, draw.waiting_by = [], None
    record(game=game, draw=draw, new=balls, by=by, now=now)
    return game


def _confirmed(draw: Draw, balls: list[int], by: Actor) -> bool:
    """Whether another person has entered the same balls before. The same person again corrects what waits."""
    if draw.waiting and is_another(by, RUN_GAMES, draw.waiting_by):
        if draw.waiting != balls:
            raise Conflict(
                "balls-differ",
                f"Entered before: {', '.join(map(str, draw.waiting))}. Look at the balls again, both of you.",
                clause="act-keno:12.1",
                field="numbers",
            )
        return True
    draw.waiting, draw.waiting_by = balls, by.identity
    draw.save(update_fields=["waiting", "waiting_by"])
    return False


def fall_back(*, number: int, ball: int, by: Actor, now: datetime | None = None) -> Game:
    """A ball fell back before the draw was complete: it was not drawn, and may be drawn again (12.4b)."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    with transaction.atomic():
        game, draw = _mechanical(number)
        if game.status != Status.DRAWING or ball not in draw.numbers:
            raise Conflict(
                "ball-not-drawn",
                f"Ball {ball} is not among the drawn ones of an unfinished draw of game {number}.",
                clause="act-keno:12.4b",
                field="number",
            )
        draw.numbers = [each for each in draw.numbers if each != ball]
        draw.save(update_fields=["numbers"])
        record_act(BallFellBack(game=number, attempt=draw.attempt, number=ball), by=by)
        what = f"Ball {ball} fell back into the device during the draw of game {number}. It is not drawn."
        open_incident(kind=BALL_FELL_BACK, what=what, by=by, subject=game.subject)
        return game


def report_stoppage(*, number: int, by: Actor, what: str = "") -> Game:
    """The device stopped: it is operated by hand, and the balls are entered as before (12.4d)."""
    by.require(RUN_GAMES)
    with transaction.atomic():
        game, _ = _mechanical(number)
        what = what.strip() or f"The device stopped during the draw of game {number} and is operated by hand."
        open_incident(kind=DEVICE_STOPPED, what=what, by=by, subject=game.subject)
        return game


def _seal_closed(number: int, *, by: Actor, now: datetime) -> None:
    """The first ball comes after the seal: where the worker has not come to it yet, it is done now."""
    if Game.objects.filter(number=number, status=Status.CLOSED, device=DrawDevice.MECHANICAL).exists():
        seal_tickets(number=number, by=by, now=now)


def _mechanical(number: int) -> tuple[Game, Draw]:
    """The game and its standing attempt, if its balls are being drawn or are the next to be."""
    game = lock_game(number)
    require_balls(game)
    return game, current_attempt(game)


def _count(draw: Draw, *, counted: int, by: Actor) -> None:
    draw.balls_counted, draw.counted_by = counted, by.identity
    draw.save(update_fields=["balls_counted", "counted_by"])


def _check(balls: list[int], draw: Draw) -> None:
    if not balls:
        raise Refusal("balls-missing", "Enter at least one ball.", clause="act-keno:7.1", field="numbers")
    if len(draw.numbers) + len(balls) > DRAWN:
        left = DRAWN - len(draw.numbers)
        raise Refusal(
            "too-many-balls",
            f"{DRAWN} balls are drawn, and {left} are left to draw.",
            clause="act-keno:7.1",
            field="numbers",
        )
    seen = set(draw.numbers)
    for place, ball in enumerate(balls):
        if not 1 <= ball <= NUMBERS:
            raise Refusal(
                "no-such-ball",
                f"Balls are numbered 1 to {NUMBERS}; there is no {ball}.",
                clause="act-keno:2.1",
                field=f"numbers[{place}]",
            )
        if ball in seen:
            raise Refusal(
                "ball-drawn-already",
                f"Ball {ball} has been drawn already.",
                clause="act-keno:2.1",
                field=f"numbers[{place}]",
            )
        seen.add(ball)
