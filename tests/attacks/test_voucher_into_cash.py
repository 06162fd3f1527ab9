"""A writer launders approved vouchers: buys with one, cancels, and takes the cash, or cashes what he got instead."""

from __future__ import annotations

from tests.attacks.counter import code, sell
from tests.attacks.insider import House


def test_an_approved_voucher_never_comes_out_as_cash(house: House) -> None:
    writer = house.insider("writer")
    sold = sell(writer, tender=[{"type": "voucher", "reference": "DINE-1"}])
    drawer = next(name for name in house.money() if name.startswith("keno:shift:") and name.endswith(":cash"))
    back = writer.post(f"keno/tickets/{sold['serial']}/cancel", code(sold)).ok()
    assert (back["cash"], back["voucher"]["amount"], back["voucher"]["cashable"]) == ("0.00", "2.00", False)
    paper = back["voucher"]
    with house.unchanged():
        redeem = writer.post(f"keno/vouchers/{paper['code']}/redeem", code(paper))
        assert redeem.refused("voucher-not-cash")
        assert writer.post("keno/tickets", {
            "numbers": [1], "stake": "2.00", "tender": [{"type": "voucher", "reference": "DINE-1"}],
        }).refused("voucher-spent")  # fmt: skip
    # Bought with it for less, and cancelled again: still no cash.
    line = {"type": "keno-voucher", "reference": f"{paper['code']}:{paper['security_code']}"}
    bought = sell(writer, numbers=[5], stake="1.00", tender=[line])
    assert (bought["change"], bought["voucher"]["cashable"], bought["voucher"]["amount"]) == ("0.00", False, "1.00")
    back = writer.post(f"keno/tickets/{bought['serial']}/cancel", code(bought)).ok()
    assert (back["cash"], back["voucher"]["cashable"]) == ("0.00", False)
    assert house.money()[drawer] == "0.00"


def test_nor_through_a_refund_that_the_house_owes(house: House) -> None:
    writer, manager = house.insider("writer"), house.insider("manager")
    sold = sell(writer, stake="3.00", tender=[{"type": "voucher", "reference": "DINE-2"}, {"type": "cash"}])
    assert manager.post(f"keno/tickets/{sold['serial']}/void", {"why": "In breach."}).ok()["refund"] == "3.00"
    line = {"type": "ticket", "reference": f"{sold['serial']}:{sold['security_code']}"}
    with house.unchanged():
        body = {"numbers": [1], "stake": "1.00", "tender": [line]}
        assert writer.post("keno/tickets", body).refused("pay-it-first")
    paid = writer.post(f"keno/tickets/{sold['serial']}/pay", code(sold)).ok()
    assert (paid["paid"], paid["voucher"]["amount"], paid["voucher"]["cashable"]) == ("3.00", "2.00", False)
    drawer = next(name for name in house.money() if name.startswith("keno:shift:") and name.endswith(":cash"))
    assert house.money()[drawer] == "0.00"  # $1.00 came in, and $1.00 went out


def test_change_from_cash_is_no_way_to_a_large_voucher(house: House) -> None:
    writer = house.insider("writer")
    sell(writer)
    with house.unchanged():
        body = {
            "numbers": [1], "stake": "1.00", "tender": [{"type": "cash", "amount": "20000.00"}], "rest": "keno-voucher",
        }  # fmt: skip
        assert writer.post("keno/tickets", body).refused("voucher-is-change")


def test_nor_through_a_claim_form(house: House) -> None:
    """The ticket is said to be lost: what the voucher paid comes back as one, and the cheque is for the rest."""
    writer, manager, supervisor = (house.insider(role) for role in ("writer", "manager", "supervisor"))
    sold = sell(writer, stake="3.00", tender=[{"type": "voucher", "reference": "DINE-3"}, {"type": "cash"}])
    manager.post(f"keno/tickets/{sold['serial']}/void", {"why": "In breach."}).ok()
    form = {
        "serial": sold["serial"],
        "reason": "lost",
        "claimant": {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"},
        "grounds": "She knows the numbers.",
    }
    claim = supervisor.post("keno/claims", form).ok(201)["id"]
    waiting = supervisor.get("approvals/").ok()["results"]
    house.insider("inspector").post(f"approvals/{waiting[0]['id']}/approve").ok()
    paid = supervisor.post(f"keno/claims/{claim}/pay", {"cheque_number": "000784"}).ok()
    assert (paid["paper"]["amount"], paid["paper"]["cashable"]) == ("2.00", False)
    assert house.money()["keno:bank"] == "-1.00"
    with house.unchanged():
        answer = writer.post(f"keno/vouchers/{paid['paper']['code']}/redeem", code(paid["paper"]))
        assert answer.refused("voucher-not-cash")
        asked = supervisor.post(f"keno/vouchers/{paid['paper']['code']}/authorise-payment")
        assert asked.refused("voucher-not-cash")
