"""What is locked in Keno, in which order. Everything is transaction-scoped; nobody waits more than three seconds.

The order, everywhere: the advisory locks of ``kernel.locks``, then game -> ticket -> hit -> voucher -> shift -> player.

- A sale holds its first game *shared* by advisory lock until it commits; closing takes it *exclusively* (decision 7).
  So sales never wait for each other, the close waits for the sales under way, and after it no sale for it commits.
- What a game may pay at most is guarded by a lock that sales share while they are far from it, and that a sale near it
  takes alone, before it holds the game: it waits for those under way and then knows what they have added.
- A cancellation holds the rows of the ticket's games FOR SHARE; sealing a game's tickets, locking it for the witness to
  be asked and its first number take them FOR UPDATE (6.1).
- Every step of a game's life holds its row FOR UPDATE.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection
from django.utils import timezone

from house.gaming_days import open_gaming_day
from house.times import for_people
from keno.models import Game
from keno.rules.exposure import Exposure, Limits, require_room
from keno.rules.prorate import MAJORS_TOTAL_LIMIT
from keno.steps import Status
from kernel.locks import Lock, hold
from kernel.money import ZERO, Money
from kernel.prepared import execute
from kernel.refusal import Conflict, NotFound

_OPEN: Final = "SELECT number FROM keno_game WHERE status = 'open'"
# Locks, then looks: migration exposure.
_HOLD: Final = """
    SELECT is_open, way_limit, ticket_limit, game_limit, most, minors, held
    FROM keno_hold_open_within(%(exposure)s, %(sales)s, %(game)s, %(together)s, %(adds)s)
"""


@dataclass(frozen=True, slots=True)
class OnSale:
    """The game that a sale begins with: its limits, and what it could pay out with the tickets sold until now."""

    game: int
    limits: Limits | None = None
    exposure: Exposure = Exposure()  # noqa: RUF009  frozen

    def require_room(self, ticket: Exposure) -> None:
        """Refuse what would pass a limit of the house. A game that opened before there were limits has none."""
        if self.limits is not None:
            require_room(ticket, game=self.game, before=self.exposure, limits=self.limits)


def hold_open_for_sale(game_number: int, *, adds: Money = ZERO) -> OnSale | None:
    """Hold the game open until the transaction ends. None: it is not open (any more), and nothing is promised.

    *adds*: what the ticket adds to the game's majors at $200 each and its small prizes. Where that is little and the
    game far from its limit, others sell meanwhile; else nobody adds to what it could pay until the transaction ends.
    """
    asked = {
        "exposure": int(Lock.GAME_EXPOSURE),
        "sales": int(Lock.GAME_SALES),
        "game": game_number,
        "together": MAJORS_TOTAL_LIMIT.micros,
        "adds": adds.micros,
    }
    is_open, *figures = execute(_HOLD, asked)[0]
    if not is_open:
        return None
    if figures[0] is None:
        return OnSale(game_number)
    way_limit, ticket_limit, game_limit, most, minors, held = map(Money, figures)
    return OnSale(
        game_number, Limits(way_limit, ticket_limit, game_limit), Exposure(most=most, minors=minors, held=held)
    )


_sold_last: int | None = None


def hold_game_on_sale(*, now: datetime | None = None, adds: Money = ZERO) -> OnSale:
    """The game that a sale at this moment begins with, held open until the transaction ends (13.1, decision 7).

    A process tries the game that it sold last, before it asks which one is open: it is asked under the lock anyway.
    """
    global _sold_last  # noqa: PLW0603  one memory for the process
    open_gaming_day(now or timezone.now())
    number = _sold_last
    if number is not None and (found := hold_open_for_sale(number, adds=adds)):
        return found
    while (number := _open_number()) is not None:
        if found := hold_open_for_sale(number, adds=adds):
            _sold_last = number
            return found
    waiting = Game.objects.filter(status=Status.SCHEDULED).first()
    when = ""
    if waiting is not None and waiting.opens_at > (now or timezone.now()):
        when = f" Game {waiting.number} opens {for_people(waiting.opens_at)}."
    elif waiting is not None:
        when = f" Game {waiting.number} opens as soon as the witness has seen the promise of its draw: in a moment."
    raise Conflict("no-game-open", f"No game is open for sale.{when}", clause="act-keno:13.1")


def sold_last() -> int | None:
    """The game that this process sold last: most likely it is still open."""
    return _sold_last


def _open_number() -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(_OPEN)
        row = cursor.fetchone()
    return row[0] if row else None


def bar_sales(game_number: int) -> None:
    """Wait for the sales under way and let no other begin, until the transaction ends: what closing does first."""
    hold(Lock.GAME_SALES, game_number)


def hold_series() -> None:
    """One at a time adds to the series of games."""
    hold(Lock.GAME_SERIES)


_FROM_ON: Final = """
    SELECT number, asked_at IS NULL AND began_at IS NULL FROM keno_game
    WHERE number BETWEEN %s AND %s AND status NOT IN ('settled', 'invalidated') ORDER BY number FOR SHARE
"""


def hold_before_asking(game_number: int, *, upto: int) -> bool:
    """Keep the games from this one on from being sealed, asked about and begun until the transaction ends. False: the
    witness has been asked about it, or its first number recorded (6.1).

    A game without a row lies far ahead: nothing of it can have begun, since games are drawn in their order.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FROM_ON, [game_number, upto])
        held = dict(cursor.fetchall())
    return bool(held.get(game_number, True))


def lock_game(game_number: int) -> Game:
    """The game, its row locked for a step of its life."""
    game = Game.objects.select_for_update().filter(number=game_number).first()
    if game is None:
        raise NotFound("no-such-game", f"There is no game {game_number}.")
    return game
