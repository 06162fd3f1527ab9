"""A manager verifies a hit with one token of his and pays it with another: $50,052.50 in one pair of hands."""

from __future__ import annotations

from jackpot.models import Hit
from tests.attacks.appointed import with_roles
from tests.attacks.felt import ROYAL, WHO, deal, seen
from tests.attacks.insider import House


def test_who_verified_does_not_pay_at_any_device(house: House) -> None:
    hit = deal(house.insider("table"))
    first, second = (house.insider("manager", holder="manager") for _ in range(2))
    assert first.post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()["status"] == "verified"
    cheque = {"method": "cheque", "reference": "000781", "identity": WHO}
    with house.unchanged():
        for device in (first, second):
            assert device.post(f"jackpot/hits/{hit['id']}/pay", cheque).refused("same-person")
    console = house.at_console("manager")
    position = house.log()
    form = {"method": "cheque", "payment_reference": "000781"} | WHO
    assert console.post(f"/jackpots/hits/{hit['id']}/pay/", form).status == 403
    assert house.acts_since(position) == []
    assert house.insider("manager").post(f"jackpot/hits/{hit['id']}/pay", cheque).ok()["status"] == "paid"


def test_one_manager_alone_gets_nowhere(house: House) -> None:
    """He holds a supervisor's device as well, and a table's token: dealt, and then it is over."""
    with_roles(house, "manager", "manager", "supervisor")
    mine = [house.insider("manager", holder="manager") for _ in range(3)]
    supervisors = house.insider("supervisor", holder="manager")
    assert {each.identity for each in (*mine, supervisors)} == {"staff:manager"}
    hit = deal(house.insider("table"), ROYAL)
    with house.unchanged():
        for device in mine:
            assert device.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": WHO}).refused(
                "hit-not-ready"
            )
    supervisors.post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()
    with house.unchanged():
        assert supervisors.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": WHO}).refused()
        for device in mine:
            assert device.post(f"jackpot/hits/{hit['id']}/pay", {"method": "cash", "identity": WHO}).refused(
                "same-person"
            )
    assert Hit.objects.get().status == "verified"
