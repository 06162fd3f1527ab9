"""Tonight at a glance, for the home page: the game on sale, the meters, the hits that wait, how the house stands.

Read from the rooms in a few queries of bounded size: a page that refreshes itself must not grow with the evening.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from console import words
from house import charts, devices, incidents
from house.actors import Actor
from house.models import Device, Incident
from house.refusal import NotFound
from jackpot import links, pools
from jackpot.models import Hit, Pool, PoolDay
from keno import jackpots as keno_jackpots
from keno.games import current_game
from keno.models import Draw, Game, Ticket
from ledger.models import Account, Transfer
from ledger.money import ZERO, Money

COURSE: Final = 24  # games, and points of a meter's course
MOVEMENTS: Final = 240  # of a purse, read for its course
BEGINNINGS: Final = frozenset({links.SEED_KIND, "keno.jackpot-begun"})  # before it there is no course to show
WAITING: Final = ("claimed", "verified")


@dataclass(frozen=True, slots=True)
class GameNow:
    number: int
    status: str
    seconds: int  # to the close, or to the opening
    tickets: int
    turnover: Money
    course: SafeString
    last: Game | None
    drawn: tuple[int, ...]


def game() -> GameNow | None:
    try:
        now = current_game()
    except NotFound:
        return None
    until = now.closes_at if now.status == "open" else now.opens_at
    tickets, turnover = in_game(now.number)
    past = list(Game.objects.filter(status="settled").order_by("-number")[:COURSE])
    sold = [float((each.totals or {}).get("stakes", "0")) for each in reversed(past)]
    drawn = Game.objects.filter(status__in=["drawing", "drawn", "settled"]).order_by("-number").first()
    draw = Draw.objects.filter(game=drawn, voided_at=None).only("numbers").first() if drawn else None
    return GameNow(
        number=now.number,
        status=now.status,
        seconds=max(0, int((until - timezone.now()).total_seconds())),
        tickets=tickets,
        turnover=turnover,
        course=charts.sparkline(sold, label=f"Turnover of the last {len(sold)} games"),
        last=drawn,
        drawn=tuple(sorted(draw.numbers)) if draw else (),
    )


def in_game(number: int) -> tuple[int, Money]:
    """Tickets that play in a game, and what was paid for it."""
    found = Ticket.objects.filter(first_game__lte=number, plays_to__gte=number).aggregate(
        tickets=Count("pk"), turnover=Sum("a_game", filter=Q(charged_to__gte=number))
    )
    return found["tickets"], found["turnover"] or ZERO


@dataclass(frozen=True, slots=True)
class Meter:
    code: str
    title: str
    amount: Money
    course: SafeString
    note: str
    url: str


def meters() -> list[Meter]:
    found = []
    shown = {keno_jackpots.POOLS[spots]: amount for spots, amount in keno_jackpots.displayed().items()}
    for pool in Pool.objects.filter(status=Pool.Status.OPEN).prefetch_related("tables").order_by("code"):
        if pool.code in shown:
            amount, note, url = shown[pool.code], "Keno", ""
        else:
            amount = links.meter(pool).total
            open_tables = [table for table in pool.tables.all() if table.status == "open"]
            note = f"{words.count(len(open_tables), 'table')} open"
            url = reverse("console:link", args=[pool.code])
        found.append(
            Meter(
                code=pool.code, title=pool.title, amount=amount, note=note, url=url, course=_course(pool.code, amount)
            )
        )
    return found


def _course(code: str, amount: Money) -> SafeString:
    """How the prize came to where it is: backwards from now, over its latest movements."""
    account = Account.objects.filter(code=pools.account(code, pools.PRIZE)).first()
    if account is None:
        return SafeString("")
    moves = [
        (tx, pk, sign * moved.micros, kind)
        for sign, side in ((1, "credit"), (-1, "debit"))
        for tx, pk, moved, kind in Transfer.objects.filter(**{side: account}, phase__in=["posted", "post"])
        .order_by("-tx")
        .values_list("tx", "id", "amount", "kind")[:MOVEMENTS]
    ]
    moves.sort(reverse=True)
    level, points = amount.micros, [amount.micros]
    for _, _, moved, kind in moves[:MOVEMENTS]:
        if kind in BEGINNINGS:
            break
        level -= moved
        points.append(level)
    points.reverse()
    step = max(1, len(points) // COURSE)
    sampled = points[::-step][::-1]
    return charts.sparkline([point / 1_000_000 for point in sampled], label=f"The course of {code}")


@dataclass(frozen=True, slots=True)
class HitWaiting:
    pool: str
    amount: Money
    where: str
    status: str
    since: dt.datetime
    url: str


def hits() -> list[HitWaiting]:
    waiting = Hit.objects.filter(status__in=WAITING).select_related("pool", "table").order_by("pk")[:8]
    return [
        HitWaiting(
            pool=hit.pool.code,
            amount=hit.amount,
            where=f"{hit.table}, box {hit.box}" if hit.box else str(hit.table),
            status="Waits to be verified" if hit.status == "claimed" else "Verified, waits to be paid",
            since=hit.claimed_at,
            url=reverse("console:hit", args=[hit.pk]),
        )
        for hit in waiting
    ]


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure about the house, with where to look into it."""

    figure: str
    says: str
    tone: str
    icon: str
    url: str


def facts(actor: Actor) -> list[Fact]:
    found = []
    if actor.may("incidents.view"):
        open_ones = Incident.objects.filter(status="open").count()
        late = incidents.overdue().count()
        says = f"open incidents, {words.count(late, 'notice')} overdue" if late else "open incidents"
        tone = "is-stopped" if late else "is-quiet"
        found.append(Fact(str(open_ones), says, tone, "incidents", reverse("console:incidents")))
    if actor.may("devices.view"):
        silent = devices.offline().count()
        known = Device.objects.filter(status="active").count()
        tone = "is-attention" if silent else "is-good"
        found.append(Fact(str(silent), f"of {known} devices offline", tone, "devices", reverse("console:devices")))
    return found


def reconciled() -> tuple[str, str, str] | None:
    """When every link's books last agreed (checked each minute): words, tone and icon; None where there is no link."""
    rows = PoolDay.objects.filter(pool__status=Pool.Status.OPEN).order_by("pool_id", "-day").distinct("pool_id")
    days = list(rows.select_related("pool"))
    if not days:
        return None
    if wrong := [day.pool.code for day in days if day.fault]:
        return f"Not reconciled: {words.listed(wrong)}.", "is-stopped", "cross"
    checked = min(day.checked_at for day in days)
    return f"Jackpots reconciled at {timezone.localtime(checked):%H:%M:%S}.", "is-good", "tick"
