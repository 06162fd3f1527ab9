"""Selling a ticket: one transaction for ticket, plays, tender and ledger (1.2, 4.6). Nothing stored, nothing sold.

Few statements, because sales are what happens most: the game is held open, the shift held, one INSERT for all rows of
the ticket, one for the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Unpack

from django.db import IntegrityError
from django.utils import timezone
from psycopg.types.json import Jsonb

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.limits import SMALLEST, asks_identity
from house.gaming_days import open_gaming_day
from house.log import record_act
from house.models import Player
from house.players import play
from keno import accounts, locks, pay, vouchers
from keno.cash_kinds import CHANGE, SALE
from keno.counter_acts import TenderLine, TenderTaken
from keno.entries import Composed, TicketRequest, compose
from keno.exposure import alarm
from keno.models import PaymentMethod, Shift, TenderType, Ticket
from keno.new_ticket import SoldWhere, exposed, new_ticket, plays_of
from keno.permissions import PAY, SELL
from keno.rules.exposure import Exposure, exposure
from keno.shifts import hold_open_shift
from keno.tender import EXACT_CASH, Handed, Taken, bookings, take
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.prepared import execute
from kernel.refusal import Conflict, Refusal
from kernel.rooms import above
from kernel.transactions import one_transaction
from ledger.post import post_many

REST_IN_CASH: Final = "cash"
REST_AS_VOUCHER: Final = "keno-voucher"

_INSERT: Final = """
WITH ticket AS (
    INSERT INTO keno_ticket (serial, kind, status, groups, schedule, schedule_version, jackpot, set_bet, games,
                             first_game, last_game, charged_to, price_a_game, premium, price, change, sold_at, day,
                             terminal, writer, shift_id, player_id, leaf, could_pay, could_pay_minors,
                             could_pay_held)
    VALUES (%(serial)s, %(kind)s, 'issued', %(groups)s, %(schedule)s, %(schedule_version)s, %(jackpot)s, %(set_bet)s,
            %(games)s, %(first_game)s, %(last_game)s, %(charged_to)s, %(price_a_game)s, %(premium)s, %(price)s,
            %(change)s, %(sold_at)s, %(day)s, %(terminal)s, %(writer)s, %(shift)s, %(player)s, %(leaf)s,
            %(could_pay)s, %(could_pay_minors)s, %(could_pay_held)s)
    ON CONFLICT (serial) DO NOTHING
    RETURNING id
), plays AS (
    INSERT INTO keno_play (ticket_id, place, spots, ways, stake)  -- the rest is its ticket's (trigger as_its_ticket)
    SELECT ticket.id, p.place, p.spots, p.ways, p.stake
    FROM ticket, jsonb_to_recordset(%(plays)s) AS p(place smallint, spots smallint, ways bigint, stake bigint)
), tenders AS (
    INSERT INTO keno_tender (ticket_id, place, type, amount, reference)
    SELECT ticket.id, t.place, t.type, t.amount, t.reference
    FROM ticket, jsonb_to_recordset(%(tenders)s) AS t(place smallint, type text, amount bigint, reference text)
), exposed AS (  -- a row a session of the database: no sale waits for another (decision 4)
    INSERT INTO keno_gameexposure (game, part, most, minors, held)
    SELECT %(first_game)s, pg_backend_pid() %% 64, %(could_pay)s, %(could_pay_minors)s, %(could_pay_held)s FROM ticket
    ON CONFLICT (game, part) DO UPDATE
    SET most = keno_gameexposure.most + EXCLUDED.most, minors = keno_gameexposure.minors + EXCLUDED.minors,
        held = keno_gameexposure.held + EXCLUDED.held
)
SELECT id FROM ticket
"""


@dataclass(frozen=True, slots=True)
class Sold:
    """What the terminal prints."""

    ticket: Ticket
    composed: Composed
    security_code: str
    change: Money
    voucher: vouchers.IssuedVoucher | None
    continuations: tuple[pay.Continuation, ...] = ()  # of tickets that were tendered and have games to come (10.4)


@one_transaction()
def sell_ticket(
    *,
    request: TicketRequest,
    by: Actor,
    tender: Sequence[Handed] = EXACT_CASH,
    rest: str = REST_IN_CASH,
    card: str | None = None,
) -> Sold:
    """Sell one ticket from the next open game on. *rest*: what is over comes back in cash, or as a Keno voucher.

    *card*: the player's own; the wager then counts towards his limits and his promotions.
    """
    by.require(SELL)
    composed = compose(request)
    now = timezone.now()
    first_game, could_pay = _hold_room(composed, now=now, by=by)
    day = open_gaming_day(now)
    price = composed.quote.price.total
    taken = take(tender=tender, price=price, now=now, by=by)
    as_voucher = bool(taken.change) and (rest == REST_AS_VOUCHER or bool(taken.not_cash_change))
    if taken.change:
        _refuse_large_rest(taken, as_voucher, price=price)
    shift = hold_open_shift(by)
    player = play.take_wager(card=card, amount=price, place=play.KENO, by=by, at=now) if card is not None else None
    ticket, code = _write(
        composed,
        taken,
        could_pay,
        first_game=first_game,
        now=now,
        day=day.date,
        shift=shift,
        change=ZERO if as_voucher else taken.change,
        player=player,
    )
    papers = [
        pay.continue_ticket(pay.record(due, method=PaymentMethod.TENDER, by=by, now=now, shift=shift), by=by)
        for due in taken.payments
    ]
    for spent in taken.vouchers:
        vouchers.spend(spent, by=by, at=now, on=ticket)
    paper = _issue_rest(taken, ticket, shift, by) if as_voucher else None
    post_many(
        bookings=bookings(
            taken,
            serial=ticket.serial,
            price=price,
            shift=shift,
            change_to=accounts.VOUCHERS if as_voucher else shift.cash,
        ),
        by=by,
        day=day.date,
        at=now,
    )
    if any(line.reference for line in taken.lines):
        lines = tuple(TenderLine(type=one.type, amount=one.amount, reference=one.reference) for one in taken.lines)
        record_act(TenderTaken(ticket=ticket.serial, lines=lines, change=taken.change), by=by)
    _count_cash(taken, ticket, as_voucher=as_voucher, by=by)
    return Sold(ticket, composed, code, ticket.change, paper, tuple(filter(None, papers)))


def _hold_room(composed: Composed, *, now: datetime, by: Actor) -> tuple[int, Exposure]:
    """The game on sale, held open, and what the ticket adds to what it could pay; refused where that is too much."""
    could_pay = exposure(composed.entry)
    on_sale = locks.hold_game_on_sale(now=now, adds=could_pay.held)
    try:
        on_sale.require_room(could_pay)
    except Conflict as refusal:
        raise refusal.noting(lambda: alarm(on_sale, by)) from None
    return on_sale.game, could_pay


def _refuse_large_rest(taken: Taken, as_voucher: bool, *, price: Money) -> None:
    """What asks for identity or a second person goes through paying, which asks for them; so much is no change."""
    if as_voucher:
        if (won := taken.total(TenderType.TICKET)) > price:
            raise Refusal(
                "voucher-is-change",
                f"Of what was won ${won - price} is left: that goes back in cash, or is paid first. A Keno voucher is "
                "change of other tender.",
                clause="act-keno:10.5",
                field="rest",
            )
        if not taken.not_cash_change and asks_identity(taken.change):
            raise Refusal(
                "voucher-is-change",
                f"${taken.change} does not go out as a Keno voucher: that is change, and no way around showing who one "
                "is.",
                clause="act-keno:4.6",
                field="rest",
            )
        return
    out = taken.cash_out
    if not out:
        return
    alone = bool(taken.vouchers) and out > above(PAY)
    if alone or asks_identity(out):
        raise Refusal(
            "pay-it-first",
            f"${out} would go back in cash: pay the ticket, redeem the voucher or change the chips first, with the "
            "customer’s identity.",
            field="tender",
        )


def _issue_rest(taken: Taken, ticket: Ticket, shift: Shift, by: Actor) -> vouchers.IssuedVoucher:
    """What is over as a Keno voucher; not for cash where it was not paid in cash."""
    return vouchers.issue(
        amount=taken.change,
        cashable=not taken.not_cash_change,
        day=ticket.day,
        at=ticket.sold_at,
        shift=shift,
        by=by,
        ticket=ticket,
    )


def _count_cash(taken: Taken, ticket: Ticket, *, as_voucher: bool, by: Actor) -> None:
    """What goes out counts like a prize. What comes in is below every limit: much of it is looked at."""
    of: dict[str, Any] = {"payment": ticket.pk, "reference": ticket.serial, "day": ticket.day, "at": ticket.sold_at}
    if not as_voucher and taken.cash_out:
        receiver = Receiver(played_by=ticket.player_id or taken.played_by)
        hand_over(HandedOver(kind=CHANGE, cash=taken.cash_out, **of), receiver=receiver, by=by)
    if taken.cash_in >= SMALLEST:
        hand_over(HandedOver(kind=SALE, cash=taken.cash_in, **of), receiver=Receiver(played_by=ticket.player_id), by=by)


def _write(
    composed: Composed, taken: Taken, could_pay: Exposure, *, player: Player | None, **where: Unpack[SoldWhere]
) -> tuple[Ticket, str]:
    """The rows of the ticket, in one statement. A serial that exists already is drawn again."""
    of_player = None if player is None else player.pk
    rows = {"player": of_player, "plays": plays_of(composed.entry), "tenders": _tenders(taken), **exposed(could_pay)}
    while True:
        new, code = new_ticket(composed, **where)
        number = _insert(new.row() | rows)
        if number is not None:
            return new.stored(number, player_id=of_player), code


def _tenders(taken: Taken) -> Jsonb:
    return Jsonb(
        [
            {"place": place, "type": line.type, "amount": line.amount.micros, "reference": line.reference}
            for place, line in enumerate(taken.lines)
        ]
    )


def _insert(values: dict[str, Any]) -> Any:
    try:
        rows = execute(_INSERT, values)
    except IntegrityError as error:
        if "keno_tender_once" not in str(error):
            raise
        # Of two who tender the same approved voucher at once the unique index lets one through.
        raise Conflict("voucher-spent", "This voucher was taken in just now.", clause="act-keno:4.6") from error
    return rows[0][0] if rows else None
