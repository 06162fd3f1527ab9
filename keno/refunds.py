"""Refunds: of a game that was invalidated (14.5), and of the wagers of a person in breach (14.3)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import RestrictionKind, Scope
from house.players.restrict import restrict
from keno import accounts
from keno.acts import WagersVoided
from keno.cancel import hold_first_unplayed, stop
from keno.models import Prize, PrizeKind, Ticket, TicketStatus
from keno.pay import lock_ticket
from keno.permissions import VOID_WAGER
from keno.queries.tickets import find_ticket
from keno.rules.price import Price
from keno.steps import require_not_stopped
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.post import Booking, post

# Every ticket in the game that was paid for it: free games were not (3.1a, 3.1b). Written once a ticket.
_REFUND: Final = """
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, day)
    SELECT id, %(game)s, 'refund', price_a_game, 0, false, %(day)s
    FROM keno_ticket
    WHERE first_game <= %(game)s AND plays_to >= %(game)s AND charged_to >= %(game)s
    ON CONFLICT (ticket_id, game, kind) DO NOTHING
    RETURNING amount
"""


@transaction.atomic
def refund_game(*, game: int, by: Actor, day: date, at: datetime) -> Money:
    """Owe each ticket what was paid for this game, and take it out of the stakes held. The caller holds the game's row.

    The money is collected like a prize, with the ticket. Safe to repeat: a second time refunds nothing.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH refunded AS ({_REFUND}) SELECT coalesce(sum(amount), 0)::bigint FROM refunded",  # noqa: S608
            {"game": game, "day": day},
        )
        total = Money(int(cursor.fetchone()[0]))
    if total:
        booking = Booking(
            debit=accounts.STAKES_HELD,
            credit=accounts.REFUNDS_OWING,
            amount=total,
            kind="keno.refunds",
            reference=f"game/{game}",
        )
        post(booking=booking, by=by, day=day, at=at)
    return total


@transaction.atomic
def void_wagers(*, serial: str, why: str, by: Actor, exclude: str | None = None) -> Money:
    """Void a ticket of a person in breach of the rules (14.3): it plays no further game, and those are refunded.

    Games whose witness has been asked stand: a loser's refund would be a free option. *exclude*: the number of the
    player in breach, who is excluded from Keno from this moment on (14.3b), until somebody else lets him back.
    """
    by.require(VOID_WAGER)
    if not why.strip():
        raise Refusal("reason-missing", "Say which rule was broken, and how.", clause="act-keno:14.3", field="why")
    now = timezone.now()
    sold = find_ticket(serial)
    first = hold_first_unplayed(sold)
    ticket = lock_ticket(sold.serial)
    require_not_stopped(ticket)
    if first > ticket.last_game:
        raise Conflict("nothing-to-void", "Every game of this ticket has begun to be drawn.", clause="act-keno:14.3")
    late = stop(ticket, before=first, status=TicketStatus.VOIDED, by=by, now=now)
    price = Price(ticket.games, ticket.price_a_game)
    refund = Money.total(
        price.paid_for(position) for position in range(first - ticket.first_game + 1, ticket.games + 1)
    )
    owe(ticket, refund, game=first, by=by, at=now)
    voided = WagersVoided(
        ticket=ticket.serial,
        why=why.strip(),
        from_=first,
        to=ticket.last_game,
        refund=refund,
        excluded=exclude,
        late=late,
    )
    record_act(voided, by=by)
    if exclude is not None:
        exclude_from_keno(exclude, why=why, by=by)
    return refund


def owe(ticket: Ticket, refund: Money, *, game: int, by: Actor, at: datetime) -> None:
    """What was paid for the games from this one on is collected like a prize, with the ticket."""
    if not refund:
        return
    day = gaming_day_at(at).date
    Prize.objects.create(ticket=ticket, game=game, kind=PrizeKind.REFUND, amount=refund, day=day)
    held, owing = accounts.STAKES_HELD, accounts.REFUNDS_OWING
    booking = Booking(debit=held, credit=owing, amount=refund, kind="keno.voided", reference=ticket.serial)
    post(booking=booking, by=by, day=day, at=at)


def exclude_from_keno(player_number: str, *, why: str, by: Actor) -> None:
    """14.3b: from this moment on, until somebody else lets him back."""
    clause = "act-keno:14.3"
    try:
        restrict(
            player_number=player_number,
            kind=RestrictionKind.EXCLUSION,
            scope=Scope.KENO,
            reason=why,
            clause=clause,
            by=by,
        )
    except NotFound as missing:
        raise Refusal(missing.code, missing.detail, clause=clause, field="exclude") from None
