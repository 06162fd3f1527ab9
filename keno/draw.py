"""Drawing by random number generator: between two parties, number by number, by whoever picks it up (7, 12.1, 12.3).

The game is locked (no cancellation counts any more), then the witness is asked about its sealed tickets, then the
numbers follow from the promised master and from what it said. Each number is an act, the twentieth also the end of the
draw. Nothing waits for the witness inside a transaction; where it is away the game waits, and is asked about again
unchanged (``ledger.tick``).

Games are drawn in their order. The asking needs an open gaming day (13.1); a draw once begun is finished.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone

from chance.two_party import Said
from draws.ask import ask_patiently, is_asked
from house.gaming_days import gaming_day_at, latest_gaming_day, open_gaming_day
from house.log import record_act
from keno import jackpots
from keno.acts import DrawFinished, DrawLocked, NumberDrawn, game_subject
from keno.attempts import cancelled_late, current_attempt, numbers_of, promise_of, said_of, seal_tickets
from keno.cancel_late import refuse_requests
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, KenoSettings
from keno.permissions import RUN_GAMES
from keno.queries.games import find_game
from keno.rules.settle import DRAWN
from keno.settle import settle
from keno.steps import TO_DRAW, Status, Step, after, require_generator
from keno.void import publish_abandoned
from keno.waits import note_wait
from kernel.actors import Actor, system
from kernel.refusal import Busy, Conflict
from kernel.transactions import one_transaction
from ledger.models import Act

DRAWER: Final = system("keno-draw")
SEAL_PATIENCE_SECONDS: Final = 3.0  # of a supervisor who draws by hand,
TICK_PATIENCE_SECONDS: Final = 0.8  # and of a tick: the next one comes in a second


def draw_game(*, number: int, by: Actor, now: datetime | None = None) -> Game:
    """Draw what is left of the game at once, and settle it. Earlier games that wait for their turn are drawn first."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    for earlier in (
        Game.objects.filter(number__lt=number, status__in=[*TO_DRAW, Status.DRAWN])
        .order_by("number")
        .values_list("number", flat=True)
    ):
        _finish(number=earlier, by=by, now=now)
    return _finish(number=number, by=by, now=now)


def _finish(*, number: int, by: Actor, now: datetime) -> Game:
    game = find_game(number)
    if game.status == Status.CLOSED:
        seal_tickets(number=number, by=by, now=now)
    if game.status != Status.DRAWN:
        draw_numbers(number=number, upto=DRAWN, by=by, now=now)
    return settle(number=number, by=by, now=now)


def draw_numbers(*, number: int, upto: int, by: Actor = DRAWER, now: datetime | None = None) -> Game:
    """Ask, and record numbers until *upto* are on record. Refused while the witness is away: the question stays."""
    now = now or timezone.now()
    said = ask_witness(number=number, by=by, now=now, patience_seconds=SEAL_PATIENCE_SECONDS)
    if said is None:
        note_wait(number=number, now=now)
        raise Conflict(
            "witness-away",
            f"The witness does not answer. What it was asked about game {number} stays asked, and the game is drawn as "
            "soon as it answers.",
        )
    return record_numbers(number=number, upto=upto, by=by, now=now)


def ask_witness(*, number: int, by: Actor = DRAWER, now: datetime, patience_seconds: float = 0.0) -> Said | None:
    """What the witness says to the standing attempt: the game is locked, then it is asked, once. None: it is away.

    Outside of transactions. Killed anywhere, whoever comes next goes on: the same lock, the same question. Busy where
    after so long not all that was done before the lock is sealed.
    """
    draw = lock_to_ask(number=number, now=now)
    assert draw.asked is not None
    if draw.asked > 1 and not publish_abandoned(draw, by=by):
        return None
    promise, occasion = promise_of(number), str(number)
    if is_asked(promise, occasion=occasion, attempt=draw.asked):
        return said_of(draw, promise)  # where it waits, the ledger's tick asks again
    return ask_patiently(
        promise,
        occasion=occasion,
        attempt=draw.asked,
        by=by,
        locked_by=_locked(draw, by=by),
        seconds=patience_seconds,
    )


