"""Opening games: one is open, the next is scheduled, and their numbers go on for ever."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from house.gaming_days import latest_gaming_day
from house.log import record_act
from keno.acts import GameMoved, GameOpened
from keno.attempts import as_bytes, make_attempt
from keno.locks import hold_series, lock_game
from keno.models import Game, KenoSettings
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
        return open_next(now=now)


def open_next(*, now: datetime, at_once: bool = False, by: Actor = CLERK) -> Game | None:
    """Within a transaction that holds the series: open the scheduled game if none is open, and schedule another.

    *at_once*: the game before it is over, so that this one opens before its time.
    """
    game = _scheduled(now)
    day = latest_gaming_day(now)
    if (
        game is None
        or (game.opens_at > now and not at_once)
        or day is None
        or not day.is_open_at(now)
        or Game.objects.filter(status=Status.OPEN).exists()
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
    draw = make_attempt(game=game, attempt=1, now=now)
    record_act(
        GameOpened(
            game=game.number,
            opens_at=game.opens_at,
            closes_at=game.closes_at,
            gaming_day=game.gaming_day,
            device=game.device,
            commitment=as_bytes(draw.commitment),
        ),
        by=by,
    )
    _scheduled(game.closes_at)
    return game


def _scheduled(since: datetime) -> Game | None:
    """The scheduled game, made if there is none; None while no gaming day is known that it could be on."""
    game = Game.objects.filter(status=Status.SCHEDULED).first()
    if game is None:
        settings = KenoSettings.current()
        slot = next_slot(settings=settings, since=since)
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
    return game


def move_to_open_hours(*, now: datetime | None = None) -> Game | None:
    """An open game whose close falls outside the hours of gaming moves on to the next day (4.5, 13.1)."""
    now = now or timezone.now()
    day = latest_gaming_day(now)
    if day is not None and day.is_open_at(now):
        return None
    number = Game.objects.filter(status=Status.OPEN, closes_at__lte=now).values_list("number", flat=True).first()
    if number is None:
        return None
    with transaction.atomic():
        game = lock_game(number)
        slot = next_slot(settings=KenoSettings.current(), since=now)
        if game.status != Status.OPEN or game.closes_at > now or slot is None:
            return None
        moved = GameMoved(game=number, old=game.closes_at, new=slot.closes_at)
        game.gaming_day, game.closes_at = slot.gaming_day, slot.closes_at
        game.save(update_fields=["gaming_day", "closes_at"])
        record_act(moved, by=CLERK)
        return game
