"""``/verify/``: the player's own check. The page computes; here it only gets what was published."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from kernel.refusal import Malformed, NotFound, Refusal
from ledger.checkpoints import fingerprints
from signage import proofs, won
from signage.headers import for_everybody
from signage.look import look
from web import problems
from web.throttle import Throttle

_TRIES: Final = Throttle("verify-ticket", 20)  # a security code is not to be guessed here
_PRINTED: Final = re.compile(r"[ -~]{1,64}", re.ASCII)
_ASKED_BYTES_LIMIT: Final = 2_000  # enough to name a ticket


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    return for_everybody(
        request, render(request, "signage/verify.html", {"look": look(), "fingerprints": fingerprints()})
    )


@require_safe
def game(request: HttpRequest, number: int) -> HttpResponse:
    if number >= 1 << 63:
        return problems.answer(NotFound("no-such-game", f"There is no game {number}."))
    return _answer(lambda: proofs.game_proof(number))


@csrf_exempt  # nobody is signed in here, and nothing changes but the count of wrong codes
@require_POST
def ticket(request: HttpRequest) -> HttpResponse:
    def prove() -> Mapping[str, object]:
        _TRIES.count(request)
        asked = _asked(request)
        if "security_code" in asked:
            return proofs.entry_proof(game=asked["game"], serial=asked["serial"], security_code=asked["security_code"])
        return proofs.memberships(serial=asked["serial"], game=asked.get("game"))

    return _answer(prove)


@csrf_exempt
@require_POST
def won_json(request: HttpRequest) -> HttpResponse:
    """What a ticket won, for whoever has its serial and its security code."""

    def tell() -> dict[str, object]:
        _TRIES.count(request)
        asked = _asked(request, game_too=False)
        if "security_code" not in asked:
            raise Malformed("malformed", "Send serial and security_code as JSON.", field="security_code")
        return won.told(serial=asked["serial"], security_code=asked["security_code"])

    return _answer(tell)


@csrf_exempt
@require_POST
def paper(request: HttpRequest) -> HttpResponse:
    """What the house says of a receipt's QR code."""

    def say() -> dict[str, object]:
        _TRIES.count(request)
        try:
            asked = json.loads(request.body[:_ASKED_BYTES_LIMIT])
            serial, text = str(asked["serial"]), str(asked["paper"])
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Malformed("malformed", "Send serial and paper as JSON.") from None
        return proofs.paper_said(serial=serial, text=text)

    return _answer(say)


def _asked(request: HttpRequest, *, game_too: bool = True) -> dict[str, Any]:
    """With a security code the game too; with a serial alone the game where one is meant."""
    try:
        asked = json.loads(request.body[:_ASKED_BYTES_LIMIT])
        given = {name: asked[name] for name in ("game", "serial", "security_code") if name in asked}
        if "serial" not in given or (game_too and "security_code" in given and "game" not in given):
            raise KeyError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Malformed("malformed", "Send a serial as JSON, or game, serial and security_code.") from None
    printed = all(isinstance(text, str) and _PRINTED.fullmatch(text) for name, text in given.items() if name != "game")
    game = given.get("game", 1)
    if type(game) is not int or not 0 < game < 1 << 63 or not printed:
        raise Malformed("malformed", "The game is a number; serial and security code are as printed on the ticket.")
    return given


def _answer(prove: Callable[[], Mapping[str, object]]) -> HttpResponse:
    try:
        response: HttpResponse = JsonResponse(prove())
    except Refusal as refusal:
        refusal.take_note()
        response = problems.answer(refusal)
    response.headers["Cache-Control"] = "no-store"
    return response
