"""Attempts at a draw, and the set of tickets that all of them draw from (decision 6).

A game has one promise, made before it opens (``draws.commit``); every attempt by generator follows from its master and
from what was said when the witness was asked. The set of tickets is one Merkle root, sealed once after the close
(``sealed_set.py``). What was cancelled between that and the asking stays in the set.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Count, Q, QuerySet, Sum

from chance.two_party import Said
from draws.ask import seal_set
from draws.commit import find_commitment
from draws.models import Commitment
from draws.said import numbers, said_to
from house.log import record_act
from keno.acts import TicketsSealed
from keno.locks import lock_game
from keno.models import Draw, Game, LateCancellation, Ticket
from keno.queries.attempts import PURPOSE
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN
from keno.sealed_set import keep_set, ticket_set
from keno.steps import Status, Step, after
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.transactions import one_transaction


def promise_of(game: int) -> Commitment:
    """The one promise of the game, whatever attempts follow."""
    return find_commitment(purpose=PURPOSE, name=str(game))


def make_attempt(*, game: Game, attempt: int, now: datetime) -> Draw:
    return Draw.objects.create(game=game, attempt=attempt, device=game.device, made_at=now)


def current_attempt(game: Game) -> Draw:
    """The attempt that is not void."""
    return Draw.objects.get(game=game, voided_at=None)


def said_of(draw: Draw, promise: Commitment | None = None) -> Said | None:
    """What was said to the attempt: by the witness, or in its place. None: not asked, or no answer yet. *promise*: the
    game's, where it is known."""
    if draw.asked is None:
        return None
    return said_to(promise or promise_of(draw.game_id), occasion=str(draw.game_id), attempt=draw.asked)


def numbers_of(draw: Draw, said: Said, promise: Commitment | None = None) -> list[int]:
    """All twenty, in the order drawn; those on record must be the first of them. Raises MasterLost, RecordDiffers."""
    return numbers(promise or promise_of(draw.game_id), said, pool=NUMBERS, count=DRAWN, recorded=draw.numbers)


def in_set(game: int) -> QuerySet[Ticket]:
    """The tickets of a game's sealed set, what was cancelled late among them."""
    late = LateCancellation.objects.filter(game=game).values("ticket")
    return Ticket.objects.filter(Q(first_game__lte=game, plays_to__gte=game) | Q(pk__in=late))


def cancelled_late(game: int) -> tuple[int, Money]:
    """How many tickets of the sealed set were cancelled before the witness was asked, and what was paid for them."""
    found = LateCancellation.objects.filter(game=game).aggregate(
        count=Count("pk"), paid=Sum("ticket__price_a_game", filter=Q(ticket__charged_to__gte=game))
    )
    return found["count"], found["paid"] or ZERO


@one_transaction()
def seal_tickets(*, number: int, by: Actor, now: datetime) -> Game:
    """Seal the set of tickets of a closed game: its root is an act of its own, and never changes.

    A step by itself, so that a large set never holds up the opening of the next game. Done once; again it does nothing.
    """
    game = lock_game(number)
    if game.sealed_at is not None:
        return game
    game.status = after(game.status, Step.SEAL, game=number)
    tickets = ticket_set(number)
    game.sealed_at, game.ticket_root, game.ticket_count = now, tickets.root, tickets.count
    game.sealed_stakes = tickets.stakes
    game.save(update_fields=["status", "sealed_at", "ticket_root", "ticket_count", "sealed_stakes"])
    keep_set(number, tickets)
    seal_set(promise_of(number), occasion=str(number), root=tickets.root, count=tickets.count, by=by)
    record_act(TicketsSealed(game=number, ticket_root=tickets.root, ticket_count=tickets.count), by=by)
    return game


def seal_closed(*, by: Actor, now: datetime) -> None:
    """Every closed game whose set is not sealed yet, in order."""
    for number in list(Game.objects.filter(status=Status.CLOSED).order_by("number").values_list("number", flat=True)):
        seal_tickets(number=number, by=by, now=now)
