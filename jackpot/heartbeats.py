"""Tables that are heard of: one that has sent a heartbeat and is then silent has its jackpot suspended.

The pit is alarmed by an incident, boards show the table's jackpot as down. When it is heard of again, its link's books
are checked first; if they agree its jackpot opens by itself. What a person has closed or suspended stays so until a
person opens it; then it is watched again, however long ago it was heard of.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils import timezone

from house import incidents
from jackpot import permissions, steps
from jackpot.acts import TableOpened, TableSuspended
from jackpot.incident_kinds import CONTROLLER_SILENT
from jackpot.link_acts import LINK_DOWN
from jackpot.models import Table, TableStatus, TableWatch
from jackpot.reconcile import reconcile
from jackpot.tables import lock_table, set_status
from kernel.actors import Actor, system

SILENT_AFTER: Final = timedelta(seconds=30)
BY: Final[Actor] = system("heartbeats")


@transaction.atomic
def heartbeat(*, table: str, by: Actor) -> Table:
    """A table says that it is there. Its first one begins the watch over it."""
    by.require(permissions.CONTRIBUTE)
    steps.must_be_at(table, by)
    found = lock_table(table)
    now = timezone.now()
    watch, _ = TableWatch.objects.select_for_update().get_or_create(table=found, defaults={"heard_at": now})
    back = watch.silent_since is not None
    if back and not reconcile(link=found.link, now=now).fault:
        watch.silent_since = None
        if found.status == TableStatus.SUSPENDED:
            set_status(found, Table.Status.OPEN, TableOpened(table=found.code), BY)
    watch.heard_at = now
    watch.save(update_fields=["heard_at", "silent_since"])
    return found


def watch_tables(now: datetime) -> int:
    """Suspend the jackpot of every table that has been silent for too long; the answer is how many."""
    late = _watched().filter(heard_at__lt=now - SILENT_AFTER)
    return sum(_is_silent(code, now) for code in late.order_by("table__code").values_list("table__code", flat=True))


def _watched() -> QuerySet[TableWatch]:
    """Where no jackpot wager is taken there is nothing to suspend."""
    return TableWatch.objects.filter(silent_since__isnull=True, table__status=TableStatus.OPEN)


def next_silence() -> datetime | None:
    """When the table that was heard of longest ago will have been silent for too long, if it stays so."""
    heard = _watched().aggregate(first=Min("heard_at"))["first"]
    return heard + SILENT_AFTER if heard is not None else None


@transaction.atomic
def _is_silent(code: str, now: datetime) -> bool:
    table = lock_table(code)
    watch = TableWatch.objects.select_for_update().get(table=table)
    if watch.silent_since is not None or watch.heard_at >= now - SILENT_AFTER or table.status != TableStatus.OPEN:
        return False
    watch.silent_since = watch.heard_at
    watch.save(update_fields=["silent_since"])
    what = f"{LINK_DOWN}: nothing was heard of {code} since {timezone.localtime(watch.heard_at):%H:%M:%S}."
    set_status(table, Table.Status.SUSPENDED, TableSuspended(table=code, what=what), BY)
    incidents.open_incident(kind=CONTROLLER_SILENT, what=what, by=BY, subject=f"table:{code}")
    return True
