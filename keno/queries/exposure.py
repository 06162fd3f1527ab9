"""What games could pay out at most with the tickets sold until now, beside what was paid for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from keno import approved
from keno.locks import OnSale
from keno.models import Game, Ticket
from keno.queries.games import games_opened, open_game, tickets_and_turnover
from keno.rules.exposure import Exposure, Limits
from keno.steps import Status
from kernel.money import Money

GAMES_ROWS = 40
TICKETS_ROWS = 10

_SUMS = """
    SELECT l.game_id, l.way_limit, l.ticket_limit, l.game_limit, l.most + coalesce(sum(e.most), 0)::bigint,
           l.minors + coalesce(sum(e.minors), 0)::bigint, l.held + coalesce(sum(e.held), 0)::bigint
    FROM keno_gamelimits l LEFT JOIN keno_gameexposure e ON e.game = l.game_id
    WHERE l.game_id = ANY(%s) GROUP BY l.game_id
"""


@dataclass(frozen=True, slots=True)
class Exposed:
    """A game, what it could pay in prizes that are fixed, and what was paid for it."""

    game: Game
    payable: Money
    turnover: Money
    limit: Money
    alarm: bool = False

    @property
    def percent(self) -> int:
        """Of the limit, rounded up: anything above nothing is seen."""
        return min(100, -(-100 * self.payable.micros // max(1, self.limit.micros)))


def exposures(numbers: Iterable[int]) -> dict[int, OnSale]:
    """Of each game that opened with limits; read without a lock, for those who look."""
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, [list(numbers)])
        rows = [(number, *map(Money, figures)) for number, *figures in cursor.fetchall()]
    return {
        number: OnSale(
            number, Limits(way_limit, ticket_limit, game_limit), Exposure(most=most, minors=minors, held=held)
        )
        for number, way_limit, ticket_limit, game_limit, most, minors, held in rows
    }


def on_sale_now() -> OnSale | None:
    game = open_game()
    return exposures([game.number]).get(game.number) if game else None


def at_stake_now() -> Money:
    """What the game on sale could pay at most, as its limit counts it."""
    game = on_sale_now()
    return Money(0) if game is None else game.exposure.most


def exposed(games: Iterable[Game]) -> list[Exposed]:
    """In their order, without those that know no limits."""
    games = list(games)
    found = exposures(game.number for game in games)
    alarm = approved.amount(approved.EXPOSURE_ALARM)
    shown = []
    for game in games:
        if (known := found.get(game.number)) is None or known.limits is None:
            continue
        payable, sealed = known.exposure.payable, game.sealed_stakes
        turnover = tickets_and_turnover(game.number)[1] if sealed is None else sealed
        warns = game.status == Status.OPEN and payable >= alarm
        shown.append(Exposed(game, payable=payable, turnover=turnover, limit=known.limits.game_limit, alarm=warns))
    return shown


def latest_exposed() -> list[Exposed]:
    """The game on sale and those before it, the newest first."""
    return exposed(games_opened().order_by("-number")[:GAMES_ROWS])


def largest_tickets(number: int) -> list[Ticket]:
    """Of one game, by what each could be paid in it."""
    rows = Ticket.objects.filter(first_game__lte=number, plays_to__gte=number, could_pay__isnull=False)
    return list(rows.order_by("-could_pay", "pk")[:TICKETS_ROWS])
