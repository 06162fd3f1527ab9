"""What a stranger needs to check a draw, and a player his ticket in it (decision 6). Read by the API and by /verify/.

A game's proof is published when it is settled. The proof of an entry shows everything that is printed on the ticket, so
it is given only to whoever has its security code in hand. Who has the serial alone (sixty random bits: it is on the
paper, and nobody guesses it) gets the entry's hash and its way to the root: that tells nothing that is printed on the
ticket but the games it plays in.
"""

from __future__ import annotations

from typing import Final, TypedDict

from chance import proof as proofs
from draws.models import Commitment
from draws.proof import proof_of
from keno import particulars
from keno.attempts import in_set
from keno.models import Draw, DrawDevice, Game, Ticket
from keno.particulars import read_serial
from keno.possession import PUBLIC, refuse_stranger
from keno.queries.attempts import CheckpointShown, WitnessShown, attempt_of, hexadecimal, promise_or_none
from keno.queries.games import find_game
from keno.rules.selection import NUMBERS
from keno.sealed_set import Place, place_of
from keno.steps import Status
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal

PROOFS_GAMES_LIMIT: Final = 12  # games that one answer covers: each is a whole set of tickets, hashed


class AttemptProof(TypedDict):
    """What is promised, sealed and drawn."""

    attempt: int
    device: str
    checkpoint: CheckpointShown | None
    witness: WitnessShown | None
    unwitnessed: str | None
    waits: bool
    commitment: str | None
    ticket_root: str | None
    ticket_count: int | None
    numbers: list[int]
    seed: str | None
    void: str | None


class GameProof(TypedDict):
    game: int
    status: str
    device: str
    attempts: list[AttemptProof]
    proof: dict[str, object] | None
    """Of the attempt that counts. None until the master is revealed, and always with a mechanical device: its balls are
    the record."""


class TicketProof(TypedDict):
    ticket_root: str | None
    entry: proofs.EntryProof


class Membership(TypedDict):
    game: int
    ticket_root: str | None
    entry: proofs.LeafProof


class Memberships(TypedDict):
    serial: str
    first_game: int
    plays_to: int
    played: int
    games: list[Membership]
    """Of the *played* games that are settled the latest ``PROOFS_GAMES_LIMIT``, or the one that is named."""


def game_proof(number: int) -> GameProof:
    """What a stranger needs to check the draw of a game."""
    game, promise = find_game(number), promise_or_none(number)
    draws = list(game.draws.select_related("void_proposal").order_by("attempt"))
    standing = next((draw for draw in draws if draw.voided_at is None), None)
    return {
        "game": number,
        "status": game.status,
        "device": game.device,
        "attempts": [_attempt(game, draw, promise) for draw in draws],
        "proof": _proof(standing, promise) if standing is not None else None,
    }


def entry_proof(*, game: int, serial: str, security_code: str, by: Actor = PUBLIC) -> TicketProof:
    """That the ticket was in the set that the draw is bound to: the entry's text, its place and its neighbours."""
    sealed = _sealed(game)
    ticket = held(serial=serial, security_code=security_code, by=by)
    place = _place(ticket, sealed)
    text = particulars.entry_text(particulars.of_ticket(ticket), particulars.code_of(ticket, paper=1)).decode()
    return {
        "ticket_root": hexadecimal(sealed.ticket_root),
        "entry": proofs.make_entry(entry=text, index=place.index, ticket_count=place.count, node=place.node),
    }


def held(*, serial: str, security_code: str, by: Actor = PUBLIC) -> Ticket:
    """The ticket, for whoever has its paper; for anybody else there is none."""
    ticket = Ticket.objects.filter(serial=read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial and security code.")
    refuse_stranger(ticket, security_code, by=by)
    return ticket


def memberships(*, serial: str, game: int | None = None) -> Memberships:
    """That a ticket was in the sets of its games: where its hash stands, and the way from there to the root."""
    ticket = Ticket.objects.filter(serial=read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.")
    played = Game.objects.filter(
        number__gte=ticket.first_game, number__lte=ticket.plays_to, status=Status.SETTLED
    ).order_by("-number")
    games = [_sealed(game)] if game is not None else list(played[:PROOFS_GAMES_LIMIT])
    shown: list[Membership] = []
    for each in games:
        place = _place(ticket, each)
        entry = proofs.make_leaf(leaf=bytes(ticket.leaf), index=place.index, ticket_count=place.count, node=place.node)
        shown.append({"game": each.number, "ticket_root": hexadecimal(each.ticket_root), "entry": entry})
    return {
        "serial": ticket.serial,
        "first_game": ticket.first_game,
        "plays_to": ticket.plays_to,
        "played": played.count(),
        "games": shown,
    }


def _sealed(number: int) -> Game:
    game = find_game(number)
    if game.sealed_at is None:
        raise Conflict("not-sealed", f"The tickets of game {number} are sealed after its close.")
    return game


def _place(ticket: Ticket, game: Game) -> Place:
    """Where a ticket stands in a game's sealed set, of how many, and the nodes around it."""
    assert game.ticket_root is not None
    if not in_set(game.number).filter(pk=ticket.pk).exists():
        raise Refusal(
            "not-in-game",
            f"This ticket plays in games {ticket.first_game} to {ticket.plays_to}, not in game {game.number}."
            if ticket.plays_to >= ticket.first_game
            else "This ticket was cancelled and plays in no game.",
            clause="act-keno:10.2",
        )
    place = place_of(ticket, game=game.number, root=bytes(game.ticket_root))
    if place is None:
        raise Conflict(
            "not-sealed-there",
            f"This ticket does not lead to the root of game {game.number}: what is on record of it, or of the game, is "
            "not what was sealed. Keep the paper, and show it to the inspector.",
        )
    return place


def _attempt(game: Game, draw: Draw, promise: Commitment | None) -> AttemptProof:
    by_generator = draw.device == DrawDevice.RNG
    said = attempt_of(game, draw, promise)
    return {
        "attempt": said["attempt"],
        "device": said["device"],
        "checkpoint": said["checkpoint"],
        "witness": said["witness"],
        "unwitnessed": said["unwitnessed"],
        "waits": said["waits"],
        "commitment": hexadecimal(promise.commitment) if promise is not None else None,
        "ticket_root": said["ticket_root"],
        "ticket_count": game.ticket_count,
        "numbers": said["drawn"],
        "seed": hexadecimal(promise.master) if promise is not None and by_generator else None,
        "void": draw.void_reason or None,
    }


def _proof(draw: Draw, promise: Commitment | None) -> dict[str, object] | None:
    if draw.device != DrawDevice.RNG or promise is None or draw.asked is None:
        return None
    return proof_of(promise, occasion=str(draw.game_id), attempt=draw.asked, pool=NUMBERS, numbers=draw.numbers)
