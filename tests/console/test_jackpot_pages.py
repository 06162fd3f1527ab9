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
from jackpot.models import MeterDisagreement
from tests.console.pages import text
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
    assert "At most 3 wagers can be counted now" in text(supervisor.get(page))
    form = {"cause": "not-counted", "wagers": "4", "why": "A message was lost."}
    assert "The meter shows 3 more" in text(supervisor.post(page, form))
    supervisor.post(page, form | {"wagers": "3"})
    approve(proposal_id=Proposal.objects.get().pk, by=demo_actor("manager"))
    said = text(supervisor.get(page))
    assert "Wagers were made that nobody counted" in said
    assert "At most" not in said
    auditor = signed_in("auditor")
    assert auditor.get(page).status_code == 200
    assert auditor.post(page, form).status_code == 403
    assert signed_in("writer").get(page).status_code == 403
