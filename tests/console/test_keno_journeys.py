"""Keno from sign-in to done, in a real browser, against the real server: the writer, the supervisor, the inspector."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from house.models.requests import RequestKey
from keno.demo import build_demo
from keno.models import Payment, Printing, Shift, Ticket
from keno.receipts.data import receipt_of
from ledger.money import Money
from tests.console.browser import Person
from tests.console.test_journeys import browser, person  # noqa: F401  the fixtures of every journey
from tests.keno.counter import win

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine to drive"),
]
READY = "#terminal[data-ready]"


@pytest.fixture
def writer(person: Callable[..., Person]) -> Person:  # noqa: F811
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
def test_a_writer_sells_pays_and_cancels(writer: Person) -> None:
    page = writer.page
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
    keys(page, "2", "p", "3", "p", "2", "0", "t")
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
    assert Ticket.objects.get(kind="way").status == "cancelled"

    # A winner is scanned and paid with one key; again it owes nothing.
    win(ticket, "50.00")
    scan(page, ticket)
    page.get_by_role("button", name="Pay $50.00").wait_for()
    writer.picture("keno-terminal-ticket-1280-light")
    keys(page, "Enter")
    page.get_by_text("Paid $50.00 on").wait_for()
    assert Payment.objects.get().amount == Money.parse("50.00")

    # The same numbers again, and what differs is read to the player.
    scan(page, ticket)
    page.get_by_role("button", name="Play again").click()
    page.get_by_text("Sell $2.00").wait_for()
    assert page.locator(".n.on").count() == 6
    keys(page, "Escape")

    # Counted blind, told afterwards: 500 + 2 + 3 − 3 − 50.
    keys(page, "o")
    page.get_by_label("Cash counted").fill("451.00")
    keys(page, "Enter")
    page.get_by_role("heading", name="is closed").wait_for()
    assert "$1.00 short" in page.get_by_role("dialog").inner_text()
    shift = Shift.objects.get()
    assert (shift.expected_cash, shift.counted_cash) == (Money.parse("452.00"), Money.parse("451.00"))


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


def scan(page: Any, ticket: Ticket) -> None:
    """A scanner is a keyboard that types what it reads, and Enter."""
    page.keyboard.type(f"{receipt_of(ticket, duplicate=False).code}\n")
