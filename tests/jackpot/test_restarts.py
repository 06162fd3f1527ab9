"""A controller that restarts: what it had counted last is found, asked of two people, and never lost or doubled."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from django.db import transaction

from house.approvals import approve
from house.models import Incident
from jackpot import pools
from jackpot.meters import MetersRead, Reading, read_meters
from jackpot.models import Contribution, Link, MeterDisagreement, TableMeter
from jackpot.reconcile import reconcile
from kernel.refusal import Forbidden, Refusal
from ledger.models import Act
from tests.world.extent import seeds
from tests.world.jackpot_table import conserved, finish, start
from tests.world.meters import closed_by_two, explained
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")
START = datetime.now(UTC) - timedelta(hours=1)
IN_A_MINUTE = 7 * 5  # boxes; four rounds, and one that had begun


def at(minute: float, sequence: int, meter: int) -> Reading:
    return Reading("CSP-01", sequence, meter, START + timedelta(minutes=minute))


def send(*readings: Reading) -> MetersRead:
    return read_meters(readings=readings, by=TABLE)


def counted() -> int:
    return sum(Contribution.objects.values_list("wagers", flat=True))


def restarted() -> MeterDisagreement:
    """It stood at 1,010; a minute later it has restarted, and shows twelve."""
    send(at(0, 6, 1_000), at(1, 7, 1_010))
    answer = send(at(2, 1, 12))
    assert [(each.what, each.sequence) for each in answer.noted] == [("restart", 1)]
    return MeterDisagreement.objects.get(status="open")


def test_what_no_reading_shows_is_found_and_two_people_say_how_much_it_was() -> None:
    found = restarted()
    assert counted() == 10 + 12
    assert (found.shown, found.counted, found.unseen) == (12, 12, IN_A_MINUTE - 12)
    assert (found.since, found.restarted_at) == (at(1, 0, 0).at, at(2, 0, 0).at)
    assert Act.objects.get(kind="jackpot.meter-disagrees").data["unseen"] == 23
    assert "up to 23 wagers were made that no reading shows" in Incident.objects.get().what
    send(at(3, 2, 20))
    found.refresh_from_db()
    assert (found.status, found.unseen) == ("open", 23)  # that both sides are the same says nothing of it
    before = pools.read_pools("CSP").prize
    for wagers, code in ((24, "more-than-shown"), (0, "wagers-and-cause")):
        with pytest.raises(Refusal) as refused:
            explained(found, cause="not-counted", wagers=wagers)
        assert refused.value.code == code
    waiting = explained(found, cause="not-counted", wagers=5)
    with pytest.raises(Forbidden):
        approve(proposal_id=waiting.pk, by=SUPERVISOR)
    assert pools.read_pools("CSP").prize == before
    approve(proposal_id=waiting.pk, by=MANAGER)
    assert pools.read_pools("CSP").prize == before + dollars("8.75")
    last = Contribution.objects.get(pk__endswith=f"disagreement/{found.pk}")
    assert (last.wagers, last.at) == (5, at(2, 0, 0).at)  # by the terms of then
    conserved("CSP")
    assert reconcile(link=Link.objects.get(code="CSP")).fault == ""


def test_nought_is_an_answer_too_and_the_next_restart_is_another_one() -> None:
    closed_by_two(restarted(), 0)
    assert (MeterDisagreement.objects.get().status, counted()) == ("closed", 22)
    send(at(3, 1, 4))
    assert MeterDisagreement.objects.filter(status="open").count() == 1


def test_a_second_restart_is_not_closed_with_the_first() -> None:
    waiting = explained(restarted(), cause="restarted")
    send(at(3, 1, 0))
    assert approve(proposal_id=waiting.pk, by=MANAGER).status == "failed"
    found = MeterDisagreement.objects.get()
    assert (found.status, found.unseen) == ("open", 23 + IN_A_MINUTE)


def test_the_end_of_a_run_that_comes_after_the_restart_is_counted_once() -> None:
    found = restarted()
    late = send(at(1.5, 8, 1_014), at(1.7, 9, 1_019))
    assert (late.accepted, late.wagers, counted()) == (2, 9, 31)
    found.refresh_from_db()
    assert (found.shown, found.counted, found.unseen) == (21, 21, 14)
    again = send(at(1.5, 8, 1_014), at(1.7, 9, 1_019), at(0, 6, 1_000), at(1, 7, 1_010), at(2, 1, 12))
    assert (again.accepted, again.duplicates, again.wagers, counted()) == (0, 5, 0, 31)
    other = send(at(1.5, 8, 1_015), at(1.8, 10, 900))
    assert [each.code for each in other.conflicts] == ["reading-differs", "meter-differs"]
    assert (send(at(3, 2, 13)).wagers, counted()) == (1, 32)
    assert TableMeter.objects.get().run == 2


def test_the_end_of_a_run_that_two_people_have_closed_is_not_counted_again() -> None:
    closed_by_two(restarted(), 9)
    late = send(at(1.7, 9, 1_019))
    assert (late.accepted, late.wagers, counted()) == (1, 0, 31)
    again = MeterDisagreement.objects.get(status="open")
    assert (again.shown, again.counted, again.unseen) == (9, 0, 0)


def test_what_came_before_a_restart_and_comes_again_counts_nothing() -> None:
    """Its answer was lost: it is no part of the new run, whose meter stands lower."""
    restarted()
    again = send(at(0, 6, 1_000), at(1, 7, 1_010))
    assert (again.duplicates, again.wagers, counted()) == (2, 0, 22)


def test_a_reading_that_fills_a_gap_is_no_restart_whatever_its_clock_says() -> None:
    send(at(0, 1, 5_000), at(2, 3, 5_010))
    filled = send(at(9, 2, 5_004))
    assert (filled.accepted, filled.wagers, counted()) == (1, 0, 10)
    assert not MeterDisagreement.objects.exists()


def test_a_restart_that_keeps_its_meter_loses_nothing() -> None:
    send(at(0, 6, 1_000), at(1, 7, 1_010))
    answer = send(at(2, 1, 1_015))
    assert (answer.wagers, counted()) == (5, 15)
    assert (send(at(1.5, 8, 1_012)).wagers, counted()) == (0, 15)
    assert not MeterDisagreement.objects.exists()


def test_a_restart_beside_rounds_is_compared_with_them() -> None:
    now = datetime.now(UTC)
    send(Reading("CSP-01", 6, 1_000, now - timedelta(minutes=5)))
    finish(start("CSP-01", (1, 2, 3)), folded=(1, 2, 3))
    send(Reading("CSP-01", 1, 1, datetime.now(UTC) + timedelta(seconds=2)))
    found = MeterDisagreement.objects.get()
    assert (found.shown, found.counted, found.unseen) == (1, 3, 0)  # the round was seen
    send(Reading("CSP-01", 7, 1_002, now - timedelta(minutes=1)))
    found.refresh_from_db()
    assert (found.shown, found.counted, found.status) == (3, 3, "agrees")  # what it had counted before it restarted
    assert counted() == 0


def test_a_meter_that_can_not_have_rolled_over_is_not_believed() -> None:
    send(at(0, 1, 9_100))
    fell = send(at(1, 2, 3))
    assert ([each.code for each in fell.refused], counted()) == (["meter-fell"], 0)
    assert MeterDisagreement.objects.get().fell_meter == 3


def test_a_reading_from_before_the_baseline_takes_its_place() -> None:
    send(at(1, 7, 1_010))
    earlier = send(at(0, 6, 1_000))
    assert (earlier.accepted, earlier.wagers) == (1, 10)
    again = send(at(0, 6, 1_000), at(1, 7, 1_010), at(-1, 5, 0), at(-1, 9, 1_011))
    assert (again.duplicates, [each.code for each in again.conflicts]) == (2, ["before-baseline", "before-baseline"])
    assert counted() == 10


RUNS = (at(0, 1, 1_000), at(1, 2, 1_004), at(2, 3, 1_010), at(4, 1, 3), at(5, 2, 8))
ORDERS = [order for order in permutations(RUNS) if order[0].meter >= 1_000]


@pytest.mark.parametrize("part", seeds(12, always=1))
def test_two_runs_in_any_order_of_arrival_bring_in_the_same(part: int) -> None:
    """Every order that begins with the older run; then the controller sends again what it was not told was taken."""
    for order in ORDERS[part::12]:
        with transaction.atomic():
            for reading in order:
                send(reading)
            send(*RUNS)
            assert counted() == 10 + 8, [(each.sequence, each.meter) for each in order]
            found = MeterDisagreement.objects.get(status="open")
            assert (found.difference, found.fell_meter) == (0, None)
            assert found.unseen > 0
            transaction.set_rollback(True)
