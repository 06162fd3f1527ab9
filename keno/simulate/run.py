"""The days of a simulation: games opened, sold, closed, drawn and settled in their order, on the clock in the hand.

What happens in a game is chosen by a source of chance made from the seed and the game's number, so that a simulation
broken off and begun again goes on as it would have. Numbers drawn, and numbers that the house picks for players, come
from the operating system as ever: those no seed decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Max

from house.plan_days import ensure_gaming_days
from house.simulate import Clock, Figure, Part
from keno.close import close_game
from keno.draw import draw_game, draw_numbers
from keno.invalidate import invalidate_game
from keno.locks import hold_series
from keno.models import Draw, DrawDevice, Game, KenoSettings, Ticket
from keno.open_games import keep_open, open_next
from keno.simulate.desk import Desk
from keno.simulate.machine import Machine
from keno.simulate.office import Office
from keno.simulate.staff import at_work
from keno.simulate.venue_settings import VenueSettings
from keno.steps import OVER, Status
from keno.timetable import next_slot
from keno.void import void_draw
from ledger.seal import seal_now

EVERY: Final = timedelta(minutes=30)
GAMES_A_SHIFT: Final = 16
DRAWN_AFTER: Final = timedelta(seconds=20)
DRAWN_WITHIN: Final = timedelta(minutes=2)  # however much goes wrong at the machine
BY_BALLS: Final = (3, 4, 5)  # of every eight games, which are drawn with balls


def record_ends() -> datetime | None:
    """The last that is on record of games and tickets."""
    games = Game.objects.aggregate(
        opened=Max("opened_at"), closed=Max("closed_at"), drawn=Max("drawn_at"), settled=Max("settled_at")
    )
    sold = Ticket.objects.aggregate(sold=Max("sold_at"))
    return max((moment for moment in (*games.values(), *sold.values()) if moment is not None), default=None)


def begin_at(*, days: int, now: datetime) -> datetime:
    """So many days ago or, where the record goes on longer than that, where it ends."""
    wanted = now - timedelta(days=days)
    return max(wanted, record_ends() or wanted)


class Simulation:
    """From *begins* until *ends*: a game that would close later is not simulated, so time never runs ahead.

    *whole*: what is sold is over by the end, and nothing goes wrong that somebody would still have to see to.
    *beside*: makes the other rooms' parts, on the same clock.
    """

    def __init__(
        self,
        *,
        seed: int,
        volume: int,
        begins: datetime,
        ends: datetime,
        every: timedelta = EVERY,
        is_past: bool = False,  # a past that ends today: nothing is left over for tomorrow
        beside: Callable[[Clock], Sequence[Part]] = lambda clock: (),
    ) -> None:
        self.seed, self.volume, self.ends, self.every, self.is_past = seed, volume, ends, every, is_past
        self.begins, self.clock = begins, Clock(begins)
        self.settings = VenueSettings(every=every)
        self.beside = beside(self.clock)
        self.desk: Desk
        self.office: Office
        self.machine: Machine
        self.last = 0  # the number of the last game that ends in time

    def run(self, tell: Callable[[int], None] = lambda minutes: None) -> None:
        """Everything until the end. Every verb is a transaction of its own, so that it can be broken off anywhere."""
        with self.clock.running(), self.settings.in_force():
            ensure_gaming_days(now=self.clock.now)
            self.desk = Desk(at_work())
            self.office = Office(self.desk)
            self.machine = Machine(self.desk.people, self.settings, self.clock, self.desk.done)
            self._catch_up()
            for part in self.beside:
                part.begin()
            first, self.last = self._numbers()
            self.office.bonus(first=first, last=max(first, (first + self.last) // 2))
            while self._game():
                tell(int((self.clock.now - self.begins).total_seconds() // 60))
            for part in self.beside:
                part.end(self._chance(f"{part.name}/end"))
            if not self.is_past:
                self.machine.choose(DrawDevice.RNG)
            self.desk.close_shifts(self._chance("end"), some_left_open=not self.is_past)
            seal_now()

    @property
    def done(self) -> Counter[str]:
        return sum((part.done for part in self.beside), self.desk.done)

    @property
    def refused(self) -> Counter[str]:
        return sum((part.refused for part in self.beside), self.desk.refused)

    def figures(self) -> list[tuple[str, Figure]]:
        """Every room's own book beside the house's."""
        own = [("Keno", figure) for figure in self.desk.book.figures()]
        return own + [(part.name, figure) for part in self.beside for figure in part.figures()]

    @property
    def drawn_within(self) -> timedelta:
        """From the close of a game: in a whole past everything goes as it should."""
        return DRAWN_AFTER if self.is_past else DRAWN_WITHIN

    def _chance(self, what: object) -> Random:
        return Random(f"{self.seed}/{what}")  # noqa: S311  to be repeatable is the point

    def _catch_up(self) -> None:
        """What a simulation that was broken off has left half done."""
        for game in Game.objects.exclude(status__in=[*OVER, Status.SCHEDULED, Status.OPEN]).order_by("number"):
            if game.device == DrawDevice.MECHANICAL and game.status != Status.DRAWN:
                void_draw(number=game.number, reason="The power failed.", by=self.desk.people.supervisor)
                self.machine.draw(game.number, self._chance(f"again/{game.number}"))
            draw_game(number=game.number, by=self.desk.people.supervisor)

    def _numbers(self) -> tuple[int, int]:
        """The first game there will be, and the last."""
        over = Game.objects.filter(status__in=OVER).aggregate(last=Max("number"))["last"] or 0
        on_sale = Game.objects.filter(status=Status.OPEN).values_list("closes_at", flat=True).first()
        settings = KenoSettings.current()
        settings.interval = self.every
        last, closes = over, on_sale
        if closes is None:
            slot = next_slot(settings=settings, since=self.clock.now)
            closes = slot.closes_at if slot is not None else None
        while closes is not None and closes + self.drawn_within <= self.ends:
            last += 1
            ensure_gaming_days(now=closes)
            slot = next_slot(settings=settings, since=closes)
            closes = slot.closes_at if slot is not None else None
        return over + 1, last

    def _game(self) -> bool:
        """One game, from the first customer to the settlement. False: there is none left that ends in time."""
        now, clock = self.clock.now, self.clock
        ensure_gaming_days(now=now)
        keep_open(now=now)
        game = Game.objects.filter(status=Status.OPEN).first()
        if game is None:
            with transaction.atomic():  # the day may have one left at another pace than the one it was scheduled at
                hold_series()
                game = open_next(now=now, at_once=True)
        if game is None:
            waiting = Game.objects.filter(status=Status.SCHEDULED).first()
            later = max(waiting.opens_at if waiting is not None else now + self.every, now + timedelta(seconds=1))
            if later >= self.ends:
                return False
            clock.advance(later)
            return True
        if game.closes_at + self.drawn_within > self.ends:
            return False
        chance = self._chance(game.number)
        self.desk.fresh.clear()
        self.desk.most_games = max(1, self.last - game.number + 1) if self.is_past else None
        self.desk.open_shifts()
        if not self.is_past:  # for the games that are not on sale yet
            by_balls = game.number % 8 in BY_BALLS
            self.machine.choose(DrawDevice.MECHANICAL if by_balls else DrawDevice.RNG)
        self.office.before(game.number, last=self.last, chance=chance)
        seconds = max(1.0, (game.closes_at - now).total_seconds() - 1)
        customers = chance.randint(self.volume // 2, self.volume + self.volume // 2)
        for place, moment in enumerate(sorted(chance.uniform(0, seconds) for _ in range(customers))):
            clock.advance(now + timedelta(seconds=moment))
            self.desk.something(chance)
            for part in self.beside:
                part.moment(self._chance(f"{part.name}/{game.number}/{place}"))
        self.desk.see_to_drawers(chance)
        clock.advance(game.closes_at)
        self._finish(game.number, chance)
        self.office.after(game.number, chance)
        if game.number % GAMES_A_SHIFT == 0:
            self.desk.close_shifts(chance, some_left_open=not self.is_past)
        return True

    def _finish(self, number: int, chance: Random) -> None:
        supervisor, clock = self.desk.people.supervisor, self.clock
        if not self.is_past and chance.random() < 1 / 250:
            invalidate_game(number=number, by=supervisor, reason="The power failed.")
            self.desk.done["game invalidated"] += 1
            self.desk.book.invalidated(number)
            return
        close_game(number=number, by=supervisor)
        clock.advance(clock.now + DRAWN_AFTER)
        if Game.objects.get(number=number).device == DrawDevice.MECHANICAL:
            tube = self.machine.draw(number, chance)
            self.desk.book.by_machine[number] = tube
            self._settled(number, tube)
            return
        if not self.is_past and chance.random() < 1 / 150:
            draw_numbers(number=number, upto=7, by=supervisor)
            clock.advance(clock.now + timedelta(seconds=5))
            self.office.void(number, reason="The display froze.")
            clock.advance(clock.now + DRAWN_AFTER)
            self.desk.done["draw void"] += 1
        draw_game(number=number, by=supervisor)
        self._settled(number, Draw.objects.get(game=number, voided_at=None).numbers)

    def _settled(self, number: int, numbers: Sequence[int]) -> None:
        self.desk.book.drawn(number, numbers)
        self.desk.done["game"] += 1
        seal_now()
