"""Whoever has read the key of a sale in a terminal's log sends it from his own terminal, to be told its answer."""

from __future__ import annotations

from tests.attacks.insider import House


def test_a_key_is_its_own_terminals(house: House) -> None:
    first, second = house.insider("writer"), house.insider("writer")
    body = {"numbers": [1, 2, 3], "stake": "2.00"}
    sold = first.post("keno/tickets", body, key="the-same").ok(201)
    again = second.post("keno/tickets", body, key="the-same")
    assert again.ok(201)["serial"] != sold["serial"]
    assert "idempotency-replayed" not in again.headers
    assert sold["security_code"] not in str(again.body)
    for caller in (house.insider("supervisor"), house.insider("manager"), house.insider("writer")):
        assert caller.get("requests/the-same").refused("request-unknown")
