"""A writer invents the number of an approved voucher, tenders a used one again, or says that one is worth more."""

from __future__ import annotations

from typing import Any

from tests.attacks.counter import sell
from tests.attacks.insider import House


def line(reference: str, amount: str | None = None) -> dict[str, Any]:
    worth = {} if amount is None else {"amount": amount}
    return {"type": "voucher", "reference": reference, **worth}


def test_a_voucher_that_nobody_issued_pays_for_nothing(house: House) -> None:
    writer = house.insider("writer")
    sell(writer)
    refused = (
        (line("DINE-500000", "500.00"), "voucher-not-issued"),
        (line("DINE-0", "2.00"), "voucher-not-issued"),
        (line("DINE", "2.00"), "voucher-not-issued"),
        (line("GOLD-1", "2.00"), "voucher-type-not-approved"),
        (line("DINE-1", "500.00"), "tender-differs"),
    )
    with house.unchanged():
        for each, why in refused:
            body = {"numbers": [1], "stake": "50.00", "games": 10, "tender": [each, {"type": "cash"}]}
            assert writer.post("keno/tickets", body).refused(why), each
    body = {"numbers": [1], "stake": "2.00", "tender": [line("dine-1")]}
    writer.post("keno/tickets", body).ok(201)
    other = house.insider("writer")
    with house.unchanged():
        for caller in (writer, other):
            assert caller.post("keno/tickets", body).refused("voucher-spent")


def test_one_person_does_not_put_vouchers_on_the_register(house: House) -> None:
    manager, writer = house.insider("manager"), house.insider("writer")
    new = {"value": "500.00", "first": 900, "last": 909}
    proposal = {"kind": "keno.voucher-register", "subject": "voucher-register:DINE", "new": new, "why": "Printed."}
    made = manager.post("approvals/", proposal).ok(201)
    body = {"numbers": [1], "stake": "50.00", "games": 10, "tender": [line("DINE-900")]}
    sell(writer)
    with house.unchanged():
        assert manager.post(f"approvals/{made['id']}/approve").refused("own-proposal")
        assert writer.post("keno/tickets", body).refused("voucher-not-issued")
    house.insider("manager").post(f"approvals/{made['id']}/approve").ok()
    assert writer.post("keno/tickets", body).ok(201)["change"] == "0.00"
    again = dict(proposal, new={"value": "900.00", "numbers": ["905"]})
    assert manager.post("approvals/", again).refused("voucher-registered-already")
