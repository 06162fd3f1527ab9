"""A ceiling changed by one cent sealed another point: whoever knew the old one could roll until he liked it.

Stopped by: terms of a must-hit-by link take effect with a win only, whoever approves them; a proposal for sooner is
refused; and there is nothing to roll. An export in which bounds change without a win is wrong.
Not stopped: a change with a win, which everybody sees and which is the next pool's.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from django.utils import timezone

from house.approvals import approve
from house.models import Proposal
from jackpot import terms
from jackpot.decide import decide_movements
from jackpot.meters_on_record import MetersOnRecord
from jackpot.models import Link, MeterSeal, Terms
from kernel.export_check import Doubt
from ledger.models import Act
from tests.world.calls import Caller, make_device, problem
from tests.world.mystery_link import TERMS, played
from tests.world.people import MANAGER
from tests.world.told import tell


def dearer() -> dict[str, Any]:
    data = terms.write(TERMS)
    data["levels"][0]["ceiling"] = "60.01"
    return data


def test_no_cent_before_it_is_won(must_hit_by: Link) -> None:
    insider = Caller(make_device("supervisor")[1])
    played()
    decide_movements(timezone.now())
    change = {"kind": "jackpot.terms", "subject": "jackpot:MYS", "new": dearer(), "why": "A cent."}
    problem(insider.post("approvals/", change), 422, "waits-for-condition")
    assert (Proposal.objects.count(), Terms.objects.count()) == (0, 1)
    proposed = insider.post("approvals/", change | {"condition": "when-won"})
    assert proposed.status_code == 201, proposed.json()
    before = MeterSeal.objects.values().get()
    approve(proposal_id=proposed.json()["id"], by=MANAGER)
    assert (Terms.objects.count(), MeterSeal.objects.values().get()) == (1, before)
    assert Act.objects.filter(kind="jackpot.meter-bounded").count() == 1


def test_bounds_that_move_without_a_win_are_seen(must_hit_by: Link) -> None:
    """Written past the verbs, by whoever has the database: the stranger's check stops there."""
    played()
    decide_movements(timezone.now())
    rows = [
        (act.kind, copy.deepcopy(act.data)) for act in Act.objects.filter(kind__in=MetersOnRecord.kinds).order_by("id")
    ]
    place = next(i for i, row in enumerate(rows) if row[0] == "jackpot.movement-decided")
    if rows[place][1]["falls"]:
        rows[place][1]["falls"] = []
    version = copy.deepcopy(next(data for kind, data in rows if kind == "jackpot.terms-set"))
    version |= {"version": 2, "terms": dearer()}
    moved = {"code": "MYS", "version": 2, "seed": "50.00", "ceiling": "60.01"}
    rows[place:place] = [("jackpot.terms-set", version), ("jackpot.meter-bounded", moved)]
    check = MetersOnRecord()

    def read() -> None:
        for kind, data in rows:
            tell(check, kind, data, subject="jackpot:MYS")

    with pytest.raises(Doubt, match="changed while it was played for"):
        read()
