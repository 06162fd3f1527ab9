"""A supervisor has entered twenty balls that lost, and the house wants them read back by another person. Before anybody
comes he says that a ball was damaged, that the game cannot be played, or that one fell back: a new draw for him alone.
Or he takes a ball back that a colleague entered, and then reads the colleague's twenty back himself.

What stops it: twenty balls are the record (12.1). Nothing cracks or falls back after the last one; from then on two
people and the inspector decide. Whoever had a hand in the record, by taking a ball out too, does not read it back.
What would not be stopped: a lie about a ball while they still come out. That is an incident at once, before everybody.
"""

from __future__ import annotations

from keno.models import Game
from tests.attacks.counter import BALLS, by_balls, sell
from tests.attacks.insider import Caller, House

LIE = {"cause": "ball-damaged", "reason": "Ball 7 is cracked."}


def read_back(house: House) -> None:
    """What another person reads back is the house's own setting, proposed and decided."""
    new = {"interval_seconds": 180, "draw_after_seconds": 5, "pace_milliseconds": 500, "balls_confirmed": True}
    asked = {"kind": "keno.games", "subject": "venue", "new": new, "why": "A real house."}
    made = house.insider("supervisor").post("approvals/", asked).ok(201)
    house.insider("manager").post(f"approvals/{made['id']}/approve").ok()


def counted(house: House) -> tuple[Caller, str, int]:
    read_back(house)
    supervisor = by_balls(house)
    number = sell(house.insider("writer"), numbers=[78, 79, 80], stake="1.00")["first_game"]
    game = f"keno/games/{number}"
    supervisor.post(f"{game}/close").ok()
    supervisor.post(f"{game}/count", {"balls": 80, "set": "A"}).ok()
    return supervisor, game, number


def test_twenty_balls_are_undone_by_nobody_alone(house: House) -> None:
    supervisor, game, number = counted(house)
    supervisor.post(f"{game}/balls", {"numbers": list(BALLS)}).ok()
    with house.unchanged(but={"approval.proposed"}):
        assert supervisor.post(f"{game}/fall-back", {"number": BALLS[0]}).refused("draw-complete")
        made = supervisor.post(f"{game}/void", LIE)
        assert made.status == 202
        assert supervisor.post(f"approvals/{made.body['id']}/approve").refused()
        assert supervisor.post(f"{game}/invalidate", {"cause": "fire", "reason": "Smoke."}).refused("proposed-already")
        assert supervisor.post(f"{game}/confirm", {"numbers": list(BALLS)}).refused("needs-second-person")
    other, inspector = house.insider("manager"), house.insider("inspector")
    assert other.post(f"{game}/confirm", {"numbers": list(BALLS)}).ok()["status"] == "settled"
    with house.unchanged():  # too late for the inspector, too, and nobody has stood behind it
        assert inspector.post(f"approvals/{made.body['id']}/approve").refused()
    assert Game.objects.get(number=number).status == "settled"


def test_nor_is_the_game_invalidated_by_one(house: House) -> None:
    supervisor, game, number = counted(house)
    supervisor.post(f"{game}/balls", {"numbers": list(BALLS)}).ok()
    with house.unchanged(but={"approval.proposed"}):
        assert supervisor.post(f"{game}/invalidate", {"cause": "fire", "reason": "Smoke."}).status == 202
    assert Game.objects.get(number=number).status == "drawing"


def test_who_took_a_ball_back_does_not_read_them_back(house: House) -> None:
    one, game, number = counted(house)
    other = house.insider("supervisor")
    one.post(f"{game}/balls", {"numbers": list(BALLS[:19])}).ok()
    other.post(f"{game}/fall-back", {"number": BALLS[0]}).ok()
    one.post(f"{game}/balls", {"numbers": [78, 79]}).ok()
    twenty = {"numbers": [*BALLS[1:19], 78, 79]}
    with house.unchanged():
        for insider in (one, other):
            assert insider.post(f"{game}/confirm", twenty).refused("needs-second-person")
    assert Game.objects.get(number=number).status == "drawing"
    assert house.insider("manager").post(f"{game}/confirm", twenty).ok()["status"] == "settled"
