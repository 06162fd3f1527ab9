"""Pages about links and their tables, as people use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from house.approvals import approve
from house.models import Proposal
from jackpot.contribute import Message, contribute_bulk
from jackpot.demo import build_demo
from jackpot.meters import Reading, read_meters
from jackpot.models import MeterDisagreement, Payout
from jackpot.rules.catalogue import CARIBBEAN_STUD, RULE_SETS
from jackpot.rules.policies import as_data
from kernel.money import Money
from tests.console.pages import text
from tests.world.approvals import decide
from tests.world.demo import demo_actor
from tests.world.people import TABLE

SignedIn = Callable[[str], Client]


@pytest.fixture
def disagreement(venue: None) -> MeterDisagreement:
    build_demo()
    at = datetime.now(UTC) - timedelta(minutes=1)
    read_meters(readings=[Reading("CSP-01", 1, 500, at)], by=TABLE)
    contribute_bulk(messages=[Message("m-1", "CSP-01", 2, at + timedelta(seconds=1))], by=TABLE)
    read_meters(readings=[Reading("CSP-01", 2, 505, at + timedelta(seconds=2))], by=TABLE)
    return MeterDisagreement.objects.get()


def test_a_meter_is_explained_by_one_and_decided_by_another(
    disagreement: MeterDisagreement, signed_in: SignedIn
) -> None:
    supervisor = signed_in("supervisor")
    assert "Explain the meter of CSP-01: 5 wagers shown, 2 counted" in text(supervisor.get("/"))
    page = f"/jackpots/disagreements/{disagreement.pk}/"
    assert page in supervisor.get("/jackpots/disagreements/").content.decode()
    explain = f"{page}propose/"
    assert explain in supervisor.get(page).content.decode()
    assert "At most 3 wagers can be counted now" in text(supervisor.get(explain))
    form = {"cause": "not-counted", "wagers": "4", "why": "A message was lost."}
    assert "The meter shows 3 more" in text(supervisor.post(explain, form))
    supervisor.post(explain, form | {"wagers": "3"})
    approve(proposal_id=Proposal.objects.get().pk, by=demo_actor("manager"))
    said = text(supervisor.get(page))
    assert "Wagers were made that nobody counted" in said
    assert explain not in said
    auditor = signed_in("auditor")
    assert auditor.get(page).status_code == 200
    assert auditor.post(explain, form).status_code == 403
    assert signed_in("writer").get(page).status_code == 403


def test_a_link_is_paid_out_from_its_page(venue: None, signed_in: SignedIn) -> None:
    build_demo()
    supervisor = signed_in("supervisor")
    assert "/jackpots/BOOM/propose/pay-out/" in supervisor.get("/jackpots/BOOM/propose/retirement/").content.decode()
    form = {"direction": "GCI 2026/114", "why": "It ends.", "payees": "60 Problem gambling fund\nall of the rest"}
    assert "does not begin with a percentage" in text(supervisor.post("/jackpots/BOOM/propose/pay-out/", form))
    supervisor.post("/jackpots/BOOM/propose/pay-out/", form | {"payees": "60.5 Gambling fund\n39.5% Revenue"})
    decide(Proposal.objects.get())
    manager = signed_in("manager")
    said = text(manager.get("/jackpots/BOOM/"))
    assert "Gambling fund" in said
    first = Payout.objects.order_by("pk")[0]
    assert first.amount == Money.dollars(6_050)
    pay = f"/jackpots/BOOM/payouts/{first.pk}/pay/"
    assert pay not in supervisor.get("/jackpots/BOOM/").content.decode()
    manager.post(pay, {"method": "transfer", "reference": "TRF 1"})
    first.refresh_from_db()
    assert first.method == "transfer"


def test_a_new_link_is_led_from_rules_to_figures_to_whose_approval(signed_in: SignedIn, venue: None) -> None:
    supervisor = signed_in("supervisor")
    assert "/jackpots/new/" in supervisor.get("/jackpots/").content.decode()
    chosen = text(supervisor.get("/jackpots/new/"))
    assert chosen.count("Its prizes are the gazette’s") == 3
    assert supervisor.get("/jackpots/new/nothing/").status_code == 404
    for rules in RULE_SETS:
        page = text(supervisor.get(f"/jackpots/new/{rules}/"))
        assert "It opens once" in page, rules  # what it begins with may be approved as it stands
    csp = "/jackpots/new/caribbean-stud/"
    assert "10% of the prize, at least" in " ".join(text(supervisor.get(csp)).split())
    form = {
        "code": "CSP-2", "title": "A second one", "bonus": "100.00", "wager": "2.00", "prize_rate": "70",
        "prize_seed": "50000.00", "prize_ceiling": "", "reserve_rate": "10", "reimbursement_rate": "0", "why": "More.",
    }  # fmt: skip
    figures = text(supervisor.get(f"{csp}figures/", form))
    assert "the commission has approved it" in figures
    assert "The house keeps 20%" in figures
    assert all(said in figures for said in ("649,740", "1 in 273", "26.6%"))
    mystery = supervisor.get("/jackpots/new/must-hit-by/").content.decode()
    assert "ceiling (optional)" not in " ".join(re.sub(r"<[^>]+>", " ", mystery).split())  # it has to have one
    assert "begins at 50000.00 or more" in text(supervisor.get(f"{csp}figures/", form | {"prize_seed": "1.00"}))
    assert "nsw-csp:11.6" in text(supervisor.get(f"{csp}figures/", form | {"reserve_rate": "50"}))
    assert "Wager" in text(supervisor.get(f"{csp}figures/", form | {"wager": "two"}))
    boom = {**form, "prize_seed": "10000.00", "wager": "1.00"}
    assert "act-cp:10.5" in text(supervisor.get("/jackpots/new/boomerang/figures/", boom))
    assert supervisor.post(csp, form | {"prize_seed": "1.00"}).status_code == 422
    assert supervisor.post(csp, form | {"code": "csp 2"}).status_code == 422
    assert not Proposal.objects.exists()
    supervisor.post(csp, form)
    waiting = Proposal.objects.get()
    assert (waiting.kind, waiting.subject, waiting.authority) == ("jackpot.link", "jackpot:CSP-2", "commission")
    assert waiting.new is not None
    assert waiting.new["terms"]["rules"]["prizes"] == as_data(CARIBBEAN_STUD)["prizes"]
    decide(waiting)
    assert "A second one" in signed_in("manager").get("/jackpots/CSP-2/").content.decode()
