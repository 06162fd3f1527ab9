"""Pages about links and their tables, as people use them."""

from __future__ import annotations

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
