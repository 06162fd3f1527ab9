"""Somebody who made tokens in the demo tries to sign in as the people behind them, or has them reset."""

from __future__ import annotations

from house import demo
from house.models import Staff
from tests.attacks.appointed import change
from tests.attacks.insider import House, Person


def test_they_act_through_their_token_and_nothing_else(house: House) -> None:
    made = house.insider("manager")
    username = made.identity.removeprefix("staff:")
    administrator = house.at_console("administrator")
    with house.unchanged():
        for password in (demo.password(), ""):
            stranger = Person(house.server)
            stranger.get("/sign-in/")
            assert stranger.post("/sign-in/", {"username": username, "password": password}).status != 302
        assert change(administrator, "house.access", username, {"because": "lost-both"}).refused("never-signs-in")
    assert not Staff.objects.get(username=username).has_usable_password()
    assert username not in Person(house.server).get("/sign-in/").body
