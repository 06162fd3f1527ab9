"""A manager opens a shift in the name of somebody who does not exist, fills it from the cage and closes it counting
nothing: $5,000 gone, and nobody's drawer."""

from __future__ import annotations

from house.models import Incident
from tests.attacks.insider import House


def test_nobody_opens_a_shift_for_a_name(house: House) -> None:
    manager, writer = house.insider("manager"), house.insider("writer")
    with house.unchanged():
        for caller in (manager, writer):
            for body in (
                {"writer": "staff:nobody-at-all"},
                {"terminal": "staff:nobody-at-all"},
                {"terminal": "device:W-9999", "writer": "device:W-9999", "opening_float": "5000.00"},
            ):
                assert caller.post("keno/shifts", body).refused("not-your-shift"), body


def test_a_fill_needs_the_writer_and_a_supervisor(house: House) -> None:
    manager, writer = house.insider("manager"), house.insider("writer")
    shift = writer.post("keno/shifts", {"opening_float": "100.00"}).ok(201)["id"]
    mine = manager.post("keno/shifts", {}).ok(201)["id"]
    with house.unchanged():
        for number in (shift, mine):  # another's, and his own: said by one person, however often
            for _ in range(2):
                assert manager.post(f"keno/shifts/{number}/fill", {"amount": "5000.00"}).ok()["waits"] is True
        for _ in range(2):
            assert writer.post(f"keno/shifts/{shift}/drop", {"amount": "50.00"}).ok()["waits"] is True
        assert writer.post(f"keno/shifts/{shift}/fill", {"amount": "1.00"}).refused("amounts-differ")
    writer.post(f"keno/shifts/{shift}/fill", {"amount": "5000.00"}).ok()
    assert house.money()[f"keno:shift:{shift}:cash"] == "5100.00"


def test_a_drawer_that_is_closed_without_its_cash_is_an_incident(house: House) -> None:
    manager = house.insider("manager")
    with house.unchanged():  # one person's word is good for a float, and no more
        assert manager.post("keno/shifts", {"opening_float": "5000.00"}).refused("two-people-needed")
        assert manager.post("keno/shifts", {"opening_float": "2000.01"}).refused("two-people-needed")
    shift = manager.post("keno/shifts", {"opening_float": "2000.00"}).ok(201)["id"]
    with house.unchanged():
        assert manager.post(f"keno/shifts/{shift}/close", {}).refused("malformed")
        assert not Incident.objects.exists()
    closed = manager.post(f"keno/shifts/{shift}/close", {"counted_cash": "0.00"}).ok()
    assert closed["cash_over"] == "-2000.00"
    incident = Incident.objects.get()
    assert (incident.kind, incident.reported_by) == ("keno-over-short", closed["shift"]["writer"])
