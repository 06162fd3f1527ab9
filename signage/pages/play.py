"""``/play/``: the entry form on a player's own telephone (4.4), and the two paper forms.

He marks numbers, ways, stake and games; here they are priced as at the counter, and answered with a QR code that says
the entry itself (``keno.entry_code``). Nothing is stored: there is nothing to be found here of what anybody marked, and
nothing is sold until a writer has scanned the code and sold it (1.2, 4.1).
"""

from __future__ import annotations

import json
from typing import Final

import segno
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from rest_framework.exceptions import ValidationError

from keno import entry_code, entry_forms
from keno.api.forms import EntryIn, entry_of
from keno.entries import compose, find_schedule
from keno.entry_forms import FormCode
from keno.queries.exposure import on_sale_now
from keno.rules.exposure import exposure
from keno.rules.mathematics import schedule_mathematics
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, SPECIAL_3, STANDARD
from keno.rules.selection import NUMBERS
from keno.rules.ways import SPOTS_LIMIT
from kernel.refusal import Malformed, NotFound, Refusal
from signage.headers import for_everybody
from signage.look import look
from web import problems, words
from web.throttle import Throttle

_ASKED: Final = Throttle("play", 120, closed_without_counter=False)  # it costs us a little work, and tells nothing
_BYTES_LIMIT: Final = 8_000  # eighty groups of one and fifteen plays are two thousand
STAKES: Final = ("0.10", "0.20", "0.50", "1.00", "2.00", "3.00", "5.00", "10.00", "20.00", "50.00")
GAMES: Final = (1, 2, 3, 5, 10, 20, 50, 100)
_SCHEDULES: Final = {STANDARD.code: "Standard", SPECIAL_1.code: "Special 1", SPECIAL_2.code: "Special 2"}


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    standard, way = (entry_forms.in_force(code) for code in FormCode)
    context = {
        "look": look(),
        "form": standard,
        "way": way,
        "numbers": [range(1, NUMBERS // 2 + 1), range(NUMBERS // 2 + 1, NUMBERS + 1)],
        "spots": range(1, SPOTS_LIMIT + 1),
        "stakes": STAKES,
        "games": GAMES,
        "schedules": _schedules(),
        "odds": [entry_forms.odds(table) for table in schedule_mathematics(STANDARD)],
    }
    return for_everybody(request, render(request, "signage/play.html", context))


def _schedules() -> dict[str, str]:
    """Special 3 only while one is approved (8.4)."""
    try:
        find_schedule(SPECIAL_3)
    except Refusal:
        return _SCHEDULES
    return _SCHEDULES | {SPECIAL_3: "Special 3"}


@csrf_exempt  # nobody is signed in here, and nothing changes
@require_POST
def price(request: HttpRequest) -> HttpResponse:
    """What the entry costs, its odds, and the code that a writer scans; or why it cannot be sold."""
    try:
        _ASKED.count(request)
        response: HttpResponse = JsonResponse(_priced(request))
    except Refusal as refusal:
        response = problems.answer(refusal)
    response.headers["Cache-Control"] = "no-store"
    return response


def _priced(request: HttpRequest) -> dict[str, object]:
    asked = entry_of(_entry(request))
    entry_forms.require(FormCode.WAY if asked.groups is not None else FormCode.STANDARD)
    composed = compose(asked)
    if (on_sale := on_sale_now()) is not None:
        on_sale.require_room(exposure(composed.entry))
    quoted, code = composed.quote, entry_code.written(asked)
    tables = {table.spots: table for table in schedule_mathematics(composed.entry.schedule)}
    return {
        "price": str(quoted.price.total),
        "games": quoted.price.games,
        "charged_games": quoted.price.charged_games,
        "ways": quoted.ways,
        "plays": [
            {
                "spots": play.spots,
                "ways": play.ways,
                "stake": str(play.stake),
                "any_prize": words.one_in(tables[play.spots].hit_rate),
                "top_prize": words.one_in(tables[play.spots].top_prize_odds),
                "returned": words.percent(tables[play.spots].returned),
            }
            for play in quoted.plays
        ],
        "code": code,
        "picture": segno.make(code, error="m", micro=False).svg_data_uri(border=4, scale=8),
    }


def _entry(request: HttpRequest) -> EntryIn:
    try:
        given = json.loads(request.body[: _BYTES_LIMIT + 1])
        form = EntryIn(data=given)
        form.is_valid(raise_exception=True)
    except (ValueError, RecursionError, ValidationError):
        raise Malformed("malformed", "Send what is marked as JSON, as for a quote.") from None
    entry: EntryIn = form.validated_data
    return entry


def _form(code: str) -> FormCode:
    try:
        return FormCode(code.upper())
    except ValueError:
        raise NotFound("no-such-form", "The entry forms are standard.pdf and way.pdf.") from None


@require_safe
def paper(request: HttpRequest, code: str) -> HttpResponse:
    """A form to print, in the approved version."""
    try:
        body = entry_forms.pdf(_form(code))
    except Refusal as refusal:
        return problems.answer(refusal)
    headers = {"Content-Disposition": f'inline; filename="keno-{code}.pdf"', "Cache-Control": "no-cache"}
    return HttpResponse(body, content_type="application/pdf", headers=headers)
