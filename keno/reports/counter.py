"""What happened at the counter: shifts, what the house owes, unclaimed prizes by age, voids and reprints."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any, Final

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from house.gaming_days import latest_gaming_day
from keno import accounts
from keno.models import Printing, Prize, Shift, Ticket, Voucher
from keno.reports.table import Report, report
from ledger.balance import balances
from ledger.models import Transfer
from ledger.money import ZERO, Money

# The cash of a shift by what it was moved for: into the drawer is positive.
_MOVED: Final = """
    SELECT a.code, t.kind, sum(CASE WHEN t.debit_id = a.id THEN t.amount ELSE -t.amount END)::bigint
    FROM ledger_account a
    JOIN ledger_transfer t ON t.phase IN ('posted', 'post') AND a.id IN (t.debit_id, t.credit_id)
    WHERE a.code = ANY(%s) GROUP BY a.code, t.kind
"""
_KINDS: Final = {
    "Float": ("keno.float",),
    "Fills": ("keno.fill",),
    "Sales": ("keno.sale", "keno.change"),
    "Cancelled": ("keno.cancel",),
    "Paid": ("keno.payment",),
    "Vouchers paid": ("keno.voucher-paid",),
    "Drops": ("keno.drop",),
}


def by_shift(first: date, last: date) -> Report:
    """Cash of each shift, movement by movement: their sum is what was expected in the drawer."""
    shifts = list(Shift.objects.filter(day__gte=first, day__lte=last).order_by("id"))
    moved: dict[str, dict[str, Money]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, [[shift.cash for shift in shifts]])
        for code, kind, amount in cursor.fetchall():
            moved[code][kind] = Money(int(amount))
    made = []
    for shift in shifts:
        cash = [Money.total(moved[shift.cash][kind] for kind in kinds) for kinds in _KINDS.values()]
        expected = Money.total(cash)
        closed = shift.counted_cash is not None
        made.append(
            (
                shift.pk,
                shift.day,
                shift.terminal,
                shift.writer,
                "closed" if closed else "open",
                *cash,
                expected,
                shift.counted_cash if closed else None,
                shift.counted_cash - expected if closed else None,
            )
        )
    columns = ("Shift", "Gaming day", "Terminal", "Writer", "Status", *_KINDS, "Expected", "Counted", "Over or short")
    return report(f"Keno shifts, {first} to {last}", columns, made, add=(*_KINDS, "Expected"))


def liability(first: date, last: date) -> Report:
    """What is owed now, by the books and by the rows behind them. (Always as of now: the dates are not asked.)"""
    unpaid = Prize.objects.filter(payment=None)

    def owed(rows: Any) -> Money:
        return Money.total(rows.values_list("amount", flat=True))

    by_rows = {
        accounts.STAKES_HELD: _held_by_tickets(),
        accounts.PRIZES_OWING: owed(unpaid.filter(unclaimed_on=None).exclude(kind="refund")),
        accounts.REFUNDS_OWING: owed(unpaid.filter(kind="refund")),
        accounts.UNCLAIMED: owed(unpaid.exclude(unclaimed_on=None)) - _given_as_bonuses(),
        accounts.VOUCHERS: owed(Voucher.objects.filter(spent_at=None)),
    }
    names = {
        accounts.STAKES_HELD: "Games still to play",
        accounts.PRIZES_OWING: "Prizes not collected",
        accounts.REFUNDS_OWING: "Refunds not collected",
        accounts.UNCLAIMED: "Unclaimed for twelve months",
        accounts.VOUCHERS: "Keno vouchers",
    }
    books = balances(list(by_rows))
    made = [(names[code], books[code].amount, rows, books[code].amount - rows) for code, rows in by_rows.items()]
    columns = ("Owed for", "By the books", "By the rows", "Difference")
    return report("Keno: what is owed now", columns, made, add=columns[1:])


def _given_as_bonuses() -> Money:
    """11.2: what unclaimed prizes have paid for. A claim that comes later is paid all the same (11.4)."""
    given = Transfer.objects.filter(kind="keno.bonus", debit__code=accounts.UNCLAIMED)
    return Money.total(given.values_list("amount", flat=True))


_HELD: Final = """
    SELECT coalesce(sum(t.a_game * greatest(0, least(t.plays_to, t.charged_to) - greatest(t.first_game, over.upto + 1)
                                               + 1)), 0)::bigint
    FROM keno_ticket t,
         (SELECT coalesce(max(number), 0) AS upto FROM keno_game WHERE status IN ('settled', 'invalidated')) over
    WHERE t.plays_to > over.upto
"""


def _held_by_tickets() -> Money:
    """What was paid for games that are not over: games end in their order."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD)
        return Money(int(cursor.fetchone()[0]))


_AGES: Final = ((30, "up to 30 days"), (90, "31 to 90"), (180, "91 to 180"), (366, "181 days to twelve months"))


def unclaimed_by_age(first: date, last: date) -> Report:
    """Prizes and refunds nobody has collected, by how long ago they were won. (Always as of now.)"""
    day = latest_gaming_day(timezone.now())
    today = day.date if day is not None else timezone.now().date()
    buckets: dict[str, list[Any]] = {name: [0, ZERO] for _, name in _AGES} | {"moved to return to players": [0, ZERO]}
    rows = Prize.objects.filter(payment=None).values_list("day", "amount", "unclaimed_on")
    for won_on, amount, moved in rows.iterator():
        age = (today - won_on).days
        name = (
            "moved to return to players" if moved else next((name for most, name in _AGES if age <= most), _AGES[-1][1])
        )
        buckets[name][0] += 1
        buckets[name][1] += amount
    made = [(name, *values) for name, values in buckets.items()]
    return report("Keno: not collected, by age", ("Age", "Prizes", "Amount"), made, add=("Prizes", "Amount"))


def voids_and_reprints(first: date, last: date) -> Report:
    """Tickets cancelled or voided, and receipts printed again, by whom and when."""
    made: list[tuple[Any, ...]] = []
    stopped = Ticket.objects.filter(~Q(cancelled_from=None), day__gte=first, day__lte=last)
    for ticket in stopped.order_by("cancelled_at"):
        what = "voided" if ticket.status == "voided" else "cancelled"
        games = f"games {ticket.cancelled_from} to {ticket.last_game}"
        made.append((ticket.cancelled_at, what, ticket.serial, ticket.price, ticket.cancelled_by, games))
    again = Printing.objects.filter(duplicate=True, ticket__day__gte=first, ticket__day__lte=last)
    for printing in again.select_related("ticket").order_by("at"):
        ticket = printing.ticket
        made.append((printing.at, "reprinted", ticket.serial, ticket.price, printing.by, printing.reason))
    made.sort(key=lambda row: row[0])
    return report(
        f"Keno voids and reprints, {first} to {last}", ("When", "What", "Ticket", "Price", "By", "About"), made
    )
