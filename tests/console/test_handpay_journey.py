"""A royal flush paid in instalments, and a hit denied, on a screen: by four people, each doing what is his."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from house.models import Proposal
from jackpot.attend import coming
from jackpot.demo import build_demo
from jackpot.models import Hit
from jackpot.rules.payouts import Dealt
from kernel.money import Money
from tests.console.browser import Person
from tests.world.approvals import decide
from tests.world.calls import make_device
from tests.world.handpay import ROYAL, handpay_asks, today
from tests.world.jackpot_table import finish, start
from tests.world.sessions import signed_in

pytestmark = pytest.mark.django_db(transaction=True)
WHO = {"name": "Pat Morgan", "born": "1970-02-01", "address": "1 Main St", "document": "Passport"}


def second_manager(person: Callable[..., Person]) -> Person:
    holder = make_device("manager")[0].holder
    assert holder is not None
    somebody = person()
    somebody.take_session(signed_in(holder))
    return somebody


def take_from_the_alert(supervisor: Person, manager: Person, hit: Hit) -> None:
    """Heard and seen on both screens until one of them goes; then on neither."""
    alerted, other = supervisor.go("/"), manager.go("/jackpots/")
    for page in (alerted, other):
        page.get_by_role("alert").get_by_text("Jackpot hit: $50,001.75 at CSP-01").wait_for()
        page.locator("html[data-ringing]").wait_for(state="attached")
    box = alerted.get_by_role("alert").bounding_box()
    assert box is not None
    assert box["width"] == 1280
    supervisor.picture("alert-1280-light")
    alerted.get_by_role("button", name="I am going").click()
    alerted.get_by_text("is going to CSP-01").wait_for()
    other.get_by_role("alert").wait_for(state="detached")
    other.locator("html:not([data-ringing])").wait_for(state="attached")
    assert coming([hit.pk]).keys() == {hit.pk}


def verify(supervisor: Person, hit: Hit) -> None:
    """Touched card by card; the wrong ones first."""
    page = supervisor.go(f"/jackpots/hits/{hit.pk}/")
    page.get_by_role("button", name="Verify").first.click()
    dialog = page.get_by_role("dialog")
    for card in ("AH", *ROYAL[1:]):
        dialog.get_by_label(card, exact=True).check(force=True)
    dialog.get_by_label("Surveillance reference").fill("CAM-12 21:04")
    supervisor.picture("handpay-cards-1280-light")
    dialog.get_by_role("button", name="Verify").click()
    dialog.get_by_text("not what the table sent").wait_for()
    supervisor.picture("handpay-cards-refused-1280-light")
    dialog.get_by_label("AH", exact=True).uncheck(force=True)
    dialog.get_by_label("AS", exact=True).check(force=True)
    dialog.get_by_role("button", name="Verify").click()
    page.get_by_text("Needs another person").wait_for()


def propose_instalments(supervisor: Person, hit: Hit) -> None:
    page = supervisor.go(f"/jackpots/hits/{hit.pk}/handpay/")
    page.get_by_role("link", name="Propose instalments").click()
    page.get_by_label("Instalments", exact=True).fill("3")
    page.get_by_label("First on").fill(today().isoformat())
    page.get_by_label("Paper that the winner signed").fill("Paper 12")
    page.get_by_label("Why").fill("The winner asked.")
    page.get_by_role("button", name="Propose instalments").click()
    page.wait_for_url("**/approvals/*/")
    decide(Proposal.objects.get(kind="jackpot.instalments"))


def receiver(page: Page) -> None:
    if page.locator("details.identity").get_attribute("open") is None:
        page.get_by_text("Who the customer is").click()
    for name, value in (WHO | {"document_number": "X1"}).items():
        page.locator(f"[name={name}]").fill(value)


@pytest.mark.long  # without a browser: test_hit_pages.py
def test_a_royal_flush_is_verified_authorised_and_paid_in_instalments(person: Callable[..., Person]) -> None:
    build_demo()
    handpay_asks(tax_rate=1_000, authorised_from="20000.00", surveillance_from="20000.00", instalments_from="20000.00")
    (hit,) = finish(start("CSP-01", (2,)), Dealt(box=2, cards=ROYAL))
    supervisor, manager, fourth = person("supervisor"), person("manager"), second_manager(person)
    take_from_the_alert(supervisor, manager, hit)
    verify(supervisor, hit)
    propose_instalments(supervisor, hit)
    page = manager.go(f"/jackpots/hits/{hit.pk}/handpay/")
    manager.picture("handpay-to-authorise-1280-light", full=True)
    page.get_by_role("button", name="Authorise $45,001.58").click()
    page.get_by_text("Authorised", exact=True).wait_for()
    page = fourth.go(f"/jackpots/hits/{hit.pk}/handpay/")
    page.get_by_label("Paid by").select_option("instalments")
    page.get_by_label("Surveillance reference").fill("CAM-9 21:30")
    receiver(page)
    fourth.picture("handpay-to-pay-1280-light", full=True)
    page.get_by_role("button", name="Pay $45,001.58").click()
    page = fourth.go(f"/jackpots/hits/{hit.pk}/handpay/")
    page.get_by_text("$45,001.58 is still owed.").wait_for()
    page.get_by_label("Paid by").select_option("cheque")
    page.get_by_label("Number", exact=True).fill("000782")
    receiver(page)
    page.get_by_role("button", name="Pay instalment 1, $15,000.52").click()
    page.get_by_text("$30,001.06 is still owed.").wait_for()
    fourth.picture("handpay-first-instalment-1280-light", full=True)
    hit.refresh_from_db()
    assert (hit.status, hit.method, hit.withheld) == ("paid", "instalments", Money.parse("5000.17"))
    assert len({hit.claimed_by, hit.verified_by, hit.authorised_by, hit.paid_by}) == 4
    assert hit.wrong_entries.count() == 1
    assert supervisor.complaints == manager.complaints == fourth.complaints == []


def test_a_hit_is_denied_with_a_reason_and_the_right_to_complain(person: Callable[..., Person]) -> None:
    build_demo()
    (hit,) = finish(start("CSP-01", (2,)), Dealt(box=2, cards=ROYAL))
    supervisor = person("supervisor")
    page = supervisor.go(f"/jackpots/hits/{hit.pk}/")
    page.get_by_role("button", name="Deny").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Why").fill("Six cards in the hand.")
    dialog.get_by_role("textbox").last.fill(str(hit.pk))
    supervisor.picture("handpay-deny-1280-light")
    dialog.get_by_role("button", name="Deny").click()
    page.get_by_text("Six cards in the hand.").wait_for()
    page.get_by_text("right to complain").first.wait_for()
    supervisor.picture("handpay-denied-1280-light")
    hit.refresh_from_db()
    assert (hit.status, hit.reason) == ("denied", "Six cards in the hand.")
    assert supervisor.complaints == []
