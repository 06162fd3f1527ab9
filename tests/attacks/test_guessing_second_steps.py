"""A colleague has seen the manager's password and tries codes of the second step, in new sessions each time."""

from __future__ import annotations

from house import demo
from tests.attacks.insider import House, Person


def test_codes_are_heard_later_and_later_whatever_the_session(house: House) -> None:
    password = demo.password()
    statuses = []
    with house.unchanged():
        for guess in range(8):
            colleague = Person(house.server)
            assert colleague.post("/sign-in/", {"username": "manager", "password": password}).status == 302
            statuses.append(colleague.post("/sign-in/second-step/", {"code": f"00000{guess}"}).status)
            assert colleague.get("/staff/").status == 302
    assert statuses[:4] == [401, 401, 401, 429]
    assert statuses.count(401) <= 5
