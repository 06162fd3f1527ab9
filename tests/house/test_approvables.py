"""What the house itself changes through an approval: opening hours, people's roles, roles' permissions."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.db import connection

from house.approvables import OPENING_HOURS, ROLE_PERMISSIONS, STAFF_ROLES, WEEKDAYS
from house.approvals import approve, describe, propose
from house.gaming_days import open_gaming_day
from house.models import GamingDay, Grant, OpeningHours, Proposal, Staff
from house.permissions import PROPOSE
from house.plan_days import ensure_gaming_days
from house.staff import deactivate, roles_of
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, Malformed, NotFound, Refusal
from tests.house.conftest import NOW, Clock, Log, MakeActor, MakePerson
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db


def hours(**days: object) -> dict[str, object]:
    return {key: ["10:00", "04:00"] for key in WEEKDAYS} | days


def test_new_opening_hours_change_the_days_that_have_not_begun(actor: MakeActor, clock: Clock) -> None:
    ensure_gaming_days()
    today = GamingDay.objects.get(date=date(2026, 11, 16))
    new = {key: ["06:00", "06:00"] for key in WEEKDAYS} | {"wed": None}
    proposal = propose(kind=OPENING_HOURS, subject="venue", new=new, why="Summer", by=actor("supervisor"))
    assert describe(proposal) == (
        "New opening hours: Monday 24 hours from 06:00, Tuesday 24 hours from 06:00, Wednesday closed, "
        "Thursday 24 hours from 06:00, Friday 24 hours from 06:00, Saturday 24 hours from 06:00, "
        "Sunday 24 hours from 06:00."
    )
    assert approve(proposal_id=proposal.pk, by=actor("manager")).status == "effective"
    days = list(GamingDay.objects.filter(date__gte=today.date))
    assert (days[0].opens_at, days[0].closes_at) == (today.opens_at, today.closes_at)  # it is open, and keeps its hours
    tuesday = datetime(2026, 11, 16, 19, tzinfo=UTC)  # 06:00 in Sydney
    assert (days[1].opens_at, days[1].closes_at) == (tuesday, tuesday + timedelta(hours=24))
    assert [day.date for day in days[:4]] == [date(2026, 11, n) for n in (16, 17, 19, 20)]
    assert days[-1].date == date(2026, 11, 30)
    assert open_gaming_day(tuesday).date == date(2026, 11, 17)
    assert OpeningHours.objects.get(weekday=2).opens is None
    assert OpeningHours.objects.get(weekday=0).closes == time(6)


def test_opening_hours_from_a_stated_time(actor: MakeActor, clock: Clock) -> None:
    ensure_gaming_days()
    proposal = propose(
        kind=OPENING_HOURS,
        subject="venue",
        new=hours(tue=["12:00", "20:00"]),
        why="Works",
        by=actor("supervisor"),
        effective_from=NOW + timedelta(days=2),
    )
    assert approve(proposal_id=proposal.pk, by=actor("manager")).status == "approved"
    assert OpeningHours.objects.get(weekday=1).opens == time(10)


@pytest.mark.parametrize(
    ("new", "code", "error"),
    [
        (hours(tue=["10:00"]), "hours-not-readable", Malformed),
        (hours(tue="10:00-04:00"), "hours-not-readable", Malformed),
        (hours(tue=["10:00", "24:00"]), "time-not-readable", Malformed),
        (hours(tue=["9:00", "10:00"]), "time-not-readable", Malformed),
        (hours(tue=[10, 4]), "time-not-readable", Malformed),
        (hours(someday=None), "hours-not-readable", Malformed),
        ({"mon": None}, "hours-not-readable", Malformed),
        ([], "hours-not-readable", Malformed),
        (None, "hours-not-readable", Malformed),
        (dict.fromkeys(WEEKDAYS), "never-open", Refusal),
        (hours(tue=["10:00", "10:00"], wed=["09:59", "20:00"]), "hours-overlap", Refusal),
        (hours(sun=["12:00", "11:00"], mon=["10:00", "20:00"]), "hours-overlap", Refusal),
        (hours(), "nothing-changes", Refusal),
    ],
)
def test_impossible_opening_hours(actor: MakeActor, new: Any, code: str, error: type[Refusal]) -> None:
    refused(lambda: propose(kind=OPENING_HOURS, subject="venue", new=new, why="?", by=actor("supervisor")), code, error)
    assert not Proposal.objects.exists()


def test_opening_hours_belong_to_the_venue(actor: MakeActor) -> None:
    refused(
        lambda: propose(kind=OPENING_HOURS, subject="annexe", new=hours(tue=None), why="?", by=actor("supervisor")),
        "no-such-subject",
        NotFound,
    )


def roles(username: str, *new: str, by: Actor) -> Proposal:
    return propose(kind=STAFF_ROLES, subject=f"staff:{username}", new=sorted(new), why="Promotion", by=by)


def test_a_role_is_given_by_two_people(actor: MakeActor, person: MakePerson, log: Log) -> None:
    wim = person("wim", "writer")
    administrator, manager = actor("administrator"), actor("manager")
    proposal = roles("wim", "supervisor", "writer", by=administrator)
    assert describe(proposal) == "wim becomes supervisor, writer (was writer)."
    assert not wim.as_actor().may(PROPOSE)
    assert approve(proposal_id=proposal.pk, by=manager).status == "effective"
    assert wim.as_actor().may(PROPOSE)
    assert ("staff.roles-changed", "staff:wim", "staff:manager") in log.acts


def test_nobody_approves_their_own_promotion(actor: MakeActor) -> None:
    administrator, manager = actor("administrator"), actor("manager")
    proposal = roles("manager", "administrator", "manager", by=administrator)
    refused(lambda: approve(proposal_id=proposal.pk, by=manager), "own-affair", Forbidden)
    assert roles_of(Staff.objects.get(username="manager")) == ["manager"]


def test_role_refusals(actor: MakeActor, person: MakePerson) -> None:
    administrator = actor("administrator")
    person("wim", "writer")
    person("gone", "writer", is_active=False)
    refused(lambda: roles("wim", "dealer", by=actor("manager")), "no-permission", Forbidden)
    refused(lambda: roles("wim", "pilot", by=administrator), "no-such-role")
    refused(lambda: roles("nobody", "writer", by=administrator), "no-such-person", NotFound)
    refused(lambda: roles("gone", "dealer", by=administrator), "already-inactive", Conflict)
    refused(lambda: roles("administrator", "writer", by=administrator), "last-administrator")
    for new in ("writer", ["writer", "dealer"], ["dealer", "dealer"], [1], {"writer": 1}):
        with pytest.raises(Malformed):
            propose(kind=STAFF_ROLES, subject="staff:wim", new=new, why="?", by=administrator)
    assert not Proposal.objects.exists()


def test_the_last_administrator_is_looked_for_again_when_it_takes_effect(actor: MakeActor) -> None:
    first, second, manager = actor("first", "administrator"), actor("second", "administrator"), actor("manager")
    proposal = roles("first", "writer", by=second)
    deactivate(username="second", why="Left", by=first)
    proposal = approve(proposal_id=proposal.pk, by=manager)
    assert (proposal.status, proposal.outcome) == (
        "failed",
        "This is the last administrator; make another one first.",
    )
    assert roles_of(Staff.objects.get(username="first")) == ["administrator"]


@pytest.mark.django_db(transaction=True)
def test_two_administrators_who_remove_each_other_leave_one(actor: MakeActor) -> None:
    first, second, manager = actor("first", "administrator"), actor("second", "administrator"), actor("manager")
    made = [roles("first", by=second), roles("second", by=first)]
    start = threading.Barrier(2)

    def run(pk: int) -> None:
        start.wait()
        try:
            approve(proposal_id=pk, by=manager)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(proposal.pk,)) for proposal in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(Proposal.objects.values_list("status", flat=True)) == ["effective", "failed"]
    assert Staff.objects.filter(roles="administrator", is_active=True).count() == 1


def grants(role: str) -> list[str]:
    return sorted(Grant.objects.filter(role=role).values_list("permission", flat=True))


def test_what_a_role_may_do_is_changed_by_two_people(actor: MakeActor, log: Log) -> None:
    administrator, manager = actor("administrator"), actor("manager")
    new = sorted({*grants("writer"), "devices.view"} - {"incidents.report"})
    proposal = propose(kind=ROLE_PERMISSIONS, subject="role:writer", new=new, why="Trial", by=administrator)
    assert describe(proposal) == "Writer may also devices.view and may no longer incidents.report."
    approve(proposal_id=proposal.pk, by=manager)
    assert grants("writer") == new
    index = log.kinds.index("role.permissions-changed")
    assert log.acts[index] == ("role.permissions-changed", "role:writer", "staff:manager")
    assert log.data[index] == {"granted": ["devices.view"], "revoked": ["incidents.report"]}


def test_role_permission_refusals(actor: MakeActor) -> None:
    administrator = actor("administrator")

    def wanted(subject: str, new: object, by: Actor = administrator) -> Proposal:
        return propose(kind=ROLE_PERMISSIONS, subject=subject, new=new, why="?", by=by)

    refused(lambda: wanted("role:writer", [], by=actor("manager")), "no-permission", Forbidden)
    refused(lambda: wanted("role:pilot", []), "no-such-role", NotFound)
    refused(lambda: wanted("role:writer", ["fly"]), "no-such-permission")
    refused(lambda: wanted("role:administrator", ["staff.view"]), "administrator-keeps")
    with pytest.raises(Malformed):
        wanted("role:writer", "audit.view")
    assert not Proposal.objects.exists()
