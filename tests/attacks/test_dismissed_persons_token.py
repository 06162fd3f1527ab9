"""A manager who was dismissed this morning goes on with the token in his bag, and with the one that still waits for
him."""

from __future__ import annotations

from house.models import Device, TokenDue
from tests.attacks.appointed import agreed, change
from tests.attacks.insider import House


def test_what_he_held_ends_with_him(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    kept = house.insider("manager", holder="manager")
    agreed(
        house,
        change(
            administrator, "house.device-registration", "manager", {"profile": "manager", "name": "Two", "place": ""}
        ),
    )
    waiting = TokenDue.objects.get().device.code
    kept.get("me").ok()
    assert administrator.post("/staff/manager/deactivate/", {"comment": "He left."}).status == 302
    with house.unchanged():
        assert kept.get("me").refused("token-unknown")
        assert kept.post("keno/device", {"device": "rng"}).status == 401
        assert manager.get("/").status == 302
        assert manager.call(f"devices/{waiting}/collect").status in (401, 403)
    assert not Device.objects.filter(holder__username="manager", status="active").exists()
    assert not TokenDue.objects.exists()
