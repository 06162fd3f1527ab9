"""A writer who reads the serial of a stranger's winning ticket buys a $1 ticket with it and keeps the change."""

from __future__ import annotations

from typing import Any

from tests.attacks.counter import sell, winner
from tests.attacks.insider import House


def test_a_serial_buys_nothing(house: House) -> None:
    honest, thief = house.insider("writer"), house.insider("writer")
    won, own = winner(house, honest), sell(thief)
    serial = won["serial"]
    lines: tuple[tuple[dict[str, Any], str], ...] = (
        ({"type": "ticket", "reference": serial}, "code-missing"),
        ({"type": "ticket", "reference": serial, "amount": "60.00"}, "code-missing"),
        ({"type": "ticket", "reference": f"{serial}:"}, "code-missing"),
        ({"type": "ticket", "reference": f"{serial}:{'0' * 16}"}, "security-code-wrong"),
        ({"type": "ticket", "reference": serial, "security_code": own["security_code"]}, "security-code-wrong"),
        ({"type": "ticket", "reference": f"https://x/verify/#serial={serial}&code={'1' * 16}"}, "security-code-wrong"),
    )
    with house.unchanged():
        for line, refusal in lines:
            body = {"numbers": [7], "stake": "1.00", "tender": [line]}
            assert thief.post("keno/tickets", body).refused(refusal), line
    paper = f"{serial}:{won['security_code']}"
    body = {"numbers": [7], "stake": "1.00", "tender": [{"type": "ticket", "reference": paper}]}
    assert honest.post("keno/tickets", body).ok(201)["change"] == "59.00"


def test_a_voucher_is_not_known_by_its_number(house: House) -> None:
    honest, thief = house.insider("writer"), house.insider("writer")
    change = {"tender": [{"type": "cash", "amount": "12.00"}], "rest": "keno-voucher"}
    voucher = sell(honest, **change)["voucher"]
    sell(thief)
    with house.unchanged():
        line = {"type": "keno-voucher", "reference": voucher["code"]}
        assert thief.post("keno/tickets", {"numbers": [7], "stake": "1.00", "tender": [line]}).refused("code-missing")
        line["security_code"] = "0" * 16
        assert thief.post("keno/tickets", {"numbers": [7], "stake": "1.00", "tender": [line]}).refused(
            "security-code-wrong"
        )
        redeem = f"keno/vouchers/{voucher['code']}/redeem"
        assert thief.post(redeem, {}).refused("code-missing")
        assert thief.post(redeem, {"security_code": "0" * 16}).refused("security-code-wrong")
