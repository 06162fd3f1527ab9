"""Selling a ticket: one transaction for ticket, plays, tender and ledger (1.2, 4.6). Nothing stored, nothing sold.

Few statements, because sales are what happens most: the game is held open, the shift held, one INSERT for all rows of
the ticket, one for the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, Final

from django.db import IntegrityError
from django.utils import timezone
from psycopg.types.json import Jsonb

from house.actors import Actor
from house.gaming_days import open_gaming_day
from house.models import Player
from house.players import play
from house.prepared import execute
from house.refusal import Conflict, Refusal
from house.transactions import whole
from keno import accounts, locks, particulars, pay, serials, vouchers
from keno.entries import Composed, TicketRequest, compose
from keno.models import PaymentMethod, Shift, Tender, Ticket
from keno.models.fields import as_bits
from keno.permissions import SELL
from keno.shifts import hold_open_shift
from keno.tender import EXACT_CASH, Handed, Taken, bookings, take
from ledger.money import ZERO, Money
from ledger.post import post_many
from ledger.statements import canonical

REST_IN_CASH: Final = "cash"
REST_AS_VOUCHER: Final = "keno-voucher"

_INSERT: Final = """
WITH ticket AS (
    INSERT INTO keno_ticket (serial, kind, status, groups, schedule, schedule_version, jackpot, set_bet, games,
                             first_game, last_game, charged_to, a_game, premium, price, change, sold_at, day, terminal,
                             writer, shift_id, player_id, leaf)
    VALUES (%(serial)s, %(kind)s, 'issued', %(groups)s, %(schedule)s, %(schedule_version)s, %(jackpot)s, %(set_bet)s,
            %(games)s, %(first_game)s, %(last_game)s, %(charged_to)s, %(a_game)s, %(premium)s, %(price)s, %(change)s,
            %(sold_at)s, %(day)s, %(terminal)s, %(writer)s, %(shift)s, %(player)s, %(leaf)s)
    ON CONFLICT (serial) DO NOTHING
    RETURNING id
), plays AS (
    INSERT INTO keno_play (ticket_id, place, spots, ways, stake, numbers, jackpot, schedule, schedule_version,
                           first_game, charged_to, plays_to)
    SELECT ticket.id, p.place, p.spots, p.ways, p.stake, p.numbers::bit(80), p.jackpot, %(schedule)s,
           %(schedule_version)s, %(first_game)s, %(charged_to)s, %(last_game)s
    FROM ticket, jsonb_to_recordset(%(plays)s) AS p(place smallint, spots smallint, ways bigint, stake bigint,
                                                    numbers text, jackpot boolean)
), tenders AS (
    INSERT INTO keno_tender (ticket_id, place, type, amount, reference)
    SELECT ticket.id, t.place, t.type, t.amount, t.reference
    FROM ticket, jsonb_to_recordset(%(tenders)s) AS t(place smallint, type text, amount bigint, reference text)
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
    voucher: vouchers.Paper | None


@whole()
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
    first_game = locks.hold_game_on_sale(now=now)
    day = open_gaming_day(now)
    price = composed.quote.price.total
    taken = take(tender=tender, price=price, now=now)
    as_voucher = rest == REST_AS_VOUCHER and bool(taken.change)
    _refuse_large_rest(taken, as_voucher)
    shift = hold_open_shift(by)
    player = play.take_wager(card=card, amount=price, place=play.KENO, by=by, at=now) if card is not None else None
    ticket, code = _write(
        composed,
        taken,
        first_game=first_game,
        now=now,
        day=day.date,
        shift=shift,
        change=ZERO if as_voucher else taken.change,
        player=player,
    )
    for due in taken.payments:
        pay.record(due, method=PaymentMethod.TENDER, by=by, now=now, shift=shift)
    for spent in taken.vouchers:
        vouchers.spend(spent, by=by, at=now, on=ticket)
    paper = None
    if as_voucher:
        paper = vouchers.issue(amount=taken.change, day=day.date, at=now, shift=shift, by=by, ticket=ticket)
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
    return Sold(ticket, composed, code, ticket.change, paper)


def _refuse_large_rest(taken: Taken, as_voucher: bool) -> None:
    """A prize of $10,000 or more in cash goes through paying, which asks for the customer's identity."""
    if taken.payments and not as_voucher and taken.change >= pay.THRESHOLD:
        raise Refusal(
            "pay-it-first",
            f"${taken.change} would go back in cash: pay the winning ticket first, with the customer’s identity.",
            field="tender",
        )


def _write(
    composed: Composed,
    taken: Taken,
    *,
    first_game: int,
    now: datetime,
    day: Any,
    shift: Shift,
    change: Money,
    player: Player | None,
) -> tuple[Ticket, str]:
    """The rows of the ticket, in one statement. A serial that exists already is drawn again."""
    entry, price = composed.entry, composed.quote.price
    selection = entry.selection
    groups = [list(group) for group in selection.groups]
    marked = sum(map(len, groups))
    plays = [(play.spots, play.stake) for play in selection.plays]
    last_game = first_game + composed.games - 1
    while True:
        serial = serials.new_serial()
        written = particulars.written(
            serial=serial,
            kind=composed.kind,
            groups=groups,
            plays=plays,
            schedule=entry.schedule.code,
            jackpot=entry.jackpot,
            first_game=first_game,
            last_game=last_game,
            price=price.total,
            day=day,
            sold_at=now,
            terminal=shift.terminal,
        )
        code = serials.security_code(canonical(written))
        ticket = Ticket(
            serial=serial,
            kind=composed.kind,
            groups=groups,
            schedule=entry.schedule.code,
            schedule_version=composed.schedule_version,
            jackpot=entry.jackpot,
            set_bet=composed.set_bet,
            games=composed.games,
            first_game=first_game,
            last_game=last_game,
            charged_to=first_game + price.charged_games - 1,
            a_game=price.a_game,
            premium=composed.premium,
            price=price.total,
            change=change,
            sold_at=now,
            day=day,
            terminal=shift.terminal,
            writer=shift.writer,
            shift=shift,
            player=player,
            leaf=particulars.leaf(written, code),
        )
        ticket.id = _insert(
            {
                "serial": serial,
                "kind": str(composed.kind),
                "groups": Jsonb(groups),
                "schedule": ticket.schedule,
                "schedule_version": ticket.schedule_version,
                "jackpot": ticket.jackpot,
                "set_bet": ticket.set_bet,
                "games": ticket.games,
                "first_game": first_game,
                "last_game": last_game,
                "charged_to": ticket.charged_to,
                "a_game": ticket.a_game.micros,
                "premium": ticket.premium.micros,
                "price": ticket.price.micros,
                "change": change.micros,
                "sold_at": now,
                "day": day,
                "terminal": ticket.terminal,
                "writer": ticket.writer,
                "shift": shift.pk,
                "player": player and player.pk,
                "leaf": ticket.leaf,
                "plays": Jsonb(
                    [
                        {
                            "place": place,
                            "spots": play.spots,
                            "ways": ways,
                            "stake": play.stake.micros,
                            # One way of all that is marked: settled in SQL.
                            "numbers": as_bits(chain.from_iterable(groups)) if play.spots == marked else None,
                            "jackpot": entry.in_jackpot(play),
                        }
                        for place, (play, ways) in enumerate(zip(selection.plays, selection.ways, strict=True))
                    ]
                ),
                "tenders": Jsonb(
                    [
                        {"place": place, "type": line.type, "amount": line.amount.micros, "reference": line.reference}
                        for place, line in enumerate(taken.lines)
                    ]
                ),
            }
        )
        if ticket.id is not None:
            return ticket, code


def _insert(values: dict[str, Any]) -> Any:
    try:
        rows = execute(_INSERT, values)
    except IntegrityError as error:
        if "keno_tender_once" not in str(error):
            raise
        # Of two who tender the same approved voucher at once the unique index lets one through.
        raise Conflict("voucher-spent", "This voucher was taken in just now.", clause="act-keno:4.6") from error
    return rows[0][0] if rows else None


def tenders_of(ticket: Ticket) -> Sequence[Tender]:
    return sorted(ticket.tenders.all(), key=lambda one: one.place)
