"""The mechanical device: balls counted, entered, corrected, read back, fallen back, the device stopped (2.1, 7.1, 12).

The balls that came out are the official record (12.1), not what was typed: a slip of the finger is corrected as what it
is. Before each attempt somebody counts the balls of an approved set; without a count there is no draw, and with fewer
than eighty it is void. Where the venue wants it, a second person reads the twenty numbers back before they count.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house.incidents import open_incident
from house.log import record_act
from house.models import ApprovedValue, Incident
from house.persons import is_another
from keno import approved
from keno.acts import BallFellBack
from keno.attempts import current_attempt, seal_tickets
from keno.ball_acts import BallCorrected, BallsCounted, BallsReadBack
from keno.draw import begin, finish, hold_pools_to_begin, record
from keno.incident_kinds import BALL_DAMAGED, BALL_FELL_BACK, DEVICE_STOPPED
from keno.locks import lock_game
from keno.models import Draw, DrawDevice, Game, KenoSettings
from keno.permissions import RUN_GAMES
from keno.queries.games import game_of_subject
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.settle import settle
from keno.steps import Status, require_balls
from keno.void import is_complete, void
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, Refusal


def count_balls(*, number: int, counted: int, ball_set: str, by: Actor, now: datetime | None = None) -> Game:
    """The count before the draw, of the approved set that is named. Anything but 80 makes the draw void, to be redrawn
    with a full approved set (12.2, 12.4a)."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    _seal_closed(number, by=by, now=now)
    with transaction.atomic():
        game, draw = _mechanical(number)
        if draw.began_at is not None:
            raise Conflict("draw-begun", "The balls are counted before the first one is drawn.", clause="act-keno:12.2")
        draw.ball_set = _approved_set(ball_set)
        draw.balls_counted, draw.counted_by = counted, by.identity
        draw.save(update_fields=["balls_counted", "counted_by", "ball_set"])
        record_act(BallsCounted(game=number, attempt=draw.attempt, ball_set=draw.ball_set, balls=counted), by=by)
        if counted != NUMBERS:
            reason = f"{counted} balls were in the device before the draw of game {number}, not {NUMBERS}."
            return void(number=number, by=by, cause="balls-missing", reason=reason, now=now)
        return game


def _approved_set(code: str) -> str:
    code = code.strip().upper()
    if not code:
        raise Refusal("ball-set-missing", "Say which set of balls was counted.", clause="act-keno:2.1", field="set")
    if approved.value(approved.BALL_SET, code) is None:
        raise Refusal(
            "ball-set-not-approved",
            f"The set of balls {code[:16]} is not approved: propose it, and an inspector decides.",
            clause="act-keno:12.4a",
            field="set",
        )
    _refuse_damaged(code)
    return code


def _refuse_damaged(code: str) -> None:
    """12.4a: the affected set is replaced. What was mended is another set to the inspector: he approves it anew."""
    version = approved.in_force(approved.BALL_SET, code)
    assert version is not None
    if (number := damaged_in(version)) is not None:
        raise Conflict(
            "ball-set-damaged",
            f"A ball of the set {code} was damaged in game {number}: draw from another set until an inspector has "
            "approved this one anew.",
            clause="act-keno:12.4a",
            field="set",
        )


def damaged_in(version: ApprovedValue) -> int | None:
    """The game in which a ball of the set was damaged since it was approved."""
    for found in Incident.objects.filter(kind=BALL_DAMAGED, happened_at__gte=version.since).order_by("-id"):
        number = game_of_subject(found.subject).number
        if Draw.objects.filter(game=number, ball_set=version.code, void_reason=found.what).exists():
            return number
    return None


def enter_balls(*, number: int, balls: Sequence[int], by: Actor, now: datetime | None = None) -> Game:
    """Enter the next balls, in the order drawn. The twentieth completes the draw, and the game is settled; where they
    are read back, after that."""
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
    if draw.balls_counted is None:
        raise Conflict(
            "balls-not-counted",
            f"Count the balls before game {number} is drawn: how many, of which set.",
            clause="act-keno:2.1",
        )
    if game.status != Status.DRAWING:
        begin(game=game, draw=draw, by=by, now=now)
    _note_hand(draw, by)
    record(game=game, draw=draw, new=balls, by=by, now=now, ends=not KenoSettings.current().balls_confirmed)
    return game


