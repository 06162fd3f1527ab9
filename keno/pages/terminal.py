"""The writer's terminal: one page that sells, pays and cancels through the calls any other terminal uses.

No right and no rule of its own: the browser calls ``/api/v1/`` with the writer's session and the page's CSRF token, and
money moves under a request key, so that a lost answer is asked for and nothing is sold twice (decision 10).
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase, JsonResponse
from django.utils import timezone

from keno import approved
from keno.entries import find_schedule
from keno.jackpots import displayed
from keno.permissions import SELL
from keno.queries.counter import open_shift_at
from keno.queries.games import current_game, last_drawn
from keno.rules.selection import NUMBERS
from keno.steps import room_steps
from kernel.refusal import NotFound, Refusal
from web.page import Visit, page, show
from web.words import money

STAKES = ("1.00", "2.00", "3.00", "5.00", "10.00", "20.00", "50.00", "100.00")
SPOTS = range(1, 11)
GAMES = (1, 2, 3, 5, 10, 20, 50, 100)
NOTES = (5, 10, 20, 50, 100)
SCHEDULES = {"standard": "Standard", "special-1": "Special 1", "special-2": "Special 2", "special-3": "Special 3"}


@page(SELL)
def keno(request: Visit) -> HttpResponseBase:
    return show(
        request,
        "keno/terminal.html",
        numbers=range(1, NUMBERS + 1),
        spots=SPOTS,
        stakes=STAKES,
        games=GAMES,
        notes=NOTES,
        schedules=_schedules(),
        voucher_types=approved.all_in_force(approved.VOUCHER_TYPE),
        steps=room_steps(request.actor),
    )


@page(SELL, poll=True)
def now(request: Visit) -> HttpResponseBase:
    """What the terminal shows all the time: the server's clock, the game on sale with its cut-off, its own shift."""
    shift = open_shift_at(request.actor.identity)
    return JsonResponse(
        {
            "game": _game(),
            "last": _last_drawn(),
            "jackpots": {str(spots): money(amount) for spots, amount in displayed().items()},
            "shift": shift and {"id": shift.pk, "opened_at": shift.opened_at},
            # Read last: as near as can be to the moment the answer leaves.
            "now": timezone.now(),
        }
    )


def _game() -> dict[str, object] | None:
    try:
        game = current_game()
    except NotFound:
        return None
    return {"number": game.number, "status": game.status, "opens_at": game.opens_at, "closes_at": game.closes_at}


def _last_drawn() -> dict[str, object] | None:
    found = last_drawn()
    if found is None:
        return None
    game, drawn = found
    return {"number": game.number, "status": game.status, "drawn": drawn}


def _schedules() -> list[dict[str, Any]]:
    """The schedules on sale now: special 3 only while one is approved (8.4)."""
    found = []
    for code, name in SCHEDULES.items():
        try:
            schedule, _ = find_schedule(code)
        except Refusal:
            continue
        found.append({"code": code, "name": name, "spots": ",".join(map(str, schedule.spots))})
    return found
