"""An evening at the demo venue, for the screenshots and the journeys: made only with the house's verbs."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from house import approvals, callers, devices, incidents, staff
from house.approvables import OPENING_HOURS, STAFF_ROLES
from house.device_changes import NEW_DEVICE
from house.models import Device
from ledger.seal import seal_now
from tests.world.demo import demo_actor

WEEK = {day: ["10:00", "04:00"] for day in ("mon", "tue", "wed", "thu", "sun")} | {
    "fri": ["10:00", "06:00"],
    "sat": ["10:00", "06:00"],
}
MACHINES = (
    ("Keno counter, left", "writer-terminal", "Main hall", 0),
    ("Keno counter, right", "writer-terminal", "Main hall", 0),
    ("Keno lounge", "writer-terminal", "Lounge", 17),
    ("Caribbean Stud 1", "table-controller", "Pit 2, table 1", 0),
    ("Caribbean Stud 2", "table-controller", "Pit 2, table 2", 0),
    ("Boomerang 1", "table-controller", "Pit 3, table 1", 44),
    ("Keno board, hall", "display", "North wall", 0),
    ("Jackpot board", "display", "Pit 2, above the rail", 0),
)


def evening() -> None:
    now = timezone.now()
    for name, kind, place, silent in MACHINES:
        made = devices.register_device(name=name, kind=kind, place=place, by=demo_actor("manager"))
        _seen(made, now - dt.timedelta(minutes=silent))
    for username, name, role in (("priya.nair", "Priya Nair", "writer"), ("tom.hale", "Tom Hale", "dealer")):
        staff.hire(username=username, name=name, roles=[role], by=demo_actor("administrator"))
    _incidents(now)
    _proposals()
    seal_now()


def _incidents(now: dt.datetime) -> None:
    supervisor = demo_actor("supervisor")
    late = incidents.report_incident(
        kind="equipment-malfunction",
        what="The card reader at Caribbean Stud 2 stopped accepting wagers in the middle of a round. "
        "The round was finished by hand and the table was closed for twenty minutes.",
        subject="T-0002",
        happened_at=now - dt.timedelta(hours=3, minutes=12),
        by=supervisor,
    )
    incidents.report_incident(
        kind="promotion-compromised-2025",
        what="Two entry barrels of the Spring Draw were left unlocked during the change of shift.",
        subject="Spring Draw",
        happened_at=now - dt.timedelta(hours=30),
        by=demo_actor("manager"),
    )
    settled = incidents.report_incident(
        kind="payment-error",
        what="A $5.00 wager was paid at the rate of a $10.00 one. The difference was recovered at once.",
        subject="CSP-01",
        happened_at=now - dt.timedelta(days=1, hours=2),
        by=demo_actor("writer"),
    )
    incidents.close_incident(incident_id=settled.pk, outcome="Recovered in full; dealer reminded.", by=supervisor)
    incidents.record_notice(
        incident_id=late.pk, to="inspector", how="telephone", reached=False, notes="No answer, twice.", by=supervisor
    )


def _proposals() -> None:
    administrator, manager = demo_actor("administrator"), demo_actor("manager")
    approvals.propose(
        kind=NEW_DEVICE,
        subject="staff:supervisor",
        new={"profile": "supervisor", "name": "Night audit", "place": ""},
        why="The night audit reads the shifts by itself.",
        by=manager,
    )
    approvals.propose(
        kind=OPENING_HOURS,
        subject="venue",
        new=WEEK,
        why="Winter hours as agreed with the regulator: closed from four, later on Friday and Saturday.",
        by=demo_actor("supervisor"),
    )
    approvals.propose(
        kind=STAFF_ROLES,
        subject="staff:priya.nair",
        new=["supervisor", "writer"],
        why="Priya has passed the supervisor’s course and covers Sunita’s leave from Monday.",
        by=administrator,
    )
    changed = approvals.propose(
        kind=STAFF_ROLES,
        subject="staff:tom.hale",
        new=["dealer", "writer"],
        why="Tom sells Keno on quiet nights.",
        by=administrator,
    )
    approvals.approve(proposal_id=changed.pk, comment="Agreed for the quiet nights.", by=manager)


def _seen(device: Device, at: dt.datetime) -> None:
    callers._noted.pop(device.pk, None)
    callers.note_seen(device.pk, at=at)
