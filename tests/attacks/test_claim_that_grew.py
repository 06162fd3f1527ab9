"""A supervisor takes a claim form for a ticket that has won a little and plays on. The inspector approves $36.00; the
supervisor waits until the ticket has won more, and writes the cheque for everything. Or the paper turns up and is paid
at the counter, and the old approval pays what the ticket wins after that.

What stops it: an approved claim pays what was approved, to the cent, and nothing once anything was paid on the ticket
since. Whoever is owed something else takes another form, and the inspector looks again (11.1, 12.5).
"""

from __future__ import annotations

from typing import Any

from keno.models import Claim, Payment
from tests.attacks.counter import by_balls, draw_balls, pay, sell
from tests.attacks.insider import Caller, House


def claim(supervisor: Caller, sold: dict[str, Any]) -> dict[str, Any]:
    form = {
        "serial": sold["serial"],
        "reason": "lost",
        "claimant": {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"},
        "grounds": "She knows the numbers.",
    }
    made: dict[str, Any] = supervisor.post("keno/claims", form).ok(201)
    return made


def approve(house: House, supervisor: Caller) -> None:
    waiting = supervisor.get("approvals/?status=proposed").ok()["results"]
    house.insider("inspector").post(f"approvals/{waiting[0]['id']}/approve").ok()


def cheque(supervisor: Caller, made: dict[str, Any], number: str = "000801") -> Any:
    return supervisor.post(f"keno/claims/{made['id']}/pay", {"cheque_number": number})


def test_what_was_won_after_the_approval_is_not_paid_by_it(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[1, 2, 3], stake="1.00", games=3)
    draw_balls(supervisor, sold)
    made = claim(supervisor, sold)
    assert made["amount"] == "36.00"
    approve(house, supervisor)
    draw_balls(supervisor, {"first_game": sold["first_game"] + 1})
    with house.unchanged():
        assert cheque(supervisor, made).refused("claim-differs")
    again = claim(supervisor, sold)  # the first is about another amount, so it stands in nobody's way
    with house.unchanged():
        assert cheque(supervisor, again).refused("claim-not-approved", "not-approved")
    approve(house, supervisor)
    assert cheque(supervisor, again).ok()["amount"] == "72.00"
    assert str(Payment.objects.get().cheque) == "72.00"

    # A third prize of exactly what the first approval was for: that was not about it.
    draw_balls(supervisor, {"first_game": sold["first_game"] + 2})
    with house.unchanged():
        assert cheque(supervisor, made, "000802").refused("claim-differs")
    assert Claim.objects.filter(paid_at=None).count() == 1


def test_nor_by_one_whose_paper_turned_up_and_was_paid(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[1, 2, 3], stake="1.00", games=2)
    draw_balls(supervisor, sold)
    made = claim(supervisor, sold)
    approve(house, supervisor)
    continued = pay(writer, sold).ok()["continuation"]  # whoever found it
    draw_balls(supervisor, {"first_game": sold["first_game"] + 1})
    with house.unchanged():
        assert cheque(supervisor, made).refused("claim-differs")
    assert pay(writer, continued).ok()["paid"] == "36.00"
