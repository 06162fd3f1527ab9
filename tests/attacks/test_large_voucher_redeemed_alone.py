"""A writer cashes a voucher above the supervised amount by himself: as a prize it would have needed a second person."""

from __future__ import annotations

from keno import approved
from keno.permissions import SUPERVISED_ABOVE
from kernel.authority import Authority
from tests.attacks.counter import code, pay, redeem, voucher, winners
from tests.attacks.insider import House
from tests.world.approvals import put_in_force


def test_a_voucher_needs_the_second_person_as_the_prize_did(house: House) -> None:
    put_in_force(approved.full_name(approved.AMOUNT), SUPERVISED_ABOVE, "1000.00", authority=Authority.HOUSE)
    writer, supervisor = house.insider("writer"), house.insider("supervisor")
    (sold,) = winners(house, writer, stake="70.00")
    with house.unchanged():  # a prize does not become one in the first place (10.5)
        assert pay(writer, sold, method="keno-voucher").refused("voucher-is-change")
        assert pay(writer, sold).refused("supervisor-needed")
    paper = voucher(writer, "4200.00")
    line = {"type": "keno-voucher", "reference": f"{paper['code']}:{paper['security_code']}"}
    with house.unchanged():
        assert redeem(writer, paper).refused("supervisor-needed")
        assert writer.post(f"keno/vouchers/{paper['code']}/authorise-payment").refused("no-permission")
        sale = {"numbers": [1], "stake": "1.00", "tender": [line]}
        assert writer.post("keno/tickets", sale).refused("pay-it-first")
    supervisor.post(f"keno/vouchers/{paper['code']}/authorise-payment").ok(201)
    assert redeem(writer, paper).ok()["spent_at"]
    with house.unchanged():
        assert supervisor.post(f"keno/vouchers/{paper['code']}/authorise-payment").refused("voucher-spent")
        assert writer.post(f"keno/vouchers/{paper['code']}/redeem", code(paper)).refused("voucher-spent")
