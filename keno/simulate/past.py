"""A past for the demo venue, before anybody comes in: gaming days that are over, the last of them with a busy end.

What the demo promises stays as it is promised. The past ends before the gaming day of today: its figures are those of
the people who use it. No ticket plays on, no bonus runs on, nothing waits for anybody, no link of a table has moved, no
terminal is left that nobody switches on.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone

from house.log import record_act
from house.models import GamingDay
from house.seed import DEFAULT_TIME_ZONE, UNNAMED
from house.venue import venue
from keno.acts import DemoPastBegun, DemoPastMade
from keno.models import Game
from keno.simulate.run import Simulation, record_ends
from keno.simulate.staff import leave
from kernel.actors import system
from kernel.refusal import Refusal
from ledger.models import Act
from ledger.progress import progress

SEED: Final = 1
QUIET_INTERVAL: Final = timedelta(hours=3)
BUSY_INTERVAL: Final = timedelta(minutes=3)  # the demo's own pace
BUSY_FOR: Final = timedelta(hours=1)
DAYS_LIMIT: Final = 30
_SUBJECT: Final = "demo"
_BUILDER: Final = system("demo")


def give_past(*, days: int) -> bool:
    """So many gaming days before today, once. Killed half-way it goes on where it was; a venue with a present of its
    own gets none. Whether there was something to do."""
    if not settings.DEMO:
        raise Refusal("demo-off", "The demo setting is off (METERHOUSE_DEMO): there is no demo to build.")
    begun = Act.objects.filter(subject=_SUBJECT, kind=DemoPastBegun.kind).order_by("id").first()
    if Act.objects.filter(subject=_SUBJECT, kind=DemoPastMade.kind).exists():
        return False
    if begun is None:
        if not days or venue().code != UNNAMED or GamingDay.objects.exists() or Game.objects.exists():
            return False
        ends = _opening_of_today()
        record_act(DemoPastBegun(days=days, ends=ends), by=_BUILDER)
    else:
        said = DemoPastBegun.read(begun.data)
        days, ends = said.days, said.ends
    busy = ends - BUSY_FOR
    _stretch(
        ends - timedelta(days=days), busy, every=QUIET_INTERVAL, volume=10, label="The demo’s earlier days, in minutes"
    )
    _stretch(busy, ends, every=BUSY_INTERVAL, volume=6, label="Their last, busy hour, in minutes")
    leave()
    record_act(DemoPastMade(days=days, ends=ends), by=_BUILDER)
    return True


def _stretch(begins: datetime, ends: datetime, *, every: timedelta, volume: int, label: str) -> None:
    begins = max(begins, record_ends() or begins)
    if begins >= ends:
        return
    simulation = Simulation(seed=SEED, volume=volume, begins=begins, ends=ends, every=every, is_past=True)
    with progress(label, int((ends - begins).total_seconds() // 60)) as tell:
        simulation.run(tell)


def _opening_of_today() -> datetime:
    """The demo's hours: round the clock from its opening time, whatever the hours of the venue to be made are."""
    zone = ZoneInfo(DEFAULT_TIME_ZONE)
    now = timezone.now().astimezone(zone)
    opening = datetime.combine(now.date(), settings.DEMO_OPENS, tzinfo=zone)
    if opening > now:
        opening = datetime.combine(now.date() - timedelta(days=1), settings.DEMO_OPENS, tzinfo=zone)
    return opening.astimezone(UTC)
