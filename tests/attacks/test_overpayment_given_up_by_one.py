"""A manager has paid a friend on wrong balls, and gives up what the friend would have to give back; a writer whose
drawer is short calls it an overpayment; somebody receives back more than was too much, to have cash vanish from another
account; and a supervisor keeps a prize back for what its holder owes.

What stops it: nobody proposes or decides about what he has paid, and who proposed does not decide, whatever device he
uses; nothing is given up that nobody asked for; no more comes back than is left; a prize is paid whole (10.5).
What would not be stopped: two people of the house together. The log and the report of overpayments tell it.
"""

from __future__ import annotations

from house.models import Staff
from keno.models import Overpayment
from tests.attacks.counter import BALLS, by_balls, draw_balls, pay, sell
from tests.attacks.insider import Caller, House
from tests.attacks.test_terminal_whose_token_he_has import kept_by

OTHERS = [80, *BALLS[1:]]
WHY = {"why": "He is gone."}


def overpaid(house: House, writer: Caller, manager: Caller) -> str:
    """A game of two that a ticket was paid $36.00 for, and $2.00 won. Where it is called."""
    supervisor = by_balls(house)
    sold = sell(writer, numbers=[1, 2, 3], stake="1.00")
    draw_balls(supervisor, sold)
    assert pay(writer, sold).ok()["paid"] == "36.00"
    made = supervisor.post(f"keno/games/{sold['first_game']}/resettle", {"numbers": OTHERS, "why": "Camera 4."})
    manager.post(f"approvals/{made.body['id']}/approve").ok()
    return f"keno/overpayments/{Overpayment.objects.get().pk}"


def test_one_person_gives_nothing_up_and_nobody_takes_more(house: House) -> None:
    writer, other = house.insider("writer"), house.insider("manager")
    manager = house.insider("manager", holder=Staff.objects.get(username="manager").username)
    at = overpaid(house, writer, other)
    number = int(at.rpartition("/")[2])
    with house.unchanged():
        assert manager.post(f"{at}/write-off", WHY).refused("not-asked")
        generic = {"kind": "keno.overpayment-write-off", "subject": f"keno-overpayment:{number}", **WHY}
        assert manager.post("approvals/", {**generic, "new": {"amount": "34.00"}}).refused("not-asked")
        assert writer.post(f"{at}/ask", {"how": "letter"}).refused("no-permission")
        assert writer.post(f"{at}/receive", {"amount": "34.01"}).refused("more-than-left")
        assert manager.post(f"{at}/receive", {"amount": "34.00"}).refused("no-permission")
    manager.post(f"{at}/ask", {"how": "not-found"}).ok()
    with house.unchanged(but={"approval.proposed", "staff.signed-in"}):
        made = manager.post(f"{at}/write-off", WHY)
        assert made.status == 202
        assert manager.post(f"approvals/{made.body['id']}/approve").refused("own-proposal")
        assert house.at_console("manager").call(f"approvals/{made.body['id']}/approve").refused("own-proposal")
        assert manager.post(f"{at}/write-off", WHY).refused("proposed-already")
    assert Overpayment.objects.get().left.micros == 34_000_000


def test_who_paid_calls_no_short_drawer_an_overpayment(house: House) -> None:
    """The manager keeps the token of the terminal at which he paid: the terminal's word is his."""
    manager, supervisor = house.insider("manager", holder="manager"), by_balls(house)
    own = kept_by(house, manager)
    own.post("keno/shifts", {"opening_float": "100.00"}).ok(201)
    sold = sell(own, numbers=[1, 2, 3], stake="1.00")
    draw_balls(supervisor, sold)
    assert pay(own, sold).ok()["paid"] == "36.00"
    payment = supervisor.get("keno/payments").ok()["results"][0]["id"]
    short = {"payment": payment, "amount": "324.00", "why": "Camera 2."}
    with house.unchanged(but={"staff.signed-in"}):
        assert manager.post("keno/overpayments", short).refused("needs-second-person")
        assert house.at_console("manager").call("keno/overpayments", short).refused("needs-second-person")
        assert own.post("keno/overpayments", short).refused("no-permission")
    made = supervisor.post("keno/overpayments", short).ok(202)
    with house.unchanged():
        assert manager.post(f"approvals/{made['id']}/approve").refused("own-affair", "same-person", "concerned")
    assert not Overpayment.objects.exists()
