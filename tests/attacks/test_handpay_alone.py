"""One manager wants what a winner is owed: a tax that he invents, instalments that he pays to himself, twice.

What stops him: an inspector decides tax and instalments, another manager has authorised, the hit is another's, each
instalment is a row that is paid once. Not stopped: an inspector and a manager who lie together about what was agreed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from jackpot.models import Hit, Instalment
from tests.attacks.appointed import change
from tests.attacks.felt import WHO, deal, seen
from tests.attacks.insider import House
from tests.world.handpay import NOTHING_ASKED, plan_for, today

ASKED: dict[str, Any] = NOTHING_ASKED | {"authorised_from": "20000.00", "instalments_from": "20000.00"}
CHEQUE: dict[str, Any] = {"method": "cheque", "reference": "000781", "identity": WHO}


def test_nobody_pays_himself_by_tax_or_instalments(house: House) -> None:
    manager, inspector = house.at_console("manager"), house.at_console("inspector")
    # The tax: proposed, and then neither he nor another of the house can decide it, whatever device they hold.
    tax = change(manager, "jackpot.handpay", "handpay:venue", ASKED | {"tax_rate": 9_999}).ok(201)["id"]
    mine, others = house.insider("manager", holder="manager"), house.insider("manager")
    with house.unchanged():
        for who in (mine, others):
            assert who.post(f"approvals/{tax}/approve").refused()
    asked = change(manager, "jackpot.handpay", "handpay:venue", ASKED).ok(201)["id"]
    assert inspector.call(f"approvals/{asked}/approve").ok()["status"] == "effective"
    hit = deal(house.insider("table"))
    address = f"jackpot/hits/{hit['id']}"
    house.insider("supervisor").post(f"{address}/verify", seen()).ok()
    # The rate that an inspector decides after the win does not touch it.
    inspector.call(f"approvals/{tax}/approve")
    with house.unchanged():
        assert mine.post(f"{address}/pay", CHEQUE).refused("not-authorised")
    mine.post(f"{address}/authorise").ok()
    with house.unchanged():
        assert mine.post(f"{address}/pay", CHEQUE).refused("same-person")
        assert others.post(f"{address}/pay", CHEQUE | {"method": "instalments"}).refused("instalments-not-approved")
    found = Hit.objects.get(pk=hit["id"])
    plan = change(manager, "jackpot.instalments", "jackpot:CSP", plan_for(found, found.amount)).ok(201)["id"]
    with house.unchanged():
        for who in (mine, others):
            assert who.post(f"approvals/{plan}/approve").refused()
    inspector.call(f"approvals/{plan}/approve").ok()
    others.post(f"{address}/pay", CHEQUE | {"method": "instalments", "reference": ""}).ok()
    first, second = (f"jackpot/instalments/{each.pk}/pay" for each in found.instalments.order_by("number")[:2])
    with house.unchanged():
        # He proposed them and authorised the hit: he hands nothing over; and nothing goes out twice, or early.
        assert mine.post(first, CHEQUE).refused("same-person")
        assert others.post(second, CHEQUE).refused("not-due-yet")
        assert others.post(f"{address}/pay", CHEQUE).refused("hit-not-ready")
    others.post(first, CHEQUE).ok()
    with house.unchanged():
        for number in ("000782", "000783"):
            again = CHEQUE | {"reference": number}
            assert others.post(first, again).refused("instalment-paid")
    left = Instalment.objects.filter(paid_at=None)
    assert {each.due > today() + timedelta(days=1) for each in left} == {True}
    found.refresh_from_db()
    assert (found.withheld.micros, left.count()) == (0, 2)
