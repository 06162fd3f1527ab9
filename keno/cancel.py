"""Cancelling a ticket for its unplayed games (6), until the witness is asked about the game at hand or its first ball
is recorded. What is asked for between the asking and the first number is on record, and too late (``cancel_late``)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db.models import Max, Q
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import GamingDay, PlayLineKind
from house.players import play
from keno import accounts, locks, possession, vouchers
from keno.acts import TicketCancelled
from keno.cancel_late import note_late, record_request
from keno.cash_kinds import CANCELLED
from keno.models import Game, Ticket, TicketStatus
from keno.pay import lock_ticket
from keno.permissions import CANCEL
from keno.queries.tickets import find_ticket
from keno.rules.price import Cancellation, Price, cancellation
from keno.shifts import hold_open_shift
from keno.steps import OVER, require_not_cancelled
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal
from kernel.transactions import one_transaction
from ledger.post import Booking, post_many


@dataclass(frozen=True, slots=True)
class Cancelled:
    ticket: Ticket
    refund: Money
    games: int
    voucher: vouchers.IssuedVoucher | None

    @property
    def cash(self) -> Money:
        """What goes back over the counter."""
        return self.refund if self.voucher is None else self.refund - self.voucher.voucher.amount


@one_transaction()
def cancel_ticket(
    *, serial: str, security_code: str | None, by: Actor, identity: Identity | None = None, card: str | None = None
) -> Cancelled:
    """Take back every unplayed game of the ticket and return what was paid for them, to whoever holds it (10.3).

    In cash; what an approved voucher paid goes back as a Keno voucher that is never cash.
    """
    by.require(CANCEL)
    possession.refuse_missing(security_code)
    now = timezone.now()
    sold = find_ticket(serial)
    first_unplayed = hold_first_unplayed(sold)
    ticket = lock_ticket(sold.serial)
    possession.require_ticket(ticket, security_code, by=by)
    taken_back = _check(ticket, first_unplayed=first_unplayed, by=by, now=now)
    late = stop(ticket, before=first_unplayed, status=TicketStatus.CANCELLED, by=by, now=now)
    cancelled = TicketCancelled(
        ticket=ticket.serial, from_=first_unplayed, to=ticket.last_game, refund=taken_back.refund, late=late
    )
    record_act(cancelled, by=by)
    if not taken_back.refund:  # only free games were left
        return Cancelled(ticket, taken_back.refund, taken_back.games, None)
    paper = _give_back(ticket, taken_back.refund, first_unplayed=first_unplayed, by=by, now=now)
    play.give_back(
        player_id=ticket.player_id,
        kind=PlayLineKind.REFUND,
        amount=taken_back.refund,
        place=play.KENO,
        reference=ticket.serial,
        by=by,
        at=now,
    )
    done = Cancelled(ticket, taken_back.refund, taken_back.games, paper)
    handed = HandedOver(
        kind=CANCELLED,
        payment=ticket.pk,
        reference=ticket.serial,
        cash=done.cash,
        day=gaming_day_at(now).date,
        at=now,
    )
    hand_over(handed, receiver=Receiver(identity=identity, card=card, played_by=ticket.player_id), by=by)
    return done


def _give_back(
    ticket: Ticket, refund: Money, *, first_unplayed: int, by: Actor, now: datetime
) -> vouchers.IssuedVoucher | None:
    """Cash paid for the games that were played, as far as it went: what never becomes cash is given back first."""
    shift = hold_open_shift(by)
    day = gaming_day_at(now).date
    not_cash = min(refund, vouchers.not_cash_left(ticket))
    paper = None
    if not_cash:
        paper = vouchers.issue(amount=not_cash, cashable=False, day=day, at=now, shift=shift, by=by, ticket=ticket)
    parts = [(accounts.VOUCHERS, not_cash), (shift.cash, refund - not_cash)]
    booked = [
        Booking(
            debit=accounts.STAKES_HELD,
            credit=account,
            amount=amount,
            kind="keno.cancel",
            reference=f"{ticket.serial}/{part}" if part else ticket.serial,
            memo={"from": first_unplayed},
        )
        for part, (account, amount) in enumerate(each for each in parts if each[1])
    ]
    post_many(bookings=booked, by=by, day=day, at=now)
    return paper


def stop(ticket: Ticket, *, before: int, status: TicketStatus, by: Actor, now: datetime) -> tuple[int, ...]:
    """The ticket plays no game from *before* on. Its row is locked, and the asking about that game held off. The games
    whose sealed sets it stays in, though it plays in none of them."""
    late = note_late(ticket, before=before, now=now)
    ticket.cancelled_from, ticket.cancelled_at, ticket.cancelled_by = before, now, by.identity
    if before == ticket.first_game or status == TicketStatus.VOIDED:
        ticket.status = status
    ticket.save(update_fields=["cancelled_from", "cancelled_at", "cancelled_by", "status"])
    ticket.plays.update(plays_to=before - 1)
    return tuple(late)


def hold_first_unplayed(ticket: Ticket) -> int:
    """The first game of the ticket that has not begun, its beginning held off until we are done (6.1). A draw has begun
    when the witness is asked: whoever could know the numbers cannot take his stake back."""
    while True:
        begun = Game.objects.filter(number__gte=ticket.first_game, number__lte=ticket.last_game).filter(
            Q(asked_at__isnull=False) | Q(began_at__isnull=False) | Q(status__in=OVER)
        )
        latest = begun.aggregate(latest=Max("number"))["latest"]
        first = ticket.first_game if latest is None else latest + 1
        if first > ticket.last_game or locks.hold_before_asking(first, upto=ticket.last_game):
            return first


def _check(ticket: Ticket, *, first_unplayed: int, by: Actor, now: datetime) -> Cancellation:
    require_not_cancelled(ticket)
    day = GamingDay.objects.get(date=ticket.day)
    if now >= day.ends_at:
        raise Conflict(
            "day-of-issue-over",
            f"A ticket can be cancelled only before the close of Keno on the day of issue, {day}.",
            clause="act-keno:6.4",
        )
    position = first_unplayed - ticket.first_game + 1
    try:
        price, begun = Price(ticket.games, ticket.price_a_game), _any_begun(ticket)
        return cancellation(price, first_unplayed=position, begun=begun)
    except Refusal as refusal:
        asked = _asked_about(first_unplayed - 1)
        if asked is None:
            raise
        raise Conflict(
            "draw-begun",
            f"The draw of game {asked} has begun: the witness has been asked. The request is on record; it counts only "
            "if that draw never yields a number.",
            clause=refusal.clause or "act-keno:6.1",
        ).noting(partial(record_request, game=asked, ticket=ticket, at=now, by=by)) from None


def _any_begun(ticket: Ticket) -> bool:
    """Whether a number of any of its games was recorded, or the witness asked: one that was invalidated before has
    none."""
    games = Game.objects.filter(number__gte=ticket.first_game, number__lte=ticket.last_game)
    return games.filter(Q(asked_at__isnull=False) | Q(began_at__isnull=False)).exists()


def _asked_about(number: int) -> int | None:
    """The game, where the witness has been asked about it and no number is recorded yet."""
    waiting = Game.objects.filter(number=number, asked_at__isnull=False, began_at=None).exclude(status__in=OVER)
    return waiting.values_list("number", flat=True).first()
