"""A writer pays a ticket with games to come, hands out its continuation, and keeps the old paper in his drawer. With it
he tries to cancel the games to come, to buy with what they win, to be paid for them, or to claim them as unreadable.

What stops it: from the payment on the old code is dead, in every place that asks for one, and it tells nothing of what
came after it. A supervisor's duplicate has no code at all (10.4).
"""

from __future__ import annotations

from typing import Any

from keno.models import Ticket
from tests.attacks.counter import by_balls, code, draw_balls, pay, sell
from tests.attacks.insider import Caller, House


def tries(writer: Caller, supervisor: Caller, old: dict[str, Any]) -> None:
    at, paper = (
        f"keno/tickets/{old['serial']}",
        {"type": "ticket", "reference": f"{old['serial']}:{old['security_code']}"},
    )
    form = {
        "serial": old["serial"],
        "reason": "unreadable",
        "claimant": {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"},
        "grounds": "It went through the wash.",
        **code(old),
    }
    assert writer.post(f"{at}/cancel", code(old)).refused("already-paid")
    assert writer.post(f"{at}/look-up", code(old)).refused("already-paid")
    assert pay(writer, old).refused("already-paid")
    assert writer.post("keno/tickets", {"numbers": [7], "stake": "1.00", "tender": [paper]}).refused("already-paid")
    assert writer.post("keno/claims", form).refused("already-paid")
    assert supervisor.post("keno/claims", form).refused("already-paid")


def test_it_cancels_buys_pays_and_claims_nothing(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[1, 2, 3], stake="1.00", games=3)
    draw_balls(supervisor, sold)
    good = pay(writer, sold).ok()["continuation"]
    with house.unchanged():
        tries(writer, supervisor, sold)
    draw_balls(supervisor, {"first_game": sold["first_game"] + 1})
    with house.unchanged():
        tries(writer, supervisor, sold)
    # The player goes on with the new paper: paid again, it is old paper, too, and the third one cancels the last game.
    third = pay(writer, good).ok()["continuation"]
    with house.unchanged():
        tries(writer, supervisor, good)
    assert writer.post(f"keno/tickets/{sold['serial']}/cancel", code(third)).ok()["refund"] == "1.00"
    assert Ticket.objects.get(serial=sold["serial"]).paper == 3
