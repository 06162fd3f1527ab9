"""A supervisor deals a royal flush himself and verifies it: at another device of his, or at the console."""

from __future__ import annotations

from jackpot.models import Hit
from tests.attacks.felt import CAMERA, ROYAL, deal, seen, start
from tests.attacks.insider import House


def test_who_dealt_it_does_not_verify_it_at_any_device(house: House) -> None:
    dealing, other = (house.insider("supervisor", holder="supervisor") for _ in range(2))
    hit = deal(dealing)
    verify = f"jackpot/hits/{hit['id']}/verify"
    console = house.at_console("supervisor")
    position = house.log()
    for device in (dealing, other):
        with house.unchanged():
            assert device.post(verify, seen()).refused("same-person")
            assert device.post(f"jackpot/hits/{hit['id']}/deny", {"reason": "Or so."}).refused("same-person")
    assert console.post(f"/jackpots/hits/{hit['id']}/verify/", {"cards": ROYAL, "surveillance": CAMERA}).status == 403
    assert house.acts_since(position) == []
    assert Hit.objects.get().status == "claimed"


def test_nor_who_started_the_round_that_another_finished(house: House) -> None:
    starting, finishing = house.insider("supervisor"), house.insider("supervisor")
    number = start(starting)
    (hit,) = finishing.post(f"jackpot/rounds/{number}/finish", {"hands": [{"box": 1, "cards": ROYAL}]}).ok()["hits"]
    with house.unchanged():
        for device in (starting, finishing):
            assert device.post(f"jackpot/hits/{hit['id']}/verify", seen()).refused("same-person")
    assert house.insider("supervisor").post(f"jackpot/hits/{hit['id']}/verify", seen()).ok()["status"] == "verified"
