"""What a stranger needs to check a draw, and a player his ticket in it (decision 6). Read by the API and by /verify/.

A game's proof is published when it is settled, a void attempt's as soon as it is void. The proof of an entry shows the
entry's text with its security code, so it is given only to whoever has the code in hand.
"""

from __future__ import annotations

from typing import Any

from chance import proof as proofs
from house.refusal import Conflict, NotFound, Refusal
from keno import particulars
from keno.games import find_game, hexadecimal
from keno.models import Device, Draw, Ticket
from keno.rules.selection import NUMBERS
from keno.sealing import tree_of
from keno.serials import agrees, read_serial
from ledger.statements import canonical


def game_proof(number: int) -> dict[str, Any]:
    """{"game", "status", "device", "attempts": [what is promised, sealed and drawn], "proof": of the one that counts}.

    *proof* is null until the seed is revealed, and always with a mechanical device: its balls are the record.
    """
    game = find_game(number)
    draws = list(game.draws.order_by("attempt"))
    standing = next((draw for draw in draws if draw.voided_at is None), None)
    return {
        "game": number,
        "status": game.status,
        "device": game.device,
        "attempts": [_attempt(draw) for draw in draws],
        "proof": _proof(standing) if standing is not None else None,
    }


def entry_proof(*, game: int, serial: str, security_code: str) -> dict[str, Any]:
    """That the ticket was in the set that the draw is bound to: the entry's text, its place and its neighbours."""
    row = find_game(game)
    draw = Draw.objects.filter(game=row, began_at__isnull=False).order_by("-attempt").first()
    if draw is None:
        raise Conflict("not-sealed", f"The tickets of game {game} are sealed with its first number.")
    ticket = Ticket.objects.filter(serial=read_serial(serial)).first()
    if ticket is None or not agrees(security_code, canonical(particulars.of_ticket(ticket))):
        raise NotFound("no-such-ticket", "There is no ticket with this serial and security code.")
    if not ticket.first_game <= game <= ticket.plays_to:
        raise Refusal(
            "not-in-game",
            f"This ticket plays in games {ticket.first_game} to {ticket.plays_to}, not in game {game}."
            if ticket.plays_to >= ticket.first_game
            else "This ticket was cancelled and plays in no game.",
            clause="act-keno:10.2",
        )
    count, node = tree_of(game)
    assert count == draw.ticket_count
    index = Ticket.objects.filter(first_game__lte=game, plays_to__gte=game, serial__lt=ticket.serial).count()
    text = particulars.entry_text(particulars.of_ticket(ticket), particulars.code_of(ticket)).decode()
    assert draw.ticket_root is not None
    return {
        "ticket_root": bytes(draw.ticket_root).hex(),
        "entry": proofs.make_entry(entry=text, index=index, ticket_count=count, node=node),
    }


def _attempt(draw: Draw) -> dict[str, Any]:
    return {
        "attempt": draw.attempt,
        "device": draw.device,
        "commitment": hexadecimal(draw.commitment),
        "ticket_root": hexadecimal(draw.ticket_root),
        "ticket_count": draw.ticket_count,
        "numbers": draw.numbers,
        "seed": hexadecimal(draw.seed),
        "void": draw.void_reason or None,
    }


def _proof(draw: Draw) -> dict[str, Any] | None:
    if draw.device != Device.RNG or draw.seed is None:
        return None
    assert draw.ticket_root is not None
    assert draw.ticket_count is not None
    made = proofs.make(
        seed=bytes(draw.seed),
        occasion=draw.occasion,
        ticket_root=bytes(draw.ticket_root),
        ticket_count=draw.ticket_count,
        pool=NUMBERS,
        count=len(draw.numbers),
    )
    # What is published is what is on record: were they ever to differ, everybody shall see it fail.
    return {**made, "commitment": hexadecimal(draw.commitment), "numbers": draw.numbers}
