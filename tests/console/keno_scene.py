"""An evening of Keno at the demo venue: games sold, drawn and settled with the verbs, for pages and pictures."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from house import demo as house_demo
from house import gaming_days
from house.models import Proposal
from jackpot.demo import build_demo as build_jackpots
from jackpot.finish_round import finish_round
from jackpot.models import Link, Table
from jackpot.reconcile import reconcile
from jackpot.start_round import Offer, start_round
from keno.choose_device import choose_device
from keno.close import close_game
from keno.demo import build_demo
from keno.draw import draw_game
from keno.entries import TicketRequest
from keno.models import Game, Ticket
from keno.rules.selection import Play
from keno.sell import sell_ticket
from keno.shifts import open_shift
from keno.tender import EXACT_CASH
from kernel.money import Money
from tests.console.browser import Person
from tests.world.demo import demo_actor

if TYPE_CHECKING:
    from playwright.sync_api import Page


def evening(*, games: int = 6, tickets: int = 6, rounds: int = 0) -> list[Ticket]:
    """So many games over, and one on sale with tickets in it; so many rounds at each table of the links. Answers every
    ticket, in the order sold."""
    gaming_days.forget()
    house_demo.build_demo()
    build_demo()
    if rounds:
        _tables(rounds)
    chance = random.Random(48_213)
    writer, supervisor = demo_actor("writer"), demo_actor("supervisor")
    open_shift(by=writer, opening_float=Money.dollars(500))
    sold = []
    for turn in range(games + 1):
        for _ in range(tickets + chance.randint(-2, 4)):
            sold.append(sell_ticket(request=_wanted(chance), tender=EXACT_CASH, by=writer).ticket)
        if turn < games:
            number = Game.objects.get(status="open").number
            close_game(number=number, by=supervisor)
            draw_game(number=number, by=supervisor)
    return sold


def _tables(rounds: int) -> None:
    """Rounds that nobody won: the meters have moved."""
    build_jackpots()
    dealer = demo_actor("dealer")
    for turn in range(rounds):
        for table in Table.objects.order_by("code"):
            offers = [Offer(box=box) for box in range(1, 2 + (turn + table.pk) % 5)]
            started = start_round(table=table.code, wagers=offers, by=dealer)
            finish_round(round_id=started.pk, hands=[], by=dealer)
    for link in Link.objects.filter(tables__isnull=False).distinct():
        reconcile(link=link)


def _wanted(chance: random.Random) -> TicketRequest:
    stake = Money.dollars(chance.choice((1, 1, 2, 2, 5, 10)))
    games = chance.choice((1, 1, 1, 2, 5))
    form = chance.random()
    if form < 0.55:
        numbers = chance.sample(range(1, 81), chance.choice((3, 4, 5, 6, 6, 8)))
        return TicketRequest(numbers=numbers, stake=stake, games=games, jackpot=len(numbers) in (6, 8))
    if form < 0.85:
        return TicketRequest(quick_pick=True, spots=chance.choice((4, 6, 8, 10)), stake=stake, games=games)
    pairs = chance.sample(range(1, 81), 6)
    groups = [pairs[:2], pairs[2:4], pairs[4:]]
    return TicketRequest(groups=groups, plays=[Play(4, stake), Play(6, stake)], games=games)


def by_balls() -> int:
    """The number of the game on sale, which is drawn with balls."""
    build_demo()
    supervisor = demo_actor("supervisor")
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    choose_device(device="mechanical", by=supervisor)
    first = Game.objects.get(status="open").number
    close_game(number=first, by=supervisor)  # sold by generator, and drawn so
    draw_game(number=first, by=supervisor)
    return first + 1


def decide(somebody: Person, kind: str, word: str = "Approve") -> None:
    proposal = Proposal.objects.filter(kind=kind).latest("id")
    page = somebody.go(f"/approvals/{proposal.pk}/")
    page.get_by_role("button", name=word).first.click()
    page.get_by_role("dialog").get_by_role("button", name=word).click()
    page.get_by_text("Approved, and in effect.").first.wait_for()
    proposal.refresh_from_db()
    assert proposal.status == "effective"


def confirmed(page: Page, button: str, then: str, **fields: str) -> None:
    """A step of the page, by its button, and the dialog that it opens."""
    page.get_by_role("button", name=button).first.click()
    dialog = page.get_by_role("dialog")
    for label, text in fields.items():
        dialog.get_by_label(label.replace("_", " ")).fill(text)
    dialog.get_by_role("button", name=then).click()
