"""What people read about jackpots: rows of plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from math import exp, lgamma, log, sqrt
from typing import Final

from django.db import connection
from django.db.models import Count, Q, Sum

from house.venue import zone
from jackpot import links, pools, terms
from jackpot.models import Batch, Hit, Link, LinkDay, Round, Table, Terms, Wager
from jackpot.pools import read_meter
from jackpot.reconcile import into_purses
from jackpot.rules import mathematics
from jackpot.rules.handpay import INSTALMENTS, TAX
from jackpot.rules.policies import Game
from jackpot.rules.pool import RESERVE
from kernel.money import ZERO, Money

CONFIDENCE: Final = 0.99


@dataclass(frozen=True, slots=True)
class ReconciliationRow:
    """opening + contributions + topped_up − wins + adjustments = closing."""

    link: str
    gaming_day: date
    opening: Money
    contributions: Money
    topped_up: Money
    wins: Money
    adjustments: Money
    closing: Money
    wagers: int
    fault: str


@dataclass(frozen=True, slots=True)
class TableDayRow:
    """A table's part in its link's day: what it brought into the purses, and what was won at it out of them."""

    link: str
    gaming_day: date
    table: str
    wagers: int
    contributions: Money
    wins: Money


@dataclass(frozen=True, slots=True)
class HitRow:
    sequence: int
    gaming_day: date
    claimed_at: datetime
    link: str
    table: str
    round: int | None
    box: int | None
    player_card: str
    hand: str
    kind: str
    amount: Money
    from_pool: Money
    from_house: Money
    status: str
    verified_by: str
    paid_by: str
    method: str
    reason: str


@dataclass(frozen=True, slots=True)
class LiabilityRow:
    link: str
    levels: Money
    overflow: Money
    reserve: Money
    reimbursement: Money
    owed_to_winners: Money
    instalments: Money
    """Owed to winners who are paid in instalments."""
    tax: Money
    """Withheld from prizes so far: the tax authority's."""
    advanced_by_house: Money
    """Not a liability: what the pool will pay back as its reimbursement purse fills."""


@dataclass(frozen=True, slots=True)
class TableHourRow:
    link: str
    table: str
    hour: datetime
    wagers: int


@dataclass(frozen=True, slots=True)
class HandRow:
    """Whether a hand is won about as often as the cards say it should be."""

    link: str
    hand: str
    wagers: int
    expected: float
    low: int
    high: int
    observed: int

    @property
    def within(self) -> bool:
        return self.low <= self.observed <= self.high


@dataclass(frozen=True, slots=True)
class MeterRow:
    link: str
    level: str
    wagers: int
    displayed: Money
    hits: int
    wins: Money
    overflow: Money
    reserve: Money


def reconciliation(*, first: date, last: date, link: str | None = None) -> list[ReconciliationRow]:
    """Each link's books, day by day, as last checked."""
    days = LinkDay.objects.filter(day__range=(first, last)).select_related("link").order_by("link__code", "day")
    if link is not None:
        days = days.filter(link__code=link)
    return [
        ReconciliationRow(
            link=day.link.code,
            gaming_day=day.day,
            opening=day.opening,
            contributions=day.contributions,
            topped_up=day.topped_up,
            wins=day.wins,
            adjustments=day.adjustments,
            closing=day.closing,
            wagers=day.wagers,
            fault=day.fault,
        )
        for day in days
    ]


