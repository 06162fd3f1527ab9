"""A writer's terminal, or one supervisor alone, opens, fills, empties or closes the shift of another terminal."""

from __future__ import annotations

from house.models import Incident
from tests.attacks.counter import sell
from tests.attacks.insider import House


def test_one_terminal_cannot_touch_anothers_shift(house: House) -> None:
    honest, thief = house.insider("writer"), house.insider("writer")
    shift = honest.post("keno/shifts", {"opening_float": "500.00"}).ok(201)["id"]
    sell(thief)
    with house.unchanged():
        assert thief.post("keno/shifts", {"terminal": honest.identity}).refused("not-your-shift")
        assert thief.post(f"keno/shifts/{shift}/drop", {"amount": "500.00"}).refused("no-such-shift")
        assert thief.post(f"keno/shifts/{shift}/fill", {"amount": "500.00"}).refused("no-such-shift")
        assert thief.post(f"keno/shifts/{shift}/close", {"counted_cash": "0.00"}).refused("no-such-shift")
        assert thief.get(f"keno/shifts/{shift}").refused("no-such-shift")
    sold = sell(thief)
    assert sold["terminal"] == thief.identity
    assert house.money()[f"keno:shift:{shift}:cash"] == "500.00"


def test_an_abandoned_shift_is_closed_by_two_who_count_the_same(house: House) -> None:
    writer, one, two = house.insider("writer"), house.insider("supervisor"), house.insider("manager")
    shift = writer.post("keno/shifts", {"opening_float": "500.00"}).ok(201)["id"]
    with house.unchanged():
        for _ in range(2):  # one person, twice, is one person
            alone = one.post(f"keno/shifts/{shift}/close", {"counted_cash": "100.00"}).ok()
            assert (alone["shift"]["closed_at"], alone["cash_over"]) == (None, None)
            assert alone["shift"]["expected_cash"] is None
        assert two.post(f"keno/shifts/{shift}/close", {"counted_cash": "500.00"}).refused("counts-differ")
    one.post(f"keno/shifts/{shift}/close", {"counted_cash": "500.00"}).ok()
    assert two.post(f"keno/shifts/{shift}/close", {"counted_cash": "500.00"}).ok()["cash_over"] == "0.00"
    assert [incident.kind for incident in Incident.objects.all()] == ["keno-shift-abandoned"]
