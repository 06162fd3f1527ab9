"""A Keno counter whose games are really played, with balls that the test chooses."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from django.utils import timezone

from keno import particulars
from keno.choose_device import choose_device
from keno.close import close_game
from keno.entries import TicketRequest
from keno.models import Prize, TenderType, Ticket
from keno.open_games import keep_open
from keno.pay import pay_ticket
from keno.reports import REPORTS
from keno.rules.selection import Play as Asked
from keno.sell import Sold
from keno.shifts import open_shift
from keno.tender import Handed
from kernel.money import Money
from tests.world import keno_counter as at
from tests.world.approvals import put_in_force
from tests.world.keno_balls import enter_balls
from tests.world.money import dollars
from tests.world.people import actor
from web.reports import Report


class Played(at.Counter):
    def __init__(self) -> None:
        self.day = at.open_day()
        self.writer = actor("device:W-1", "writer")
        self.supervisor = actor("staff:sue", "supervisor")
        self.manager = actor("staff:mona", "manager")
        put_in_force("keno.draw-device", "mechanical", {"name": "Balls", "reference": "1"})
        choose_device(device="mechanical", by=self.supervisor)
        keep_open(now=timezone.now())
        at.approve_value("amount", "float-alone", "5000.00")
        self.shift = open_shift(by=self.writer, opening_float=dollars("5000.00"))
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

    def collect(self, chance: Random) -> None:
        for sold in self.sold:
            if Prize.objects.filter(ticket=sold.ticket, payment=None).exists() and chance.random() < 0.6:
                good = particulars.code_of(Ticket.objects.get(pk=sold.ticket.pk))  # of the paper he has now (10.4)
                pay_ticket(serial=sold.ticket.serial, security_code=good, by=self.writer)

    def report(self, name: str) -> Report:
        return REPORTS[name](self.day.date - timedelta(days=1), self.day.date + timedelta(days=1))
