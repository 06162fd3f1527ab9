"""The jackpots in the frame and on the home page: meters, hits that wait, whether the books agree."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from jackpot import permissions, queries
from jackpot.attend import unattended
from jackpot.models import Hit
from jackpot.pools import meters_of
from kernel.actors import Actor
from kernel.money import MICROS_PER_DOLLAR, Money
from web import charts, sections, words
from web.frame import (
    Action,
    Alert,
    Alerts,
    FirstStep,
    Found,
    HomeFigures,
    Item,
    Landing,
    Line,
    NavigationEntry,
    NavigationGroup,
    SearchIn,
    StatusLines,
    TourStep,
    Waiting,
    is_number,
)

COURSE_POINTS: Final = 24
HITS_WAITING_SHOWN: Final = 20
HITS_LISTED: Final = 8


def _hits_count(actor: Actor) -> int:
    return queries.hits_for(actor).count()


def _hits(actor: Actor) -> list[Item]:
    return [
        Item(
            icon="hits",
            tone="is-money",
            sentence=f"{'Verify' if hit.status == Hit.Status.CLAIMED else 'Pay'} {words.money(hit.amount)}: "
            f"{words.label(hit.hand or hit.kind).lower()} at {hit.table}, box {hit.box or 'not known yet'}",
            state="Needs a second person" if hit.status == Hit.Status.CLAIMED else "Verified, to be paid",
            second=f"won {words.moment(hit.claimed_at)}",
            url=reverse("console:hit", args=[hit.pk]),
            action="Verify" if hit.status == Hit.Status.CLAIMED else "Pay",
        )
        for hit in queries.hits_for(actor)[:HITS_WAITING_SHOWN]
    ]


def _what(hit: Hit) -> str:
    kind = words.label(hit.hand or hit.kind).lower()
    return hit.link.title if kind == hit.link.title.lower() else f"{hit.link.title}, {kind}"


def _alerts(actor: Actor) -> list[Alert]:
    return [
        Alert(
            key=f"hit-{hit.pk}",
            words=f"Jackpot hit: {words.money(hit.amount)} at {hit.table}",
            second=f"{_what(hit)}, won {words.moment(hit.claimed_at)}",
            url=reverse("console:hit", args=[hit.pk]),
            take=reverse("console:attend-hit", args=[hit.pk]),
        )
        for hit in unattended(actor)[:HITS_WAITING_SHOWN]
    ]


def _disagreements(actor: Actor) -> list[Item]:
    if not actor.may(permissions.REPORTS):
        return []
    return [
        Item(
            icon="alert",
            tone="is-attention",
            sentence=f"Explain the meter of {each.table}: {each.shown:,} wagers shown, {each.counted:,} counted"
            + (", and a restart" if each.unseen else ""),
            state="Closed by two people",
            second=f"since {words.moment(each.opened_at)}",
            url=reverse("console:disagreement", args=[each.pk]),
            action="Open",
        )
        for each in queries.disagreements("open")[:HITS_WAITING_SHOWN]
    ]


def _reconciled() -> list[Line]:
    """When every link's books last agreed (checked each minute); nothing where there is no link."""
    days = queries.latest_days()
    if not days:
        return []
    if wrong := [day.link.code for day in days if day.fault]:
        return [Line(f"Not reconciled: {words.listed(wrong)}.", "is-stopped", "cross")]
    checked = min(day.checked_at for day in days)
    return [Line(f"Jackpots reconciled at {timezone.localtime(checked):%H:%M:%S}.", "is-good", "tick")]


@dataclass(frozen=True, slots=True)
class Meter:
    code: str
    title: str
    amount: Money
    course: SafeString
    note: str
    url: str


@dataclass(frozen=True, slots=True)
class HitWaiting:
    link: str
    amount: Money
    where: str
    status: str
    since: dt.datetime
    url: str


def _figures(actor: Actor) -> Mapping[str, object] | None:
    if not actor.may(permissions.VIEW) or not (meters := _meters()):
        return None
    return {"meters": meters, "hits": _hits_waiting(actor)}


def _meters() -> list[Meter]:
    found = []
    others = queries.displayed_by_others()
    links = list(queries.open_links().prefetch_related("tables"))
    shown = meters_of([link for link in links if link.code not in others])
    for link in links:
        if link.code in others:
            (note, amount), url = others[link.code], ""
        else:
            amount = shown[link.code].total
            note = f"{words.count(sum(table.status == 'open' for table in link.tables.all()), 'table')} open"
            url = reverse("console:link", args=[link.code])
        found.append(
            Meter(
                code=link.code, title=link.title, amount=amount, note=note, url=url, course=_course(link.code, amount)
            )
        )
    return found


