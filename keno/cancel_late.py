"""Cancellations around the asking of the witness (6.1): what was cancelled between the seal and it, what came later.

A cancellation counts if it stands in the log before the checkpoint that the witness signed. Until the first number a
later request is recorded with its time: honoured if that attempt never yields a number, otherwise refused.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from house.log import record_act
from keno.acts import CancellationAsked, CancellationRefused
from keno.models import CancellationRequest, Game, LateCancellation, Ticket
from kernel.actors import Actor, system

_CLERK = system("keno-cancel")
Outcome = CancellationRequest.Outcome


def note_late(ticket: Ticket, *, before: int, now: datetime) -> list[int]:
    """The sealed games that the ticket leaves with game *before*: it stays in their sets. Their rows are held."""
    sealed = Game.objects.filter(
        number__gte=before, number__lte=ticket.last_game, sealed_at__isnull=False, asked_at=None, began_at=None
    ).order_by("number")
    late = [LateCancellation(game=game, ticket=ticket, at=now) for game in sealed]
    LateCancellation.objects.bulk_create(late)
    return [each.game_id for each in late]


@transaction.atomic
def record_request(*, game: int, ticket: Ticket, at: datetime, by: Actor) -> None:
    """A request that came after the asking. Once a ticket and game."""
    _, made = CancellationRequest.objects.get_or_create(
        game_id=game, ticket=ticket, defaults={"at": at, "by": by.identity}
    )
    if made:
        record_act(CancellationAsked(ticket=ticket.serial, game=game), by=by)


def refuse_requests(*, game: int, now: datetime) -> None:
    """The first number is recorded: what was asked for meanwhile is too late for good. The game's row is locked."""
    for request in CancellationRequest.objects.filter(game=game, outcome="").select_related("ticket").order_by("pk"):
        request.outcome, request.decided_at = Outcome.REFUSED, now
        request.save(update_fields=["outcome", "decided_at"])
        record_act(CancellationRefused(ticket=request.ticket.serial, game=game), by=_CLERK)


def waiting_requests(game: int) -> list[CancellationRequest]:
    return list(CancellationRequest.objects.filter(game=game, outcome="").select_related("ticket").order_by("pk"))


def mark_honoured(request: CancellationRequest, *, now: datetime) -> None:
    request.outcome, request.decided_at = Outcome.HONOURED, now
    request.save(update_fields=["outcome", "decided_at"])
