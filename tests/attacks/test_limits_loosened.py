"""A manager raises the reporting limit to a million, or approves a change of his own, before a friend is paid."""

from __future__ import annotations

from house.cash.limits import SHAPE, SUBJECT, CashLimits, cash_limits
from tests.attacks.felt import deal, seen
from tests.attacks.insider import House

GIVEN = SHAPE.write(CashLimits())


def test_the_law_is_the_least_and_one_person_changes_nothing(house: House) -> None:
    one, again = house.insider("manager", holder="manager"), house.insider("manager", holder="manager")
    writer = house.insider("writer")
    change = {"kind": "house.cash-limits", "subject": SUBJECT, "why": "A friend."}
    with house.unchanged():
        for laxer in (
            {"report_from": "1000000.00"},
            {"identity_from": "10000.01"},
            {"identity_from": "1000000.00", "report_from": "1000000.00"},
            {"report_days": 365},
            {"suspicion_days": 30},
            {"terrorism_hours": 72},
        ):
            assert one.post("approvals/", change | {"new": GIVEN | laxer}).refused("cash-limits-invalid"), laxer
        assert one.post("approvals/", change | {"new": GIVEN | {"report_from": "lots"}}).refused("limits-not-readable")
        assert writer.post("approvals/", change | {"new": GIVEN}).refused("no-permission")
    number = one.post("approvals/", change | {"new": GIVEN | {"structuring_from": "9999.99"}}).ok(201)["id"]
    for insider in (one, again):
        assert insider.post(f"approvals/{number}/approve").refused("own-proposal")
    assert cash_limits() == CashLimits()
    hit = deal(house.insider("table"))
    house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    with house.unchanged():
        assert one.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash"}).refused("identity-missing")
