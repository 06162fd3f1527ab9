"""A ticket about to be sold: everything that will be on record of it, before it is (4.2, 4.3)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any, TypedDict

from psycopg.types.json import Jsonb
from psycopg.types.numeric import Int4, Int8

from keno import particulars
from keno.entries import Composed
from keno.models import Shift, Ticket, TicketKind
from keno.rules.entry import TicketEntry
from keno.rules.exposure import Exposure
from kernel.canonical import canonical
from kernel.money import Money


class SoldWhere(TypedDict):
    """The rest of what makes a ticket: from which game on, when, at whose shift."""

    first_game: int
    now: datetime
    day: date
    shift: Shift
    change: Money


@dataclass(slots=True, kw_only=True)
class NewTicket:
    """Its columns by name. No model: that asks, of every column, for the database it is of."""

    serial: str
    kind: TicketKind
    groups: list[list[int]]
    schedule: str
    schedule_version: int | None
    jackpot: bool
    set_bet: str
    games: int
    first_game: int
    last_game: int
    charged_to: int
    price_a_game: Money
    premium: Money
    price: Money
    change: Money
    sold_at: datetime
    day: date
    terminal: str
    writer: str
    shift_id: int
    leaf: bytes = b""

    def row(self) -> dict[str, Any]:
        """As a statement takes it; numbers as large as their columns, so that one plan serves all tickets."""
        return {
            "serial": self.serial,
            "kind": self.kind.value,
            "groups": Jsonb(self.groups),
            "schedule": self.schedule,
            "schedule_version": self.schedule_version,
            "jackpot": self.jackpot,
            "set_bet": self.set_bet,
            "games": Int4(self.games),
            "first_game": Int8(self.first_game),
            "last_game": Int8(self.last_game),
            "charged_to": Int8(self.charged_to),
            "price_a_game": Int8(self.price_a_game.micros),
            "premium": Int8(self.premium.micros),
            "price": Int8(self.price.micros),
            "change": Int8(self.change.micros),
            "sold_at": self.sold_at,
            "day": self.day,
            "terminal": self.terminal,
            "writer": self.writer,
            "shift": Int8(self.shift_id),
            "leaf": self.leaf,
        }

    def stored(self, number: int, *, player_id: int | None) -> Ticket:
        columns = {column.name: getattr(self, column.name) for column in fields(self)}
        return Ticket(id=number, player_id=player_id, **columns)


def new_ticket(
    composed: Composed, *, first_game: int, now: datetime, day: date, shift: Shift, change: Money
) -> tuple[NewTicket, str]:
    """With a serial of its own, and its leaf in the ticket root; and the code of its paper, which nobody keeps."""
    entry, price = composed.entry, composed.quote.price
    ticket = NewTicket(
        serial=particulars.new_serial(),
        kind=composed.kind,
        groups=[list(group) for group in entry.selection.groups],
        schedule=entry.schedule.code,
        schedule_version=composed.schedule_version,
        jackpot=entry.jackpot,
        set_bet=composed.set_bet,
        games=composed.games,
        first_game=first_game,
        last_game=first_game + composed.games - 1,
        charged_to=first_game + price.charged_games - 1,
        price_a_game=price.price_a_game,
        premium=composed.premium,
        price=price.total,
        change=change,
        sold_at=now,
        day=day,
        terminal=shift.terminal,
        writer=shift.writer,
        shift_id=shift.pk,
    )
    written = particulars.written(ticket, [(play.spots, play.stake) for play in entry.selection.plays])
    code = particulars.security_code(canonical(written))
    ticket.leaf = particulars.leaf(written, code)
    return ticket, code


def plays_of(entry: TicketEntry) -> Jsonb:
    """Its plays, as a statement takes them."""
    selection = entry.selection
    return Jsonb(
        [
            {"place": place, "spots": play.spots, "ways": ways, "stake": play.stake.micros}
            for place, (play, ways) in enumerate(zip(selection.plays, selection.ways, strict=True))
        ]
    )


def exposed(could_pay: Exposure) -> dict[str, int]:
    """What it adds to what its games could pay, as a statement takes it."""
    return {
        "could_pay": Int8(could_pay.most.micros),
        "could_pay_minors": Int8(could_pay.minors.micros),
        "could_pay_held": Int8(could_pay.held.micros),
    }
