"""A Keno counter for tests: a gaming day that is open, a game on sale, writers with a shift, and what changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from house import gaming_days
from house.models import GamingDay
from keno import approved, voucher_register
from keno.cancel import Cancelled, cancel_ticket
from keno.entries import TicketRequest
from keno.entry_forms import LAYOUT
from keno.models import Game, GameStatus
from keno.sell import Sold, sell_ticket
from keno.shifts import open_shift
from keno.tender import EXACT_CASH
from keno.vouchers import IssuedVoucher
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import ZERO, Money
from ledger.balance import balances
from ledger.models import Account, Transfer
from tests.world.approvals import SYSTEM, put_in_force
from tests.world.money import dollars
from tests.world.people import actor
from tests.world.refusals import refused_as
from tests.world.rows import rows_of

# What an inspector has approved of an entry form (4.4).
ENTRY_FORM = {"layout": LAYOUT, "reference": "GCI/26/4", "help_line": "Help, day and night: 555 0100"}
BOSS = Actor("staff:boss", "Boss", frozenset({"keno.approve"}))


def open_day(*, hours_ago: float = 1, hours: float = 12, on: date | None = None) -> GamingDay:
    opens = timezone.now() - timedelta(hours=hours_ago)
    day = GamingDay.objects.create(date=on or opens.date(), opens_at=opens, closes_at=opens + timedelta(hours=hours))
    gaming_days.forget()
    return day


def open_game(number: int = 1, **more: Any) -> Game:
    now = timezone.now()
    return Game.objects.create(
        number=number,
        status=GameStatus.OPEN,
        device="rng",
        gaming_day=now.date(),
        opens_at=now,
        closes_at=now + timedelta(minutes=3),
        opened_at=now,
        **more,
    )


def plain(*numbers: int, stake: str = "1.00", **more: Any) -> TicketRequest:
    return TicketRequest(numbers=numbers or (1, 2, 3), stake=dollars(stake), **more)


class Counter:
    """An open counter, and one writer at it."""

    def __init__(self, opening_float: str = "1000.00") -> None:
        self.day = open_day()
        self.game = open_game()
        self.writer = actor("device:W-1", "writer")
        self.supervisor = actor("staff:sue", "supervisor")
        self.manager = actor("staff:mona", "manager")
        if dollars(opening_float) > approved.AMOUNTS[approved.FLOAT_ALONE]:
            approve_value("amount", approved.FLOAT_ALONE, opening_float)
        self.shift = open_shift(by=self.writer, opening_float=dollars(opening_float))

    def sell(self, request: TicketRequest | None = None, **more: Any) -> Sold:
        more.setdefault("tender", EXACT_CASH)
        return sell_ticket(request=request or plain(), by=more.pop("by", self.writer), **more)


def paper_of(sold: Sold) -> IssuedVoucher:
    """The Keno voucher that came with the ticket."""
    assert sold.voucher is not None
    return sold.voucher


def approve_value(kind: str, code: str, value: Any) -> None:
    authority = Authority.HOUSE if kind in (approved.AMOUNT, approved.SET_BET) else Authority.INSPECTOR
    put_in_force(approved.full_name(kind), code, value, authority=authority)


def issue_vouchers(value: str, *numbers: str, code: str = "DINE") -> None:
    """An approved type of voucher, and the register of those that were issued."""
    if not approved.known(approved.VOUCHER_TYPE, code):
        approve_value("voucher-type", code, {"name": "Dinner voucher"})
    voucher_register.register(type=code, value=dollars(value), numbers=list(numbers), by=SYSTEM)


def cancel(sold: Sold, by: Actor) -> Cancelled:
    return cancel_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=by)


def books() -> dict[str, Money]:
    """Every account that holds something."""
    held = balances(list(Account.objects.values_list("code", flat=True)))
    return {code: one.amount for code, one in held.items() if one.amount != ZERO}


def in_balance() -> bool:
    """Assets and expenses are what liabilities and income are."""
    held = balances(list(Account.objects.values_list("code", flat=True))).values()
    return Money.total(one.debits - one.credits for one in held) == ZERO


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of Keno and its books: what must not change on a refusal. Wrong codes are counted all the same."""
    found = rows_of("keno", "ledger")
    return {name: rows for name, rows in found.items() if name not in ("WrongCode", "CodeWatch")}


# Status, code and clause of a refusal that changed nothing.
refused = partial(refused_as, "status code clause", unchanged=everything)


def transfers(kind: str) -> list[tuple[str, str, str]]:
    rows = Transfer.objects.filter(kind=kind).order_by("id").select_related("debit", "credit")
    return [(row.debit.code, row.credit.code, str(row.amount)) for row in rows]


NOON = datetime(2026, 11, 16, 1, tzinfo=UTC)


def lost_ticket_form(serial: str) -> dict[str, Any]:
    """A claim for a ticket that is lost."""
    return {
        "serial": serial,
        "reason": "lost",
        "claimant": {"name": "Anna", "address": "Canberra", "contact": "anna@example.org"},
        "grounds": "She knows the numbers.",
    }
