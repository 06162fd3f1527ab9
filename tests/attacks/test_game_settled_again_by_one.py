"""A manager whose friend holds a losing ticket would like other balls to have come out: he proposes that the game is
settled again by his password, and decides it by his token. Or he waits until the friend is paid, and has it settled
again so that the ticket is worth more.

What stops it: who proposed does not decide, whatever device he uses; a generator's game is proven and never settled
again; each game is settled again once; and a ticket that was paid gets what is missing, never its prize a second time.
What would not be stopped: two people of the house who lie about the balls together. It is an incident of which the
inspector is told at once, on the board, at /verify/ and in the log, beside what had been recorded.
"""

from __future__ import annotations

from house.models import Staff
from keno.models import Correction, Resettlement
from tests.attacks.counter import BALLS, by_balls, draw_balls, pay, sell, winner
from tests.attacks.insider import House

OTHERS = [80, *BALLS[1:]]
WHY = {"why": "I saw it."}


def test_one_person_settles_no_game_again(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    manager = house.insider("manager", holder=Staff.objects.get(username="manager").username)
    sold = sell(writer, numbers=[80, 2, 3], stake="1.00")
    draw_balls(supervisor, sold)
    game = sold["first_game"]
    with house.unchanged(but={"approval.proposed", "staff.signed-in"}):
        made = manager.post(f"keno/games/{game}/resettle", {"numbers": OTHERS, **WHY})
        assert made.status == 202
        assert manager.post(f"approvals/{made.body['id']}/approve").refused("own-proposal")
        assert house.at_console("manager").call(f"approvals/{made.body['id']}/approve").refused("own-proposal")
        assert supervisor.post(f"approvals/{made.body['id']}/approve").refused("no-permission")
        assert writer.post(f"keno/games/{game}/resettle", {"numbers": OTHERS, **WHY}).refused("no-permission")
        again = {"numbers": [79, *OTHERS[1:]], **WHY}
        assert manager.post(f"keno/games/{game}/resettle", again).refused("proposed-already")
    assert pay(writer, sold).ok()["paid"] == "2.00"
    assert not Resettlement.objects.exists()


def test_a_generators_game_is_never_settled_again(house: House) -> None:
    writer, supervisor, manager = (house.insider(role) for role in ("writer", "supervisor", "manager"))
    sold = winner(house, writer)
    proposed = {
        "kind": "keno.resettle",
        "subject": f"keno-game:{sold['first_game']}",
        "new": {"numbers": OTHERS},
        **WHY,
    }
    with house.unchanged():
        for insider in (supervisor, manager):
            asked = {"numbers": OTHERS, **WHY}
            assert insider.post(f"keno/games/{sold['first_game']}/resettle", asked).refused("device-rng")
            assert insider.post("approvals/", proposed).refused("device-rng")


def test_a_paid_ticket_gets_what_is_missing_and_not_its_prize_again(house: House) -> None:
    writer, supervisor, manager = house.insider("writer"), by_balls(house), house.insider("manager")
    sold, friend = (sell(writer, numbers=[first, 2, 3], stake="1.00") for first in (1, 80))
    draw_balls(supervisor, sold)
    assert (pay(writer, sold).ok()["paid"], pay(writer, friend).ok()["paid"]) == ("36.00", "2.00")
    game = sold["first_game"]
    made = supervisor.post(f"keno/games/{game}/resettle", {"numbers": OTHERS, **WHY})
    manager.post(f"approvals/{made.body['id']}/approve").ok()
    assert pay(writer, friend).ok()["paid"] == "34.00"
    with house.unchanged():
        for each in (sold, friend):
            assert pay(writer, each).refused("already-paid")
        back = {"numbers": list(BALLS), **WHY}
        assert manager.post(f"keno/games/{game}/resettle", back).refused("resettled-already")
    assert Correction.objects.count() == 2
