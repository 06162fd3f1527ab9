"""Two journeys at the screen: a set of balls from its proposal to its first draw; a prize that is looked into."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from keno.balls import count_balls
from keno.close import close_game
from keno.entries import TicketRequest
from keno.models import Draw, Game, PrizeHold, VoidedWin
from keno.pay import pay_ticket
from keno.sell import Sold, sell_ticket
from keno.void import void_draw
from kernel.money import Money
from kernel.refusal import Conflict
from tests.console.browser import Person
from tests.console.keno_scene import by_balls, decide
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.keno_balls import enter_balls

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.long
def test_a_set_of_balls_from_its_approval_to_its_first_draw(person: Callable[..., Person]) -> None:
    number = by_balls()
    close_game(number=number, by=demo_actor("supervisor"))
    one, inspector = person("supervisor"), person("inspector")
    page = one.go("/keno/")
    page.get_by_role("button", name="Count balls").click()
    sets = page.get_by_role("dialog").get_by_label("Set")
    assert sets.locator("option").all_inner_texts() == ["A", "B"]  # C is not approved yet
    page = one.go("/keno/catalogue/ball-set/propose/")
    page.get_by_label("Code").fill("C")
    page.get_by_label("What it is").fill("Set C, 80 balls")
    page.get_by_label("Reference").fill("GCI/26/9")
    page.get_by_label("Why").fill("A third set.")
    page.get_by_role("button", name="Propose").click()
    page.wait_for_url("**/approvals/*/")
    decide(inspector, "keno.ball-set")
    page = inspector.go("/keno/catalogue/ball-set/")
    page.get_by_text("GCI/26/9").first.wait_for()

    # One ball is missing: the draw is void, and counted anew.
    page = one.go("/keno/")
    page.get_by_role("button", name="Count balls").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Balls", exact=True).fill("79")
    dialog.get_by_label("Set").select_option("C")
    dialog.get_by_role("button", name="Put it on record").click()
    page.get_by_role("button", name="Count balls").wait_for()
    void = Draw.objects.get(game=number, balls_counted=79)
    assert (void.ball_set, void.counted_by) == ("C", demo_actor("supervisor").identity)
    assert void.voided_at is not None
    page.get_by_role("button", name="Count balls").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Balls", exact=True).fill("80")
    dialog.get_by_label("Set").select_option("C")
    dialog.get_by_role("button", name="Put it on record").click()
    page.get_by_role("button", name="Enter balls").click()
    page.keyboard.type(" ".join(map(str, range(1, 21))))  # by the keyboard alone
    page.keyboard.press("Enter")
    page.get_by_text(f"Game {number}").first.wait_for()
    page = one.go(f"/keno/games/{number}/")
    page.get_by_text("79 balls", exact=False).first.wait_for()  # what was void, and why
    page.get_by_text("80 of set C, counted by").wait_for()
    assert Game.objects.get(number=number).status == "settled"
    _damaged(number + 1)
    page = inspector.go("/keno/catalogue/ball-set/")
    page.get_by_role("listitem").filter(has_text="ball 7 new").get_by_role("link", name="History").click()
    page.get_by_text("Version 1").wait_for()
    page.get_by_role("row").filter(has_text="Ball 7 is cracked.").wait_for()
    inspector.picture("keno-ball-set-1280-light")
    assert one.complaints == inspector.complaints == []


def _damaged(number: int) -> None:
    """A ball of it cracks: it is drawn from again once an inspector has approved it anew (12.4a)."""
    supervisor = demo_actor("supervisor")
    count = partial(count_balls, number=number, counted=80, ball_set="C", by=supervisor)
    close_game(number=number, by=supervisor)
    count()
    void_draw(number=number, by=supervisor, cause="ball-damaged", reason="Ball 7 is cracked.")
    with pytest.raises(Conflict, match="was damaged in game"):
        count()
    put_in_force("keno.ball-set", "C", {"name": "Set C, ball 7 new", "reference": "GCI/26/10"})
    count()


def won(number: int) -> tuple[Sold, Sold]:
    writer, supervisor = demo_actor("writer"), demo_actor("supervisor")
    held, void = (
        sell_ticket(request=TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(1)), by=writer) for _ in range(2)
    )
    close_game(number=number, by=supervisor)
    enter_balls(number=number, balls=list(range(1, 21)), by=supervisor)
    return held, void


@pytest.mark.clause("act-keno:14.3")
def test_a_prize_is_held_released_and_another_one_void(person: Callable[..., Person]) -> None:
    number = by_balls()
    held, void = won(number)
    one, other = person("supervisor"), person("manager")
    page = one.go(f"/keno/tickets/{held.ticket.serial}/")
    page.get_by_role("button", name="Put on hold").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Surveillance looks at it.")
    page.get_by_role("dialog").get_by_role("button", name="Put it on hold").click()
    page.get_by_text("On hold since").wait_for()
    assert page.get_by_role("button", name="End the hold").count() == 0  # never one's own
    assert PrizeHold.objects.get().owner == demo_actor("supervisor").identity
    with pytest.raises(Conflict, match="on hold"):
        pay_ticket(serial=held.ticket.serial, security_code=held.security_code, by=demo_actor("writer"))
    page = other.go(f"/keno/tickets/{held.ticket.serial}/")
    page.get_by_text("Surveillance looks at it.").wait_for()
    page.get_by_role("button", name="End the hold").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Nothing was found.")
    page.get_by_role("dialog").get_by_role("button", name="End the hold").click()
    page.get_by_text("The hold is ended.").wait_for()
    paid = pay_ticket(serial=held.ticket.serial, security_code=held.security_code, by=demo_actor("writer"))
    assert paid.payment.amount == Money.dollars(36)

    page = one.go(f"/keno/tickets/{void.ticket.serial}/")
    page.get_by_role("button", name="Void the win in game").click()
    page.get_by_role("dialog").get_by_role("textbox").first.fill("Played with a device that records the draws.")
    page.get_by_role("dialog").get_by_label("to go ahead").fill(void.ticket.serial)
    page.get_by_role("dialog").get_by_role("button", name="Propose it").click()
    page.wait_for_url("**/approvals/*/")
    assert PrizeHold.objects.filter(ticket=void.ticket, released_at=None).exists()
    decide(other, "keno.void-win")
    page = other.go(f"/keno/tickets/{void.ticket.serial}/")
    page.get_by_text("Refund").first.wait_for()
    assert VoidedWin.objects.get().refund == Money.dollars(1)
    assert one.complaints == other.complaints == []
