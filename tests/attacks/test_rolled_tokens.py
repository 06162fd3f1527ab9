"""A manager rolls the token of a supervisor's device and of his own, deals a royal flush, verifies it with the one and
pays it with the other."""

from __future__ import annotations

from house.models import Device, DeviceToken
from tests.attacks.appointed import PAID, VERIFIED, royal, with_roles
from tests.attacks.insider import House


def test_nobody_rolls_a_privileged_token_alone(house: House) -> None:
    manager = house.at_console("manager")
    house.insider("supervisor", holder="supervisor")
    house.insider("manager", holder="manager")
    tokens = DeviceToken.objects.count()
    with house.unchanged():
        for device in Device.objects.filter(kind="service"):
            assert manager.call(f"devices/{device.code}/roll", {"overlap": 0}).refused("needs-second-person")
            for step in ("roll", "provision"):
                page = manager.post(f"/devices/{device.code}/{step}/", {"overlap": "0"})
                assert "mh_" not in page.body
            assert manager.call(f"devices/{device.code}/collect").refused("not-the-holder", "no-token-due")
    assert DeviceToken.objects.count() == tokens


def test_two_tokens_of_one_manager_are_one_person(house: House) -> None:
    with_roles(house, "manager", "manager", "supervisor")
    table = house.insider("table")
    verifies = house.insider("supervisor", holder="manager")
    pays = house.insider("manager", holder="manager")
    assert verifies.identity == pays.identity == "staff:manager"
    *_, hit = royal(house, table)
    verifies.post(f"jackpot/hits/{hit}/verify", VERIFIED).ok()
    with house.unchanged():
        assert pays.post(f"jackpot/hits/{hit}/pay", PAID).status == 403
        assert verifies.post(f"jackpot/hits/{hit}/pay", PAID).status == 403
    other = house.insider("manager")
    other.post(f"jackpot/hits/{hit}/pay", PAID).ok()
