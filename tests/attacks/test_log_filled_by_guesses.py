"""Somebody who wants to drown what matters fills the sealed log with thousands of failed sign-ins and codes."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from house import guesses
from house.models import Guesses
from tests.attacks.insider import House, Person


def test_a_hundred_guesses_are_one_incident_and_one_act(house: House) -> None:
    position = house.log()
    guesser = Person(house.server)
    for n in range(100):
        if n % 10 == 0:
            Guesses.objects.all().delete()  # he is patient: he waits each time until he is heard again
        guesser.post("/sign-in/", {"username": "manager", "password": f"guess {n}"})
    assert house.acts_since(position) == ["incident.reported"]
    guesses.finish_bursts(timezone.now() + timedelta(minutes=31))
    assert house.acts_since(position) == ["incident.reported", "staff.sign-in-failed"]


def test_unknown_tokens_write_nothing(house: House) -> None:
    stranger = house.stranger()
    stranger.token = "mh_00000000_guessed"
    with house.unchanged():
        assert {stranger.get("me").status for _ in range(130)} <= {401, 429}
