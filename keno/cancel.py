"""Cancelling a ticket for its unplayed games (6), until the first number of the game at hand is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.models import GamingDay, PlayLineKind
from house.players import play
from house.refusal import Conflict, NotFound
from keno import accounts, locks, vouchers
from keno.lifecycle import OVER
from keno.models import Game, Tender, TenderType, Ticket, TicketStatus
from keno.pay import lock_ticket
from keno.permissions import CANCEL
from keno.rules.price import Cancellation, Price, cancellation
from keno.serials import read_serial
from keno.shifts import hold_open_shift
from ledger.money import Money
from ledger.post import Booking, post


@dataclass(frozen=True, slots=True)
class Cancelled:
    ticket: Ticket
    refund: Money
    games: int
    voucher: vouchers.Paper | None


@transaction.atomic
def cancel_ticket(*, serial: str, by: Actor) -> Cancelled:
    """Take back every unplayed game of the ticket and return what was paid for them.

    In cash; as a Keno voucher where an approved voucher helped to pay, which is never turned into cash.
    """
    by.require(CANCEL)
    now = timezone.now()
    sold = Ticket.objects.filter(serial=read_serial(serial)).first()
    if sold is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.", clause="act-keno:1.2")
    first_unplayed = hold_first_unplayed(sold)
    ticket = lock_ticket(sold.serial)
    taken_back = _check(ticket, first_unplayed=first_unplayed, now=now)
    stop(ticket, before=first_unplayed, status=TicketStatus.CANCELLED, by=by, now=now)
    if not taken_back.refund:  # only free games were left
        return Cancelled(ticket, taken_back.refund, taken_back.games, None)
    shift = hold_open_shift(by)
    day = gaming_day_at(now).date
    paper = None
    if Tender.objects.filter(ticket=ticket, type=TenderType.VOUCHER).exists():
        paper = vouchers.issue(amount=taken_back.refund, day=day, at=now, shift=shift, by=by, ticket=ticket)
    booking = Booking(
        debit=accounts.STAKES_HELD,
        credit=accounts.VOUCHERS if paper else shift.cash,
        amount=taken_back.refund,
        kind="keno.cancel",
        reference=ticket.serial,
        memo={"from": first_unplayed},
    )
    post(booking=booking, by=by, day=day, at=now)
    play.give_back(
        player_id=ticket.player_id,
        kind=PlayLineKind.REFUND,
        amount=taken_back.refund,
        place=play.KENO,
        reference=ticket.serial,
        by=by,
        at=now,
    )
    return Cancelled(ticket, taken_back.refund, taken_back.games, paper)


def stop(ticket: Ticket, *, before: int, status: TicketStatus, by: Actor, now: datetime) -> None:
    """The ticket plays no game from *before* on. Its row is locked, and the first number of that game held off."""
    ticket.cancelled_from, ticket.cancelled_at, ticket.cancelled_by = before, now, by.identity
    if before == ticket.first_game or status == TicketStatus.VOIDED:
        ticket.status = status
    ticket.save(update_fields=["cancelled_from", "cancelled_at", "cancelled_by", "status"])
    ticket.plays.update(plays_to=before - 1)


def hold_first_unplayed(ticket: Ticket) -> int:
    """The first game of the ticket that has not begun, its first number held off until we are done (6.1)."""
    while True:
        begun = Game.objects.filter(number__gte=ticket.first_game, number__lte=ticket.last_game).filter(
            Q(began_at__isnull=False) | Q(status__in=OVER)
        )
        latest = begun.aggregate(latest=Max("number"))["latest"]
        first = ticket.first_game if latest is None else latest + 1
        if first > ticket.last_game or locks.hold_before_first_number(first):
            return first


def _check(ticket: Ticket, *, first_unplayed: int, now: datetime) -> Cancellation:
    if ticket.cancelled_from is not None:
        raise Conflict("cancelled-already", "This ticket was cancelled before.", clause="act-keno:6.1")
    day = GamingDay.objects.get(date=ticket.day)
    if now >= day.ends_at:
        raise Conflict(
            "day-of-issue-over",
            f"A ticket can be cancelled only before the close of Keno on the day of issue, {day}.",
            clause="act-keno:6.4",
        )
    return cancellation(Price(ticket.games, ticket.a_game), first_unplayed=first_unplayed - ticket.first_game + 1)
