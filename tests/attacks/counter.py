"""What attacks at the Keno counter begin with: tickets that another terminal sold, one that has won, a shift."""

from __future__ import annotations

from typing import Any, Final

from house.models import Incident
from keno.models import Payment
from keno.open_games import keep_open
from kernel.money import Money
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


def voucher(writer: Caller, amount: str, **more: Any) -> dict[str, Any]:
    """A Keno voucher of so much: the change of a $1.00 ticket."""
    cash = {"type": "cash", "amount": str(Money.parse(amount) + Money.dollars(1))}
    sold = sell(writer, numbers=[1], stake="1.00", tender=[cash], rest="keno-voucher", **more)
    paper: dict[str, Any] = sold["voucher"]
    return paper


def redeem(writer: Caller, paper: dict[str, Any], **more: Any) -> Answer:
    return writer.post(f"keno/vouchers/{paper['code']}/redeem", code(paper) | more)


def code(sold: dict[str, Any]) -> dict[str, str]:
    return {"security_code": sold["security_code"]}


BALLS: Final = tuple(range(1, 21))  # that are drawn, where the machine is the attacker's


def by_balls(house: House) -> Caller:
    """A supervisor, and a game on sale whose twenty balls will be ``BALLS``."""
    supervisor = house.insider("supervisor")
    supervisor.post("keno/device", {"device": "mechanical"}).ok()
    while (on_sale := supervisor.get("keno/games/current").ok())["device"] != "mechanical":
        for step in ("close", "draw"):
            supervisor.post(f"keno/games/{on_sale['number']}/{step}").ok()
        keep_open()
    return supervisor


def draw_balls(supervisor: Caller, sold: dict[str, Any]) -> None:
    """The first game of this ticket, closed, drawn and settled; the next one is on sale."""
    game = f"keno/games/{sold['first_game']}"
    supervisor.post(f"{game}/close").ok()
    supervisor.post(f"{game}/count", {"balls": 80, "set": "A"}).ok()
    assert supervisor.post(f"{game}/balls", {"numbers": list(BALLS)}).ok()["status"] == "settled"
    keep_open()


def payment_stops(house: House, writer: Caller, sold: dict[str, Any]) -> None:
    """Neither paid nor taken in for another ticket, by whoever tries; one incident says so."""
    paper = {"type": "ticket", "reference": f"{sold['serial']}:{sold['security_code']}"}
    buying = {"numbers": [7], "stake": "1.00", "tender": [paper]}
    supervisor = house.insider("supervisor")
    with house.unchanged(but=["incident.reported"]):
        authorise = supervisor.post(f"keno/tickets/{sold['serial']}/authorise-payment")
        for answer in (authorise, pay(writer, sold), pay(writer, sold), writer.post("keno/tickets", buying)):
            assert answer.status == 409, answer
            assert answer.refused("prize-differs")
    assert Payment.objects.filter(ticket__serial=sold["serial"]).count() == 0
    incident = Incident.objects.get(kind="keno-prize-differs")
    assert incident.subject == f"ticket:{sold['serial']}"
    assert "A payment was stopped" in incident.what