def by_table_and_day(*, first: date, last: date, link: str | None = None) -> list[TableDayRow]:
    """Each table's contributions and wins of each gaming day, reversals taken off. Over a link and a day they are its
    reconciliation's."""
    tables = Table.objects.select_related("link").order_by("link__code", "code")
    if link is not None:
        tables = tables.filter(link__code=link)
    by_pk = {table.pk: table for table in tables}
    wagers: dict[tuple[int, date], int] = {}
    money: dict[tuple[int, date], Money] = {}
    won: dict[tuple[int, date], Money] = {}
    rounds = Round.objects.filter(table__in=by_pk)
    batches = Batch.objects.filter(table__in=by_pk, status__in=[Batch.Status.COUNTED, Batch.Status.RELEASED])
    per_wager = {
        version.pk: into_purses(version)
        for version in Terms.objects.filter(link__in={t.link_id for t in by_pk.values()})
    }
    for rows, day, count, sign in (
        (rounds, "fed_day", "fed", 1),
        (rounds, "unfed_day", "fed", -1),
        (batches, "day", "wagers", 1),
    ):
        found = rows.filter(**{f"{day}__range": (first, last)}).values_list("table", day, "terms")
        for table, when, version, total in found.annotate(total=Sum(count)):
            key = table, when
            wagers[key] = wagers.get(key, 0) + sign * total
            money[key] = money.get(key, ZERO) + per_wager[version] * (sign * total)
    for column, sign in (("day", 1), ("denied_day", -1)):
        hits = Hit.objects.filter(table__in=by_pk, **{f"{column}__range": (first, last)}).values_list("table", column)
        for table, when, total in hits.annotate(total=Sum("from_pool")):
            won[table, when] = won.get((table, when), ZERO) + total * sign
    return [
        TableDayRow(
            link=by_pk[table].link.code,
            gaming_day=day,
            table=by_pk[table].code,
            wagers=wagers.get((table, day), 0),
            contributions=money.get((table, day), ZERO),
            wins=won.get((table, day), ZERO),
        )
        for table, day in sorted({*wagers, *won}, key=lambda key: (by_pk[key[0]].link.code, key[1], by_pk[key[0]].code))
    ]


def hits_history(*, first: date, last: date, link: str | None = None) -> list[HitRow]:
    """Everything won, in the strict order of each link."""
    hits = Hit.objects.filter(day__range=(first, last)).select_related("link", "table")
    if link is not None:
        hits = hits.filter(link__code=link)
    return [
        HitRow(
            sequence=hit.sequence,
            gaming_day=hit.day,
            claimed_at=hit.claimed_at,
            link=hit.link.code,
            table=hit.table.code,
            round=hit.round_id,
            box=hit.box,
            player_card=hit.player_card or "",
            hand=hit.hand or "",
            kind=hit.kind,
            amount=hit.amount,
            from_pool=hit.from_pool,
            from_house=hit.from_house,
            status=hit.status,
            verified_by=hit.verified_by or "",
            paid_by=hit.paid_by or "",
            method=hit.method or "",
            reason=hit.reason,
        )
        for hit in hits.order_by("link__code", "sequence")
    ]


def liabilities() -> list[LiabilityRow]:
    """What stands in each pool's purses and is owed to winners, Keno's pools included."""
    rows = []
    owed_elsewhere = pools.owed_after_payment()
    for link in Link.objects.order_by("code"):
        held = pools.read_pools(link.code, levels=link.levels)
        levels = Money.total(held.balances[level] for level in link.levels)
        also = [owed_elsewhere.get(pools.account(link.code, purse), ZERO) for purse in (INSTALMENTS, TAX)]
        rows.append(
            LiabilityRow(
                link=link.code,
                levels=levels,
                overflow=Money.total(held.balances.values()) - levels - held.reserve - held.reimbursement,
                reserve=held.reserve,
                reimbursement=held.reimbursement,
                owed_to_winners=held.owed_to_winners,
                instalments=also[0],
                tax=also[1],
                advanced_by_house=held.advanced,
            )
        )
    return rows


