"""Loss and deposit limits as players ask for them, and what room they leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import LimitChange, Player, PlayLine, PlayLineKind
from house.permissions import LIMIT_PLAYERS
from house.players.acts import LimitAsked
from house.players.cards import lock_player
from house.rules.limits import Change, Kind, Period, headroom, in_force, span, takes_effect
from house.venue import local, venue
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal


@dataclass(frozen=True, slots=True)
class LimitStatus:
    """One limit, and what is used of it in its present period."""

    kind: Kind
    period: Period
    amount: Money | None
    used: Money
    first: date
    last: date
    next_amount: Money | None
    next_from: datetime | None


@transaction.atomic
def set_limit(*, player_number: str, kind: str, period: str, amount: Money | None, by: Actor) -> LimitChange:
    """As the player asks. Lower counts at once, higher (or none) after the venue's cooling-off period."""
    by.require(LIMIT_PLAYERS)
    owner = lock_player(player_number)
    now = timezone.now()
    if kind == Kind.DEPOSIT and period != Period.DAY:
        raise Refusal("deposits-by-day", "A deposit limit is for a calendar day.", field="period")
    changes = _changes(owner).get((Kind(kind), Period(period)), [])
    old = in_force(changes, now)
    if amount is None and not changes:
        raise Refusal("no-such-limit", "There is no such limit to remove.", field="amount")
    from_at = takes_effect(
        old=old, new=amount, asked_at=now, cooling_off=timedelta(hours=venue().limit_cooling_off_hours)
    )
    new = LimitChange.objects.create(
        player=owner,
        kind=kind,
        period=period,
        amount=None if amount is None else amount.micros,
        asked_at=now,
        from_at=from_at,
        by=by.identity,
    )
    asked = LimitAsked(player=owner.number, kind_=kind, period=period, old=old, new=amount, from_=from_at)
    record_act(asked, by=by)
    return new


def limit_statuses(player: Player, *, at: datetime | None = None) -> list[LimitStatus]:
    """Every limit the player has or has asked for."""
    at = at or timezone.now()
    found = []
    for (kind, period), changes in sorted(_changes(player).items()):
        now_amount = in_force(changes, at)
        waiting = changes[-1] if changes[-1].from_at > at else None
        if now_amount is None and waiting is None:
            continue
        first, last = span(period, day_of(kind, at))
        found.append(
            LimitStatus(
                kind=kind,
                period=period,
                amount=now_amount,
                used=used(player, kind, first, last),
                first=first,
                last=last,
                next_amount=waiting.amount if waiting else None,
                next_from=waiting.from_at if waiting else None,
            )
        )
    return found


def room(player: Player, kind: Kind, *, at: datetime) -> Money | None:
    """What may still be lost, or deposited; None without a limit. Ask it of a locked player."""
    return headroom(
        (each.amount, each.used)
        for each in limit_statuses(player, at=at)
        if each.kind is kind and each.amount is not None
    )


def day_of(kind: Kind, at: datetime) -> date:
    """Losses belong to gaming days; a deposit limit is for the calendar day on the venue's clock (nsw-csp:1.1)."""
    return local(at).date() if kind is Kind.DEPOSIT else gaming_day_at(at).date


def used(player: Player, kind: Kind, first: date, last: date) -> Money:
    lines = PlayLine.objects.filter(player=player, day__range=(first, last))
    lines = (
        lines.filter(kind=PlayLineKind.DEPOSIT) if kind is Kind.DEPOSIT else lines.exclude(kind=PlayLineKind.DEPOSIT)
    )
    return Money(int(lines.aggregate(sum=Sum("loss"))["sum"] or 0))


def _changes(player: Player) -> Mapping[tuple[Kind, Period], list[Change]]:
    found: dict[tuple[Kind, Period], list[Change]] = {}
    rows: Iterable[LimitChange] = LimitChange.objects.filter(player=player).order_by("id")
    for row in rows:
        amount = None if row.amount is None else Money(row.amount)
        found.setdefault((Kind(row.kind), Period(row.period)), []).append(Change(amount, row.from_at))
    return found
