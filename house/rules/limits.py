"""What a player may still lose or deposit. Pure: no Django, no clock, no I/O.

A *loss limit* is the greatest net loss a player allows himself over a period (nsw-csp:1.1, 16.3); a *deposit limit* the
most he may pay in a calendar day. Periods are counted in the venue's own days.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from kernel.money import ZERO, Money


class Period(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class Kind(StrEnum):
    LOSS = "loss"
    DEPOSIT = "deposit"


def span(period: Period, day: date) -> tuple[date, date]:
    """The first and the last day of the period this day lies in. A week begins on Monday."""
    if period is Period.DAY:
        return day, day
    if period is Period.WEEK:
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=6)
    first = day.replace(day=1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Change:
    """A limit as the player asked for it; no amount means that he wants none."""

    amount: Money | None
    from_at: datetime


def in_force(changes: Iterable[Change], at: datetime) -> Money | None:
    """The limit at a moment: the last asked for, of those whose time has come.

    So a raise that waits is dropped when the player asks for something lower meanwhile: *changes* are in the order they
    were asked for, and the later word counts.
    """
    amount = None
    for change in changes:
        if change.from_at <= at:
            amount = change.amount
    return amount


def takes_effect(*, old: Money | None, new: Money | None, asked_at: datetime, cooling_off: timedelta) -> datetime:
    """A lower limit, or a first one, counts at once; a higher one, or none, only after it has cooled off."""
    lower = old is None or (new is not None and new <= old)
    return asked_at if lower else asked_at + cooling_off


def headroom(limits: Iterable[tuple[Money, Money]]) -> Money | None:
    """What may still be lost, from pairs of limit and loss so far; None without any limit. Winnings make room again."""
    rooms = [limit - lost for limit, lost in limits]
    return max(min(rooms), ZERO) if rooms else None


def accept(wagers: Sequence[Money], room: Money | None) -> list[Money]:
    """What stands of each wager, in the order of placing: what lies above the limit goes back, last placed first.

    nsw-csp:14.21, 14.21.1.
    """
    if room is None:
        return list(wagers)
    stands: list[Money] = []
    for wager in wagers:
        part = min(wager, room)
        stands.append(part)
        room -= part
    return stands
