"""What a stranger needs to check a draw, and a player his ticket in it (decision 6). Read by the API and by /verify/.

A game's proof is published when it is settled, a void attempt's as soon as it is void. The proof of an entry shows the
entry's text with its security code, so it is given only to whoever has the code in hand. Who has the serial alone
(sixty random bits: it is on the paper, and nobody guesses it) gets the entry's hash and its way to the root: that tells
nothing that is printed on the ticket but the games it plays in.
"""

from __future__ import annotations

from typing import Any, Final

from chance import proof as proofs
from keno import particulars
from keno.attempts import tree_of
from keno.models import Draw, DrawDevice, Ticket
from keno.particulars import read_serial
from keno.possession import PUBLIC, refuse_stranger
from keno.queries.games import find_game, hexadecimal
from keno.rules.selection import NUMBERS
from keno.steps import Status
from kernel.actors import Actor
from kernel.merkle import Node
from kernel.refusal import Conflict, NotFound, Refusal

PROOFS_GAMES_LIMIT: Final = 12  # games that one answer covers: each is a whole set of tickets, hashed


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


def entry_proof(*, game: int, serial: str, security_code: str, by: Actor = PUBLIC) -> dict[str, Any]:
    """That the ticket was in the set that the draw is bound to: the entry's text, its place and its neighbours."""
    find_game(game)
    draw = _sealed(game)
    ticket = Ticket.objects.filter(serial=read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial and security code.")
    refuse_stranger(ticket, security_code, by=by)
    index, count, node = _place(ticket, game, draw)
    text = particulars.entry_text(particulars.of_ticket(ticket), particulars.code_of(ticket)).decode()
    assert draw.ticket_root is not None
    return {
        "ticket_root": bytes(draw.ticket_root).hex(),
        "entry": proofs.make_entry(entry=text, index=index, ticket_count=count, node=node),
    }


def memberships(*, serial: str, game: int | None = None) -> dict[str, Any]:
    """{"serial", "first_game", "plays_to", "played", "games": [{"game", "ticket_root", "entry": a hash's proof}]}.

    Of the *played* games that are settled the latest ``PROOFS_GAMES_LIMIT``, or the one that is named.
    """
    ticket = Ticket.objects.filter(serial=read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.")
    played = Draw.objects.filter(
        game__gte=ticket.first_game, game__lte=ticket.plays_to, game__status=Status.SETTLED, voided_at=None
    ).order_by("-game")
    if game is not None:
        find_game(game)
        draws = [_sealed(game)]
    else:
        draws = list(played[:PROOFS_GAMES_LIMIT])
    shown = []
    for draw in draws:
        index, count, node = _place(ticket, draw.game_id, draw)
        assert draw.ticket_root is not None
        entry = proofs.make_leaf(leaf=bytes(ticket.leaf), index=index, ticket_count=count, node=node)
        shown.append({"game": draw.game_id, "ticket_root": bytes(draw.ticket_root).hex(), "entry": entry})
    return {
        "serial": ticket.serial,
        "first_game": ticket.first_game,
        "plays_to": ticket.plays_to,
        "played": played.count(),
        "games": shown,
    }


def _sealed(game: int) -> Draw:
    """The latest attempt whose tickets are sealed."""
    draw = Draw.objects.filter(game=game, began_at__isnull=False).order_by("-attempt").first()
    if draw is None:
        raise Conflict("not-sealed", f"The tickets of game {game} are sealed with its first number.")
    return draw


def _place(ticket: Ticket, game: int, draw: Draw) -> tuple[int, int, Node]:
    """Where a ticket stands in a game's sealed set, of how many, and the nodes around it."""
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
    return index, count, node


def _attempt(draw: Draw) -> dict[str, object]:
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


def _proof(draw: Draw) -> dict[str, object] | None:
    if draw.device != DrawDevice.RNG or draw.seed is None:
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
