"""The balance equation, every minute: opening + contributions + top-ups − wins ± adjustments = closing.

The ledger's movements of the day are compared with what rounds, batches and hits say should have moved, and with the
purses themselves, all as of one moment. A difference is an incident: nobody is asked to notice it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Sum
from django.utils import timezone

from house import incidents
from house.gaming_days import gaming_day_at
from house.models import Incident, IncidentStatus
from jackpot import pools, terms
from jackpot.adjust import ADJUSTMENT, RETIREMENT
from jackpot.claim import CONTRIBUTION, OVERFLOW, RESTART, WIN
from jackpot.finish_round import VOID_HAND
from jackpot.incident_kinds import POOL_OUT_OF_BALANCE
from jackpot.models import Batch, Hit, Link, LinkDay, Round, Terms
from jackpot.open_link import SEED_KIND
from jackpot.pools import MADE_GOOD
from jackpot.rules.pool import HOUSE, contribute
from jackpot.settle_pools import PAY_BACK, TOP_UP
from kernel.actors import system
from kernel.money import ZERO, Money

log = logging.getLogger(__name__)

CHECK_EVERY: Final = timedelta(minutes=1)
COLUMNS: Final = {
    CONTRIBUTION: "contributions",
    VOID_HAND: "contributions",
    SEED_KIND: "topped_up",
    RESTART: "topped_up",
    TOP_UP: "topped_up",
    PAY_BACK: "topped_up",
    MADE_GOOD: "topped_up",
    OVERFLOW: "topped_up",  # between two purses: nothing on balance
    WIN: "wins",
    ADJUSTMENT: "adjustments",
    RETIREMENT: "adjustments",
    "jackpot.pay-out": "adjustments",
    "ledger.adjustment": "adjustments",
}
_MOVED: Final = """
    SELECT kind, sum(amount)::bigint FROM (
        SELECT t.kind, t.amount FROM ledger_transfer t JOIN ledger_account a ON a.id = t.credit_id
        WHERE a.code = ANY(%(purses)s) AND t.tx >= %(tx)s AND t.day >= %(first)s AND t.day < %(upto)s
        UNION ALL
        SELECT t.kind, -t.amount FROM ledger_transfer t JOIN ledger_account a ON a.id = t.debit_id
        WHERE a.code = ANY(%(purses)s) AND t.tx >= %(tx)s AND t.day >= %(first)s AND t.day < %(upto)s
    ) moved GROUP BY kind
"""


@dataclass(frozen=True, slots=True)
class Books:
    """What rounds, batches and hits say of a day."""

    contributions: Money
    wins: Money
    wagers: int


def reconcile_due(now: datetime) -> list[LinkDay]:
    """Check every link that has not been checked for a minute."""
    today = gaming_day_at(now).date
    fresh = LinkDay.objects.filter(day=today, checked_at__gt=now - CHECK_EVERY).values("link")
    due = Link.objects.filter(terms__version=1, status=Link.Status.OPEN).exclude(pk__in=fresh)
    done = []
    for link in due.order_by("pk"):
        try:
            done.append(reconcile(link=link, now=now))
        except (OperationalError, IntegrityError):  # another worker checks it at this very moment
            log.info("books of %s are being checked elsewhere", link.code)
    return done


def reconcile(*, link: Link, now: datetime | None = None) -> LinkDay:
    """Check one link's books of the gaming day, and keep the outcome."""
    if connection.in_atomic_block:
        return _reconcile(link, now or timezone.now())
    with transaction.atomic():
        with connection.cursor() as cursor:  # both sides from one snapshot, while wagers keep coming in
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return _reconcile(link, now or timezone.now())


def _reconcile(link: Link, now: datetime) -> LinkDay:
    today = gaming_day_at(now).date
    before = LinkDay.objects.filter(link=link, day__lt=today).order_by("-day").first()
    opening, tx_from = ZERO, 0
    if before is not None:
        # What was booked on it after its last check belongs to it, and so does everything up to today.
        _check(before, now=now, is_today=False)
        since = _moved(link, before.day, today, before.tx_from)
        opening, tx_from = before.opening + Money.total(since.values()), before.tx_upto
    checked = LinkDay.objects.filter(link=link, day=today).first() or LinkDay(link=link, day=today, tx_from=tx_from)
    checked.opening = opening
    _check(checked, now=now, is_today=True)
    if checked.fault:
        _report(link, checked)
    return checked


