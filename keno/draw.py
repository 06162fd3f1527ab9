"""Drawing by random number generator: number by number from the committed seed, by whoever picks it up (7, 12.1, 12.3).

With the first number the set of tickets is sealed, in the same transaction. Each number is an act, the twentieth also
the end of the draw.

Games are drawn in their order. The first number needs an open gaming day (13.1); a draw once begun is finished.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from chance.select import RecordDiffers, numbers
from house.gaming_days import gaming_day_at, latest_gaming_day, open_gaming_day
from house.log import record_act
from keno import jackpots
from keno.acts import DrawFinished, NumberDrawn
from keno.attempts import current_attempt, seed_of, ticket_set
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, KenoSettings
from keno.permissions import RUN_GAMES
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.settle import settle
from keno.steps import Status, Step, after, require_generator
from kernel.actors import Actor, system
from kernel.refusal import Conflict

DRAWER: Final = system("keno-draw")


def draw_game(*, number: int, by: Actor, now: datetime | None = None) -> Game:
    """Draw what is left of the game at once, and settle it. Earlier games that wait for their turn are drawn first."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    for earlier in (
        Game.objects.filter(number__lt=number, status__in=[Status.CLOSED, Status.DRAWING, Status.DRAWN])
        .order_by("number")
        .values_list("number", flat=True)
    ):
        _finish(number=earlier, by=by, now=now)
    return _finish(number=number, by=by, now=now)


def _finish(*, number: int, by: Actor, now: datetime) -> Game:
    game = Game.objects.filter(number=number).first()
    if game is None or game.status != Status.DRAWN:
        record_numbers(number=number, upto=DRAWN, by=by, now=now)
    return settle(number=number, by=by, now=now)


def due_numbers(*, game: Game, draw: Draw, now: datetime) -> int:
    """How many numbers should be on record by now, at the venue's pace."""
    settings = KenoSettings.current()
    if draw.began_at is None:
        assert game.closed_at is not None
        return int(now >= max(game.closed_at, draw.made_at) + settings.draw_after)
    if not settings.pace:
        return DRAWN
    return min(DRAWN, 1 + (now - draw.began_at) // settings.pace)


@transaction.atomic
def record_due_numbers(*, now: datetime) -> Game | None:
    """The numbers due by now of the game whose turn it is. None: there are none, or another tick is at it."""
    waiting = Game.objects.filter(status__in=[Status.OPEN, Status.CLOSED, Status.DRAWING]).order_by("number").first()
    if waiting is None or waiting.status == Status.OPEN or waiting.device != DrawDevice.RNG:
        return None
    day = latest_gaming_day(now)
    if waiting.status == Status.CLOSED and not (day is not None and day.is_open_at(now)):
        return None
    due = due_numbers(game=waiting, draw=current_attempt(waiting), now=now)
    if not due:
        return None
    hold_pools_to_begin(number=waiting.number, now=now)
    if not Game.objects.select_for_update(skip_locked=True).filter(number=waiting.number).exists():
        return None
    game = Game.objects.get(number=waiting.number)
    draw = current_attempt(game)
    due = due_numbers(game=game, draw=draw, now=now)
    if game.status not in (Status.CLOSED, Status.DRAWING) or len(draw.numbers) >= due:
        return None
    return record_numbers(number=game.number, upto=due, now=now)


@transaction.atomic
def record_numbers(*, number: int, upto: int, by: Actor = DRAWER, now: datetime | None = None) -> Game:
    """Record the numbers of the standing attempt until *upto* are on record; none twice, whoever calls."""
    now = now or timezone.now()
    hold_pools_to_begin(number=number, now=now)
    game = lock_game(number)
    require_generator(game)
    draw = current_attempt(game)
    if game.status != Status.DRAWING:
        begin(game=game, draw=draw, by=by, now=now)
    assert draw.ticket_root is not None
    assert draw.ticket_count is not None
    sequence = numbers(
        seed=seed_of(draw),
        occasion=draw.occasion,
        ticket_root=bytes(draw.ticket_root),
        ticket_count=draw.ticket_count,
        pool=NUMBERS,
        count=max(upto, len(draw.numbers)),
    )
    if sequence[: len(draw.numbers)] != draw.numbers:
        raise RecordDiffers(f"The numbers on record of game {number} are not the ones that its committed seed gives.")
    record(game=game, draw=draw, new=sequence[len(draw.numbers) :], by=by, now=now)
    return game


def hold_pools_to_begin(*, number: int, now: datetime) -> None:
    """Pools are locked before games: if the first number may be next, hold them."""
    if Game.objects.filter(number=number, status=Status.CLOSED).exists():
        jackpots.hold_pools(day=gaming_day_at(now).date)


def begin(*, game: Game, draw: Draw, by: Actor, now: datetime) -> None:
    """Just before the first number: the hours, the order, the sealed set of tickets. The game's row is locked."""
    game.status = after(game.status, Step.FIRST_NUMBER, game=game.number)
    day = open_gaming_day(now)
    waiting = (
        Game.objects.filter(number__lt=game.number, status__in=[Status.OPEN, Status.CLOSED, Status.DRAWING])
        .order_by("number")
        .first()
    )
    if waiting is not None:
        raise Conflict("earlier-game-first", f"Game {waiting.number} comes first: it is {waiting.status}.")
    jackpots.feed_again_if_cancelled(game=game, day=day.date, by=by)
    entries = ticket_set(game.number)
    draw.ticket_root, draw.ticket_count, draw.began_at = entries.root, entries.count, now
    draw.stakes = entries.stakes
    game.began_at = game.began_at or now
    game.gaming_day = day.date  # a game left over from the day before belongs to the day of its draw (4.5)
    game.save(update_fields=["status", "began_at", "gaming_day"])


def record(*, game: Game, draw: Draw, new: list[int], by: Actor, now: datetime) -> None:
    """Write numbers down; the twentieth ends the draw. The game's row is locked and it is being drawn."""
    first = len(draw.numbers) + 1
    draw.numbers = [*draw.numbers, *new]
    complete = len(draw.numbers) == DRAWN
    if complete:
        draw.finished_at = now
    draw.save(
        update_fields=[
            "numbers",
            "began_at",
            "finished_at",
            "ticket_root",
            "ticket_count",
            "stakes",
            "waiting",
            "waiting_by",
        ]
    )
    assert draw.ticket_root is not None
    assert draw.ticket_count is not None
    root, count = bytes(draw.ticket_root), draw.ticket_count
    for place, number in enumerate(new, start=first):
        record_act(
            NumberDrawn(
                game=game.number,
                attempt=draw.attempt,
                place=place,
                number=number,
                ticket_root=root if place == 1 else None,
                ticket_count=count if place == 1 else None,
            ),
            by=by,
        )
    if complete:
        game.status, game.drawn_at = after(game.status, Step.LAST_NUMBER, game=game.number), now
        game.save(update_fields=["status", "drawn_at"])
        record_act(
            DrawFinished(
                game=game.number,
                attempt=draw.attempt,
                numbers=tuple(draw.numbers),
                ticket_root=root,
                ticket_count=count,
            ),
            by=by,
        )
