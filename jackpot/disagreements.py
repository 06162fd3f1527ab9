"""A table's running meter against what was counted: where they differ it is kept, told, and closed by two people.

A table has one open disagreement at most. Readings that follow add to it; once both sides are the same again it is
over by itself. Otherwise one person explains it and another decides (``explain_disagreement.py``). After a restart of
its controller only people can say how many wagers were made that no reading shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Sum
from django.utils import timezone

from house import incidents
from house.log import record_act
from jackpot.incident_kinds import METER_DISAGREES
from jackpot.link_acts import MeterAgrees, MeterDisagrees
from jackpot.models import Batch, Contribution, DisagreementStatus, MeterDisagreement, Table, Wager
from kernel.actors import Actor
from kernel.refusal import NotFound

METER_MESSAGE: Final = "meter/"
"""How the id of a message begins that a running meter has brought in."""


_MOVES: Final = (
    *("until", "shown", "counted", "unseen", "restarted_at"),
    *("fell_sequence", "fell_meter", "status", "closed_at"),
)
"""What changes while it is open."""


@dataclass(frozen=True, slots=True)
class Fell:
    """A reading that cannot be believed."""

    sequence: int
    meter: int


def counted_otherwise(table: Table, *, after: datetime, upto: datetime) -> int:
    """Wagers of a table that came in as rounds or messages, of those played in that time: a meter that counts them,
    too, is a check of them, and brings in nothing."""
    played = Wager.objects.filter(round__table=table, round__started_at__gt=after, round__started_at__lte=upto)
    batches = Batch.objects.filter(table=table, last__gt=after, first__lte=upto).exclude(status=Batch.Status.REJECTED)
    told = 0
    if keys := list(batches.values_list("pk", flat=True)):
        messages = Contribution.objects.filter(at__gt=after, at__lte=upto, batch__in=keys)
        told = messages.aggregate(wagers=Sum("wagers"))["wagers"] or 0
    return played.count() + told


def find_disagreement(number: int) -> MeterDisagreement:
    found = MeterDisagreement.objects.select_related("table__link").filter(pk=number).first()
    if found is None:
        raise NotFound("no-such-disagreement", f"There is no disagreement {number}.")
    return found


def compare(
    table: Table,
    *,
    since: datetime,
    until: datetime,
    shown: int,
    counted: int,
    by: Actor,
    fell: Fell | None = None,
    unseen: int = 0,
) -> None:
    """Add what a table's meter showed and what was counted over the same time; and how many wagers at most were made
    before a restart that no reading shows (below nought: so many of them are shown now)."""
    open_ = MeterDisagreement.objects.select_for_update().filter(table=table, status=DisagreementStatus.OPEN).first()
    is_new = open_ is None
    if open_ is None:
        if shown == counted and fell is None and unseen <= 0:
            return
        open_ = MeterDisagreement(table=table, since=since, until=until, shown=0, counted=0, unseen=0)
    was = open_.difference, open_.fell_meter, open_.unseen
    open_.shown, open_.counted, open_.until = open_.shown + shown, open_.counted + counted, max(open_.until, until)
    open_.fell_sequence, open_.fell_meter = (None, None) if fell is None else (fell.sequence, fell.meter)
    open_.unseen = max(0, open_.unseen + unseen)
    if unseen > 0:
        open_.restarted_at = open_.restarted_at or until
    if agrees := open_.difference == 0 and fell is None and not open_.unseen:
        open_.status, open_.closed_at = DisagreementStatus.AGREES, timezone.now()
    open_.save(update_fields=None if is_new else _MOVES)
    if agrees:
        record_act(MeterAgrees(table=table.code, disagreement=open_.pk), by=by)
    elif is_new or was != (open_.difference, open_.fell_meter, open_.unseen):
        _record(open_, by)
    if is_new and fell is None:  # that it fell has its own incident
        what = f"Disagreement {open_.pk}: {open_.words()}"
        incidents.open_incident(kind=METER_DISAGREES, what=what, by=by, subject=f"table:{table.code}")


def _record(found: MeterDisagreement, by: Actor) -> None:
    act = MeterDisagrees(
        table=found.table.code,
        disagreement=found.pk,
        shown=found.shown,
        counted=found.counted,
        fell_to=found.fell_meter,
        unseen=found.unseen or None,
    )
    record_act(act, by=by)
