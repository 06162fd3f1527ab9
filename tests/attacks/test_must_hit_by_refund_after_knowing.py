"""The round did not win, so it is invalidated and its wagers taken back: free tries at the jackpot.

Stopped by: once a round has ended its wagers have counted; void and invalidate are refused, whoever asks. A refund is
proposed by one person and decided by another, paid by the house and not by the pool, reported, and moves no meter.
Not stopped: two people who give the house's own money away; it stands in the log, in an incident and in the books.
"""

from __future__ import annotations

from django.utils import timezone

from house.models import Incident, Proposal
from jackpot import pools
from jackpot.decide import decide_movements
from jackpot.models import Link, MeterSeal, Round
from ledger.balance import balance
from ledger.models import Transfer
from tests.world.approvals import decide as approved
from tests.world.calls import Caller, make_device, problem
from tests.world.jackpot_table import conserved
from tests.world.mystery_link import played


def test_no_stake_comes_back_from_the_pool(must_hit_by: Link) -> None:
    insider = Caller(make_device("supervisor")[1])
    ended = played(boxes=5)
    decide_movements(timezone.now())
    before = Transfer.objects.count(), MeterSeal.objects.values().get(), pools.read_pools("MYS")
    invalid = {"cause": "fire", "why": "Nothing was won."}
    problem(insider.post(f"jackpot/rounds/{ended.pk}/invalidate", invalid), 409, "movement-stands")
    problem(insider.post(f"jackpot/rounds/{ended.pk}/void", {"why": "Nothing was won."}), 409, "round-ended")
    change = {"kind": "jackpot.refund", "subject": "jackpot:MYS", "new": {"round": ended.pk, "cause": "fire"}}
    proposed = insider.post("approvals/", change | {"why": "A brawl."})
    assert proposed.status_code == 201, proposed.json()
    number = proposed.json()["id"]
    problem(insider.post(f"approvals/{number}/approve"), 403, "own-proposal")
    assert (Transfer.objects.count(), MeterSeal.objects.values().get(), pools.read_pools("MYS")) == before
    kept = balance("jackpot:MYS:house").amount
    approved(Proposal.objects.get(pk=number))
    assert (MeterSeal.objects.values().get(), pools.read_pools("MYS")) == before[1:]
    assert str(kept - balance("jackpot:MYS:house").amount) == "5.00"
    assert (Round.objects.get().status, Incident.objects.get().kind) == ("invalidated", "jackpot-refund-after-counting")
    conserved("MYS")
