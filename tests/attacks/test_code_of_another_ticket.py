"""A player changes the serial on his paper to that of a winner: his own code, and codes of vouchers, do not fit it."""

from __future__ import annotations

from tests.attacks.counter import code, sell, winner
from tests.attacks.insider import House


def test_a_code_is_of_one_paper(house: House) -> None:
    writer, other = house.insider("writer"), house.insider("writer")
    won = winner(house, other)
    blank = sell(writer, tender=[{"type": "cash", "amount": "9.00"}], rest="keno-voucher")
    voucher = blank["voucher"]
    with house.unchanged():
        for wrong in (blank["security_code"], voucher["security_code"], won["security_code"][:-1]):
            body = {"security_code": wrong}
            assert writer.post(f"keno/tickets/{won['serial']}/pay", body).refused("security-code-wrong")
        assert other.post(f"keno/tickets/{won['serial']}/look-up", code(blank)).refused("security-code-wrong")
        assert other.post(f"keno/vouchers/{voucher['code']}/redeem", code(blank)).refused("security-code-wrong")
        assert other.post(f"keno/tickets/{won['serial']}/pay", {}).refused("code-missing")
    # As a person types it: small letters and dashes.
    typed = "-".join(won["security_code"][i : i + 4].lower() for i in range(0, 16, 4))
    assert writer.post(f"keno/tickets/{won['serial']}/pay", {"security_code": typed}).ok()["paid"] == "60.00"
