"""Everything that an insider tries at a must-hit-by link, over HTTP, at a running house with its witness and sealer.

What each trick is, what stops it and what would not be stopped is told in the `test_must_hit_by_*.py` beside this. Here
it is that no call of the running copy moves a decided meter, counts a wager twice, reopens a movement or names another
box, and that the witness was asked once about every movement.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from jackpot import terms
from jackpot.decide import decide_movements
from jackpot.models import CountedWager, Hit, MeterSeal
from ledger.models import Act
from tests.attacks.felt import CAMERA
from tests.attacks.insider import Caller, House
from tests.world.jackpot_table import conserved
from tests.world.mystery_link import TERMS, open_mystery_link
from tests.world.players import registered
from tests.world.witness import RunningWitness

THROWS = {"dice": "3615243621" * 6, "why": "It does not please."}


def told(number: int, *, ago: int = 0, boxes: int = 7) -> dict[str, Any]:
    at = (datetime.now(UTC) - timedelta(seconds=ago)).isoformat()
    where = {"table": "MYS-01", "round": number, "boxes": list(range(1, boxes + 1))}
    return {"id": f"C-{number}-{ago}", "wagers": boxes, "at": at, **where}


def proposed(by: Caller, kind: str, new: dict[str, Any]) -> Any:
    return by.post("approvals/", {"kind": kind, "subject": "jackpot:MYS", "new": new, "why": "It does not please."})


def test_no_call_of_the_running_house_helps(house: House, witness: RunningWitness) -> None:
    open_mystery_link()
    controller, supervisor, manager = (house.insider(role) for role in ("table", "supervisor", "manager"))
    first = told(1)
    controller.post("jackpot/contributions", [first]).ok()
    _counted_once_and_in_time(house, controller, first)
    _nothing_is_reopened_while_it_waits(house, witness, supervisor, manager)
    for number in (5, 6):  # without a gap, or they could not win
        controller.post("jackpot/contributions", [told(number)]).ok()
    decide_movements(timezone.now())  # what the worker does: 21 wagers, it falls surely
    hit = Hit.objects.order_by("sequence")[0]
    _what_fell_stays_fallen(house, hit, supervisor, manager)
    _no_round_comes_back(house, supervisor)
    asked = Act.objects.filter(kind="witness.asked", data__purpose="must-hit-by")
    assert {act.data["attempt"] for act in asked} == {1}
    assert witness.memory.state.number == MeterSeal.objects.count() == len(asked)
    conserved("MYS")


def _counted_once_and_in_time(house: House, controller: Caller, first: dict[str, Any]) -> None:
    """A message again, with another body, as a stranger; then a hoard, which goes to the next pool and cannot win."""
    manager = house.insider("manager")
    with house.unchanged(but={"incident.reported"}):  # another body under the same id is told
        assert controller.post("jackpot/contributions", [first]).ok()["duplicates"] == 1
        controller.post("jackpot/contributions", [first | {"boxes": [1], "wagers": 1}])
        assert house.stranger().post("jackpot/contributions", [told(2)]).refused()
        assert manager.post("jackpot/contributions", [told(2)]).refused()
    assert CountedWager.objects.count() == 7
    controller.post("jackpot/contributions", [told(number, ago=600 - number, boxes=1) for number in range(2, 5)]).ok()
    assert CountedWager.objects.count() == 7


def _nothing_is_reopened_while_it_waits(
    house: House, witness: RunningWitness, supervisor: Caller, manager: Caller
) -> None:
    witness.away()
    decide_movements(timezone.now())
    seal = MeterSeal.objects.get()
    assert seal.decided_at is None
    with house.unchanged():
        for by in (supervisor, manager, house.stranger()):
            assert by.post(f"jackpot/pools/MYS/mystery/{seal.number}/dice", THROWS).refused()
        new = {"number": seal.number, "attempt": 1, "cause": "It does not please."}
        assert proposed(supervisor, "jackpot.void-attempt", new).refused()  # nobody knows yet what it would give
    witness.back()
    decide_movements(timezone.now())
    seal.refresh_from_db()
    assert (seal.decided_at is not None, seal.attempt) == (True, 1)


def _what_fell_stays_fallen(house: House, hit: Hit, supervisor: Caller, manager: Caller) -> None:
    seal = MeterSeal.objects.exclude(falls=[]).order_by("number")[0]
    before = MeterSeal.objects.values().get(pk=seal.pk)
    registered("FRIEND")
    dearer = terms.write(TERMS)
    dearer["levels"][0]["ceiling"] = "60.01"
    other = next(box for box in range(1, 8) if box != hit.box)
    inspector = house.insider("inspector")
    with house.unchanged():
        new = {"number": seal.number, "attempt": 1, "cause": "It fell to the wrong box."}
        assert proposed(supervisor, "jackpot.void-attempt", new).refused("movement-decided")
        assert proposed(supervisor, "jackpot.terms", dearer).refused("waits-for-condition")
        for by in (supervisor, manager, inspector):
            assert by.post(f"jackpot/pools/MYS/mystery/{seal.number}/dice", THROWS).refused()
        seen = {"box": other, "player": "FRIEND", "surveillance": CAMERA}
        assert supervisor.post(f"jackpot/hits/{hit.pk}/verify", seen).refused("box-differs")
        assert manager.post(f"jackpot/hits/{hit.pk}/pay", {}).refused()
    assert (MeterSeal.objects.values().get(pk=seal.pk), Hit.objects.get(pk=hit.pk).status) == (before, "claimed")


def _no_round_comes_back(house: House, supervisor: Caller) -> None:
    """It ended, so its wagers have counted: nobody takes them back, least of all once they are decided."""
    dealer = house.insider("table")
    number = dealer.post("jackpot/tables/MYS-02/rounds", {"wagers": [{"box": 1}]}).ok(201)["round"]
    dealer.post(f"jackpot/rounds/{number}/finish", {"hands": []}).ok()
    decide_movements(timezone.now())
    with house.unchanged():
        assert supervisor.post(f"jackpot/rounds/{number}/void", {"why": "Nothing was won."}).refused("round-ended")
        invalid = {"cause": "fire", "why": "Nothing was won."}
        assert supervisor.post(f"jackpot/rounds/{number}/invalidate", invalid).refused("movement-stands")
