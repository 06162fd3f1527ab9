"""What the house owes, unclaimed prizes by age, voids and reprints."""

from __future__ import annotations

from datetime import date
from typing import Any, Final, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet, Sum
from django.utils import timezone

from house.gaming_days import latest_gaming_day
from house.models import GamingDay
from keno import accounts
from keno.bonuses import KIND as BONUS
from keno.models import Overpayment, Printing, Prize, Ticket, Voucher
from keno.resettle_kinds import BONUS_AGAIN, BONUS_BACK
from keno.return_to_players import TO_JACKPOT
from keno.void_win_kinds import BONUS_VOID, UNCLAIMED_BACK
from kernel.money import ZERO, Money
from ledger.balance import balances
from ledger.models import Transfer
from web import words
from web.reports import Report, report

Row = TypeVar("Row", bound=Model)


def liability(first: date, last: date) -> Report:
    """What is owed now, by the books and by the rows behind them, whatever the days."""
    unpaid = Prize.objects.filter(payment=None, void=None, replaced=None)

    by_rows = {
        accounts.STAKES_HELD: _held_by_tickets(),
        accounts.PRIZES_OWING: owed(unpaid.filter(unclaimed_on=None).exclude(kind="refund")),
        accounts.REFUNDS_OWING: owed(unpaid.filter(kind="refund")),
        accounts.UNCLAIMED: owed(unpaid.exclude(unclaimed_on=None)) - _returned_to_players() + _made_good(),
        accounts.VOUCHERS: owed(Voucher.objects.filter(spent_at=None)),
    }
    names = {
        accounts.STAKES_HELD: "Games still to play",
        accounts.PRIZES_OWING: "Prizes not collected",
        accounts.REFUNDS_OWING: "Refunds not collected",
        accounts.UNCLAIMED: "Unclaimed, to be returned to players",
        accounts.VOUCHERS: "Keno vouchers",
    }
    books = balances(list(by_rows))
    made = [(names[code], books[code].amount, rows, books[code].amount - rows) for code, rows in by_rows.items()]
    columns = ("Owed for", "By the books", "By the rows", "Difference")
    return report("Keno: what is owed now", columns, made, add=columns[1:])


def owed(rows: QuerySet[Any]) -> Money:
    """Their amounts, added up by the database: there may be a million."""
    total = rows.aggregate(total=Sum("amount"))["total"]
    return ZERO if total is None else total if isinstance(total, Money) else Money(int(total))


def _returned_to_players() -> Money:
    """11.2: what unclaimed prizes have paid for. A claim that comes later is paid all the same (11.4)."""
    spent, back = [BONUS, BONUS_AGAIN, TO_JACKPOT], [BONUS_VOID, BONUS_BACK]
    returned = owed(Transfer.objects.filter(kind__in=spent, debit__code=accounts.UNCLAIMED))
    return returned - owed(Transfer.objects.filter(kind__in=back, credit__code=accounts.UNCLAIMED))


def _made_good() -> Money:
    """What the house has paid of claims that the fund could not pay any more."""
    return owed(Transfer.objects.filter(kind__in=["keno.payment", UNCLAIMED_BACK], debit__code=accounts.MADE_GOOD))


_HELD: Final = """
    SELECT coalesce(sum(t.price_a_game * greatest(
               0, least(t.plays_to, t.charged_to) - greatest(t.first_game, over.upto + 1) + 1
           )), 0)::bigint
    FROM keno_ticket t,
         (SELECT coalesce(max(number), 0) AS upto FROM keno_game WHERE status IN ('settled', 'invalidated')) over
    WHERE t.plays_to > over.upto
"""


def _held_by_tickets() -> Money:
    """What was paid for games that are not over: games end in their order."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD)
        return Money(int(cursor.fetchone()[0]))


_NOT_COLLECTED: Final = """
    SELECT day, unclaimed_on IS NOT NULL, count(*), sum(amount)::bigint
    FROM keno_prize WHERE payment_id IS NULL AND void_id IS NULL AND replaced_id IS NULL GROUP BY 1, 2
"""
_AGES: Final = ((30, "up to 30 days"), (90, "31 to 90"), (180, "91 to 180"), (366, "181 days to twelve months"))


def unclaimed_by_age(first: date, last: date) -> Report:
    """Prizes and refunds nobody has collected by now, by how long ago they were won."""
    day = latest_gaming_day(timezone.now())
    today = day.date if day is not None else timezone.now().date()
    buckets: dict[str, list[Any]] = {name: [0, ZERO] for _, name in _AGES} | {"moved to return to players": [0, ZERO]}
    with connection.cursor() as cursor:
        cursor.execute(_NOT_COLLECTED)
        found = cursor.fetchall()
    for won_on, moved, count, amount in found:
        age = (today - won_on).days
        name = (
            "moved to return to players" if moved else next((name for most, name in _AGES if age <= most), _AGES[-1][1])
        )
        buckets[name][0] += count
        buckets[name][1] += Money(amount)
    made = [(name, *values) for name, values in buckets.items()]
    return report("Keno: not collected, by age", ("Age", "Prizes", "Amount"), made, add=("Prizes", "Amount"))


def voids_and_reprints(first: date, last: date) -> Report:
    """Tickets cancelled or voided and receipts printed again on these days, by whom and when."""
    made: list[tuple[Any, ...]] = []
    stopped = _on_days(Ticket.objects.exclude(cancelled_from=None), "cancelled_at", first, last)
    for ticket in stopped.order_by("cancelled_at"):
        what = "voided" if ticket.status == "voided" else "cancelled"
        games = f"games {ticket.cancelled_from} to {ticket.last_game}"
        made.append((ticket.cancelled_at, what, ticket.serial, ticket.price, ticket.cancelled_by, games))
    again = _on_days(Printing.objects.filter(duplicate=True), "at", first, last)
    for printing in again.select_related("ticket").order_by("at"):
        ticket = printing.ticket
        made.append((printing.at, "reprinted", ticket.serial, ticket.price, printing.by, printing.reason))
    made.sort(key=lambda row: row[0])
    return report(
        f"Keno voids and reprints, {words.days(first, last)}", ("When", "What", "Ticket", "Price", "By", "About"), made
    )


def _on_days(rows: QuerySet[Row], column: str, first: date, last: date) -> QuerySet[Row]:
    """What happened on these gaming days, whenever the ticket was sold; the hours after a close belong to its day."""
    opened = GamingDay.objects.filter(date__gte=first, date__lte=last).order_by("date").first()
    if opened is None:
        return rows.none()
    rows = rows.filter(**{f"{column}__gte": opened.opens_at})
    following = GamingDay.objects.filter(date__gt=last).order_by("date").first()
    return rows.filter(**{f"{column}__lt": following.opens_at}) if following else rows


def overpayments(first: date, last: date) -> Report:
    """What was paid too much in these gaming days, and what became of it."""
    rows = Overpayment.objects.filter(payment__day__range=(first, last)).select_related("payment__ticket")
    made = [
        (
            each.pk, each.payment.day, each.payment.ticket.serial, "settled again" if each.game else "at the counter",
            each.amount, each.received, each.written_off, each.left,
        )
        for each in rows.order_by("id")
    ]  # fmt: skip
    columns = ("Overpayment", "Gaming day", "Ticket", "Why", "Too much", "Given back", "Written off", "Left")
    return report(f"Keno overpayments, {words.days(first, last)}", columns, made, add=columns[4:])
