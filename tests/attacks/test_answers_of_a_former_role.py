"""A supervisor who was made a writer asks what became of his old requests: their answers name players."""

from __future__ import annotations

from tests.attacks.appointed import with_roles
from tests.attacks.insider import House


def test_what_a_request_told_is_for_whoever_may_ask_it_today(house: House) -> None:
    person = house.at_console("supervisor")
    device = house.insider("supervisor", holder="supervisor")
    device.post("players/", {"name": "Robin Xu", "card": "RX-1"}, key="lost").ok(201)
    assert "Robin Xu" in person.get("/api/v1/requests/lost").body
    with_roles(house, "supervisor", "writer")
    again = house.at_console("supervisor")
    for each in (person, again):
        answer = each.get("/api/v1/requests/lost")
        assert answer.status == 403, answer
        assert "Robin Xu" not in answer.body
