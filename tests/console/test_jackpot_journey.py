"""What a supervisor and a manager do about links, on a screen: a controller that restarted, a new link, every page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from house.models import Proposal
from jackpot.demo import build_demo
from jackpot.meters import Reading, read_meters
from jackpot.models import Contribution, Hit, MeterDisagreement
from jackpot.rules.payouts import Dealt
from tests.console.browser import Person
from tests.world.jackpot_table import finish, start
from tests.world.people import TABLE

pytestmark = pytest.mark.django_db(transaction=True)


def _restarted() -> MeterDisagreement:
    at = datetime.now(UTC) - timedelta(minutes=5)
    minute = timedelta(minutes=1)
    read_meters(readings=[Reading("CSP-01", 6, 1_000, at), Reading("CSP-01", 7, 1_010, at + minute)], by=TABLE)
    read_meters(readings=[Reading("CSP-01", 1, 12, at + 2 * minute)], by=TABLE)
    return MeterDisagreement.objects.get()


@pytest.mark.long
def test_a_restart_is_explained_by_one_and_decided_by_another(person: Callable[..., Person]) -> None:
    build_demo()
    found = _restarted()
    supervisor, manager = person("supervisor"), person("manager")
    page = supervisor.go("/jackpots/disagreements/")
    page.get_by_role("link", name=str(found.pk), exact=True).click()
    page.get_by_text("Up to 23 wagers can have been made").wait_for()
    supervisor.picture("jackpot-restart-1280-light")
    page.get_by_role("link", name="Explain").click()
    page.get_by_label("Cause").select_option("not-counted")
    page.get_by_label("Wagers to count now").fill("24")
    page.get_by_label("Why").fill("Surveillance counted them.")
    page.get_by_role("button", name="Propose").click()
    page.get_by_text("No more than 23 can have been made unseen").wait_for()
    supervisor.picture("jackpot-restart-refused-1280-light")
    page.get_by_label("Wagers to count now").fill("5")
    page.get_by_role("button", name="Propose").click()
    page.wait_for_url("**/approvals/*/")
    page = manager.go(f"/approvals/{Proposal.objects.get().pk}/")
    page.get_by_role("button", name="Approve").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Approve").click()
    page.get_by_text("Approved, and in effect.").wait_for()
    assert sum(Contribution.objects.values_list("wagers", flat=True)) == 10 + 12 + 5
    page = supervisor.go(f"/jackpots/disagreements/{found.pk}/")
    page.get_by_text("Wagers were made that nobody counted").wait_for()
    assert supervisor.complaints == manager.complaints == []


def test_figures_of_a_new_link_follow_what_is_typed(person: Callable[..., Person]) -> None:
    """Before there is a name, a title or a reason."""
    supervisor = person("supervisor")
    page = supervisor.go("/jackpots/new/caribbean-stud/")
    page.locator("[name=reserve_rate]").fill("50")
    page.locator("#worth").get_by_text("nsw-csp:11.6").wait_for()
    page.locator("[name=reserve_rate]").fill("20")
    page.locator("#worth").get_by_text("It opens once").wait_for()
    supervisor.picture("journey-new-link-figures-1280-light")
    assert supervisor.complaints == []


@pytest.mark.long
def test_every_page_of_a_link_is_there_and_says_nothing_to_the_console(person: Callable[..., Person]) -> None:
    build_demo()
    (hit,) = finish(start("CSP-01", (1,)), Dealt(box=1, cards=["AS", "KS", "QS", "JS", "TS"]))
    manager = person("manager")
    for path in (
        "/jackpots/", "/jackpots/rounds/", "/jackpots/disagreements/", "/jackpots/hits/",
        f"/jackpots/hits/{hit.pk}/", f"/jackpots/hits/{hit.pk}/handpay/", "/jackpots/reports/", "/jackpots/new/",
        "/jackpots/new/must-hit-by-levels/", "/jackpots/CSP/", "/jackpots/CSP/propose/terms/",
        "/jackpots/CSP/propose/adjustment/", "/jackpots/CSP/propose/retirement/", "/jackpots/CSP/propose/pay-out/",
    ):  # fmt: skip
        page = manager.go(path)
        assert page.locator("h1").count() == 1, path
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
        manager.picture(f"journey{path.replace('/', '-')}1280-light")
    assert manager.complaints == []
    assert Hit.objects.count() == 1
