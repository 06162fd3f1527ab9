"""A table that has been heard of and is then silent: its jackpot is suspended, and opens again when the books agree."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.models import Incident
from jackpot.contribute import Message, contribute_bulk
from jackpot.heartbeats import SILENT_AFTER, heartbeat, watch_tables
from jackpot.models import LinkDay, Table, TableWatch
from jackpot.tables import close_table, open_table, suspend_table
from jackpot.tick import due
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden
from ledger.models import Act
from ledger.post import Booking, post
from tests.world.jackpot_table import start
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE

pytestmark = pytest.mark.usefixtures("floor")
LATER = SILENT_AFTER + timedelta(seconds=1)


def status(table: str = "CSP-01") -> str:
    return Table.objects.get(code=table).status


def test_a_table_that_never_sent_one_is_not_watched() -> None:
    assert watch_tables(timezone.now() + timedelta(days=1)) == 0
    assert status() == "open"
    with pytest.raises(Forbidden):
        heartbeat(table="CSP-01", by=MANAGER)
    assert not TableWatch.objects.exists()


@pytest.mark.clause("nsw-csp:14.15")
def test_silence_suspends_the_jackpot_and_alarms() -> None:
    heartbeat(table="CSP-01", by=TABLE)
    now = timezone.now()
    assert due(now) == TableWatch.objects.get().heard_at + SILENT_AFTER  # in a quiet house it is not found out later
    assert watch_tables(now + SILENT_AFTER / 2) == 0
    assert watch_tables(now + LATER) == 1
    assert due(now) is None
    assert watch_tables(now + 2 * LATER) == 0  # told once
    assert status() == "suspended"
    assert Act.objects.get(kind="jackpot.table-suspended").data["what"].startswith("Link down")
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("jackpot-controller-silent", "table:CSP-01")
    with pytest.raises(Conflict):
        start("CSP-01")
    start("CSP-02")  # the others play on


def booked(debit: str, credit: str, kind: str) -> None:
    """Five dollars that no round and no message brought."""
    by = Actor("staff:mallory", "Mallory")
    five = Booking(debit=debit, credit=credit, amount=dollars("5.00"), kind=kind, reference="a-stray")
    post(booking=five, by=by, day=gaming_day_at(timezone.now()).date)


def test_heard_of_again_it_opens_once_the_books_agree() -> None:
    """Somebody has taken five dollars out of the pool while the table was away."""
    heartbeat(table="CSP-01", by=TABLE)
    watch_tables(timezone.now() + LATER)
    booked("jackpot:CSP:prize", "jackpot:CSP:drop", "jackpot.contribution")
    for _ in range(2):
        assert heartbeat(table="CSP-01", by=TABLE).status == "suspended"
        assert (TableWatch.objects.get().silent_since is None, status()) == (False, "suspended")
    assert LinkDay.objects.get(link__code="CSP").fault == "contributions: -5.00 booked, 0.00 by the rounds"
    told = Incident.objects.get(kind="jackpot-out-of-balance")
    assert (told.subject, "-5.00 booked" in told.what) == ("jackpot:CSP", True)
    with pytest.raises(Conflict):
        start("CSP-01")
    late = contribute_bulk(messages=[Message("m-1", "CSP-01", 3, timezone.now())], by=TABLE)
    assert [each.code for each in late.refused] == ["table-not-open"]
    booked("jackpot:CSP:drop", "jackpot:CSP:prize", "jackpot.contribution.reversal")
    assert heartbeat(table="CSP-01", by=TABLE).status == "open"
    assert TableWatch.objects.get().silent_since is None
    start("CSP-01")


def test_the_books_of_another_link_keep_nobody_waiting() -> None:
    heartbeat(table="CSP-01", by=TABLE)
    watch_tables(timezone.now() + LATER)
    booked("jackpot:BOOM:prize", "jackpot:BOOM:drop", "jackpot.contribution")
    assert heartbeat(table="CSP-01", by=TABLE).status == "open"


@pytest.mark.clause("nsw-csp:14.15")
def test_what_a_person_has_suspended_does_not_open_by_itself() -> None:
    """The equipment failed, was switched off to be mended, and is heard of again: a supervisor opens it."""
    heartbeat(table="CSP-01", by=TABLE)
    suspend_table(table="CSP-01", what="The meter stays dark.", by=SUPERVISOR)
    assert watch_tables(timezone.now() + LATER) == 0
    assert due(timezone.now()) is None
    assert heartbeat(table="CSP-01", by=TABLE).status == "suspended"
    assert [each.kind for each in Incident.objects.all()] == ["equipment-malfunction"]
    open_table(table="CSP-01", by=SUPERVISOR)
    assert watch_tables(timezone.now() + LATER) == 1  # and it is watched as before


@pytest.mark.parametrize("also", [close_table, suspend_table])
def test_a_person_who_acts_on_a_silent_table_decides_how_it_stands(also: Callable[..., object]) -> None:
    heartbeat(table="CSP-01", by=TABLE)
    watch_tables(timezone.now() + LATER)
    open_table(table="CSP-01", by=SUPERVISOR)  # without its controller: it is not watched until it is heard of
    assert watch_tables(timezone.now() + 2 * LATER) == 0
    start("CSP-02")
    also(table="CSP-01", by=SUPERVISOR, **({"what": "Dark."} if also is suspend_table else {}))
    stands = status()
    assert heartbeat(table="CSP-01", by=TABLE).status == stands != "open"


def test_a_table_that_opens_in_the_morning_without_its_controller_is_found_out() -> None:
    heartbeat(table="CSP-01", by=TABLE)
    close_table(table="CSP-01", by=SUPERVISOR)
    TableWatch.objects.update(heard_at=timezone.now() - timedelta(hours=6))
    assert watch_tables(timezone.now()) == 0  # there is nothing to suspend
    open_table(table="CSP-01", by=SUPERVISOR)
    assert watch_tables(timezone.now()) == 1
    assert status() == "suspended"
    assert heartbeat(table="CSP-01", by=TABLE).status == "open"


def test_rounds_are_signs_of_life_and_what_people_closed_stays_closed() -> None:
    heartbeat(table="CSP-01", by=TABLE)
    TableWatch.objects.update(heard_at=timezone.now() - LATER)
    start("CSP-01", (1,))
    assert watch_tables(timezone.now()) == 0
    heartbeat(table="CSP-02", by=TABLE)
    close_table(table="CSP-02", by=SUPERVISOR)
    watch_tables(timezone.now() + LATER)
    heartbeat(table="CSP-02", by=TABLE)
    assert status("CSP-02") == "closed"
