"""A cheat's winning wager is void and refunded by two people. His friend in the house has the game settled again on
balls by which the same ticket wins: it would be owed a prize after all, beside its refund. Or he proposes it first, and
has it decided once the wager is void.

What stops it: a game with a void wager is settled again by nobody, when it is proposed and when it is decided; what is
wrong then is a dispute, which the inspector decides.
"""

from __future__ import annotations

from keno.models import Prize, Resettlement
from tests.attacks.counter import BALLS, by_balls, draw_balls, pay, sell
from tests.attacks.insider import House

OTHERS = {"numbers": [80, *BALLS[1:]], "why": "Camera 4."}


def test_a_void_wager_wins_nothing_by_settling_again(house: House) -> None:
    writer, supervisor, manager = house.insider("writer"), by_balls(house), house.insider("manager")
    other = house.insider("manager")
    sold = sell(writer, numbers=[80, 2, 3], stake="1.00")  # $2.00 as it stands, $36.00 if ball 80 had come
    draw_balls(supervisor, sold)
    game = f"keno/games/{sold['first_game']}"
    first = supervisor.post(f"{game}/resettle", OTHERS)
    assert first.status == 202
    asked = {"game": sold["first_game"], "why": "He films the draws."}
    made = supervisor.post(f"keno/tickets/{sold['serial']}/void-win", asked)
    manager.post(f"approvals/{made.body['id']}/approve").ok()
    with house.unchanged(but={"approval.approved", "approval.failed"}):
        tried = other.post(f"approvals/{first.body['id']}/approve").ok()
        assert (tried["status"], "was voided" in tried["outcome"]) == ("failed", True)
        assert manager.post(f"{game}/resettle", OTHERS).refused("prizes-moved")
    assert not Resettlement.objects.exists()
    assert pay(writer, sold).ok()["paid"] == "1.00"  # its stake, and nothing else
    with house.unchanged():
        assert pay(writer, sold).refused("already-paid")
    assert Prize.objects.filter(ticket__serial=sold["serial"], void=None).count() == 1
