"""What is on the paper, as bytes: the particulars that the security code and the ticket root stand for (4.2, 10.3).

One canonical JSON text, so that a player can write it down from his receipt and compute its hash himself.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from keno import serials
from keno.models import Play, Ticket, Voucher
from ledger.merkle import leaf_hash
from ledger.money import Money
from ledger.statements import canonical


def written(
    *,
    serial: str,
    kind: str,
    groups: Sequence[Sequence[int]],
    plays: Sequence[tuple[int, Money]],
    schedule: str,
    jackpot: bool,
    first_game: int,
    last_game: int,
    price: Money,
    day: date,
    sold_at: datetime,
    terminal: str,
) -> dict[str, Any]:
    return {
        "serial": serial,
        "kind": kind,
        "groups": [list(group) for group in groups],
        "plays": [{"spots": spots, "stake": str(stake)} for spots, stake in plays],
        "schedule": schedule,
        "jackpot": jackpot,
        "first_game": first_game,
        "last_game": last_game,
        "price": str(price),
        "gaming_day": day.isoformat(),
        "sold_at": sold_at.astimezone(UTC).isoformat(timespec="microseconds"),
        "terminal": terminal,
    }


def of_ticket(ticket: Ticket, plays: Sequence[Play] | None = None) -> dict[str, Any]:
    """The particulars of a ticket on record."""
    ordered = sorted(plays if plays is not None else ticket.plays.all(), key=lambda play: play.place)
    return written(
        serial=ticket.serial,
        kind=ticket.kind,
        groups=ticket.groups,
        plays=[(play.spots, play.stake) for play in ordered],
        schedule=ticket.schedule,
        jackpot=ticket.jackpot,
        first_game=ticket.first_game,
        last_game=ticket.last_game,
        price=ticket.price,
        day=ticket.day,
        sold_at=ticket.sold_at,
        terminal=ticket.terminal,
    )


def code_of(ticket: Ticket, plays: Sequence[Play] | None = None) -> str:
    return serials.security_code(canonical(of_ticket(ticket, plays)))


def entry_text(particulars: dict[str, Any], code: str) -> bytes:
    """The entry as it stands in the ticket root: with its code, so that nobody guesses it from its hash."""
    return canonical({**particulars, "security_code": code})


def leaf(particulars: dict[str, Any], code: str) -> bytes:
    return leaf_hash(entry_text(particulars, code))


def of_voucher(voucher: Voucher) -> bytes:
    return canonical({"voucher": voucher.code, "amount": str(voucher.amount), "gaming_day": voucher.day.isoformat()})
