"""A small casino for the tests of games: gaming days, a clock in the hand, tickets as rows."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from house import gaming_days
from house.approvals import approve
from house.models import GamingDay, Proposal
from house.permissions import AS_INSPECTOR
from keno import particulars
from keno.models import Draw, Game, Play, Shift, Ticket
from keno.models.fields import as_bits
from keno.open_games import keep_open
from keno.permissions import CHOOSE_DEVICE, DECIDE_VOID, INVALIDATE, RUN_GAMES, STOP_DRAW
from keno.rules.selection import Play as RulePlay
from keno.rules.selection import Selection
from keno.tick import tick
from kernel.actors import Actor
from kernel.money import Money

DAY = date(2026, 11, 16)
OPENS = datetime(2026, 11, 15, 23, tzinfo=UTC)  # ten in the morning in Sydney
CLOSES = datetime(2026, 11, 16, 17, tzinfo=UTC)  # four at night
SECOND = timedelta(seconds=1)

RIGHTS = frozenset({RUN_GAMES, DECIDE_VOID, INVALIDATE, STOP_DRAW, CHOOSE_DEVICE, "incidents.report"})
SUE = Actor("staff:sue", "Sue", RIGHTS)
SAM = Actor("staff:sam", "Sam", RIGHTS)
INSPECTOR = Actor("staff:ines", "Ines", frozenset({AS_INSPECTOR}))
NOBODY = Actor("staff:nobody", "Nobody")

_serials = count(1)


def open_days(days: int = 2) -> None:
    for n in range(days):
        GamingDay.objects.create(
            date=DAY + timedelta(days=n), opens_at=OPENS + timedelta(days=n), closes_at=CLOSES + timedelta(days=n)
        )
    gaming_days.forget()


def open_first_game() -> Game:
    open_days()
    game = keep_open(now=OPENS)
    assert game is not None
    return game


def run(since: datetime, until: datetime, step: timedelta = SECOND) -> None:
    """Let time pass, a tick a second."""
    now = since
    while now <= until:
        tick(now)
        now += step


def shift() -> Shift:
    return Shift.objects.first() or Shift.objects.create(
        terminal="device:W-1", writer="device:W-1", day=DAY, opened_at=OPENS, opened_by="device:W-1"
    )


def put_ticket(  # long: every particular of a ticket, spelt out
    *,
    first_game: int,
    groups: list[list[int]],
    plays: list[tuple[int, int]],
    games: int = 1,
    schedule: str = "standard",
    jackpot: bool = False,
    serial: str | None = None,
    charged_games: int | None = None,
    version: int | None = None,
) -> Ticket:
    """A ticket as a sale leaves it, without the money at the counter. *plays*: (spots, cents a way)."""
    selection = Selection(
        groups=tuple(map(tuple, groups)), plays=tuple(RulePlay(spots, Money.cents(stake)) for spots, stake in plays)
    )
    charged = charged_games or games - (games >= 50) - (games >= 100)
    price_a_game = Money.total(play.stake * ways for play, ways in zip(selection.plays, selection.ways, strict=True))
    last = first_game + games - 1
    ticket = Ticket(
        serial=serial or f"T{next(_serials):08d}",
        kind="standard" if len(groups) == 1 else "way",
        groups=[list(group) for group in selection.groups],
        schedule=schedule,
        schedule_version=version,
        jackpot=jackpot,
        games=games,
        first_game=first_game,
        last_game=last,
        charged_to=first_game + charged - 1,
        price_a_game=price_a_game,
        premium=Money(0),
        price=price_a_game * charged,
        sold_at=OPENS,
        day=DAY,
        terminal="device:W-1",
        writer="device:W-1",
        shift=shift(),
        leaf=b"",
    )
    rows = [
        Play(
            place=place,
            spots=play.spots,
            ways=ways,
            stake=play.stake,
            numbers=as_bits({n for group in groups for n in group})
            if ways == 1 and play.spots == sum(map(len, groups))
            else None,
            jackpot=jackpot and play.spots in (6, 8),
            schedule=schedule,
            schedule_version=version,
            first_game=first_game,
            charged_to=ticket.charged_to,
            plays_to=last,
        )
        for place, (play, ways) in enumerate(zip(selection.plays, selection.ways, strict=True))
    ]
    ticket.leaf = particulars.leaf(particulars.of_ticket(ticket, rows), particulars.code_of(ticket, rows))
    ticket.save()
    for row in rows:
        row.ticket = ticket
    Play.objects.bulk_create(rows)
    return ticket


def cancel_from(ticket: Ticket, game: int) -> None:
    Ticket.objects.filter(pk=ticket.pk).update(cancelled_from=game, cancelled_at=OPENS, cancelled_by="device:W-1")
    Play.objects.filter(ticket=ticket).update(plays_to=game - 1)


def numbers_of(game: int) -> list[int]:
    return Draw.objects.get(game=game, voided_at=None).numbers


def some_numbers(count: int, seed: int = 1) -> list[int]:
    return random.Random(seed).sample(range(1, 81), count)


def raw(value: bytes | memoryview | None) -> bytes:
    assert value is not None
    return bytes(value)


def totals_of(game: int) -> dict[str, Any]:
    totals = Game.objects.get(pk=game).totals
    assert totals is not None
    return dict(totals)


def decide(proposal: Game | Proposal, *, verdict: str = "effective") -> None:
    """Another person stands behind it, and the inspector decides it in his own name."""
    assert isinstance(proposal, Proposal)
    approve(proposal_id=proposal.pk, by=SAM)
    done = approve(proposal_id=proposal.pk, by=INSPECTOR)
    assert done.status == verdict, done.outcome
