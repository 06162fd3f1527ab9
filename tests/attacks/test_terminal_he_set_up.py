"""A supervisor's friend in the office sets a terminal up with a code instead of rolling its token: whoever was shown
the code has the token as well, and is not the second person beside it. Nor does another terminal get its answers."""

from __future__ import annotations

import re

from tests.attacks.counter import code, winner
from tests.attacks.insider import Caller, House
from tests.world.approvals import put_in_force


def set_up(house: House, username: str) -> Caller:
    """A writer's terminal, whose one-time code this person has read, and typed in."""
    identity = house.insider("writer").identity
    office = house.at_console(username)
    page = office.post(f"/devices/{identity.removeprefix('device:')}/provision/").body
    (shown,) = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", page)
    token = house.stranger().post("devices/provision", {"code": shown}).ok()["token"]
    return Caller(house.server, token, identity)


def test_who_read_the_code_stands_by_no_payment_at_it(house: House) -> None:
    terminal, manager = set_up(house, "manager"), house.insider("manager", holder="manager")
    terminal.post("keno/shifts", {"opening_float": "100.00"}).ok(201)
    sold = winner(house, house.insider("writer"))
    put_in_force("keno.amount", "supervised-above", "50.00")
    manager.post(f"keno/tickets/{sold['serial']}/authorise-payment").ok(201)
    with house.unchanged():
        assert terminal.post(f"keno/tickets/{sold['serial']}/pay", code(sold)).refused("two-people-needed")
    shift = terminal.get("keno/shifts/current").ok()["id"]
    terminal.post(f"keno/shifts/{shift}/fill", {"amount": "900.00"}).ok()
    with house.unchanged():
        assert manager.post(f"keno/shifts/{shift}/fill", {"amount": "900.00"}).refused("same-person")


def test_a_key_is_its_own_terminals(house: House) -> None:
    """Another terminal, and another person, who know the key and the body of a sale are told nothing of it."""
    first, second = house.insider("writer"), house.insider("writer")
    body = {"numbers": [1, 2, 3], "stake": "2.00"}
    sold = first.post("keno/tickets", body, key="the-same").ok(201)
    again = second.post("keno/tickets", body, key="the-same")
    assert again.ok(201)["serial"] != sold["serial"]
    assert "idempotency-replayed" not in again.headers
    assert sold["security_code"] not in str(again.body)
    for caller in (house.insider("supervisor"), house.insider("manager"), house.insider("writer")):
        assert caller.get("requests/the-same").refused("request-unknown")
