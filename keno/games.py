"""Looking at games."""

from __future__ import annotations

from typing import Any

from house.refusal import NotFound
from keno.lifecycle import Status
from keno.models import Draw, Game


def find_game(number: int) -> Game:
    game = Game.objects.filter(number=number).first()
    if game is None:
        raise NotFound("no-such-game", f"There is no game {number}.")
    return game


def current_game() -> Game:
    """The game on sale; outside the hours of gaming the one that comes next."""
    for status in (Status.OPEN, Status.SCHEDULED):
        if game := Game.objects.filter(status=status).first():
            return game
    raise NotFound("no-game", "No game is open or scheduled: there is no gaming day ahead.", clause="act-keno:13.1")


def described(game: Game) -> dict[str, Any]:
    """The game as everybody may see it. What is not known yet is left out: ticket root, seed, totals."""
    draw = Draw.objects.filter(game=game).order_by("-attempt").first()
    found: dict[str, Any] = {
        "number": game.number,
        "status": game.status,
        "gaming_day": game.gaming_day,
        "opens_at": game.opens_at,
        "closes_at": game.closes_at,
        "device": game.device,
        "attempt": draw.attempt if draw else 1,
        "drawn": draw.numbers if draw and draw.voided_at is None else [],
        "commitment": hexadecimal(draw.commitment) if draw else None,
    }
    known = {
        "ticket_root": hexadecimal(draw.ticket_root) if draw else None,
        "ticket_count": draw.ticket_count if draw else None,
        "seed": hexadecimal(draw.seed) if draw else None,
        "totals": game.totals,
    }
    return found | {name: value for name, value in known.items() if value is not None}


def hexadecimal(value: bytes | memoryview | None) -> str | None:
    return None if value is None else bytes(value).hex()
