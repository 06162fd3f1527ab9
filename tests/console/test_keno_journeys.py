"""Keno from sign-in to done, in a real browser, against the real server: the writer, the supervisor, the inspector."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connections

from keno.close import close_game
from keno.demo import build_demo
from keno.draw import draw_game
from keno.models import Game, KenoSettings, Order, Payment, Printing, Prize, Shift, Ticket
from keno.receipts.data import receipt_of
from keno.simulate import give_past
from kernel.money import Money
from ledger.seal import seal_now
from tests.console import keno_scene, scene
from tests.console.browser import Person
from tests.world.browser import SIZES, WANTED
from tests.world.demo import demo_actor
from tests.world.keno_balls import enter_balls
from tests.world.keno_played import on_balls
from web import work
from web.models import Work
from web.models.requests import RequestKey

pytestmark = pytest.mark.django_db(transaction=True)
READY = "#terminal[data-ready]"


@pytest.fixture
def writer(person: Callable[..., Person]) -> Person:
    """At the counter, shift open, nothing sold."""
    build_demo()
    somebody = person("writer")
    page = somebody.go("/terminal/keno")
    page.get_by_label("Float in the drawer").fill("500.00")
    page.keyboard.press("Enter")
    page.get_by_text("Shift open with $500.00.").wait_for()
    page.locator(READY).wait_for(state="attached")
    return somebody


def keys(page: Any, *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


@pytest.mark.clause("act-keno:4.1", "act-keno:4.2", "act-keno:6.1")
def test_a_writer_sells_pays_and_cancels(writer: Person) -> None:  # long: one journey, told in one go
    page, supervisor = writer.page, demo_actor("supervisor")
    on_balls(by=supervisor)
    # Three keys to the commonest sale, and Enter.
    keys(page, "6", "F2", "q", "Enter")
    page.locator(".paper.sold").wait_for()
    ticket = Ticket.objects.get()
    assert (ticket.kind, len(ticket.groups[0]), ticket.price, ticket.terminal) == (
        "quick-pick",
        6,
        Money.parse("2.00"),
        "staff:writer",
    )
    assert page.locator(".paper .code svg").count() == 1
    assert Printing.objects.get().duplicate is False
    assert page.evaluate("document.activeElement.className.split(' ')[0]") == "n"  # back on the grid
    writer.picture("keno-terminal-sold-1280-light")

    # A way ticket: marked, grouped and priced as it is marked; $20 given, the change is on the screen before the sale.
    for number in ("1", "2", "3"):
        keys(page, number, "Space")
    keys(page, "w")
    for number in ("11", "12"):
        keys(page, *number, "Space")
    keys(page, "2", "p", "3", "p", "5", "p", "2", "0", "t")
    page.get_by_text("Sell $3.00").wait_for()
    assert "$17.00" in page.locator("[data-change-row]").inner_text()
    writer.picture("keno-terminal-1280-light")
    keys(page, "Enter")
    page.get_by_text(re.compile("Change \\$17.00")).wait_for()
    way = Ticket.objects.get(kind="way")
    assert list(way.groups) == [[1, 2, 3], [11, 12]]
    assert {(play.spots, play.ways) for play in way.plays.all()} == {(2, 1), (3, 1), (5, 1)}

    # A refusal shows its clause, and nothing is sold.
    keys(page, "1", "5", "q", "1", "0", "0", "0", "0", "s")
    page.get_by_role("alert").get_by_role("link", name=re.compile("act-keno:")).wait_for()
    assert page.get_by_role("button", name=re.compile("^Sell")).is_disabled()
    keys(page, "Escape")
    assert Ticket.objects.count() == 2

    # Scanned: cancelled by a sentence that repeats it.
    scan(page, way)
    page.get_by_role("button", name="Cancel unplayed games").click()
    page.get_by_role("button", name="Cancel the ticket").click()
    page.get_by_text("Hand back $3.00").wait_for()
    # What goes over the counter stands there, large, until the next key.
    assert page.locator("[data-sum].handed .total").inner_text().split() == ["Money", "back", "$3.00"]
    keys(page, "ArrowRight")
    assert page.locator("[data-sum].handed").count() == 0
    assert Ticket.objects.get(kind="way").status == "cancelled"

    # A winner is scanned and paid with one key; again it owes nothing.
    marked = ticket.groups[0]
    close_game(number=ticket.first_game, by=supervisor)
    others = [number for number in range(1, 81) if number not in marked]
    enter_balls(number=ticket.first_game, balls=[*marked[:5], *others[:15]], by=supervisor)  # five of six, for $2.00
    scan(page, ticket)
    page.get_by_role("button", name="Pay $100.00").wait_for()
    writer.picture("keno-terminal-ticket-1280-light")
    keys(page, "Enter")
    page.get_by_text("Paid $100.00 on").wait_for()
    assert Payment.objects.get().amount == Money.parse("100.00")

    # The same numbers again, and what differs is read to the player.
    scan(page, ticket)
    page.get_by_role("button", name="Play again").click()
    page.get_by_text("Sell $2.00").wait_for()
    assert page.locator(".n.on").count() == 6
    keys(page, "Escape")

    # Counted blind, told afterwards: 500 + 2 + 3 − 3 − 100.
    keys(page, "o")
    page.get_by_label("Cash counted").fill("401.00")
    keys(page, "Enter")
    page.get_by_role("heading", name="is closed").wait_for()
    assert "$1.00 short" in page.get_by_role("dialog").inner_text()
    shift = Shift.objects.get()
    assert (shift.expected_cash, shift.counted_cash) == (Money.parse("402.00"), Money.parse("401.00"))


def test_an_answer_that_was_lost_is_asked_for_and_nothing_is_sold_twice(writer: Person) -> None:
    page = writer.page
    state = {"cut": True}

    def cut(route: Any) -> None:
        if route.request.method == "POST" and state["cut"]:
            state["cut"] = False
            route.fetch()  # the server has sold it; the answer never arrives
            route.abort()
        else:
            route.continue_()

    page.route("**/api/v1/keno/tickets", cut)
    keys(page, "4", "q", "Enter")
    page.locator(".paper.sold").wait_for()
    ticket = Ticket.objects.get()
    assert RequestKey.objects.filter(path="/api/v1/keno/tickets").count() == 1
    assert ticket.serial[:4] in page.locator(".paper").inner_text()

    # The request itself is lost, and the server stays away for a moment: nothing can be sold, and it says so.
    writer.context.set_offline(True)
    keys(page, "5", "q")
    page.get_by_text("Server away: nothing can be sold").wait_for()
    keys(page, "Enter")
    assert Ticket.objects.count() == 1
    writer.picture("keno-terminal-away-1280-light")
    writer.context.set_offline(False)
    page.get_by_text("Live", exact=True).wait_for()

    # Sent into the dark, never arrived, sent again under its key: one ticket.
    lost = {"left": 1}

    def drop(route: Any) -> None:
        if route.request.method == "POST" and lost["left"]:
            lost["left"] -= 1
            route.abort()
        else:
            route.continue_()

    page.unroute("**/api/v1/keno/tickets")
    page.route("**/api/v1/keno/tickets", drop)
    keys(page, "Escape", "3", "q", "Enter")
    page.locator(".paper.sold").wait_for()
    assert sorted(len(each.groups[0]) for each in Ticket.objects.all()) == [3, 4]

    # The terminal itself goes down in the middle of a sale: started again, it asks for it by its key.
    page.unroute("**/api/v1/keno/tickets")
    page.route("**/api/v1/keno/tickets", lambda route: route.fetch())  # sold, and no answer ever comes
    with page.expect_request("**/api/v1/keno/tickets"):
        keys(page, "2", "q", "Enter")
    page.reload()
    page.locator(".paper.sold").wait_for()
    page.unroute("**/api/v1/keno/tickets")
    assert sorted(len(each.groups[0]) for each in Ticket.objects.all()) == [2, 3, 4]


@pytest.mark.long
def test_a_runners_order_is_issued_at_the_terminal(writer: Person, person: Callable[..., Person]) -> None:
    runner = person("supervisor").go("/keno/orders/take/")
    for numbers, note in (("4 8 15 16 23 42", "Table 12"), ("1 2 | 3 4", "Bar")):
        runner.get_by_label("Numbers", exact=False).first.fill(numbers)
        runner.get_by_label("Plays of a way ticket").fill("4" if "|" in numbers else "")
        runner.get_by_label("Note").fill(note)
        runner.get_by_role("button", name="Take the order").click()
        runner.get_by_text("It is in no game until a writer issues its ticket.").wait_for()
        runner.get_by_role("link", name="Take an order").click()
    plain, way = Order.objects.order_by("pk")
    page = writer.page
    # By its number; $20 given.
    keys(page, "r")
    page.get_by_label("Order number").fill(str(plain.pk))
    keys(page, "Enter")
    page.locator(".paper", has_text=f"{plain.pk}, Table 12").wait_for()
    keys(page, "2", "0", "t")
    page.get_by_text("Sell $1.00").wait_for()
    keys(page, "Enter")
    page.get_by_text(re.compile("Change \\$19.00")).wait_for()
    plain.refresh_from_db()
    assert plain.ticket is not None
    assert (plain.status, plain.ticket.groups, plain.ended_by) == ("issued", [[4, 8, 15, 16, 23, 42]], "staff:writer")
    # Issued once: its number again is refused with the clause.
    keys(page, "r")
    page.get_by_label("Order number").fill(str(plain.pk))
    keys(page, "Enter")
    page.get_by_role("alert").get_by_role("link", name="act-keno:4.8").wait_for()
    # From the list; marked otherwise it is a sale of its own, and the order waits on.
    page.get_by_role("button", name=f"Take order {way.pk}").click()
    page.locator(".paper", has_text=f"{way.pk}, Bar").wait_for()
    keys(page, "F2", "Enter")
    page.locator(".paper.sold").wait_for()
    way.refresh_from_db()
    assert (way.status, Ticket.objects.count()) == ("waiting", 2)
    keys(page, "r")
    page.get_by_role("button", name=f"Take order {way.pk}").click()
    page.get_by_text("Sell $1.00").wait_for()
    keys(page, "Enter")
    page.locator(".paper.sold").wait_for()
    way.refresh_from_db()
    assert way.ticket is not None
    assert (way.status, way.ticket.kind) == ("issued", "way")


@pytest.mark.long  # without a browser: test_keno_simulation.py
def test_a_simulation_is_watched_and_cancelled(
    person: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    monkeypatch.setattr(work, "folder", lambda: tmp_path)
    build_demo()
    page = person("auditor").go("/keno/schedules/")
    page.get_by_role("link", name="Simulate").click()
    for games, cancelled in (("1000000", True), ("2000", False)):
        page.get_by_label("Games").fill(games)
        page.get_by_label("Seed").fill("spring")
        page.get_by_role("button", name="Simulate").click()
        page.get_by_text("Waits for a worker.").wait_for()
        worker = threading.Thread(target=_works_off, args=[Work.objects.latest("id").pk])
        worker.start()
        if cancelled:
            page.get_by_text(re.compile("of 1.000.000")).wait_for()  # how far it is, told by the worker
            page.get_by_role("button", name="Cancel").click()
            page.get_by_text("Cancelled.", exact=True).wait_for()
        else:
            page.get_by_text("2,000 games, 30,000 tickets.").wait_for()
            page.get_by_role("heading", name=re.compile("beside the exact figures")).wait_for()
        worker.join()


def _works_off(number: int) -> None:
    try:
        work.run(number)
    finally:
        connections.close_all()


def scan(page: Any, ticket: Ticket) -> None:
    """A scanner is a keyboard that types what it reads, and Enter."""
    page.keyboard.type(f"{receipt_of(ticket, duplicate=False).code}\n")


@pytest.mark.long  # without a browser: test_keno_pages.py
def test_a_supervisor_runs_games_and_an_inspector_only_looks(person: Callable[..., Person]) -> None:
    sold = keno_scene.evening(games=1, tickets=5)
    page = person("supervisor").go("/")
    keys(page, "g", "k")
    page.wait_for_url("**/keno/")
    game = Game.objects.get(status="open").number
    page.get_by_role("button", name="Close now").click()
    page.get_by_role("button", name=f"Close game {game}").click()
    page.get_by_text(f"Game {game} is closed.").wait_for()
    page.get_by_role("button", name="Draw", exact=True).click()
    page.get_by_role("button", name=f"Draw game {game}").click()
    page.get_by_text(f"Game {game} is drawn and settled.").wait_for()
    assert Game.objects.get(number=game).status == "settled"

    # What cannot be undone is typed, and says its clause.
    page.get_by_role("button", name="Invalidate").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Cause").select_option("fire")
    dialog.get_by_label("What happened").fill("The hall was cleared.")
    button = dialog.get_by_role("button", name=f"Invalidate game {game + 1}")
    assert button.is_disabled()
    dialog.get_by_label(f"Type {game + 1} to go ahead").fill(str(game + 1))
    button.click()
    page.get_by_role("heading", name=f"Game {game + 1}").wait_for()
    assert Game.objects.get(number=game + 1).invalidation_cause == "fire"

    # Scanned on any page of the console, a receipt opens its ticket.
    inspector = person("inspector").go("/")
    scan(inspector, sold[0])
    inspector.get_by_role("heading", name=re.compile(sold[0].serial[:4])).wait_for()
    for name in ("Cancel", "Reprint", "Void wagers", "Pay"):
        assert inspector.get_by_role("button", name=name).count() == 0
    inspector.goto(inspector.url.split("/keno/")[0] + "/keno/")
    inspector.get_by_role("heading", name="Game control").wait_for()
    assert inspector.locator("main button").count() == 0


@pytest.mark.long
def test_balls_are_counted_entered_corrected_and_read_back(person: Callable[..., Person]) -> None:
    build_demo()
    KenoSettings.objects.update(device="mechanical", balls_confirmed=True)
    first = Game.objects.get(status="open").number
    close_game(number=first, by=demo_actor("supervisor"))  # sold by generator, and drawn so
    draw_game(number=first, by=demo_actor("supervisor"))
    number = close_game(number=first + 1, by=demo_actor("supervisor")).number
    assert Game.objects.get(number=number).device == "mechanical"
    balls = "4 80 17 9 33 61 2 45 70 12 58 26 74 39 8 50 21 66 1 77"
    one = person("supervisor").go("/keno/")
    assert one.get_by_role("button", name="Enter balls").count() == 0  # not before they are counted
    one.get_by_role("button", name="Count balls").click()
    one.get_by_label("Balls", exact=True).fill("80")
    one.get_by_role("button", name="Put it on record").click()
    one.get_by_role("button", name="Enter balls").click()
    one.get_by_label("The next balls").fill(balls.replace("77", "78"))
    one.get_by_role("button", name="Enter", exact=True).click()
    one.get_by_text("Needs a second person.").first.wait_for()
    one.get_by_role("button", name="Correct a ball").click()
    one.get_by_label("Its place").fill("20")
    one.get_by_label("The ball that came out").fill("77")
    one.get_by_role("button", name="Correct it").click()
    one.get_by_text(f"Number 20 of game {number} is 77").wait_for()
    assert one.get_by_role("button", name="Read them back").count() == 0  # never one's own
    other = person("manager").go("/")
    other.get_by_role("link", name=f"Read the twenty balls of game {number} back").click()
    other.get_by_role("button", name="Read them back").click()
    other.get_by_role("textbox", name="The balls").fill(balls)
    other.get_by_role("button", name="Confirm").click()
    other.get_by_text("are read back").wait_for()
    assert Game.objects.get(number=number).status == "settled"


SCREENS = {
    "home": "/",
    "keno-control": "/keno/",
    "keno-games": "/keno/games/",
    "keno-tickets": "/keno/tickets/",
    "keno-shifts": "/keno/shifts/",
    "keno-claims": "/keno/claims/",
    "keno-orders": "/keno/orders/",
    "keno-tournaments": "/keno/tournaments/",
    "keno-simulation": "/keno/schedules/standard/simulation/",
    "keno-schedules": "/keno/schedules/",
    "keno-catalogue": "/keno/catalogue/set-bet/",
    "keno-report": "/keno/reports/games/",
    "keno-report-days": "/keno/reports/days/",
    "jackpots": "/jackpots/",
    "keno-unclaimed": "/keno/unclaimed/",
}


@pytest.fixture
def past(transactional_db: None) -> None:
    """For the pictures: days that were sold, drawn and counted, before anybody comes in."""
    if WANTED:
        give_past(days=4)


@pytest.mark.long  # test_axe looks for script errors too
def test_keno_pages_come_up_without_a_script_error_and_have_their_picture_taken(
    past: None, person: Callable[..., Person], exhaustive: bool
) -> None:
    sold = keno_scene.evening(games=12 if WANTED else 2, tickets=9 if WANTED else 3, rounds=12 if WANTED else 1)
    scene.evening()  # what waits for the manager on the home page
    won = Prize.objects.order_by("-amount").first()
    winner = won.ticket if won else sold[0]
    own = {"keno-ticket": f"/keno/tickets/{winner.serial}/", "keno-game": f"/keno/games/{winner.first_game}/"}
    cookies: Any = person("manager").context.cookies()
    writer: Any = person("writer").context.cookies()
    for dark in (False, True) if WANTED or exhaustive else (False,):
        for size, (width, height) in list(SIZES.items())[: None if WANTED or exhaustive else 1]:
            somebody = person(width=width, height=height, dark=dark)
            tail = f"{size}-{'dark' if dark else 'light'}"
            somebody.context.add_cookies(cookies)
            seal_now()
            for name, path in (SCREENS | own).items():
                somebody.go(path)
                somebody.page.wait_for_load_state()
                somebody.picture(f"{name}-{tail}")
            somebody.go("/keno/what-if/")
            somebody.page.get_by_role("button", name="Work it out").click()
            somebody.page.get_by_role("heading", name="It would pay").wait_for()
            somebody.picture(f"keno-what-if-{tail}")
            somebody.context.clear_cookies()
            somebody.context.add_cookies(writer)
            page = somebody.go("/terminal/keno")
            page.locator(READY).wait_for(state="attached")
            for group in (("7", "17", "27"), ("38", "48"), ("59", "69", "79")):
                for number in group:
                    keys(page, *number, "Space")
                keys(page, "w")
            keys(page, "3", "p", "5", "p", "5", "g", "5", "0", "t")
            page.get_by_text(re.compile(r"Sell \$")).wait_for()
            somebody.picture(f"keno-terminal-{tail}")