@one_transaction()
def lock_to_ask(*, number: int, now: datetime) -> Draw:
    """Let no cancellation of this game through any more, those under way first. Again, nothing happens."""
    game = lock_game(number)
    require_generator(game)
    draw = current_attempt(game)
    if draw.asked is not None:
        return draw
    open_gaming_day(now)
    _require_turn(game)
    draw.asked = 1 + Draw.objects.filter(game=game, asked__isnull=False).count()
    draw.save(update_fields=["asked"])
    if game.asked_at is None:
        game.asked_at = now
        game.save(update_fields=["asked_at"])
    return draw


@one_transaction()
def _locked(draw: Draw, *, by: Actor) -> int:
    """The act that says so. In a transaction begun after the lock: what was cancelled before stands before it."""
    act = DrawLocked(game=draw.game_id, attempt=draw.attempt, asked=draw.asked or 0)
    lock_game(draw.game_id)  # of several workers one says it
    known = Act.objects.filter(kind=act.kind, subject=game_subject(draw.game_id), data__attempt=draw.attempt).first()
    return known.id if known is not None else record_act(act, by=by)


def _require_turn(game: Game) -> None:
    waiting = Game.objects.filter(number__lt=game.number, status__in=[Status.OPEN, *TO_DRAW]).order_by("number").first()
    if waiting is not None:
        raise Conflict("earlier-game-first", f"Game {waiting.number} comes first: it is {waiting.status}.")


