"""A writer, or anybody else who was told by the player, looks whether somebody has raised a suspicion: by number, in
every list, on every page, in the incidents, in the log, in the file."""

from __future__ import annotations

from typing import Any

from house.models import Staff, SuspiciousMatter
from ledger.models import Act
from tests.attacks.cards import register
from tests.attacks.insider import House

SAID = "He hands three vouchers to three writers, RX-1."


def raised(house: House, **more: Any) -> int:
    honest = house.insider("writer")
    answer = honest.post("cash/matters", {"what": SAID, "player": "rx-1", **more}).ok(201)
    assert list(answer) == ["id"]
    return int(answer["id"])


def test_nobody_without_the_power_learns_of_it(house: House) -> None:
    register(house)
    number = raised(house)
    insiders = [house.insider(role) for role in ("writer", "table", "supervisor", "inspector")]
    with house.unchanged():
        for insider in insiders:
            for path in ("cash/matters", f"cash/matters/{number}", "cash/matters/file", f"cash/matters/{number}/file"):
                assert insider.get(path).refused("no-permission")
            for step, body in (("sent", {"reference": "X"}), ("dismiss", {"why": "No."}), ("agree", None)):
                assert insider.post(f"cash/matters/{number}/{step}", body).refused("no-permission")
    for username, elsewhere in (("writer", "/"), ("supervisor", "/incidents/"), ("auditor", "/audit/")):
        person = house.at_console(username)
        assert person.get("/cash/matters/").status == person.get(f"/cash/matters/{number}/").status == 403
        assert "three vouchers" not in person.get(elsewhere).body
    # The log has no name, no word, not even who raised it.
    act = Act.objects.get(kind="cash.confidential")
    assert (act.actor, set(act.data)) == ("system:cash", {"record", "sha256"})
    assert house.insider("manager").get(f"cash/matters/{number}").ok()["what"] == SAID


def test_a_request_sent_again_says_no_more(house: House) -> None:
    """The answer that is kept for a lost call holds the number and nothing else."""
    register(house)
    writer = house.insider("writer")
    body = {"what": SAID}
    first = writer.post("cash/matters", body, key="k-1").ok(201)
    assert writer.post("cash/matters", body, key="k-1").ok(201) == first
    assert writer.get("requests/k-1").ok()["answer"] == first
    assert SuspiciousMatter.objects.count() == 1


def test_whom_it_is_about_does_not_see_it_as_a_manager(house: House) -> None:
    register(house)
    number = raised(house, staff=["Manager"])
    suspect = house.insider("manager", holder="manager")
    person = house.at_console("manager")
    with house.unchanged():
        assert suspect.get("cash/matters").ok()["results"] == []
        assert suspect.get(f"cash/matters/{number}").refused("no-such-matter")
        assert suspect.get("cash/matters/file").refused("nothing-due")
        for step, body in (("sent", {"reference": "SMR-1"}), ("dismiss", {"why": "It is nothing."}), ("agree", None)):
            assert suspect.post(f"cash/matters/{number}/{step}", body).refused("no-such-matter")
    assert SAID not in person.get("/cash/matters/").body
    assert person.get(f"/cash/matters/{number}/").status == 404
    assert "suspicious matter" not in person.get("/").body.split("<main")[1].lower()
    assert house.insider("manager").get(f"cash/matters/{number}").ok()["staff"] == ["staff:manager"]


def test_a_player_of_the_same_name_as_a_manager_is_taken_for_him(house: House) -> None:
    name = Staff.objects.get(username="manager").name
    supervisor = house.insider("supervisor")
    supervisor.post("players/", {"name": name.upper(), "card": "RX-1"}).ok(201)
    number = raised(house)
    suspect = house.insider("manager", holder="manager")
    assert suspect.get(f"cash/matters/{number}").refused("no-such-matter")
    assert house.insider("manager").get(f"cash/matters/{number}").ok()


def test_one_manager_alone_does_not_bury_it(house: House) -> None:
    register(house)
    number = raised(house)
    one = house.insider("manager", holder="manager")
    again, console = house.insider("manager", holder="manager"), house.at_console("manager")
    one.post(f"cash/matters/{number}/dismiss", {"why": "It is nothing."}).ok()
    with house.unchanged():
        for insider in (one, again):
            assert insider.post(f"cash/matters/{number}/agree").refused("two-people-needed")
        assert console.post(f"/cash/matters/{number}/agree/").status == 403
    assert SuspiciousMatter.objects.get().is_open
    house.insider("manager").post(f"cash/matters/{number}/sent", {"reference": "SMR-1"}).ok()
