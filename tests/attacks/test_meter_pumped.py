"""One table token moved the Gee Jun display from $10,000 to $12,010,000 in twenty messages; or it sends more wagers
than its boxes can play, each message below the limit of one, or as quick rounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from house.models import Incident
from jackpot.models import Batch, Pace, Round, Table
from kernel.money import Money
from tests.attacks.felt import pump, start
from tests.attacks.insider import House

A_DAY = 7 * 4 * 60 * 24  # boxes, rounds a minute: what GJ-01 can play


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


def test_never_more_than_a_day_of_play(house: House) -> None:
    table = house.insider("table", tables=["GJ-01"])
    accepted = held = 0
    for call in range(6):
        sent = pump("GJ-01", messages=10, wagers=1_000, name=f"c{call}")
        answer = table.post("jackpot/contributions", sent).ok()
        accepted, held = accepted + answer["wagers"], held + len(answer["held"])
    assert (accepted, held) == (40_000, 20)
    assert accepted < A_DAY
    shown = Money.parse(table.get("jackpot/pools/GJ").ok()["displayed"])
    assert shown == Money.parse("34000.00")  # and not one wager more, however small the messages
    told = Incident.objects.get()
    assert (told.kind, told.subject) == ("jackpot-unreasonable-contributions", "table:GJ-01")
    with house.unchanged(but={"jackpot.contributions-held"}):
        table.post("jackpot/contributions", pump("GJ-01", messages=10_000, wagers=1, name="tiny")).ok()


def test_an_hour_of_play_in_a_second_is_told_at_once(house: House) -> None:
    table = house.insider("table", tables=["GJ-01"])
    table.post("jackpot/contributions", pump("GJ-01", messages=4, wagers=420)).ok()
    assert not Incident.objects.exists()  # 1,680: what it can play in an hour
    table.post("jackpot/contributions", pump("GJ-01", messages=1, wagers=1, name="one")).ok()
    assert Incident.objects.get().subject == "table:GJ-01"


def test_rounds_faster_than_play_are_refused(house: House) -> None:
    table = house.insider("table", tables=["GJ-01"])
    start(table, "GJ-01")
    played = Pace.objects.get()
    assert played.table.code == "GJ-01"
    table.post(f"jackpot/rounds/{Round.objects.get().pk}/void", {"why": "x"}).ok()
    Pace.objects.filter(table=Table.objects.get(code="GJ-01")).update(
        played_until=datetime.now(UTC) + timedelta(hours=24, minutes=1)  # as after a day's worth of them
    )
    with house.unchanged(but={"incident.reported"}):
        for _ in range(2):
            answer = table.post("jackpot/tables/GJ-01/rounds", {"wagers": [{"box": 1}]})
            assert answer.refused("faster-than-play")
    assert Incident.objects.get().subject == "table:GJ-01"
    assert Round.objects.count() == 1