def due_numbers(*, game: Game, draw: Draw, now: datetime) -> int:
    """How many numbers should be on record by now, at the venue's pace."""
    if draw.began_at is None:
        return int(now >= number_due_at(game=game, draw=draw))
    if not (pace := KenoSettings.current().pace):
        return DRAWN
    return min(DRAWN, 1 + (now - draw.began_at) // pace)


def number_due_at(*, game: Game, draw: Draw) -> datetime:
    """When the next number should come."""
    settings = KenoSettings.current()
    if draw.began_at is not None:
        return draw.began_at + settings.pace * len(draw.numbers)
    assert game.closed_at is not None
    return max(game.closed_at, draw.made_at) + settings.draw_after


def record_due_numbers(*, now: datetime) -> Game | None:
    """The numbers due by now of the game whose turn it is. None: there are none, or it waits for the witness."""
    waiting = Game.objects.filter(status__in=[Status.OPEN, *TO_DRAW]).order_by("number").first()
    if waiting is None or waiting.status in (Status.OPEN, Status.CLOSED) or waiting.device != DrawDevice.RNG:
        return None
    draw = current_attempt(waiting)
    if draw.asked is None and not _is_open(now):
        return None
    if len(draw.numbers) >= due_numbers(game=waiting, draw=draw, now=now):
        return None
    # Once it has begun there is an answer: it is looked up and checked where the numbers are made.
    if waiting.status == Status.SEALED and _said_to_tick(waiting.number, now=now) is None:
        return None
    return _record_due(waiting.number, now=now)


def _is_open(now: datetime) -> bool:
    day = latest_gaming_day(now)
    return day is not None and day.is_open_at(now)


def _said_to_tick(number: int, *, now: datetime) -> Said | None:
    """None also where not everything is sealed yet, and where another tick or a supervisor has drawn it meanwhile."""
    try:
        said = ask_witness(number=number, now=now, patience_seconds=TICK_PATIENCE_SECONDS)
    except Busy:
        return None
    except Conflict:
        if Game.objects.filter(number=number, status__in=[Status.SEALED, Status.DRAWING]).exists():
            raise
        return None
    if said is None:
        note_wait(number=number, now=now)
    return said


@one_transaction()
def _record_due(number: int, *, now: datetime) -> Game | None:
    """Of several ticks one does it; the others do not wait."""
    hold_pools_to_begin(number=number, now=now)
    drawn_here = Game.objects.filter(device=DrawDevice.RNG, status__in=[Status.SEALED, Status.DRAWING])
    game = drawn_here.select_for_update(skip_locked=True).filter(number=number).first()
    if game is None:
        return None
    draw = current_attempt(game)
    due = due_numbers(game=game, draw=draw, now=now)
    if draw.asked is None or len(draw.numbers) >= due:
        return None
    return _record_numbers(game=game, draw=draw, upto=due, by=DRAWER, now=now)


@one_transaction()
def record_numbers(*, number: int, upto: int, by: Actor = DRAWER, now: datetime | None = None) -> Game:
    """Record the numbers of the standing attempt until *upto* are on record; none twice, whoever calls."""
    now = now or timezone.now()
    hold_pools_to_begin(number=number, now=now)
    game = lock_game(number)
    require_generator(game)
    return _record_numbers(game=game, draw=current_attempt(game), upto=upto, by=by, now=now)


def _record_numbers(*, game: Game, draw: Draw, upto: int, by: Actor, now: datetime) -> Game:
    """The pools are held where the first number is next, and the game's row is locked: a generator draws it."""
    promise = promise_of(game.number)
    said = said_of(draw, promise)
    if said is None:
        raise Conflict("not-answered-yet", f"The witness has not answered about game {game.number} yet.")
    sequence = numbers_of(draw, said, promise)
    if game.status != Status.DRAWING:
        begin(game=game, draw=draw, by=by, now=now)
    record(game=game, draw=draw, new=sequence[len(draw.numbers) : max(upto, len(draw.numbers))], by=by, now=now)
    return game


def hold_pools_to_begin(*, number: int, now: datetime) -> None:
    """Pools are locked before games: if the first number may be next, hold them."""
    if Game.objects.filter(number=number, status=Status.SEALED).exists():
        jackpots.hold_pools(day=gaming_day_at(now).date)


def begin(*, game: Game, draw: Draw, by: Actor, now: datetime) -> None:
    """Just before the first number: the order, the hours, what the cancelled ones had put in. The game's row is locked.

    A draw whose witness has been asked has begun: it is finished, whatever the hour (13.1).
    """
    game.status = after(game.status, Step.FIRST_NUMBER, game=game.number)
    day = open_gaming_day(now) if draw.asked is None else gaming_day_at(now)
    _require_turn(game)
    jackpots.feed_again_if_cancelled(game=game, day=day.date, by=by)
    _, cancelled = cancelled_late(game.number)
    assert game.sealed_stakes is not None
    draw.stakes, draw.began_at, draw.waits_since = game.sealed_stakes - cancelled, now, None
    game.began_at = game.began_at or now
    game.gaming_day = day.date  # a game left over from the day before belongs to the day of its draw (4.5)
    game.save(update_fields=["status", "began_at", "gaming_day"])
    refuse_requests(game=game.number, now=now)


def record(*, game: Game, draw: Draw, new: list[int], by: Actor, now: datetime, ends: bool = True) -> None:
    """Write numbers down; the twentieth ends the draw, unless somebody is to read them back first (not *ends*). The
    game's row is locked and it is being drawn."""
    first = len(draw.numbers) + 1
    draw.numbers = [*draw.numbers, *new]
    draw.save(update_fields=["numbers", "began_at", "stakes", "waits_since", "entered_by"])
    assert game.ticket_root is not None
    assert game.ticket_count is not None
    root, count = bytes(game.ticket_root), game.ticket_count
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
    if ends and len(draw.numbers) == DRAWN:
        finish(game=game, draw=draw, by=by, now=now)


def finish(*, game: Game, draw: Draw, by: Actor, now: datetime) -> None:
    """The twenty numbers are the official record from here on (12.1). The game's row is locked."""
    draw.finished_at = now
    draw.save(update_fields=["finished_at", "read_back_by"])
    game.status, game.drawn_at = after(game.status, Step.LAST_NUMBER, game=game.number), now
    game.save(update_fields=["status", "drawn_at"])
    assert game.ticket_root is not None
    assert game.ticket_count is not None
    record_act(
        DrawFinished(
            game=game.number,
            attempt=draw.attempt,
            numbers=tuple(draw.numbers),
            ticket_root=bytes(game.ticket_root),
            ticket_count=game.ticket_count,
        ),
        by=by,
    )
