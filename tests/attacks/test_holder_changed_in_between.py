"""A manager proposes a new token for a colleague's device, has himself made its holder meanwhile, and collects what was
agreed for another; and somebody who was let go collects nothing of what waits for him."""

from __future__ import annotations

from house.models import Device, TokenDue
from tests.attacks.appointed import agreed, change
from tests.attacks.insider import House


def test_a_token_that_was_agreed_for_another_is_not_his(house: House) -> None:
    manager, administrator = house.at_console("manager"), house.at_console("administrator")
    colleague = house.insider("manager")
    code = Device.objects.get(holder__username=colleague.identity.removeprefix("staff:")).code
    proposed = change(manager, "house.device-token", code, {"overlap_seconds": 604800})
    agreed(house, change(administrator, "house.device-holder", code, {"holder": "manager", "profile": "manager"}))
    TokenDue.objects.all().delete()  # the one of his own he has had
    other = house.insider("manager")
    with house.unchanged(but={"approval.approved", "approval.failed"}):
        assert agreed(house, proposed, by=other)["status"] == "failed"
        assert manager.call(f"devices/{code}/collect").refused("no-token-due")


def test_the_old_holder_collects_nothing_of_the_new_ones(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    held = house.insider("manager", holder="manager")
    code = held.get("me").ok()["device"]
    agreed(house, change(administrator, "house.device-token", code, {"overlap_seconds": 604800}))
    other = house.insider("manager").identity.removeprefix("staff:")
    agreed(house, change(administrator, "house.device-holder", code, {"holder": other, "profile": "manager"}))
    with house.unchanged():
        assert held.get("me").refused("token-unknown")
        assert manager.call(f"devices/{code}/collect").refused("not-the-holder")
        assert manager.post(f"/own/devices/{code}/collect/").status == 403
