"""The days of a simulation: games opened, sold, closed, drawn and settled in their order, on the clock in the hand.

What happens in a game is chosen by a source of chance made from the seed and the game's number, so that a simulation
broken off and begun again goes on as it would have. Numbers drawn, and numbers that the house picks for players, come
from the operating system as ever: those no seed decides.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db.models import Max

from house.approvals import approve, propose
from house.gaming_days import ensure_gaming_days
from keno import approved
from keno.close import close_game
from keno.draw import draw_game, record_numbers
from keno.invalidate import invalidate_game
from keno.lifecycle import OVER, Status
from keno.models import Approved, Game, KenoSettings, Ticket
from keno.open_games import keep_open
from keno.setup import keno_settings
from keno.simulate.clock import Clock
from keno.simulate.desk import Desk
from keno.simulate.staff import at_work
from keno.void import void_draw
from ledger.seal import seal_now

EVERY: Final = timedelta(minutes=30)
GAMES_A_SHIFT: Final = 16
BONUS: Final = "LUCKY7"


def begin_at(*, days: int, now: datetime) -> datetime:
    """So many days ago or, where the record goes on longer than that, where it ends."""
    games = Game.objects.aggregate(
        opened=Max("opened_at"), closed=Max("closed_at"), drawn=Max("drawn_at"), settled=Max("settled_at")
    )
    sold = Ticket.objects.aggregate(sold=Max("sold_at"))
    ends = [moment for moment in (*games.values(), *sold.values()) if moment is not None]
    return max([now - timedelta(days=days), *ends])


class Simulation:
    def __init__(self, *, seed: int, volume: int, begins: datetime, ends: datetime, every: timedelta = EVERY) -> None:
        self.seed, self.volume, self.ends, self.every = seed, volume, ends, every
        self.begins, self.clock = begins, Clock(begins)
        self.desk: Desk

    def run(self, tell: Callable[[int], None] = lambda minutes: None) -> None:
        """Everything until the end. Every verb is a transaction of its own, so that it can be broken off anywhere."""
        with self.clock.running():
            ensure_gaming_days(now=self.clock.now)
            self.desk = Desk(at_work())
            settings = keno_settings()
            usual = settings.interval
            KenoSettings.objects.update(interval=self.every)
            try:
                self._bonus()
                self._catch_up()
                while self.clock.now < self.ends:
                    self._game()
                    tell(int((self.clock.now - self.begins).total_seconds() // 60))
            finally:
                KenoSettings.objects.update(interval=usual)
            self.desk.close_shifts(self._chance("end"))
            seal_now()

    def _chance(self, what: object) -> Random:
        return Random(f"{self.seed}/{what}")  # noqa: S311  to be repeatable is the point

    def _bonus(self) -> None:
        """A bonus by the book: proposed by one, approved by another."""
        if Approved.objects.filter(kind=approved.BONUS, code=BONUS).exists():
            return
        first = (Game.objects.aggregate(last=Max("number"))["last"] or 0) + 1
        terms = {
            "name": "Lucky sevens",
            "first_game": first,
            "last_game": first + 2_000,
            "spots": 7,
            "matches": 5,
            "prize": "5.00",
            "per": "ticket",
            "budget": "500.00",
            "fund": "house",
        }
        people = self.desk.people
        made = propose(
            kind="keno.bonus", subject=f"bonus:{BONUS}", new=terms, why="A livelier month.", by=people.supervisor
        )
        approve(proposal_id=made.pk, by=people.manager)

    def _catch_up(self) -> None:
        """What a simulation that was broken off has left half done."""
        for number in (
            Game.objects.exclude(status__in=[*OVER, Status.SCHEDULED, Status.OPEN])
            .order_by("number")
            .values_list("number", flat=True)
        ):
            draw_game(number=number, by=self.desk.people.supervisor)

    def _game(self) -> None:
        """One game, from the first customer to the settlement."""
        now, clock = self.clock.now, self.clock
        ensure_gaming_days(now=now)
        keep_open(now=now)
        game = Game.objects.filter(status=Status.OPEN).first()
        if game is None:
            waiting = Game.objects.filter(status=Status.SCHEDULED).first()
            later = waiting.opens_at if waiting is not None else now + self.every
            clock.advance(max(later, now + timedelta(seconds=1)))
            return
        chance = self._chance(game.number)
        self.desk.fresh.clear()
        self.desk.open_shifts()
        seconds = max(1.0, (game.closes_at - now).total_seconds() - 1)
        customers = chance.randint(self.volume // 2, self.volume + self.volume // 2)
        for moment in sorted(chance.uniform(0, seconds) for _ in range(customers)):
            clock.advance(now + timedelta(seconds=moment))
            self.desk.something(chance)
        self.desk.see_to_drawers(chance)
        clock.advance(game.closes_at)
        self._finish(game.number, chance)
        if game.number % GAMES_A_SHIFT == 0:
            self.desk.close_shifts(chance)

    def _finish(self, number: int, chance: Random) -> None:
        supervisor, clock = self.desk.people.supervisor, self.clock
        if chance.random() < 1 / 250:
            invalidate_game(number=number, by=supervisor, reason="The power failed.")
            self.desk.done["game invalidated"] += 1
            return
        close_game(number=number, by=supervisor)
        clock.advance(clock.now + timedelta(seconds=20))
        if chance.random() < 1 / 150:
            record_numbers(number=number, upto=7, by=supervisor)
            clock.advance(clock.now + timedelta(seconds=5))
            void_draw(number=number, by=supervisor, reason="The display froze.")
            clock.advance(clock.now + timedelta(seconds=20))
            self.desk.done["draw void"] += 1
        draw_game(number=number, by=supervisor)
        self.desk.done["game"] += 1
        seal_now()
