"""Writers' shifts: what each wrote and paid, and what was in its drawer."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Final

from django.db import connection

from keno.models import Shift
from keno.overpayment_kinds import RECEIVED
from kernel.money import ZERO, Money
from ledger.models import Account
from web import words
from web.reports import Report, percent, report

# Sold and taken back belong to the shift that sold the ticket, payouts to the shift that paid them. Taken back is what
# was paid for the games that a cancelled or voided ticket does not play; the free games are its last ones.
_WRITTEN: Final = """
    SELECT s.id, s.day, s.terminal, s.writer, coalesce(t.tickets, 0), coalesce(t.sold, 0)::bigint,
           coalesce(t.back, 0)::bigint, coalesce(p.paid, 0)::bigint
    FROM keno_shift s
    LEFT JOIN LATERAL (
        SELECT count(*) AS tickets, sum(price) AS sold,
               sum(price_a_game * greatest(0, charged_to - cancelled_from + 1)) AS back
        FROM keno_ticket WHERE shift_id = s.id
    ) t ON true
    LEFT JOIN LATERAL (
        SELECT sum(prize.amount) AS paid
        FROM keno_payment payment JOIN keno_prize prize
          ON prize.ticket_id = payment.ticket_id AND prize.payment_id = payment.id
        WHERE payment.shift_id = s.id AND prize.kind <> 'refund'
    ) p ON true
    WHERE s.day BETWEEN %s AND %s ORDER BY s.id
"""
_SUMS: Final = ("Tickets", "Sold", "Taken back", "Write", "Payout", "Win")


def by_shift(first: date, last: date) -> Report:
    """Write, payout, win and hold of each shift: what it sold less what was taken back, and what it paid out."""
    with connection.cursor() as cursor:
        cursor.execute(_WRITTEN, [first, last])
        found = cursor.fetchall()
    made = []
    for shift, day, terminal, writer, tickets, *amounts in found:
        sold, back, paid = map(Money, amounts)
        write = sold - back
        win = write - paid
        made.append((shift, day, terminal, writer, tickets, sold, back, write, paid, win, percent(win, write)))
    columns = ("Shift", "Gaming day", "Terminal", "Writer", *_SUMS, "Hold")
    return report(f"Keno by shift, {words.days(first, last)}", columns, made, add=_SUMS)


# The cash of a shift by what it was moved for: into the drawer is positive. By the accounts' numbers, not joined by
# their codes: nearly every transfer goes out of the stakes held, so only of a number known beforehand does the planner
# see how few are its own.
_MOVED: Final = """
    SELECT account, kind, sum(amount)::bigint
    FROM (
        SELECT debit_id AS account, kind, amount FROM ledger_transfer
        WHERE debit_id = ANY(%(accounts)s)
        UNION ALL
        SELECT credit_id, kind, -amount FROM ledger_transfer
        WHERE credit_id = ANY(%(accounts)s)
    ) moved GROUP BY account, kind
"""
_KINDS: Final = {
    "Float": ("keno.float",),
    "Fills": ("keno.fill",),
    "Sales": ("keno.sale", "keno.change"),
    "Cancelled": ("keno.cancel",),
    "Paid": ("keno.payment",),
    "Vouchers paid": ("keno.voucher-paid",),
    "Given back": (RECEIVED,),
    "Tournaments": ("keno.tournament-entry", "keno.tournament-prize", "keno.tournament-refund"),
    "Drops": ("keno.drop",),
}


def drawers(first: date, last: date) -> Report:
    """Cash of each shift, movement by movement: their sum is what was expected in the drawer."""
    shifts = list(Shift.objects.filter(day__gte=first, day__lte=last).order_by("id"))
    moved: dict[str, dict[str, Money]] = defaultdict(lambda: defaultdict(lambda: ZERO))
    accounts = dict(Account.objects.filter(code__in=[shift.cash for shift in shifts]).values_list("pk", "code"))
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, {"accounts": list(accounts)})
        for account, kind, amount in cursor.fetchall():
            moved[accounts[account]][kind] = Money(int(amount))
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
    return report(f"Keno drawers, {words.days(first, last)}", columns, made, add=(*_KINDS, "Expected"))
