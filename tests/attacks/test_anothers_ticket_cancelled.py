"""A writer, or a supervisor, cancels a stranger's dear ticket by its serial and keeps the cash."""

from __future__ import annotations

from tests.attacks.counter import code, sell
from tests.attacks.insider import House


def test_a_serial_cancels_nothing(house: House) -> None:
    honest, thief, supervisor = house.insider("writer"), house.insider("writer"), house.insider("supervisor")
    dear = sell(honest, stake="50.00", games=20)
    own = sell(thief)
    with house.unchanged():
        for caller in (thief, supervisor, honest):
            address = f"keno/tickets/{dear['serial']}/cancel"
            assert caller.post(address, {}).refused("code-missing")
            assert caller.post(address).refused("code-missing")
            assert caller.post(address, code(own)).refused("security-code-wrong")
    at_console = house.at_console("supervisor")
    with house.unchanged():
        at_console.post(f"/keno/tickets/{dear['serial']}/cancel/", {})
        at_console.post(f"/keno/tickets/{dear['serial']}/cancel/", code(own))
    assert supervisor.get(f"keno/tickets/{dear['serial']}").ok()["cancelled_from"] is None
    assert honest.post(f"keno/tickets/{dear['serial']}/cancel", code(dear)).ok()["refund"] == "1000.00"
