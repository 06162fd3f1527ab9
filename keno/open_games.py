"""Opening games: one is open, the next is scheduled, and their numbers go on for ever.

Draws are promised (``draws.commit``) as many games ahead as KENO_PROMISED_AHEAD says, and a game opens once the witness
has seen its promise. So sales go on for that many games while the witness is away, and no further: what is sold on a
draw that nobody else has seen promised could still be promised otherwise.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings as configured
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from draws.commit import commit_ahead, is_public, publish
from house.gaming_days import latest_gaming_day
from house.log import record_act
from keno import exposure
from keno.acts import GameMoved, GameOpened
from keno.attempts import make_attempt, promise_of
from keno.locks import hold_series, lock_game
from keno.models import Game, KenoSettings
from keno.queries.attempts import PURPOSE
from keno.steps import Status, Step, after
from keno.timetable import next_slot
from kernel.actors import Actor, system

CLERK = system("keno-clock")


def keep_open(*, now: datetime | None = None) -> Game | None:
    """Schedule what is not scheduled and open what is due; the game that was opened, if one was. Safe to repeat."""
    now = now or timezone.now()
    due = Game.objects.filter(status=Status.SCHEDULED).values_list("opens_at", flat=True).first()
    if due is not None and (due > now or Game.objects.filter(status=Status.OPEN).exists()):
        return None  # every second but one an interval: nothing to do, no lock taken
    with transaction.atomic():
        hold_series()
        opened = open_next(now=now)
    if opened is None and publish_promise():
        with transaction.atomic():
            hold_series()
            opened = open_next(now=now)
    if opened is not None:
        publish_promise()  # the next one's, so that it opens in the moment in which this one closes
    return opened


def publish_promise() -> bool:
    """Whether the witness has seen the promise of the scheduled game; it is shown it now where it had not."""
    game = Game.objects.filter(status=Status.SCHEDULED).first()
    return game is not None and publish(promise_of(game.number))


def open_next(*, now: datetime, at_once: bool = False, by: Actor = CLERK, schedules: bool = True) -> Game | None:
    """Within a transaction that holds the series: open the scheduled game if none is open, and schedule another; not
    where *schedules* leaves that to the next ``keep_open``.

    *at_once*: the game before it is over, so that this one opens before its time. None also where the witness has not
    seen its promise yet: nothing is sold on a draw that could still be promised otherwise.
    """
    game = _scheduled(now)
    day = latest_gaming_day(now)
    if (
        game is None
        or (game.opens_at > now and not at_once)
        or day is None
        or not day.is_open_at(now)
        or Game.objects.filter(status=Status.OPEN).exists()
        or not is_public(promise := promise_of(game.number))
    ):
        return None
    game = lock_game(game.number)
    settings = KenoSettings.current()
    slot = next_slot(settings=settings, since=now)
    if slot is None or slot.opens_at > now:  # the day has no game left
        if slot is not None:
            game.gaming_day, game.opens_at, game.closes_at = slot.gaming_day, slot.opens_at, slot.closes_at
            game.save(update_fields=["gaming_day", "opens_at", "closes_at"])
        return None
    game.status = after(game.status, Step.OPEN, game=game.number)
    game.device, game.opened_at = settings.device, now
    game.gaming_day, game.opens_at, game.closes_at = slot.gaming_day, slot.opens_at, slot.closes_at
    game.save(update_fields=["status", "device", "opened_at", "gaming_day", "opens_at", "closes_at"])
    exposure.begin(game)
    make_attempt(game=game, attempt=1, now=now)
    record_act(
        GameOpened(
            game=game.number,
            opens_at=game.opens_at,
            closes_at=game.closes_at,
            gaming_day=game.gaming_day,
            device=game.device,
            commitment=bytes(promise.commitment),
        ),
        by=by,
    )
    if schedules:
        _scheduled(game.closes_at)
    return game


def _scheduled(since: datetime) -> Game | None:
    """The scheduled game, made and its draw promised if there is none; None while no gaming day is known for it."""
    game = Game.objects.filter(status=Status.SCHEDULED).first()
    if game is None:
        settings = KenoSettings.current()
        on_sale = Game.objects.filter(status=Status.OPEN).values_list("closes_at", flat=True).first()
        slot = next_slot(settings=settings, since=max(since, on_sale or since))
        if slot is None:
            return None
        last = Game.objects.aggregate(last=Max("number"))["last"] or 0
        game = Game.objects.create(
            number=last + 1,
            device=settings.device,
            gaming_day=slot.gaming_day,
            opens_at=slot.opens_at,
            closes_at=slot.closes_at,
        )
    _promise_from(game)
    return game


def _promise_from(game: Game) -> None:
    """The draws of the scheduled game and of those after it, each once; under the witness who is in force, for he alone
    will answer. Where another was appointed, what was promised under the one before and is not on sale is promised anew
    (docs/proof/draws.md)."""
    ahead = range(game.number, game.number + configured.KENO_PROMISED_AHEAD)
    commit_ahead(purpose=PURPOSE, names=[str(number) for number in ahead], device=game.device, by=CLERK)


def move_to_open_hours(*, now: datetime | None = None) -> Game | None:
    """An open game whose close falls outside the hours of gaming moves on to the next day, and the one after it with it
    (4.5, 13.1); after an early close at once (13.2): nobody is told of an opening this evening."""
    now = now or timezone.now()
    day = latest_gaming_day(now)
    if day is not None and day.is_open_at(now):
        return None
    moved = _move_open(now)
    _move_scheduled(now)
    return moved


def _move_open(now: datetime) -> Game | None:
    number = Game.objects.filter(status=Status.OPEN).values_list("number", flat=True).first()
    if number is None:
        return None
    with transaction.atomic():
        game = lock_game(number)
        slot = next_slot(settings=KenoSettings.current(), since=now)
        if game.status != Status.OPEN or slot is None or slot.closes_at == game.closes_at:
            return None
        moved = GameMoved(game=number, old=game.closes_at, new=slot.closes_at)
        game.gaming_day, game.closes_at = slot.gaming_day, slot.closes_at
        game.save(update_fields=["gaming_day", "closes_at"])
        record_act(moved, by=CLERK)
        return game


def _move_scheduled(now: datetime) -> None:
    """What was scheduled for the rest of a day that is over opens with the next."""
    day = latest_gaming_day(now)
    scheduled = Game.objects.filter(status=Status.SCHEDULED).first()
    if scheduled is None or day is None or scheduled.gaming_day > day.date:
        return
    with transaction.atomic():
        hold_series()
        game = lock_game(scheduled.number)
        before = Game.objects.filter(status=Status.OPEN).values_list("closes_at", flat=True).first()
        slot = next_slot(settings=KenoSettings.current(), since=before or now)
        if game.status == Status.SCHEDULED and slot is not None:
            game.gaming_day, game.opens_at, game.closes_at = slot.gaming_day, slot.opens_at, slot.closes_at
            game.save(update_fields=["gaming_day", "opens_at", "closes_at"])