def correct_ball(*, number: int, place: int, ball: int, by: Actor, now: datetime | None = None) -> Game:
    """Another ball came out than was typed: the record is corrected to it (12.1). Until the draw is complete; after
    that it has been read back, or is the venue's own word."""
    by.require(RUN_GAMES)
    with transaction.atomic():
        game, draw = _mechanical(number)
        if game.status != Status.DRAWING or not 1 <= place <= len(draw.numbers):
            raise Conflict(
                "nothing-to-correct",
                f"There is no number {place} on record of an unfinished draw of game {number}.",
                clause="act-keno:12.1-record",
                field="place",
            )
        old, others = draw.numbers[place - 1], [*draw.numbers[: place - 1], *draw.numbers[place:]]
        if old == ball:
            raise Refusal("nothing-changes", f"Number {place} is {ball} already.", field="number")
        _check_ball(ball, set(others), field="number")
        draw.numbers = [*draw.numbers[: place - 1], ball, *draw.numbers[place:]]
        _note_hand(draw, by)
        draw.save(update_fields=["numbers", "entered_by"])
        record_act(BallCorrected(game=number, attempt=draw.attempt, place=place, old=old, new=ball), by=by)
        return game


def confirm_balls(*, number: int, by: Actor, numbers: Sequence[int] | None = None, now: datetime | None = None) -> Game:
    """A second person reads the twenty numbers back, and the game is settled. *numbers*: as he read them, where he
    enters them; others than those on record stop it, and both look again."""
    by.require(RUN_GAMES)
    now = now or timezone.now()
    with transaction.atomic():
        game, draw = _mechanical(number)
        if len(draw.numbers) != DRAWN:
            raise Conflict(
                "balls-missing", f"{len(draw.numbers)} of {DRAWN} balls are on record.", clause="act-keno:7.1"
            )
        if not is_another(by, RUN_GAMES, *draw.entered_by):
            raise Forbidden("needs-second-person", "Somebody else reads them back: you have entered them.")
        if numbers is not None and sorted(numbers) != sorted(draw.numbers):
            wrong = sorted(set(numbers) ^ set(draw.numbers))
            raise Conflict(
                "balls-differ",
                f"Read and on record differ in {', '.join(map(str, wrong))}. Look at the balls again, both of you.",
                clause="act-keno:12.1-record",
                field="numbers",
            )
        draw.read_back_by = by.identity
        record_act(BallsReadBack(game=number, attempt=draw.attempt, numbers=tuple(draw.numbers)), by=by)
        finish(game=game, draw=draw, by=by, now=now)
    return settle(number=number, by=by, now=now)


def _note_hand(draw: Draw, by: Actor) -> None:
    if by.identity not in draw.entered_by:
        draw.entered_by = [*draw.entered_by, by.identity]


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
        if is_complete(draw):
            raise Conflict(
                "draw-complete",
                f"All {DRAWN} balls of game {number} are on record: what falls back after the last one was drawn.",
                clause="act-keno:12.4b",
                field="number",
            )
        draw.numbers = [each for each in draw.numbers if each != ball]
        _note_hand(draw, by)
        draw.save(update_fields=["numbers", "entered_by"])
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
        _check_ball(ball, seen, field=f"numbers[{place}]")
        seen.add(ball)


def _check_ball(ball: int, drawn: set[int], *, field: str) -> None:
    if not 1 <= ball <= NUMBERS:
        raise Refusal(
            "no-such-ball",
            f"Balls are numbered 1 to {NUMBERS}; there is no {ball}.",
            clause="act-keno:2.1",
            field=field,
        )
    if ball in drawn:
        raise Refusal("ball-drawn-already", f"Ball {ball} has been drawn already.", clause="act-keno:2.1", field=field)
