"""A table's running meter against what was counted: where they differ it is kept, told, and closed by two people.

A table has one open disagreement at most. Readings that follow add to it; once both sides are the same again it is
over by itself. Otherwise one person explains it and another decides (``explain_disagreement.py``).
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
    table: Table, *, since: datetime, until: datetime, shown: int, counted: int, by: Actor, fell: Fell | None = None
) -> None:
    """Add what a table's meter showed and what was counted over the same time."""
    open_ = MeterDisagreement.objects.select_for_update().filter(table=table, status=DisagreementStatus.OPEN).first()
    if open_ is None:
        if shown != counted or fell is not None:
            _open(table, since=since, until=until, shown=shown, counted=counted, by=by, fell=fell)
        return
    was = open_.difference, open_.fell_meter
    open_.shown, open_.counted, open_.until = open_.shown + shown, open_.counted + counted, max(open_.until, until)
    open_.fell_sequence, open_.fell_meter = (None, None) if fell is None else (fell.sequence, fell.meter)
    if agrees := open_.difference == 0 and fell is None:
        open_.status, open_.closed_at = DisagreementStatus.AGREES, timezone.now()
    open_.save(update_fields=["shown", "counted", "until", "fell_sequence", "fell_meter", "status", "closed_at"])
    if agrees:
        record_act(MeterAgrees(table=table.code, disagreement=open_.pk), by=by)
    elif was != (open_.difference, open_.fell_meter):
        _record(open_, by)


def _open(
    table: Table, *, since: datetime, until: datetime, shown: int, counted: int, by: Actor, fell: Fell | None
) -> None:
    opened = MeterDisagreement.objects.create(
        table=table,
        since=since,
        until=until,
        shown=shown,
        counted=counted,
        fell_sequence=None if fell is None else fell.sequence,
        fell_meter=None if fell is None else fell.meter,
    )
    _record(opened, by)
    if fell is None:  # that it fell has its own incident
        what = f"Disagreement {opened.pk}: {opened.words()}"
        incidents.open_incident(kind=METER_DISAGREES, what=what, by=by, subject=f"table:{table.code}")


def _record(found: MeterDisagreement, by: Actor) -> None:
    act = MeterDisagrees(
        table=found.table.code,
        disagreement=found.pk,
        shown=found.shown,
        counted=found.counted,
        fell_to=found.fell_meter,
    )
    record_act(act, by=by)
