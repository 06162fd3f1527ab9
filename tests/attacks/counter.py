"""What attacks at the Keno counter begin with: tickets that another terminal sold, one that has won, a shift."""

from __future__ import annotations

from typing import Any, Final

from keno.open_games import keep_open
from tests.attacks.insider import Answer, Caller, House

# Every number by itself: twenty of them are drawn, whichever they are.
EVERY_NUMBER: Final = {
    "groups": [[number] for number in range(1, 81)],
    "plays": [{"spots": 1, "stake": "1.00"}],
}
WON: Final = "60.00"  # twenty times $3.00


def sell(writer: Caller, **more: Any) -> dict[str, Any]:
    body = more if "groups" in more else {"numbers": [1, 2, 3], "stake": "2.00", **more}
    sold: dict[str, Any] = writer.post("keno/tickets", body).ok(201)
    return sold


def winner(house: House, writer: Caller) -> dict[str, Any]:
    """A ticket with $60.00 owing on it, drawn and settled; the next game is on sale."""
    (sold,) = winners(house, writer, stake="1.00")
    assert house.insider("supervisor").get(f"keno/tickets/{sold['serial']}").ok()["owing"] == WON
    return sold


def winners(house: House, *writers: Caller, stake: str, **more: Any) -> list[dict[str, Any]]:
    """One of each writer in the same game: $4,200.00 at a stake of $70.00, $7,200.00 at $120.00."""
    plays = [{"spots": 1, "stake": stake}]
    sold = [sell(writer, **EVERY_NUMBER | {"plays": plays}, **more) for writer in writers]
    supervisor = house.insider("supervisor")
    for step in ("close", "draw"):
        supervisor.post(f"keno/games/{sold[0]['first_game']}/{step}").ok()
    keep_open()
    return sold


def pay(writer: Caller, sold: dict[str, Any], **more: Any) -> Answer:
    return writer.post(f"keno/tickets/{sold['serial']}/pay", code(sold) | more)


def voucher(writer: Caller, sold: dict[str, Any]) -> dict[str, Any]:
    """The prize as a Keno voucher."""
    paper: dict[str, Any] = pay(writer, sold, method="keno-voucher").ok()["voucher"]
    return paper


def redeem(writer: Caller, paper: dict[str, Any], **more: Any) -> Answer:
    return writer.post(f"keno/vouchers/{paper['code']}/redeem", code(paper) | more)


def code(sold: dict[str, Any]) -> dict[str, str]:
    return {"security_code": sold["security_code"]}
