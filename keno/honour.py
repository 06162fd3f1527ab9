"""Requests to cancel that came too late, and are honoured after all: the attempt never yielded a number (6.1)."""

from __future__ import annotations

from datetime import datetime

from house.log import record_act
from keno.acts import TicketCancelled
from keno.cancel_late import mark_honoured, waiting_requests
from keno.models import LateCancellation, Ticket, TicketStatus
from keno.pay import lock_ticket
from keno.refunds import owe
from keno.rules.price import Price
from kernel.actors import Actor
from kernel.money import Money


def honour_requests(*, game: int, by: Actor, now: datetime) -> None:
    """Every request that waits: the ticket leaves this game and those after it, and what was paid for them waits to be
    collected like a prize. The game's row is locked, and its draw goes on with other means."""
    for request in waiting_requests(game):
        ticket = lock_ticket(request.ticket.serial)
        if ticket.cancelled_from is None or ticket.cancelled_from > game:
            _take_out(ticket, game=game, by=by, now=now)
        mark_honoured(request, now=now)


def _take_out(ticket: Ticket, *, game: int, by: Actor, now: datetime) -> None:
    price, plays_to = Price(ticket.games, ticket.price_a_game), ticket.plays_to
    refund = Money.total(price.paid_for(position - ticket.first_game + 1) for position in range(game, plays_to + 1))
    LateCancellation.objects.get_or_create(game_id=game, ticket=ticket, defaults={"at": now})
    ticket.cancelled_from, ticket.cancelled_at, ticket.cancelled_by = game, now, by.identity
    if game == ticket.first_game:
        ticket.status = TicketStatus.CANCELLED
    ticket.save(update_fields=["cancelled_from", "cancelled_at", "cancelled_by", "status"])
    ticket.plays.update(plays_to=game - 1)
    owe(ticket, refund, game=game, by=by, at=now)
    cancelled = TicketCancelled(ticket=ticket.serial, from_=game, to=plays_to, refund=refund, late=(game,))
    record_act(cancelled, by=by)
