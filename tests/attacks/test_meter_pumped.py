"""One table token moved the Gee Jun display from $10,000 to $12,010,000 in twenty messages."""

from __future__ import annotations

from house.models import Incident
from jackpot.models import Batch
from tests.attacks.felt import pump
from tests.attacks.insider import House


def test_twenty_messages_of_a_million_wagers_are_held(house: House) -> None:
    table = house.insider("table", tables=["GJ-01"])
    with house.unchanged(but={"jackpot.contributions-held", "incident.reported"}):
        answer = table.post("jackpot/contributions", pump("GJ-01", messages=20, wagers=1_000_000)).ok()
    assert (answer["accepted"], answer["wagers"], len(answer["held"])) == (0, 0, 20)
    assert table.get("jackpot/pools/GJ").ok()["displayed"] == "10000.00"
    assert Incident.objects.filter(kind="jackpot-unreasonable-contributions", subject="table:GJ-01").count() == 1
    again = table.post("jackpot/contributions", pump("GJ-01", messages=20, wagers=1_000_000, name="more")).ok()
    assert again["accepted"] == 0
    assert Incident.objects.count() == 1  # told once


def test_who_sent_it_does_not_release_it(house: House) -> None:
    table = house.insider("table")
    table.post("jackpot/contributions", pump("GJ-01", messages=1, wagers=1_000_000)).ok()
    held = Batch.objects.get(status="held")
    with house.unchanged():
        assert table.post(f"jackpot/contributions/{held.pk}/release").refused("no-permission")
    rejected = house.insider("supervisor").post(f"jackpot/contributions/{held.pk}/reject").ok()
    assert rejected["status"] == "rejected"
    assert table.get("jackpot/pools/GJ").ok()["displayed"] == "10000.00"