def contributions_by_table_and_hour(*, first: datetime, upto: datetime, link: str | None = None) -> list[TableHourRow]:
    """Wagers that fed the pools, by table and hour of the venue's clock: of rounds when they began, of controllers
    when they say it was."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT p.code, t.code, date_trunc('hour', w.at, %(zone)s) AS hour, sum(w.wagers)::bigint
            FROM (
                SELECT table_id, started_at AS at, fed AS wagers FROM jackpot_round
                WHERE started_at >= %(first)s AND started_at < %(upto)s AND unfed_day IS NULL
                UNION ALL
                SELECT b.table_id, c.at, c.wagers FROM jackpot_contribution c JOIN jackpot_batch b ON b.id = c.batch_id
                WHERE c.at >= %(first)s AND c.at < %(upto)s AND b.status IN ('counted', 'released')
            ) w
            JOIN jackpot_table t ON t.id = w.table_id
            JOIN jackpot_link p ON p.id = t.link_id
            WHERE w.wagers > 0 AND (%(link)s::text IS NULL OR p.code = %(link)s)
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
            """,
            {"zone": str(zone()), "first": first, "upto": upto, "link": link},
        )
        return [TableHourRow(*row) for row in cursor.fetchall()]


def expected_and_observed(*, link: str, first: date = date.min, last: date = date.max) -> list[HandRow]:
    """How often each hand was won in rounds finished on these days, beside how often it should have been, with a 99%
    band. Controllers that only count tell no hands. Of a must-hit-by link: how often its points should have been
    reached; they come more evenly than by pure chance, so its band is on the wide side."""
    found = links.find_link(link)
    in_force = terms.of(terms.in_force(found))
    parameters = in_force.parameters
    figures = mathematics.mathematics(in_force.rules, wager=parameters.wager, levels=parameters.levels)
    days = (first, last)
    if in_force.rules.game is Game.MYSTERY:
        wagers = sum(row.wagers for row in by_table_and_day(first=first, last=last, link=link))
        hands = {prize.level: prize.hand for prize in in_force.rules.pool_prizes}
        often = {hands[each.level]: each.frequency for each in figures.levels}
    else:
        played = Q(round__terms__link=found, round__status=Round.Status.FINISHED, round__ended_day__range=days)
        wagers = Wager.objects.filter(played).count()
        often = {each.prize.hand: each.frequency for each in figures.prizes}
    hits = Hit.objects.filter(link=found, hand__isnull=False, day__range=days).exclude(status=Hit.Status.DENIED)
    observed = dict(hits.values_list("hand").annotate(count=Count("id")))
    rows = []
    for hand, frequency in often.items():
        expected = wagers * float(frequency)
        low, high = poisson_band(expected)
        rows.append(HandRow(link, hand, wagers, expected, low, high, observed.get(hand, 0)))
    return rows


def poisson_band(mean: float, *, confidence: float = CONFIDENCE) -> tuple[int, int]:
    """The counts between which a rare event with this mean falls, but for half of what is left on either side."""
    if mean <= 0:
        return 0, 0
    tail = (1 - confidence) / 2
    # Far enough below that what is left out does not count, and up until the band is full.
    k = max(0, int(mean - 12 * sqrt(mean) - 30))
    below, low = 0.0, None
    while True:
        below += exp(k * log(mean) - mean - lgamma(k + 1))
        if low is None and below > tail:
            low = k
        if low is not None and below >= 1 - tail:
            return low, k
        k += 1


def meters(*, link: str) -> list[MeterRow]:
    """What a regulator reads off a link, level by level."""
    found = links.find_link(link)
    meter = read_meter(found)
    balances = meter.pools.balances
    wagers = sum(row.wagers for row in reconciliation(first=date.min, last=date.max, link=link))
    rows = []
    for level in meter.terms.levels:
        hits = Hit.objects.filter(link=found, level=level).exclude(status=Hit.Status.DENIED)
        rows.append(
            MeterRow(
                link=link,
                level=level,
                wagers=wagers,
                displayed=meter.displayed[level],
                hits=hits.count(),
                wins=Money.total(hit.from_pool for hit in hits.only("from_pool")),
                overflow=balances[f"{level}-overflow"],
                reserve=balances[RESERVE],
            )
        )
    return rows
