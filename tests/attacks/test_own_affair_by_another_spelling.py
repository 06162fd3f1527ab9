"""A manager approves his own promotion: proposed about `manager` or ` Manager ` instead of `staff:manager`, it was not
seen to be about himself."""

from __future__ import annotations

import pytest

from house.models import Proposal
from tests.attacks.insider import House


@pytest.mark.parametrize("spelt", ["staff:manager", "manager", " Manager ", "STAFF:Manager", "staff: manager"])
def test_however_he_is_called_it_is_his_own_affair(house: House, spelt: str) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    proposed = administrator.call(
        "approvals/",
        {
            "kind": "house.staff-roles",
            "subject": spelt,
            "new": ["administrator", "manager"],
            "why": "He asked me to.",
        },
    )
    if proposed.status == 404:
        assert proposed.refused("no-such-person")
        assert not Proposal.objects.filter(kind="house.staff-roles").exists()
        return
    body = proposed.ok(201)
    assert body["subject"] == "staff:manager"
    with house.unchanged():
        assert manager.call(f"approvals/{body['id']}/approve").refused("own-affair")
        assert manager.call(f"approvals/{body['id']}/reject").refused("own-affair")
