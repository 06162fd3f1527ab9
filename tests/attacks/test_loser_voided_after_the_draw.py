"""A manager and his friend: the friend's ticket lost, and is to be void "for a breach", so that the stake comes back.

What stops it: after the draw a wager is voided only where the ticket won in that game, by the verb, by the proposal's
own check whichever way it is proposed, and by the database (a void win has an amount). What would not be stopped: two
people of the house voiding an honest winner's wager; it is an incident, in the log, and a dispute for the inspector.
"""

from __future__ import annotations

from keno.models import VoidedWin
from keno.open_games import keep_open
from tests.attacks.counter import sell
from tests.attacks.insider import House


def test_a_loser_keeps_his_loss(house: House) -> None:
    writer, manager, supervisor = (house.insider(role) for role in ("writer", "manager", "supervisor"))
    # Two numbers win together only: of twenty pairs at least ten lose, whatever is drawn.
    tickets = [sell(writer, numbers=[number, number + 40], stake="1.00") for number in range(1, 21)]
    for step in ("close", "draw"):
        supervisor.post(f"keno/games/{tickets[0]['first_game']}/{step}").ok()
    keep_open()
    lost = next(each for each in tickets if supervisor.get(f"keno/tickets/{each['serial']}").ok()["won"] == "0.00")
    breach = {"why": "He counted the balls."}
    with house.unchanged():
        assert manager.post(f"keno/tickets/{lost['serial']}/void", breach).refused("nothing-to-void")
        won_in = {"game": lost["first_game"], **breach}
        for insider in (manager, supervisor):
            assert insider.post(f"keno/tickets/{lost['serial']}/void-win", won_in).refused("did-not-win")
        proposed = {
            "kind": "keno.void-win",
            "subject": f"keno-ticket:{lost['serial']}",
            "new": {"game": lost["first_game"]},
            **breach,
        }
        assert manager.post("approvals/", proposed).refused("did-not-win")
    assert not VoidedWin.objects.exists()
