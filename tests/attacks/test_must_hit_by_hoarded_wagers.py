"""A controller keeps wagers back, and sends them with an old time when the meter is high; or sends one round twice.

Stopped by: a message counts in the second in which it comes in, whatever time it names. More than ten seconds from its
time, or out of the order of its table's rounds, it goes to the next pool and cannot win, and an incident tells it.
Each id counts once ever. Not stopped: a controller that lies about when the round was played and keeps its whole
sequence back; rounds, drop and surveillance are compared before payment.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.utils import timezone

from house.models import Incident
from jackpot import pools
from jackpot.decide import decide_movements
from jackpot.models import CountedWager, Hit, Link
from tests.world.calls import Caller, make_device


def told(number: int, *, ago: int = 0, box: int = 1) -> dict[str, Any]:
    at = (datetime.now(UTC) - timedelta(seconds=ago)).isoformat()
    return {"id": f"C-{number}-{ago}-{box}", "table": "MYS-01", "wagers": 1, "at": at, "round": number, "boxes": [box]}


def test_what_was_kept_back_cannot_win(must_hit_by: Link) -> None:
    controller = Caller(make_device("table")[1])

    def send(*messages: dict[str, Any]) -> dict[str, Any]:
        answer = controller.post("jackpot/contributions", list(messages))
        assert answer.status_code == 200, answer.json()
        said: dict[str, Any] = answer.json()
        return said

    send(told(1))
    hoard = [told(number, ago=600 - number) for number in range(2, 12)]
    assert send(*hoard)["accepted"] == 10
    send(told(5), told(3))  # back-dated by their number, with a time of now
    assert CountedWager.objects.count() == 1
    now = pools.read_pools("MYS")
    assert (str(now.prize), str(now.balances["prize-overflow"])) == ("50.50", "6.00")
    assert Incident.objects.get().kind == "jackpot-wagers-too-late"
    assert send(told(1, box=2))["accepted"] == 1  # another id, an old round: next pool
    send(told(12))
    assert CountedWager.objects.count() == 2
    decide_movements(timezone.now())
    assert set(Hit.objects.values_list("message", flat=True)) <= {"C-1-0-1", "C-12-0-1"}


def test_the_second_it_came_in_counts_not_the_one_it_names(must_hit_by: Link) -> None:
    controller = Caller(make_device("table")[1])
    early, late = told(1, ago=9, box=1), told(2, box=2)
    for message in (late | {"round": 1, "id": "a"}, early | {"round": 2, "id": "b"}):
        controller.post("jackpot/contributions", [message])
    first, second = CountedWager.objects.order_by("id")
    assert (first.message, second.message) == ("a", "b")
    assert first.received <= second.received
