"""A supervisor who sees what is owing prints himself a duplicate of the best ticket, and has it paid at the counter."""

from __future__ import annotations

import base64
import json

from tests.attacks.counter import code, sell, winner
from tests.attacks.insider import House


def test_a_duplicate_is_not_paid_tendered_or_cancelled(house: House) -> None:
    writer, supervisor = house.insider("writer"), house.insider("supervisor")
    won, playing = winner(house, writer), sell(writer)
    for ticket in (won, playing):
        secret = ticket["security_code"]
        grouped = "-".join(secret[start : start + 4] for start in range(0, len(secret), 4))
        for layout in ("data", "html", "pdf", "escpos"):
            asked = {"layout": layout, "reason": "The player spilt his drink."}
            made = supervisor.post(f"keno/tickets/{ticket['serial']}/reprint", asked).ok()
            content = base64.b64decode(made["content"]).decode("latin-1")
            assert not [text for text in (secret, grouped) if text in content or text in json.dumps(made)]
            if layout == "data":
                paper = json.loads(content)
    console = house.at_console("supervisor")
    with house.unchanged():
        for step in ("pay", "cancel"):
            for tried in (paper["security_code"], paper["code"], ""):
                asked = {"security_code": tried}
                assert writer.post(f"keno/tickets/{playing['serial']}/{step}", asked).refused()
        tender = [{"type": "ticket", "reference": paper["code"]}]
        assert writer.post("keno/tickets", {"numbers": [7], "stake": "1.00", "tender": tender}).refused()
        page = console.post(f"/keno/tickets/{won['serial']}/reprint/", {"comment": "Torn."})
        assert page.status == 200
        assert won["security_code"] not in page.body
    assert writer.post(f"keno/tickets/{won['serial']}/pay", code(won)).ok()["paid"] == "60.00"  # the original is good
