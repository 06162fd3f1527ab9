"""A dealer at a table, in a real browser, against the real server: wagers, hands, a hit, a void round."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpot.demo import build_demo
from jackpot.models import Hit, Round, Table, Wager
from kernel.money import Money
from tests.console.browser import Person

pytestmark = pytest.mark.django_db(transaction=True)


def keys(somebody: Person, *names: str) -> None:
    for name in names:
        somebody.page.keyboard.press(name)


@pytest.mark.clause("nsw-csp:11.2")
def test_a_round_by_keyboard_from_wager_to_hit(person: Callable[..., Person]) -> None:
    build_demo()
    dealer = person("dealer")
    page = dealer.go("/terminal/table?table=CSP-01")
    page.get_by_text("Live").wait_for()
    keys(dealer, "1", "3", "4", "4")  # the fourth box is thought better of
    page.get_by_text("Start the round, 2 wagers").wait_for()
    keys(dealer, "Enter")
    page.get_by_text("lay the hands that may win").wait_for()
    assert page.locator(".box.accepted").count() == 2
    assert list(Wager.objects.order_by("box").values_list("box", "amount")) == [
        (1, Money.parse("2.50")),
        (3, Money.parse("2.50")),
    ]
    keys(dealer, "3", "A", "S", "K", "S", "Q", "S", "J", "S", "T")
    page.get_by_text("Box 3 has 4 of 5").wait_for()
    assert page.locator("[data-do=go]").is_disabled()
    keys(dealer, "S")
    page.get_by_text("Would be paid, in this order").wait_for()
    dealer.picture("table-terminal-hand")
    keys(dealer, "Enter", "Enter")
    page.get_by_text("Won in this round").wait_for()
    bonus, royal = Hit.objects.order_by("place")
    assert (bonus.box, bonus.kind, bonus.amount) == (1, "bonus", Money.dollars(250))
    assert (royal.box, royal.hand, royal.kind) == (3, "royal-flush", "royal")
    assert royal.amount == Money.parse("50003.50")
    assert page.locator(".round li .money").all_inner_texts() == ["$250.00", "$50,003.50"]
    dealer.picture("table-terminal-won")


def test_a_void_round_and_a_table_that_fails(person: Callable[..., Person]) -> None:
    build_demo()
    supervisor = person("supervisor")
    page = supervisor.go("/terminal/table")
    page.get_by_role("link", name="GJ-01").click()
    page.get_by_text("Live").wait_for()
    page.locator("[data-box='2']").click()
    keys(supervisor, "Enter")
    page.get_by_text("lay the hands that may win").wait_for()
    page.locator("[data-box='2']").click()
    for tile in ("gee-jun", "gee-jun", "teen"):
        page.locator(f"[data-piece='{tile}'][aria-pressed='false']").first.click()
    supervisor.picture("table-terminal-tiles")
    page.get_by_role("button", name="Void the round").click()
    page.get_by_label("Why").fill("Five tiles on box 2.")
    page.locator("[data-ask-yes]").click()
    page.get_by_text("Wagers: touch each box").wait_for()
    assert Round.objects.get().status == "void"
    assert not Hit.objects.exists()
    page.get_by_role("button", name="Suspend").click()
    page.get_by_label("Why").fill("The meter stays dark.")
    page.locator("[data-ask-yes]").click()
    page.get_by_text("Jackpot suspended: play without it").wait_for()
    assert Table.objects.get(code="GJ-01").status == "suspended"
    page.locator("[data-box='1']").click()
    assert page.locator("[data-do=go]").is_disabled()
