"""An administrator without the right to pay registers a table and two service devices, to deal, verify and pay with
them."""

from __future__ import annotations

from house.models import Device
from tests.attacks.appointed import agreed, change
from tests.attacks.insider import Caller, House


def test_a_service_device_is_not_registered_alone(house: House) -> None:
    administrator = house.at_console("administrator")
    with house.unchanged():
        page = administrator.post("/devices/register/", {"name": "Mine", "kind": "service", "profile": "manager"})
        assert page.status == 422
    assert not Device.objects.filter(kind="service").exists()


def test_nobody_holds_what_he_is_not(house: House) -> None:
    administrator = house.at_console("administrator")
    device = {"profile": "manager", "name": "Mine", "place": ""}
    with house.unchanged():
        assert change(administrator, "house.device-registration", "administrator", device).refused("holder-not-allowed")
    # With somebody else as holder he neither decides it, nor sees the token when another has.
    proposed = change(administrator, "house.device-registration", "manager", device)
    number = proposed.ok(201)["id"]
    manager = house.at_console("manager")
    with house.unchanged():
        assert administrator.call(f"approvals/{number}/approve").refused("own-proposal")
        assert manager.call(f"approvals/{number}/approve").refused("own-affair")
    made = agreed(house, proposed)
    assert "mh_" not in str(made)
    code = Device.objects.get(profile="manager", holder__username="manager").code
    with house.unchanged():
        assert administrator.call(f"devices/{code}/collect").refused("not-the-holder")
        assert administrator.post(f"/own/devices/{code}/collect/").status == 403
    token = manager.call(f"devices/{code}/collect").ok(201)["token"]
    assert Caller(house.server, token).get("me").ok()["identity"] == "staff:manager"


def test_a_table_that_one_person_registered_works_at_no_table(house: House) -> None:
    administrator = house.at_console("administrator")
    administrator.post("/devices/register/", {"name": "My table", "kind": "table-controller", "place": ""})
    code = Device.objects.get(kind="table-controller").code
    token = administrator.call(f"devices/{code}/roll", {"overlap": 0}).ok(201)["token"]
    mine = Caller(house.server, token)
    assert mine.get("me").ok()["tables"] == []
    proposed = change(administrator, "house.device-tables", code, ["CSP-01"])
    assert administrator.call(f"approvals/{proposed.ok(201)['id']}/approve").refused("own-proposal")
    assert mine.get("me").ok()["tables"] == []
    agreed(house, proposed)
    assert mine.get("me").ok()["tables"] == ["CSP-01"]


def test_nobody_appoints_himself(house: House) -> None:
    """A manager asks for a device of his own, or for somebody else's, and a colleague agrees without much thought."""
    manager = house.at_console("manager")
    other = house.insider("manager")
    code = Device.objects.get(holder__username=other.identity.removeprefix("staff:")).code
    device = {"profile": "manager", "name": "Mine", "place": ""}
    with house.unchanged():
        for spelling in ("manager", "staff:manager", " Manager "):
            assert change(manager, "house.device-registration", spelling, device).refused("own-affair")
        held = {"holder": "manager", "profile": "manager"}
        assert change(manager, "house.device-holder", code, held).refused("own-affair")
        page = manager.post("/devices/propose/", {"subject": "manager", "holder": "manager", **device, "why": "Mine."})
        assert page.status in (403, 422)
