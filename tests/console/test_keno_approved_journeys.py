"""What is approved for Keno, on a screen: the register of vouchers, the jackpots' forms, every other form of the
catalogue; and the rules for whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from house.models import Proposal
from keno import accounts, approved, jackpots
from keno.demo import build_demo
from keno.entries import TicketRequest
from keno.models import ApprovedVoucher, Tender, TenderType
from keno.sell import sell_ticket
from keno.shifts import open_shift
from keno.tender import Handed
from keno.unclaimed import move_unclaimed
from kernel.money import Money
from ledger.balance import balance
from ledger.models import Transfer
from tests.console.browser import Person
from tests.console.keno_scene import decide
from tests.world.demo import demo_actor
from tests.world.keno_played import gaming_day_of, won_with_balls

pytestmark = pytest.mark.django_db(transaction=True)


def propose(page: Any, **fields: str) -> None:
    """Fill in a form by its labels, and propose it."""
    for label, text in fields.items():
        page.locator("main form").get_by_label(label.replace("_", " ")).first.fill(text)
    page.get_by_role("button", name="Propose", exact=True).click()


@pytest.mark.long
def test_vouchers_are_registered_by_two_and_one_of_them_pays_for_a_ticket(person: Callable[..., Person]) -> None:
    build_demo()
    open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
    one, other = person("supervisor"), person("manager")
    page = one.go("/keno/catalogue/voucher-type/")
    page.get_by_text("Registered 200").wait_for()
    page.get_by_role("link", name="Register vouchers").click()
    propose(page, Each_is_worth="20.00", From_number="200", To_number="203", Why="The restaurant's new book.")
    page.get_by_text("Some are on the register already.").first.wait_for()
    assert not Proposal.objects.exists()
    one.picture("keno-register-vouchers-1280-light")
    propose(page, From_number="201")
    page.wait_for_url("**/approvals/*/")
    assert page.get_by_role("button", name="Approve").count() == 0  # never one's own
    assert not ApprovedVoucher.objects.filter(reference="DINE-201").exists()
    decide(other, "keno.voucher-register")
    one.go("/keno/catalogue/voucher-type/").get_by_text("Registered 203").wait_for()
    wanted = TicketRequest(numbers=[1, 2, 3], stake=Money.dollars(20))
    paper = [Handed(type=TenderType.VOUCHER, reference="DINE-201")]
    sell_ticket(request=wanted, tender=paper, by=demo_actor("writer"))
    assert Tender.objects.get().amount == Money.dollars(20)
    assert one.complaints == other.complaints == []


@pytest.mark.long
def test_a_jackpots_split_is_changed_and_unclaimed_prizes_go_into_it(person: Callable[..., Person]) -> None:
    with gaming_day_of(timezone.now().date() - timedelta(days=400)):
        build_demo()
        open_shift(by=demo_actor("writer"), opening_float=Money.dollars(500))
        won_with_balls("300.00", writer=demo_actor("writer"), supervisor=demo_actor("supervisor"))
    assert move_unclaimed(now=timezone.now()) == Money.dollars(300)
    one, inspector = person("supervisor"), person("inspector")
    page = one.go("/keno/catalogue/jackpot-ratio/")
    page.get_by_role("listitem").filter(has_text="KENO-6").get_by_role("link", name="Change").click()
    page.get_by_text("when a Government Casino Inspector has approved it").wait_for()
    assert page.get_by_label("To the prize").input_value() == "1500"  # what is in force, to go on from
    page.get_by_label("To the prize").fill("1400")
    propose(page, Why="A slower jackpot.")
    page.get_by_role("alert").first.wait_for()  # the three do not make 2500
    assert not Proposal.objects.exists()
    page.get_by_label("To reimbursement").fill("500")
    propose(page)
    page.wait_for_url("**/approvals/*/")
    assert approved.value(jackpots.RATIO, "KENO-6")["prize"] == 1_500
    decide(inspector, "keno.jackpot-ratio")
    one.go("/keno/catalogue/jackpot-ratio/").get_by_text("Prize 1400").wait_for()

    page = one.go("/keno/unclaimed/")
    page.get_by_role("link", name="Add to a jackpot").click()
    page.get_by_label("Jackpot").select_option("KENO-6")
    propose(page, Amount="300.01", Why="Back to the players.")
    page.get_by_text("The unclaimed prizes hold $300.00.").first.wait_for()
    one.picture("keno-add-to-jackpot-1280-light")
    propose(page, Amount="250.00")
    page.wait_for_url("**/approvals/*/")
    decide(inspector, "keno.unclaimed-to-jackpot")
    assert Transfer.objects.get(kind="keno.unclaimed-to-jackpot").amount == Money.dollars(250)
    assert balance(accounts.UNCLAIMED).amount == Money.dollars(50)
    one.go("/keno/unclaimed/").get_by_text("That holds $50.00").wait_for()
    assert one.complaints == inspector.complaints == []


FORMS: dict[str, tuple[str, dict[str, str]]] = {
    "bonus": (
        "LUCKY",
        {"Code": "LUCKY", "Name": "Luck", "First_game": "1", "Last_game": "9", "Numbers_in_the_way": "4",
         "Matched": "4", "Prize": "10.00", "Budget": "25.00"},
    ),
    "special-3": (
        "special-3",
        {"Prizes_for_$1.00": "2: 2 = 12.50", "Lowest_return": "0.70", "Highest_return": "0.80"},
    ),
    "voucher-type": ("SHOW", {"Code": "SHOW", "Name": "Show ticket"}),
    "configuration": ("KENO", {"Reference": "GR-7", "Software": "Meterhouse 1"}),
    "entry-form": ("WAY", {"Reference": "GR-8", "Help_line": "Call 1800."}),
    "draw-device": ("rng", {"What_it_is": "Generator 2", "Reference": "C-10"}),
}  # fmt: skip


@pytest.mark.long  # without a browser: test_keno_catalogue_pages.py
@pytest.mark.parametrize("kind", FORMS)
def test_each_other_form_of_the_catalogue_is_filled_in_and_decided(kind: str, person: Callable[..., Person]) -> None:
    build_demo()
    code, fields = FORMS[kind]
    one, other = person("supervisor"), person("inspector")
    page = one.go(f"/keno/catalogue/{kind}/")
    there = approved.value(kind, code)
    if there is None:
        page.get_by_role("link", name="Propose").first.click()
    else:
        page.goto(f"{one.url}/keno/catalogue/{kind}/{code}/propose/")
    propose(page, **fields, Why="The inspector has the papers.")
    page.wait_for_url("**/approvals/*/")
    assert approved.value(kind, code) == there
    decide(other, f"keno.{kind}")
    assert approved.value(kind, code) not in (None, there)
    one.go(f"/keno/catalogue/{kind}/").get_by_text("Approved by").first.wait_for()
    one.picture(f"keno-catalogue-{kind}-1280-light")
    assert one.complaints == other.complaints == []


def test_whoever_asks_reads_the_rules_on_a_telephone(person: Callable[..., Person]) -> None:
    build_demo()
    somebody = person(width=390, height=844)
    page = somebody.go("/rules/keno/")
    page.get_by_role("heading", name="The rules as gazetted").wait_for()
    page.get_by_role("heading", name="Prizes for $1.00").scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")  # tables scroll by themselves
    somebody.picture("keno-public-rules-390-light")
    assert somebody.complaints == []
