"""What a Keno manager looks after, on a screen: a dispute, paid paper, what games could pay, a limit, wrong balls."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from house.incidents import report_incident
from house.models import Proposal
from keno.choose_device import choose_device
from keno.close import close_game
from keno.demo import build_demo
from keno.draw import draw_game
from keno.entries import TicketRequest
from keno.incident_kinds import DISPUTE
from keno.models import Game, Overpayment, Resettlement, Ticket
from keno.pay import pay_ticket
from keno.sell import sell_ticket
from keno.shifts import open_shift
from kernel.money import Money
from ledger.models import Act
from tests.console.browser import Person
from tests.world.demo import demo_actor
from tests.world.keno_balls import enter_balls

pytestmark = pytest.mark.django_db(transaction=True)
TYPED, CAME = list(range(1, 21)), [80, *range(2, 21)]


def _paid() -> Ticket:
    """A game drawn with balls that were typed wrongly, and a ticket that was paid for it."""
    build_demo()
    supervisor, writer = demo_actor("supervisor"), demo_actor("writer")
    open_shift(by=writer, opening_float=Money.dollars(500))
    choose_device(device="mechanical", by=supervisor)
    first = Game.objects.get(status="open").number
    close_game(number=first, by=supervisor)
    draw_game(number=first, by=supervisor)
    sold = sell_ticket(request=TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(1)), by=writer)
    close_game(number=first + 1, by=supervisor)
    enter_balls(number=first + 1, balls=TYPED, by=supervisor)
    pay_ticket(serial=sold.ticket.serial, security_code=sold.security_code, by=writer)
    return sold.ticket


def _recovered(one: Person, other: Person, writer: Person) -> None:
    """$34.00 was paid too much: asked for, given back in part, the rest written off by two."""
    found = Overpayment.objects.get()
    page = one.go("/keno/overpayments/")
    page.get_by_role("link", name=str(found.pk), exact=True).click()
    page.get_by_role("button", name="Record that it was asked for").click()
    page.get_by_role("dialog").get_by_label("How").select_option("letter")
    page.get_by_role("dialog").get_by_role("button", name="Record it").click()
    page.get_by_text("It is on record that it was asked for.").wait_for()
    one.picture("keno-overpayment-1280-light")
    page = writer.go(f"/keno/overpayments/{found.pk}/")
    assert page.get_by_role("button", name="Write off").count() == 0
    page.get_by_role("button", name="Receive it back").click()
    page.get_by_label("Received in cash").fill("34.01")
    page.get_by_role("dialog").get_by_role("button", name="Receive it").click()
    page.get_by_text("$34.00 of it is left").wait_for()
    page.get_by_label("Received in cash").fill("4.00")
    page.get_by_role("dialog").get_by_role("button", name="Receive it").click()
    page.get_by_text("Received $4.00 into your drawer.").wait_for()
    page = one.go(f"/keno/overpayments/{found.pk}/")
    page.get_by_role("button", name="Write off $30.00").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Asked twice, and no answer.")
    page.get_by_role("dialog").get_by_role("button", name="Propose it").click()
    page.wait_for_url("**/approvals/*/")
    page = other.go(f"/approvals/{Proposal.objects.get(kind='keno.overpayment-write-off').pk}/")
    page.get_by_role("button", name="Approve").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    page.get_by_text("Approved, and in effect.").wait_for()
    found.refresh_from_db()
    assert (found.received, found.written_off) == (Money.dollars(4), Money.dollars(30))
    assert writer.complaints == []


@pytest.mark.long  # without a browser: test_keno_pages.py, test_keno_resettled.py
def test_paper_exposure_a_limit_wrong_balls_and_a_dispute(person: Callable[..., Person]) -> None:
    ticket = _paid()
    one = person("supervisor")
    page = one.go("/keno/paper/")
    page.get_by_role("button", name="It is here").click()
    page.locator("td .word.is-good").wait_for()
    assert Act.objects.get(kind="keno.paper-found").actor == demo_actor("supervisor").identity

    page = one.go("/keno/exposure/")
    page.get_by_text(str(ticket.first_game)).first.wait_for()
    page = one.go("/keno/settings/amounts/most-a-ticket/propose/")
    page.get_by_label("New amount").fill("250000.00")
    page.get_by_label("Why").fill("Smaller house.")
    page.get_by_role("button", name="Propose").click()
    page.get_by_role("heading").first.wait_for()
    assert Proposal.objects.get(kind="keno.amount").subject.endswith("most-a-ticket")

    page = one.go(f"/keno/games/{ticket.first_game}/")
    page.get_by_role("button", name="Balls recorded wrongly").click()
    page.get_by_label("The twenty balls that came out").fill(" ".join(map(str, CAME)))
    page.get_by_label("What shows it").fill("Camera 4.")
    page.get_by_role("button", name="Propose it").click()
    page.wait_for_url("**/approvals/*/")
    other = person("manager")
    page = other.go(f"/approvals/{Proposal.objects.get(kind='keno.resettle').pk}/")
    page.get_by_role("button", name="Approve").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    page = other.go(f"/keno/games/{ticket.first_game}/")
    page.get_by_role("heading", name="Settled again").wait_for()
    assert Resettlement.objects.get().numbers == CAME
    page = other.go(f"/verify/?game={ticket.first_game}")  # and every player is told
    page.get_by_text("This game was settled again, because its balls had been recorded wrongly: Camera 4.").wait_for()

    _recovered(one, other, person("writer"))

    report_incident(kind=DISPUTE, what="He says that ball 1 came.", by=demo_actor("supervisor"))
    inspector = person("inspector")
    page = inspector.go("/keno/disputes/")
    page.get_by_role("button", name="Decide").click()
    page.get_by_label("What you decide, and why").fill("Ball 80 came. The record stands.")
    page.get_by_role("dialog").get_by_role("button", name="Decide").click()
    page.get_by_role("cell", name="Ball 80 came. The record stands.").wait_for()
    assert one.complaints == other.complaints == inspector.complaints == []