def _course(code: str, amount: Money) -> SafeString:
    points = queries.prize_course(code, amount)
    if not points:
        return SafeString("")
    step = max(1, len(points) // COURSE_POINTS)
    sampled = points[::-step][::-1]
    return charts.sparkline([point / MICROS_PER_DOLLAR for point in sampled], label=f"The course of {code}")


def _hits_waiting(actor: Actor) -> list[HitWaiting]:
    """Those that wait for others: what waits for this person stands above already."""
    own = queries.hits_for(actor).values("pk")
    return [
        HitWaiting(
            link=hit.link.code,
            amount=hit.amount,
            where=f"{hit.table}, box {hit.box}" if hit.box else str(hit.table),
            status="To be verified" if hit.status == Hit.Status.CLAIMED else "Verified, to be paid",
            since=hit.claimed_at,
            url=reverse("console:hit", args=[hit.pk]),
        )
        for hit in queries.unpaid_hits().exclude(pk__in=own)[:HITS_LISTED]
    ]


def _find(actor: Actor, query: str) -> list[Found]:
    """Links by code, title or table; a hit by its number."""
    if not actor.may(permissions.VIEW):
        return []
    links = queries.links_called(query)[:HITS_LISTED]
    found = [
        Found("meter", f"{link.title} ({link.code})", "Jackpot link", reverse("console:link", args=[link.code]))
        for link in links
    ]
    hit = queries.hit_numbered(int(query)) if is_number(query) else None
    if hit is not None:
        said = f"{words.money(hit.amount)} at {hit.table}, {words.label(hit.status).lower()}"
        found.append(Found("hits", f"Hit {hit.pk}", said, reverse("console:hit", args=[hit.pk])))
    return found


OFFERS: Final = (
    NavigationGroup(
        30,
        sections.JACKPOTS,
        (
            NavigationEntry(
                "Links",
                "links",
                "meter",
                help="Jackpot links: the tables that share one jackpot, with the amount shown and what is behind it. "
                "Open a link for its terms, tables and history. A new link, or other terms, are proposed by one "
                "person and approved by the authority that its rules name.",
                clauses=("nsw-csp:9.6",),
            ),
            NavigationEntry(
                "Hits",
                "hits",
                "hits",
                _hits_count,
                "need your attention",
                "is-money",
                help="Jackpots that were hit. One person verifies the cards without having seen what the table sent, "
                "another pays. Nobody acts twice on the same hit.",
                clauses=("nsw-csp:9.6",),
            ),
            NavigationEntry(
                "Table terminal",
                "table-terminal",
                "keys",
                help="Play the jackpot rounds of a table: boxes with a wager, hands as they lie, what was won in the "
                "order of payment. When a jackpot is hit, this screen says who is coming.",
                clauses=("nsw-csp:9.6",),
            ),
        ),
    ),
    NavigationGroup(
        31,
        sections.REPORTS,
        (
            NavigationEntry(
                "Jackpot reports",
                "jackpot-reports",
                "chart",
                help="Jackpots by day and table: contributions, wins, what the house put in, and whether the books "
                "agree.",
            ),
        ),
    ),
    Alerts(10, permissions.VERIFY, _alerts),
    Waiting(20, _hits),
    Waiting(25, _disagreements),
    FirstStep(
        50,
        "Jackpot links",
        "Make the first one: its rules, its mathematics and what has to be approved.",
        "choose-rules",
        lambda: queries.open_links().exists(),
    ),
    TourStep(
        30,
        "staff:dealer",
        "Start a round at CSP-01",
        "2, Enter: a wager on box 2.",
        "table-terminal",
        lambda: queries.has_rounds(started_by="staff:dealer"),
    ),
    TourStep(
        40,
        "staff:dealer",
        "Deal a royal flush",
        "2, then A S K S Q S J S T S, and Enter twice: the jackpot is won, and locked at once.",
        "table-terminal",
        lambda: queries.has_hits(claimed_by="staff:dealer"),
    ),
    TourStep(
        50,
        "staff:supervisor",
        "Verify the jackpot",
        "Take the alert, then enter the cards as they lie, without having seen what the dealer entered.",
        "hits",
        lambda: queries.has_hits(verified_by="staff:supervisor"),
    ),
    TourStep(
        60,
        "staff:manager",
        "Pay it",
        "By cheque, to somebody who shows who he is. You could not, had you verified it.",
        "hits",
        lambda: queries.has_hits(paid_by="staff:manager"),
    ),
    StatusLines(40, _reconciled),
    SearchIn(15, _find, "Jackpots"),
    Action("Make a new jackpot link", "choose-rules", "meter"),
    HomeFigures(20, "jackpot/home.html", _figures),
    Landing(20, "table-terminal", permissions.PLAY, unless=permissions.VERIFY),
)
