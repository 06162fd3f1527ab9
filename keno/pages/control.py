"""Game control: the games that are not over, and every step a supervisor may take with them."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from house import people
from house.calendar import Calendar
from house.models import Proposal
from house.permissions import AS_INSPECTOR
from keno import approved, balls
from keno.attempts import current_attempt
from keno.choose_device import choose_device
from keno.close import close_game
from keno.dice import dice_for_game
from keno.draw import draw_game
from keno.models import DrawDevice, Game, InvalidationCause, KenoSettings
from keno.permissions import CHOOSE_DEVICE, INVALIDATE, RUN_GAMES, SEE
from keno.queries.attempts import hexadecimal, promise_or_none
from keno.queries.exposure import exposed
from keno.queries.games import find_game, games_in_hand, games_not_seen, latest_attempt, tickets_and_turnover
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.steps import Status, game_steps, room_steps
from keno.stop_draw import VOID_UNASKED, invalidate_or_propose, stop_proposed, void_or_propose
from keno.void import CAUSES
from kernel.refusal import Malformed, NotFound
from web.page import Visit, done, page, show


@page(SEE)
def control(request: Visit) -> HttpResponseBase:
    return show(request, "keno/control.html", **_control(request))


@page(SEE, poll=True)
def live(request: Visit) -> HttpResponseBase:
    """The games themselves, refreshed by the page; the dialogs with what somebody is typing stay as they are."""
    return render(request, "keno/_games_in_hand.html", _control(request) | {"calendar": Calendar()})


def _control(request: Visit) -> dict[str, Any]:
    games = [_shown(game, request) for game in games_in_hand()]
    exposures = {each.game.number: each for each in exposed(games)}
    for game in games:
        game.exposed = exposures.get(game.number)
    settings = KenoSettings.current()
    return {
        "games": games,
        "device": settings.device,
        "other_device": DrawDevice.MECHANICAL if settings.device == DrawDevice.RNG else DrawDevice.RNG,
        "confirmed": settings.balls_confirmed,
        "ball_sets": _sets_to_count() if any(game.steps.count_balls for game in games) else [],
        "causes": list(CAUSES),
        "invalidations": InvalidationCause.values,
        "steps": room_steps(request.actor),
        "not_seen": games_not_seen(),
    }


def _sets_to_count() -> list[str]:
    """Approved, and whole: one whose ball was damaged is replaced (12.4a)."""
    return [each.code for each in approved.all_in_force(approved.BALL_SET) if balls.damaged_in(each) is None]


def _shown(game: Any, request: Visit) -> Any:
    """The game with what a page says of it, and the steps its state allows (keno.steps decides)."""
    draw = latest_attempt(game)
    game.draw = draw
    promise = promise_or_none(game.number)
    game.commitment = hexadecimal(promise.commitment) if promise else None
    game.proposed = stop_proposed(game.number)
    game.drawn = list(draw.numbers) if draw and draw.voided_at is None else []
    standing = draw if draw is not None and draw.voided_at is None else None
    by_hand = list(people.names(standing.entered_by).values()) if standing is not None else []
    game.to_read_back = standing is not None and len(standing.numbers) == DRAWN and standing.finished_at is None
    game.entered_names = ", ".join(by_hand)
    until = game.closes_at if game.status == Status.OPEN else None
    game.seconds = max(0, int((until - timezone.now()).total_seconds())) if until else None
    game.tickets, game.turnover = tickets_and_turnover(game.number)
    game.waits = draw is not None and draw.waits_since is not None and draw.voided_at is None
    game.voids = game.draws.filter(voided_at__isnull=False).count()
    game.steps = game_steps(game, request.actor, draw=standing, waits_for_witness=game.waits)
    return game


def read_balls(text: str, *, field: str) -> list[int]:
    found = re.findall(r"\d+", text)
    if not found or re.search(r"[^\d\s,;]", text) or any(len(each) > 2 for each in found):
        raise Malformed("balls-form", f"Write the balls as numbers from 1 to {NUMBERS}, with spaces.", field=field)
    return [int(each) for each in found]


@page(RUN_GAMES, post=True)
def act(request: Visit, number: int, step: str) -> HttpResponseBase:
    given, by = request.POST, request.actor
    said = f"Game {number}: {step}."
    if step == "close":
        close_game(number=number, by=by)
        said = f"Game {number} is closed. Sales go on with game {number + 1}."
    elif step == "draw":
        drawn = draw_game(number=number, by=by)
        said = f"Game {number} is drawn and {drawn.status}."
    elif step == "count":
        counted, named = read_balls(given.get("balls", ""), field="balls")[0], given.get("set", "")
        balls.count_balls(number=number, counted=counted, ball_set=named, by=by)
        said = f"The count of game {number} is on record."
    elif step == "correct":
        place, ball = (read_balls(given.get(name, ""), field=name)[0] for name in ("place", "number"))
        balls.correct_ball(number=number, place=place, ball=ball, by=by)
        said = f"Number {place} of game {number} is {ball}: corrected."
    elif step == "confirm":
        read = read_balls(given.get("numbers", ""), field="numbers")
        balls.confirm_balls(number=number, numbers=read, by=by)
        said = f"The balls of game {number} are read back, and the game is settled."
    elif step == "balls":
        said = _entered(number, read_balls(given.get("numbers", ""), field="numbers"), request)
    elif step == "fall-back":
        ball = read_balls(given.get("number", ""), field="number")[0]
        balls.fall_back(number=number, ball=ball, by=by)
        said = f"Ball {ball} is taken back: it was not drawn."
    elif step == "stoppage":
        balls.report_stoppage(number=number, what=given.get("comment", ""), by=by)
        said = "The stoppage is reported. Go on with the device by hand."
    elif step == "void":
        cause, reason = given.get("cause", ""), given.get("comment", "")
        done_or_not = void_or_propose(number=number, cause=cause, reason=reason, by=by)
        said = _void_said(number, done_or_not)
    else:
        raise NotFound("no-such-step", "A game is closed, drawn, declared void or invalidated.")
    return done(request, said, "keno-control")


def _void_said(number: int, what: Game | Proposal) -> str:
    if isinstance(what, Proposal) and what.kind == str(VOID_UNASKED):
        return f"Nothing has happened yet: proposal {what.pk} waits for another person of the house."
    if isinstance(what, Proposal):
        return _proposed(number, what)
    return f"The draw of game {number} is void. It is drawn again."


def _proposed(number: int, proposal: Proposal) -> str:
    return (
        f"The draw of game {number} has begun, so nothing has happened yet: proposal {proposal.pk} waits for another "
        "person of the house and for the inspector."
    )


def _entered(number: int, entered: list[int], request: Visit) -> str:
    game = balls.enter_balls(number=number, balls=entered, by=request.actor)
    draw = current_attempt(game)
    if len(draw.numbers) == DRAWN and draw.finished_at is None:
        return f"Game {number}: all twenty are entered. Another person reads them back."
    return f"Game {number}: {len(draw.numbers)} of 20 balls."


@page(INVALIDATE, post=True)
def invalidate(request: Visit, number: int) -> HttpResponseBase:
    cause, reason = request.POST.get("cause", ""), request.POST.get("comment", "")
    if cause not in InvalidationCause.values:
        raise Malformed("no-such-cause", "Choose the cause.", field="cause")
    find_game(number)
    what = invalidate_or_propose(number=number, cause=InvalidationCause(cause), reason=reason, by=request.actor)
    said = f"Game {number} is invalidated. What was paid for it goes back."
    if isinstance(what, Proposal):
        said = _proposed(number, what)
    return done(request, said, "keno-game", number)


@page(AS_INSPECTOR, post=True)
def dice(request: Visit, number: int) -> HttpResponseBase:
    """An inspector's throws in the place of a witness that is away."""
    given = request.POST
    dice_for_game(number=number, dice=given.get("dice", ""), why=given.get("comment", ""), by=request.actor)
    said = (
        f"Your dice stand in the place of the witness. Game {number} is drawn now, and marked as unwitnessed for ever."
    )
    return done(request, said, "keno-game", number)


@page(CHOOSE_DEVICE, post=True)
def device(request: Visit) -> HttpResponseBase:
    chosen = choose_device(device=request.POST.get("device", ""), by=request.actor)
    how = "with balls" if chosen.device == DrawDevice.MECHANICAL else "by random number generator"
    return done(request, f"From the next game on draws are made {how}.", "keno-control")
