"""A manager rolls the token of a supervisor's device and of his own, to verify with the one what he pays with the other
(that two tokens are one person: test_verifier_pays.py)."""

from __future__ import annotations

from house.models import Device, DeviceToken
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
