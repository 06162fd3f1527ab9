"""Somebody who knows that a supervisor's device is being set up tries codes to get its token before it does."""

from __future__ import annotations

from tests.attacks.insider import House


def test_codes_are_heard_later_and_later(house: House) -> None:
    stranger = house.stranger()
    with house.unchanged():
        answers = [stranger.post("devices/provision", {"code": f"ABCD-{n:04d}"}) for n in range(9)]
    assert [answer.status for answer in answers] == [422] * 5 + [429] * 4
    assert answers[-1].refused("too-many-tries")
    assert int(answers[-1].headers["retry-after"]) <= 5
