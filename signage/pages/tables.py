"""Signs of the tables, for the displays that stand at them: what the game asks and what its jackpot pays, as data and
as a page. No login, no names, no cards."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from jackpot import pools
from jackpot.models import Table as JackpotTable
from jackpot.tables import table_sign
from kernel.money import Money
from signage import look
from signage.headers import for_everybody
from tablegames import in_force
from tablegames.models import GamingTable
from tablegames.queries import tables

_SHOWN = ("code", "game", "title", "terms", "limits", "previous_limits", "notice", "closing", "closed")
_REFRESH_SECONDS = 5


@require_safe
def every_sign(request: HttpRequest) -> JsonResponse:
    """What every sign says now: every gaming table, and every table of a link."""
    games = {table.code: table for table in tables()}
    found = JackpotTable.objects.select_related("link").order_by("code")
    jackpots = {table.code: table for table in found}
    codes = [*games, *(code for code in jackpots if code not in games)]
    return _answer({"tables": [_sign(code, games.get(code), jackpots.get(code)) for code in codes]})


@require_safe
def one_sign(request: HttpRequest, code: str) -> JsonResponse:
    """What one table's sign says now, with the notices and markers beside it."""
    return _answer(_sign_of(code))


@xframe_options_exempt
@require_safe
def sign_page(request: HttpRequest, code: str) -> HttpResponse:
    """The same as a page, for the display at the table."""
    context = {"look": look.look(), "sign": _sign_of(code), "refresh_seconds": _REFRESH_SECONDS}
    return for_everybody(request, render(request, "signage/table_sign.html", context))


def _sign_of(code: str) -> dict[str, object]:
    game = GamingTable.objects.filter(code=code).first()
    jackpot = JackpotTable.objects.select_related("link").filter(code=code).first()
    if game is None and jackpot is None:
        raise Http404(f"There is no table {code}.")
    return _sign(code, game, jackpot)


def _sign(code: str, game: GamingTable | None, jackpot: JackpotTable | None) -> dict[str, object]:
    said: dict[str, object] = {"code": code} | _of_game(game) if game is not None else {"code": code}
    return said | {"jackpot": None if jackpot is None else _of_jackpot(jackpot)}


def _of_game(table: GamingTable) -> dict[str, object]:
    sign = in_force.sign_with_notices(table)
    markers = [
        {"box": each["box"], "kind": each["kind"], "limits": each["limits"]}
        for each in sign["markers"]  # type: ignore[attr-defined]
    ]
    return {name: sign[name] for name in _SHOWN} | {"markers": markers}


def _of_jackpot(table: JackpotTable) -> dict[str, object]:
    """Its amounts to the cent as they stand, and what its terms in force ask and pay."""
    meter = pools.read_meter(table.link)
    sign = table_sign(table)
    return {
        "link": table.link.code,
        "title": sign["title"],
        "status": table.status,
        "displayed": {level: str(amount) for level, amount in meter.displayed.items()},
        "wager": str(sign["wager"]),
        "bonus": _text(sign["bonus"]),
        "prizes": [
            {name: _text(value) for name, value in prize.items()}
            for prize in sign["prizes"]  # type: ignore[attr-defined]
        ],
    }


def _text(value: object) -> object:
    return str(value) if isinstance(value, Money) else value


def _answer(body: dict[str, object]) -> JsonResponse:
    response = JsonResponse(body)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
