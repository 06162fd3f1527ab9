"""The board of a tournament, for the room it is played in: seats, scores, places and prizes by entry number.

Players know the number of their entry; no name is shown to everybody.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from keno.tournaments import KENO
from promotions.tournaments import ANY_GAME
from signage import look
from signage.headers import for_everybody
from tournaments.kinds import TournamentKind
from tournaments.queries import Shown, board_of, boards_of

_KINDS: dict[str, TournamentKind] = {"keno": KENO, "any": ANY_GAME}


@xframe_options_exempt
@require_safe
def board(request: HttpRequest, of: str, code: str) -> HttpResponse:
    shown = board_of(_KINDS[of], code)
    if shown is None:
        raise Http404("Nobody has entered such a tournament.")
    context = {"look": look.look(), "shown": shown, "refresh_seconds": 10}
    return for_everybody(request, render(request, "signage/tournament.html", context))


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Every tournament that somebody has entered and that is not long over, with the way to its board."""
    boards: list[tuple[str, Shown]] = [(of, shown) for of, kind in _KINDS.items() for shown in boards_of(kind)]
    context = {"look": look.look(), "boards": boards}
    return for_everybody(request, render(request, "signage/tournaments.html", context))
