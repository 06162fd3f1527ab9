"""Whoever keeps the proxy, or sits down at a browser after somebody, reads what was answered: codes, names."""

from __future__ import annotations

from tests.attacks.cards import register
from tests.attacks.counter import code, sell
from tests.attacks.insider import House


def test_nothing_between_us_and_the_terminal_keeps_an_answer(house: House) -> None:
    writer = house.insider("writer")
    supervisor, player = register(house)
    sold = writer.post("keno/tickets", {"numbers": [1, 2, 3], "stake": "2.00"}, key="sale")
    address = f"keno/tickets/{sold.ok(201)['serial']}"
    answers = [
        sold,
        writer.post("keno/tickets", {"numbers": [1, 2, 3], "stake": "2.00"}, key="sale"),
        writer.get("requests/sale"),
        writer.post(f"{address}/print", {"layout": "data"}),
        writer.post(f"{address}/look-up", code(sold.body)),
        writer.post(f"{address}/pay", {"security_code": "0" * 16}),
        writer.get(address),
        supervisor.get(f"players/{player}"),
        supervisor.get("players/"),
        house.stranger().get("me"),
    ]
    pages = house.at_console("supervisor")
    shown = [pages.get(path) for path in (f"/players/{player}/", "/players/", "/players/?format=csv", f"/{address}/")]
    check = {"serial": sold.body["serial"], "game": sold.body["first_game"], **code(sell(writer))}
    for answer in (*answers, *shown, house.stranger().post("/verify/ticket.json", check)):
        assert "no-store" in answer.headers["cache-control"], answer
