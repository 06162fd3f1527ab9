"""A Keno counter whose games are really played, with balls that the test chooses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any, Final

import time_machine
from django.utils import timezone

from house.models import GamingDay
from keno import particulars
from keno.choose_device import choose_device
from keno.close import close_game
from keno.draw import draw_game
from keno.entries import TicketRequest
from keno.models import Game, Prize, TenderType, Ticket
from keno.open_games import keep_open
from keno.pay import pay_ticket
from keno.reports import REPORTS
from keno.rules.schedules import STANDARD
from keno.rules.selection import Play as Asked
from keno.rules.unclaimed import twelve_months_after
from keno.sell import Sold, sell_ticket
from keno.shifts import open_shift
from keno.tender import Handed
from kernel.actors import Actor
from kernel.money import Money
from tests.world import keno_counter as at
from tests.world.approvals import put_in_force
from tests.world.keno_balls import enter_balls
from tests.world.money import dollars
from tests.world.people import actor
from web.reports import Report

LOW: Final = list(range(1, 21))  # the balls that come where a test says nothing else
HIGH: Final = list(range(61, 81))


def winning(amount: str, **more: Any) -> TicketRequest:
    """One way that wins exactly this where LOW is drawn, for as few dollars as the schedule asks for it."""
    asked = dollars(amount).micros
    stake, spots, matches = min(
        (asked // prize.micros, table.spots, matches)
        for table in STANDARD.prize_tables
        for matches, prize in enumerate(table.prizes)
        if prize and asked % prize.micros == 0
    )
    return at.plain(*LOW[:matches], *HIGH[: spots - matches], stake=f"{stake}.00", **more)


@contextmanager
def gaming_day_of(day: date) -> Iterator[GamingDay]:
    """It is the evening of this date, and a gaming day."""
    with time_machine.travel(datetime.combine(day, time(18), UTC)):
        yield at.open_day()


def on_balls(*, by: Actor) -> int:
    """The number of the game on sale, which is drawn with balls. What was on sale by generator is drawn so."""
    choose_device(device="mechanical", by=by)
    game = Game.objects.get(status="open")
    if game.device != "mechanical":
        close_game(number=game.number, by=by)
        draw_game(number=game.number, by=by)
    return Game.objects.get(status="open").number


def won_with_balls(amount: str, *, writer: Actor, supervisor: Actor, **more: Any) -> Sold:
    """A ticket that has won this, in a house whose devices are approved."""
    number = on_balls(by=supervisor)
    sold = sell_ticket(request=winning(amount, **more), by=writer)
    close_game(number=number, by=supervisor)
    enter_balls(number=number, balls=LOW, by=supervisor)
    return sold


class Played(at.Counter):
    def __init__(self, opening_float: str = "5000.00") -> None:
        self.day = at.open_day()
        self.writer = actor("device:W-1", "writer")
        self.supervisor = actor("staff:sue", "supervisor")
        self.manager = actor("staff:mona", "manager")
        put_in_force("keno.draw-device", "mechanical", {"name": "Balls", "reference": "1"})
        choose_device(device="mechanical", by=self.supervisor)
        keep_open(now=timezone.now())
        at.approve_value("amount", "float-alone", opening_float)
        self.shift = open_shift(by=self.writer, opening_float=dollars(opening_float))
        self.sold: list[Sold] = []

    def buy(self, chance: Random) -> None:
        kind = chance.randrange(5)
        games = chance.choice([1, 1, 2, 3, 50])
        if kind == 0:
            request = TicketRequest(
                groups=[[1, 2, 3], [4, 5, 6], [7, 8]],
                plays=[Asked(3, dollars("1.00")), Asked(6, dollars("2.00")), Asked(8, dollars("1.00"))],
                games=games,
                jackpot=chance.random() < 0.5,
            )
        else:
            numbers = chance.sample(range(1, 81), chance.randint(1, 10))
            request = TicketRequest(numbers=numbers, stake=Money.dollars(kind), games=games)
        sold = self.sell(request, tender=[Handed(type=TenderType.CASH, amount=dollars("1000.00"))])
        self.sold.append(sold)
        if chance.random() < 0.1:
            at.cancel(sold, self.writer)

    def play(self, number: int, balls: list[int]) -> None:
        close_game(number=number, by=self.supervisor)
        enter_balls(number=number, balls=balls, by=self.supervisor)

    def begin(self, number: int, *balls: int) -> None:
        """The game is closed, and these are its first balls."""
        close_game(number=number, by=self.supervisor)
        enter_balls(number=number, balls=balls, by=self.supervisor)

    def won(self, amount: str, **more: Any) -> Sold:
        """A ticket that has won this: sold for the game on sale, which is then drawn."""
        sold = self.sell(winning(amount, **more))
        self.play(sold.ticket.first_game, LOW)
        return sold

    @property
    def too_late(self) -> date:
        """The first day on which only a claim form will do for what is won now (11.1)."""
        return twelve_months_after(self.day.date)

    def collect(self, chance: Random) -> None:
        for sold in self.sold:
            if Prize.objects.filter(ticket=sold.ticket, payment=None).exists() and chance.random() < 0.6:
                good = particulars.code_of(Ticket.objects.get(pk=sold.ticket.pk))  # of the paper he has now (10.4)
                pay_ticket(serial=sold.ticket.serial, security_code=good, by=self.writer)

    def report(self, name: str) -> Report:
        return REPORTS[name](self.day.date - timedelta(days=1), self.day.date + timedelta(days=1))
