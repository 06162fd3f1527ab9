"""Somebody tries one likely password on every name of the house, and then on names that nobody has."""

from __future__ import annotations

from house.guesses import FREE_FOR_AN_ADDRESS
from house.models import Incident, Staff
from tests.attacks.insider import House, Person


def test_an_address_is_slowed_over_all_names(house: House) -> None:
    names = [*Staff.objects.values_list("username", flat=True), *(f"guest{n}" for n in range(30))]
    guesser = Person(house.server)
    with house.unchanged(but=["incident.reported"]):
        answers = [guesser.post("/sign-in/", {"username": name, "password": "Casino2026!"}) for name in names]
    heard = [answer for answer in answers if answer.status == 401]
    assert len(heard) == FREE_FOR_AN_ADDRESS
    assert {answer.status for answer in answers} == {401, 429}
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert Incident.objects.filter(kind="guessing").count() == 1
    # What is said tells names that exist from others neither by words nor by status.
    assert len({answer.body.count("User name or password is wrong.") for answer in heard}) == 1
