"""The counter on a screen: tickets paid, continued, cancelled, void; claims, vouchers, orders, a drawer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from house.models import Proposal
from keno.close import close_game
from keno.demo import build_demo
from keno.entries import TicketRequest
from keno.models import Claim, Order, Overpayment, Payment, Shift, TenderType, Ticket, Voucher
from keno.permissions import SUPERVISED_ABOVE
from keno.sell import Sold, sell_ticket
from keno.shifts import open_shift
from keno.tender import Handed
from kernel.money import Money
from tests.console.browser import Person
from tests.console.keno_scene import by_balls, confirmed, decide
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.keno_balls import enter_balls
from web.words import in_fours

pytestmark = pytest.mark.django_db(transaction=True)


def sold(stake: int = 1, **more: Any) -> Sold:
    wanted = TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(stake), **more)
    return sell_ticket(request=wanted, by=demo_actor("writer"))


def held(somebody: Person, paper: Sold, code: str = "") -> Any:
    """The page of a ticket to a writer who has its paper in his hand."""
    page = somebody.go("/keno/tickets/")
    page.get_by_role("link", name=in_fours(paper.ticket.serial)).click()
    page.get_by_label("Security code").first.fill(code or paper.security_code)
    page.get_by_role("button", name="Look it up").click()
    return page


@pytest.mark.long  # without a browser: test_keno_pages.py, tests/keno/test_overpayments.py
def test_tickets_are_paid_gone_on_with_cancelled_printed_again_and_void(person: Callable[..., Person]) -> None:
    number = by_balls()
    put_in_force("keno.amount", SUPERVISED_ABOVE, "50.00")
    large, several, breach = sold(2), sold(games=3), sold(games=2)
    close_game(number=number, by=demo_actor("supervisor"))
    enter_balls(number=number, balls=list(range(1, 21)), by=demo_actor("supervisor"))
    one, writer, other = person("supervisor"), person("writer"), person("manager")

    # Above the supervised amount somebody else stands by it first.
    page = one.go("/keno/tickets/")
    page.get_by_role("link", name=in_fours(large.ticket.serial)).click()
    confirmed(page, "Authorise payment", "Authorise payment")
    page.get_by_text("You have authorised the payment of $72.00. Another person pays it.").wait_for()
    page = held(writer, large)
    confirmed(page, "Pay $72.00", "Pay $72.00")
    page.get_by_text("Paid $72.00.").wait_for()

    # One with games to come is kept, and its player goes on with new paper: the old code is dead (10.4).
    page = held(writer, several)
    confirmed(page, "Pay $36.00", "Pay $36.00")
    page.get_by_text("The player goes on with a new one").wait_for()
    writer.picture("keno-ticket-continued-1280-light")
    code = page.locator("[data-once]").inner_text()
    assert page.get_by_role("link", name="PDF to print").count() == 1
    page = held(writer, several)
    page.get_by_role("alert").first.wait_for()
    assert page.get_by_role("button", name="Cancel", exact=True).count() == 0
    page = held(writer, several, code)
    confirmed(page, "Cancel", "Cancel the ticket")
    page.get_by_text("Hand back $2.00.").wait_for()

    page = one.go(f"/keno/tickets/{breach.ticket.serial}/")
    confirmed(page, "Reprint", "Reprint", Why="The printer ran out of paper.")
    page.get_by_text("The duplicate is ready.").wait_for()
    page.get_by_text("Duplicate: The printer ran out of paper.").wait_for()
    page = other.go(f"/keno/tickets/{breach.ticket.serial}/")
    confirmed(page, "Void wagers", "Void the wagers", Why="He films the draws.", to_go_ahead=breach.ticket.serial)
    page.get_by_text("The wagers are void; $1.00 is owing.").wait_for()

    # The writer handed out a note too many: whoever finds it proposes, another person decides.
    paid = Payment.objects.get(ticket=several.ticket)
    page = one.go("/keno/paper/")
    page.get_by_role("row", name=in_fours(several.ticket.serial)).get_by_role("link", name="Paid too much").click()
    page.get_by_label("Handed out too much").fill("50.00")
    page.get_by_label("What shows it").fill("Camera 4: two notes for one.")
    one.picture("keno-record-overpayment-1280-light")
    page.get_by_role("button", name="Propose it").click()
    page.wait_for_url("**/approvals/*/")
    decide(other, Proposal.objects.latest("id").kind)
    assert Overpayment.objects.get().payment_id == paid.pk


@pytest.mark.long  # without a browser: test_keno_pages.py
def test_a_lost_ticket_from_the_claim_form_to_the_cheque(person: Callable[..., Person]) -> None:
    number = by_balls()
    lost = sold()
    close_game(number=number, by=demo_actor("supervisor"))
    enter_balls(number=number, balls=list(range(1, 21)), by=demo_actor("supervisor"))
    one, inspector = person("supervisor"), person("inspector")
    page = one.go("/keno/claims/")
    page.get_by_role("link", name="Not collected").click()
    page.get_by_role("row", name=in_fours(lost.ticket.serial)).get_by_role("link", name="Claim form").click()
    page.get_by_label("Why a claim").select_option("lost")
    page.get_by_label("Claimant’s name").fill("Anna Marsh")
    page.get_by_label("Address").fill("1 Binara Street")
    page.get_by_label("How to reach them").fill("anna@example.org")
    page.get_by_label("What shows that it is theirs").fill("She names every number and the time.")
    one.picture("keno-new-claim-1280-light")
    page.get_by_role("button", name="Take the claim").click()
    page.get_by_text("for $36.00 waits for the inspector.").wait_for()
    assert page.get_by_role("button", name="Pay").count() == 0  # nobody approved it yet
    decide(inspector, "keno.claim")
    page = one.go("/keno/claims/")
    confirmed(page, "Pay", "Pay $36.00", Cheque_number="000777")
    page.get_by_text("Paid, cheque 000777").wait_for()
    claim = Claim.objects.get()
    assert (claim.amount, claim.paid_by, claim.ticket) == (Money.dollars(36), "staff:supervisor", lost.ticket)
    page = one.go("/keno/unclaimed/")
    page.get_by_text("Everything is collected").wait_for()


@pytest.mark.long
def test_a_large_voucher_is_authorised_on_its_page_and_redeemed_at_the_terminal(person: Callable[..., Person]) -> None:
    build_demo()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    put_in_force("keno.amount", SUPERVISED_ABOVE, "50.00")
    cash = [Handed(type=TenderType.CASH, amount=Money.dollars(81))]
    wanted = TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(1))
    paper = sell_ticket(request=wanted, tender=cash, rest="keno-voucher", by=demo_actor("writer")).voucher
    assert paper is not None
    one, writer = person("supervisor"), person("writer")
    page = one.go("/")
    page.keyboard.press("/")
    page.keyboard.type(f"{paper.voucher.code}\n")
    page.wait_for_url("**/keno/vouchers/*/")
    one.picture("keno-voucher-1280-light")
    confirmed(page, "Authorise redemption", "Authorise redemption")
    page.get_by_text("You authorised the redemption of $80.00. Another person pays it.").wait_for()
    page = writer.go(f"/keno/vouchers/{paper.voucher.code}/")
    assert page.get_by_role("button", name="Authorise redemption").count() == 0
    page = writer.go("/terminal/keno")
    page.locator("#terminal[data-ready]").wait_for(state="attached")
    page.keyboard.type(f"keno:{paper.voucher.code}:{paper.security_code}\n")
    page.get_by_role("button", name="Pay $80.00 in cash").click()
    page.get_by_text("Paid $80.00 for the voucher.").wait_for()
    spent = Voucher.objects.get()
    assert (spent.spent_by, spent.spent_at is not None) == ("staff:writer", True)
    one.go(f"/keno/vouchers/{paper.voucher.code}/").get_by_text("Spent").first.wait_for()


@pytest.mark.long  # without a browser: test_keno_orders.py, test_keno_pages.py
def test_orders_end_and_a_drawer_is_filled_and_counted_by_two(person: Callable[..., Person]) -> None:
    build_demo()
    shift = open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    one, writer, other = person("supervisor"), person("writer"), person("manager")
    for note in ("Table 12", "Bar"):
        page = one.go("/keno/orders/")
        page.get_by_role("link", name="Take an order").first.click()
        page.get_by_label("Numbers", exact=False).first.fill("4 8 15")
        page.get_by_label("Note").fill(note)
        page.get_by_role("button", name="Take the order").click()
        page.get_by_text("It is in no game until a writer issues its ticket.").wait_for()
    first, second = Order.objects.order_by("pk")
    confirmed(page, f"Withdraw order {second.pk}", "Withdraw")
    page.get_by_text(f"Order {second.pk} is withdrawn. Nothing was sold.").wait_for()
    page = writer.go("/keno/orders/")
    confirmed(page, f"Issue order {first.pk}", "Issue", Cash_given="20.00")
    page.get_by_text(f"Order {first.pk} is a ticket now.").wait_for()
    page.get_by_text("hand back $19.00").wait_for()
    writer.picture("keno-order-issued-1280-light")
    assert Ticket.objects.get().groups == [[4, 8, 15]]

    for somebody in (one, writer):  # both who hand it over say how much
        page = somebody.go("/keno/shifts/")
        page.get_by_role("link", name=str(shift.pk), exact=True).click()
        confirmed(page, "Bring a fill", "Bring it", Amount="100.00")
        page.get_by_text(f"Shift {shift.pk}: ").wait_for()
    for somebody in (one, other):  # left open by its writer: two count the same
        page = somebody.go(f"/keno/shifts/{shift.pk}/")
        assert page.get_by_text("Expected in the drawer").count() == 0  # counted blind
        confirmed(page, "Count and close", f"Close shift {shift.pk}", Cash_counted="601.00")
        page.get_by_role("status").first.wait_for()
    page.get_by_text(f"Shift {shift.pk} is closed. The cash agrees.").wait_for()
    other.picture("keno-shift-1280-light")
    assert Shift.objects.get().closed_by == "staff:manager"
