"""A Keno counter for tests: a gaming day that is open, a game on sale, writers with a shift, and what changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from house import gaming_days
from house.models import GamingDay
from keno import accounts, approved, recompute, voucher_register
from keno.cancel import Cancelled, cancel_ticket
from keno.entries import TicketRequest
from keno.entry_forms import LAYOUT
from keno.models import Game, GameStatus, Prize, Ticket
from keno.sell import Sold, sell_ticket
from keno.shifts import open_shift
from keno.tender import EXACT_CASH
from keno.vouchers import IssuedVoucher
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import ZERO, Money
from ledger.balance import balances
from ledger.models import Account, Transfer
from ledger.post import Booking, post
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


def move(number: int, status: str) -> None:
    """Lead a game through its life as far as *status*, without the draw's own verbs."""
    now = timezone.now()
    steps: list[tuple[str, dict[str, Any]]] = [
        ("closed", {"closed_at": now}),
        ("sealed", {"sealed_at": now, "ticket_root": bytes(32), "ticket_count": 0, "sealed_stakes": ZERO}),
        ("drawing", {"began_at": now}),
        ("drawn", {"drawn_at": now}),
        ("settled", {"settled_at": now, "totals": {}}),
    ]
    game = Game.objects.get(number=number)
    names = [name for name, _ in steps]
    start = names.index(game.status) + 1 if game.status in names else 0
    for name, fields in steps[start : names.index(status) + 1]:
        Game.objects.filter(number=number).update(status=name, **fields)


def invalidate(number: int) -> None:
    Game.objects.filter(number=number).update(
        status="invalidated",
        invalidated_at=timezone.now(),
        invalidated_by="staff:boss",
        invalidation_cause="fire",
        invalidation_reason="Fire.",
    )


_made_up: set[tuple[str, int, str]] = set()
_require_as_sealed = recompute.require_as_sealed


def _unless_made_up(ticket: Ticket, prizes: Sequence[Prize], *, by: Actor) -> None:
    """Every prize is computed again before it is paid (``keno.recompute``), but for those that ``win`` made up."""
    drawn = [prize for prize in prizes if (ticket.serial, prize.game, prize.kind) not in _made_up]
    _require_as_sealed(ticket, drawn, by=by)


recompute.require_as_sealed = _unless_made_up


def win(ticket: Ticket, amount: str, *, game: int | None = None, day: date | None = None, **more: Any) -> Prize:
    """A settled prize of any amount, without a draw: its row and its booking, as a settlement writes them."""
    prize = Prize.objects.create(
        ticket=ticket,
        game=ticket.first_game if game is None else game,
        amount=dollars(amount),
        major=more.pop("major", dollars(amount) >= dollars("200.00")),
        day=day or ticket.day,
        **more,
    )
    _made_up.add((ticket.serial, prize.game, prize.kind))
    booking = Booking(
        debit=accounts.PRIZES,
        credit=accounts.PRIZES_OWING,
        amount=prize.amount,
        kind="keno.prizes",
        reference=f"test:{prize.pk}",
    )
    post(booking=booking, by=BOSS, day=prize.day)
    return prize


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
