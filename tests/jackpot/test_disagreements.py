"""A table's meter against what was counted: found, kept, told, and closed by two people."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from house.approvals import approve
from house.models import Incident, Proposal
from jackpot import pools
from jackpot.contribute import Message, contribute_bulk, decide_held
from jackpot.meters import MetersRead, Reading, read_meters
from jackpot.models import Batch, Contribution, Link, MeterDisagreement, TableMeter
from jackpot.reconcile import reconcile
from kernel.refusal import Forbidden, Refusal
from tests.world.jackpot_table import conserved, finish, start
from tests.world.meters import explained
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")
SOON = timedelta(seconds=2)


def send(sequence: int, meter: int, *, at: datetime | None = None, table: str = "CSP-01") -> MetersRead:
    return read_meters(readings=[Reading(table, sequence, meter, at or datetime.now(UTC))], by=TABLE)


def baseline(meter: int = 1_000) -> None:
    send(1, meter, at=datetime.now(UTC) - timedelta(minutes=5))


def test_a_meter_beside_rounds_checks_them_and_brings_in_nothing() -> None:
    baseline()
    finish(start("CSP-01", (1, 2, 3)), folded=(1, 2, 3))
    before = pools.read_pools("CSP")
    same = send(2, 1_003, at=datetime.now(UTC) + SOON)
    assert (same.accepted, same.wagers) == (1, 0)
    assert pools.read_pools("CSP") == before
    assert not MeterDisagreement.objects.exists()


def test_what_differs_is_kept_told_and_over_once_both_sides_are_the_same() -> None:
    baseline()
    first = start("CSP-01", (1, 2))
    read_at = datetime.now(UTC)
    send(2, 1_003, at=read_at)  # the third wager lies on the felt already, its round has not begun
    found = MeterDisagreement.objects.get()
    assert (found.shown, found.counted, found.status) == (3, 2, "open")
    assert Incident.objects.get().kind == "jackpot-meter-disagrees"
    finish(first, folded=(1, 2))
    contribute_bulk(messages=[Message("late", "CSP-01", 1, datetime.now(UTC))], by=TABLE)
    send(3, 1_003, at=datetime.now(UTC) + SOON)
    found.refresh_from_db()
    assert (found.shown, found.counted, found.status) == (3, 3, "agrees")
    assert Incident.objects.count() == 1


def test_two_people_close_it_and_what_nobody_counted_is_counted() -> None:
    baseline()
    finish(start("CSP-01", (1, 2)), folded=(1, 2))
    send(2, 1_006, at=datetime.now(UTC) + SOON)
    found = MeterDisagreement.objects.get()
    before = pools.read_pools("CSP").prize
    waiting = explained(found, cause="not-counted", wagers=4)
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=SUPERVISOR)
    assert pools.read_pools("CSP").prize == before
    approve(proposal_id=waiting.pk, by=MANAGER)
    found.refresh_from_db()
    assert (found.status, found.cause, found.wagers, found.proposal_id) == ("closed", "not-counted", 4, waiting.pk)
    assert pools.read_pools("CSP").prize == before + dollars("7.00")
    conserved("CSP")
    assert reconcile(link=Link.objects.get(code="CSP")).fault == ""
    again = send(3, 1_006, at=datetime.now(UTC) + 2 * SOON)
    assert (again.accepted, again.wagers) == (1, 0)
    assert MeterDisagreement.objects.filter(status="open").count() == 0
    with pytest.raises(DatabaseError), transaction.atomic():
        MeterDisagreement.objects.filter(pk=found.pk).update(counted=6)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"wagers": 1}, "wagers-and-cause"),
        ({"cause": "not-counted"}, "wagers-and-cause"),
        ({"cause": "not-counted", "wagers": 5}, "more-than-shown"),
        ({"cause": "mice"}, "no-such-cause"),
        ({"shown": 7}, "disagreement-moved"),
        ({"subject": "table:CSP-02"}, "not-of-this-table"),
        ({"subject": "jackpot:CSP"}, "no-such-table"),
        ({"disagreement": 10**6}, "no-such-disagreement"),
    ],
)
def test_what_cannot_be_said_of_it(changed: dict[str, Any], code: str) -> None:
    baseline()
    finish(start("CSP-01", (1, 2)), folded=(1, 2))
    send(2, 1_006, at=datetime.now(UTC) + SOON)
    with pytest.raises(Refusal) as refused:
        explained(MeterDisagreement.objects.get(), **changed)
    assert refused.value.code == code
    assert not Proposal.objects.exists()


def test_what_goes_on_after_it_was_proposed_is_not_closed_unseen() -> None:
    baseline()
    finish(start("CSP-01", (1, 2)), folded=(1, 2))
    send(2, 1_006, at=datetime.now(UTC) + SOON)
    waiting = explained(MeterDisagreement.objects.get())
    finish(start("CSP-01", (1,)), folded=(1,))
    send(3, 1_020, at=datetime.now(UTC) + 3 * SOON)
    assert approve(proposal_id=waiting.pk, by=MANAGER).status == "failed"
    assert MeterDisagreement.objects.get().status == "open"


def test_a_meter_that_fell_counts_on_from_what_two_people_say() -> None:
    baseline(5_000)
    send(2, 40)
    found = MeterDisagreement.objects.get()
    assert (found.shown, found.counted, found.fell_meter) == (0, 0, 40)
    send(3, 44)  # still not believed: the same disagreement
    found.refresh_from_db()
    assert (found.fell_meter, Contribution.objects.count()) == (44, 0)
    approve(proposal_id=explained(found, cause="not-counted", wagers=44).pk, by=MANAGER)
    assert TableMeter.objects.get().meter == 44
    after = send(4, 50, at=datetime.now(UTC) + SOON)
    assert (after.wagers, sum(Contribution.objects.values_list("wagers", flat=True))) == (6, 50)
    assert reconcile(link=Link.objects.get(code="CSP")).fault == ""


def test_a_meter_that_fell_for_one_reading_is_over_by_itself() -> None:
    baseline(5_000)
    send(2, 40)
    assert send(3, 5_002).wagers == 2
    assert MeterDisagreement.objects.get().status == "agrees"


def test_what_a_meter_showed_and_a_person_rejected_is_explained() -> None:
    baseline()
    held = send(2, 1_000 + 900_000)
    assert [each.code for each in held.held] == ["held"]
    assert not MeterDisagreement.objects.exists()
    decide_held(batch_id=Batch.objects.get().pk, release=False, by=SUPERVISOR)
    found = MeterDisagreement.objects.get()
    assert (found.shown, found.counted) == (900_000, 0)
    approve(proposal_id=explained(found, cause="rejected").pk, by=MANAGER)
    assert pools.read_pools("CSP").prize == dollars("50000.00")
