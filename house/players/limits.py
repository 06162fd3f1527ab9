"""Loss and deposit limits as players ask for them, and what room they leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.models import LimitChange, Player, PlayLine, PlayLineKind
from house.players.cards import lock_player
from house.refusal import Refusal
from house.rules.limits import Change, Kind, Period, headroom, in_force, span, takes_effect
from house.venue import local, venue
from ledger.money import Money


@dataclass(frozen=True, slots=True)
class Standing:
    """One limit and how it stands in its present period."""

    kind: Kind
    period: Period
    amount: Money | None
    used: Money
    first: date
    last: date
    next_amount: Money | None
    next_from: datetime | None


@transaction.atomic
def set_limit(*, player: str, kind: str, period: str, amount: Money | None, by: Actor) -> LimitChange:
    """As the player asks. Lower counts at once, higher (or none) after the venue's cooling-off period."""
    by.require("players.limits")
    owner = lock_player(player)
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
    acts.record(
        kind="player.limit-asked",
        subject=owner.identity,
        by=by,
        data={
            "kind": kind,
            "period": period,
            "old": None if old is None else str(old),
            "new": None if amount is None else str(amount),
            "from": from_at.isoformat(),
        },
    )
    return new


def standings(player: Player, *, at: datetime | None = None) -> list[Standing]:
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
            Standing(
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
        (each.amount, each.used) for each in standings(player, at=at) if each.kind is kind and each.amount is not None
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