def _check(checked: LinkDay, *, now: datetime, is_today: bool) -> None:
    """Work a day out again, and keep what came of it."""
    link, day = checked.link, checked.day
    moved = _moved(link, day, day + timedelta(days=1), checked.tx_from)
    columns = dict.fromkeys(COLUMNS.values(), ZERO)
    faults = []
    for kind, amount in moved.items():
        column = COLUMNS.get(kind.removesuffix(".reversal"))
        if column is None:
            faults.append(f"{kind} moved {amount}")
        else:
            columns[column] += amount
    expected = _expected(link, day)
    if columns["contributions"] != expected.contributions:
        faults.append(f"contributions: {columns['contributions']} booked, {expected.contributions} by the rounds")
    if -columns["wins"] != expected.wins:
        faults.append(f"wins: {-columns['wins']} booked, {expected.wins} by the hits")
    checked.closing = checked.opening + Money.total(moved.values())
    if is_today:
        held = Money.total(pools.read_pools(link.code, levels=link.levels).balances.values())
        if checked.closing != held:
            faults.append(f"closing: {checked.closing} by the books, {held} in the purses")
        checked.tx_upto, checked.checked_at = _oldest_running(), now
    checked.contributions, checked.topped_up = columns["contributions"], columns["topped_up"]
    checked.wins, checked.adjustments = -columns["wins"], columns["adjustments"]
    checked.wagers, checked.fault = expected.wagers, "; ".join(faults)
    checked.save()


def _moved(link: Link, first: date, upto: date, tx_from: int) -> dict[str, Money]:
    """What went into the players' purses, by kind, on the days from *first* up to, not including, *upto*."""
    purses = [pools.account(link.code, purse) for purse in pools.players_purses(link.levels)]
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, {"purses": purses, "tx": tx_from, "first": first, "upto": upto})
        return {kind: Money(int(amount)) for kind, amount in cursor.fetchall()}


def _expected(link: Link, day: date) -> Books:
    """From rounds, batches and hits: what the purses should have got and given."""
    rounds = Round.objects.filter(terms__link=link)
    batches = Batch.objects.filter(terms__link=link, day=day, status__in=[Batch.Status.COUNTED, Batch.Status.RELEASED])
    wagers: dict[int, int] = {}
    for rows, column, sign in (
        (rounds.filter(fed_day=day), "fed", 1),
        (rounds.filter(unfed_day=day), "fed", -1),
        (rounds.filter(voided_day=day), "voided", -1),
        (rounds.filter(unfed_day=day), "voided", 1),
        (batches, "wagers", 1),
    ):
        for version, count in rows.values_list("terms").annotate(total=Sum(column)):
            wagers[version] = wagers.get(version, 0) + sign * count
    contributions = Money.total(
        into_purses(version) * wagers[version.pk] for version in Terms.objects.filter(pk__in=wagers)
    )
    hits = Hit.objects.filter(link=link)
    won = hits.filter(day=day).aggregate(total=Sum("from_pool"))["total"] or ZERO
    denied = hits.filter(denied_day=day).aggregate(total=Sum("from_pool"))["total"] or ZERO
    return Books(contributions=contributions, wins=won - denied, wagers=sum(wagers.values()))


def into_purses(version: Terms) -> Money:
    """What a wager brings into the players' purses: all but what the house keeps."""
    one = contribute(terms.of(version).parameters, wagers=1)
    return Money.total(move.amount for move in one if move.target != HOUSE)


def _oldest_running() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
        return int(cursor.fetchone()[0])


def _report(link: Link, checked: LinkDay) -> None:
    """One open incident a link: the first says what is wrong, and stays until somebody has dealt with it."""
    known = Incident.objects.filter(kind=POOL_OUT_OF_BALANCE, subject=link.subject, status=IncidentStatus.OPEN).exists()
    if not known:
        incidents.open_incident(
            kind=POOL_OUT_OF_BALANCE,
            what=f"{link.code}, gaming day {checked.day}: {checked.fault}.",
            by=system("reconciliation"),
            subject=link.subject,
        )
