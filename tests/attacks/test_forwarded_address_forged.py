"""A guesser writes another X-Forwarded-For into each call, so that he looks like a new address every time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.attacks.insider import House
from web.address import caller, networks


def test_what_a_caller_says_of_himself_is_not_believed(house: House) -> None:
    stranger = house.stranger()
    with house.unchanged():
        answers = [
            stranger.post("devices/provision", {"code": "ABCD-0000"}, **{"X-Forwarded-For": f"203.0.113.{n}"})
            for n in range(7)
        ]
    assert [answer.status for answer in answers] == [422] * 5 + [429] * 2


@pytest.mark.parametrize(
    ("connected", "forwarded", "counted"),
    [
        ("198.51.100.4", "10.0.0.1", "198.51.100.4"),  # not a proxy of ours
        ("10.0.0.7", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.7", "1.2.3.4, 203.0.113.9", "203.0.113.9"),  # what he wrote himself stands further left
        ("10.0.0.7", "1.2.3.4, 203.0.113.9, 10.1.2.3", "203.0.113.9"),
        ("10.0.0.7", "", "10.0.0.7"),
        ("10.0.0.7", "not an address", "10.0.0.7"),
        ("::ffff:198.51.100.4", "", "198.51.100.4"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::"),  # one line has 2^64 of them
        ("", "203.0.113.9", "unknown"),
    ],
)
def test_only_proxies_of_ours_say_who_calls(connected: str, forwarded: str, counted: str, settings: Any) -> None:
    settings.TRUSTED_PROXIES = networks("10.0.0.7, 10.1.0.0/16")
    assert caller(connected, forwarded) == counted
