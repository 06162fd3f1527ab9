"""An administrator resets a manager's password and second step, signs in as him and decides in his name; or hires
somebody who is nobody, and is him."""

from __future__ import annotations

from house.models import Staff
from tests.attacks.appointed import agreed, change
from tests.attacks.insider import House, Person
from tests.attacks.insider import form_fields as fields

PASSWORD = "a password of my own"


def enrol(house: House, username: str, first: str, second: str) -> int:
    stranger = Person(house.server)
    stranger.get("/enrol/")
    form = {"username": username, "first": first, "second": second, "new": PASSWORD, "again": PASSWORD}
    return stranger.post("/enrol/", form).status


def half(by: Person, username: str) -> str:
    page = by.post(f"/staff/{username}/half/")
    assert page.status == 200, page.status
    return str(page.body.split("data-once>")[1].split("<")[0].strip())


def test_one_administrator_resets_nobody(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    proposed = change(administrator, "house.access", "manager", {"because": "lost-both"})
    number = proposed.ok(201)["id"]
    with house.unchanged():
        assert administrator.call(f"approvals/{number}/approve").refused("own-proposal")
        assert administrator.post("/staff/manager/half/").status == 403
        for name in ("reset-password", "reset-second-step"):  # as it was
            assert administrator.post(f"/staff/manager/{name}/", {"comment": "Mine now."}).status == 404
    assert manager.get("/approvals/").status == 200  # still signed in, still himself
    assert Staff.objects.get(username="manager").has_usable_password()


def test_with_a_second_persons_word_he_still_has_half_a_code(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    device = house.insider("manager", holder="manager")
    agreed(house, change(administrator, "house.access", "manager", {"because": "lost-both"}))
    # The manager is shut out at once, and decides nothing, nor does his device.
    assert manager.get("/approvals/").status == 302
    assert device.get("me").refused("holder-may-not-act")
    mine = half(administrator, "manager")
    with house.unchanged():
        assert administrator.post("/staff/manager/half/").status == 403  # once
        for first, second in ((mine, mine), (mine, ""), (mine, "0000-0000-0000")):
            assert enrol(house, "manager", first, second) in (401, 422)
    assert not Staff.objects.get(username="manager").has_usable_password()


def test_an_inspector_is_reset_by_nobody_of_the_house(house: House) -> None:
    administrator = house.at_console("administrator")
    inspector = house.at_console("inspector")
    with house.unchanged():
        assert change(administrator, "house.access", "inspector", {"because": "lost-both"}).refused(
            "inspector-not-ours"
        )
        assert change(administrator, "house.staff-roles", "inspector", ["auditor"]).refused("inspector-not-ours")
        assert change(administrator, "house.staff-roles", "auditor", ["inspector"]).refused("inspector-not-ours")
        administrator.post("/staff/inspector/deactivate/", {"comment": "Too curious."})
    assert inspector.get("/").status == 200
    assert Staff.objects.get(username="inspector").is_active


def test_who_hires_somebody_cannot_be_him(house: House) -> None:
    administrator = house.at_console("administrator")
    page = administrator.get("/staff/hire/")
    hired = administrator.post(
        "/staff/hire/", fields(page.body) | {"name": "Nobody", "username": "nobody", "roles": "writer"}
    )
    assert hired.status == 302
    nobody = Staff.objects.get(username="nobody")
    assert not nobody.has_usable_password()
    assert not nobody.as_actor().permissions
    with house.unchanged():
        assert administrator.post("/staff/nobody/half/").status == 403
        assert enrol(house, "nobody", "", "") in (401, 422)
