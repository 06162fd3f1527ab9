"""A link that has ended and is owed to somebody; a table whose meter differs from what was counted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from house.approvals import propose
from jackpot.contribute import Message, contribute_bulk
from jackpot.demo import BOOM
from jackpot.meters import Reading, read_meters
from jackpot.models import MeterDisagreement, Payout
from jackpot.open_link import open_link
from kernel.actors import system
from tests.world.approvals import decide
from tests.world.people import SUPERVISOR, TABLE


def ended_link(code: str = "OLD") -> Payout:
    """Paid out to two funds; the first of them."""
    open_link(code=code, title="An old one", link_terms=BOOM, by=system("test"))
    payees = [{"to": "Problem gambling fund", "share": 6_667}, {"to": "Consolidated revenue", "share": 3_333}]
    new = {"direction": "GCI 2026/114", "payees": payees}
    decide(propose(kind="jackpot.pay-out", subject=f"jackpot:{code}", new=new, why="It ends.", by=SUPERVISOR))
    return Payout.objects.filter(link__code=code).order_by("pk")[0]


def meter_that_differs(table: str = "CSP-04") -> MeterDisagreement:
    """Six wagers shown, two counted."""
    at = datetime.now(UTC)
    read_meters(readings=[Reading(table, 1, 5_000, at)], by=TABLE)
    contribute_bulk(messages=[Message("beside", table, 2, at + timedelta(seconds=1))], by=TABLE)
    read_meters(readings=[Reading(table, 2, 5_006, at + timedelta(seconds=2))], by=TABLE)
    return MeterDisagreement.objects.get(table__code=table)
