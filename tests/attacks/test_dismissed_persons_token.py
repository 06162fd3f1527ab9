"""A manager who was dismissed this morning goes on with the token in his bag, and with the one that still waits for
him."""

from __future__ import annotations

import re

from house.models import Device, Incident, TokenDue
from tests.attacks.appointed import agreed, change
from tests.attacks.insider import Caller, House


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


def test_the_terminals_whose_tokens_he_wrote_down_are_named(house: House) -> None:
    """They stand on the floor and sell: nobody stops them unasked, and nobody forgets them."""
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    codes = [house.insider(role).identity.removeprefix("device:") for role in ("writer", "writer", "table")]
    rolled = [manager.call(f"devices/{code}/roll", {"overlap": 0}).ok(201)["token"] for code in codes[:2]]
    manager.call(f"devices/{codes[1]}/revoke", {"why": "Broken."}).ok()
    waiting = manager.post(f"/devices/{codes[2]}/provision/")
    (provisioning,) = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", waiting.body)
    house.insider("writer")  # another's
    administrator.post("/staff/manager/deactivate/", {"comment": "He left."})
    incident = Incident.objects.get(kind="leavers-tokens")
    assert incident.what == f"staff:manager was shown the tokens of {codes[0]}. Roll them."
    assert (incident.subject, incident.status) == ("staff:manager", "open")
    assert house.stranger().post("devices/provision", {"code": provisioning}).refused("code-not-valid")
    # Until somebody has, he could still sell with it; then he cannot.
    Caller(house.server, rolled[0]).get("me").ok()
    house.insider("manager").post(f"devices/{codes[0]}/roll", {"overlap": 0}).ok()
    assert Caller(house.server, rolled[0]).get("me").refused("token-unknown")


def test_who_was_shown_none_leaves_without_an_incident(house: House) -> None:
    house.insider("writer")
    house.at_console("administrator").post("/staff/manager/deactivate/", {"comment": "He left."})
    assert not Incident.objects.exists()
