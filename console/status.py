"""The status line: where the house stands now, in words. Rooms that have something to say add a sentence."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.utils import timezone

from console import tonight, words
from house.gaming_days import latest_gaming_day
from house.models import GamingDay
from keno.models import Game
from ledger.models import Act, Seal, Transfer

SEALED_WITHIN: Final = dt.timedelta(seconds=15)  # the sealer works every second


@dataclass(frozen=True, slots=True)
class Line:
    words: str
    tone: str
    icon: str
    seconds: int | None = None  # a count-down after the words


def lines() -> list[Line]:
    return [*_game(), _gaming_day(), *_sealed(), *_reconciled()]


def _game() -> list[Line]:
    """The game on sale. Closed for longer than it takes to draw it, a game is worth a word too."""
    game = Game.objects.filter(status="open").first()
    if game is None:
        return []
    left = int((game.closes_at - timezone.now()).total_seconds())
    if left <= 0:
        return [Line(f"Game {words.number(game.number)} is closing.", "is-attention", "wait")]
    return [Line(f"Game {words.number(game.number)} open, closes in", "is-good", "live", seconds=left)]


def _reconciled() -> list[Line]:
    found = tonight.reconciled()
    return [Line(*found)] if found else []


def _gaming_day() -> Line:
    now = timezone.now()
    day = latest_gaming_day(now)
    if day is not None and day.is_open_at(now):
        early = "closes early at" if day.closed_early_at else "open until"
        tone, icon = ("is-attention", "alert") if day.closed_early_at else ("is-good", "live")
        return Line(f"Gaming day {words.day(day.date)} {early} {_until(day)}.", tone, icon)
    following = GamingDay.objects.filter(opens_at__gt=now).order_by("opens_at").first()
    if following is None:
        return Line("No gaming day is open, and none is planned.", "is-stopped", "cross")
    return Line(f"Closed. The next gaming day opens {words.moment(following.opens_at)}.", "is-quiet", "off")


def _sealed() -> list[Line]:
    """Whether the log is sealed up to now: a row older than a few seconds that no seal covers is worth a word."""
    last = Seal.objects.order_by("-number").values_list("tx_upto", "at").first()
    late = timezone.now() - SEALED_WITHIN
    waiting = [
        oldest
        for rows in (Act.objects.all(), Transfer.objects.all())
        if (
            oldest := rows.filter(tx__gte=last[0] if last else 0)
            .order_by("tx", "id")
            .values_list("at", flat=True)
            .first()
        )
        and oldest < late
    ]
    if waiting:
        return [Line(f"Not sealed since {words.moment(min(waiting))}.", "is-attention", "alert")]
    if last is None:
        return []
    # Nothing is waiting, so the last seal covers everything up to now.
    return [Line(f"Everything sealed at {timezone.localtime(last[1]):%H:%M:%S}.", "is-good", "audit")]


def _until(day: GamingDay) -> str:
    ends = timezone.localtime(day.ends_at)
    return f"{ends:%H:%M}" if ends.date() == timezone.localdate() else words.moment(day.ends_at)
