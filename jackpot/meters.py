"""Running meters of controllers: a third way in, with one meaning. What a reading adds is counted as a message.

    [{"table": "CSP-01", "sequence": 7, "meter": 120344, "at": …}]

The first reading of a table is its baseline. Nothing is counted twice or lost: a reading comes once, a gap is covered
by the meter itself and asked for again, restarts and roll-overs are recognised (``rules/running_meter.py``), and a
meter that cannot be believed counts nothing and is an incident. Where a table's wagers came in as rounds or messages
its meter is the check of them: it counts nothing, and a difference is kept until it is explained
(``disagreements.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import transaction

from house import incidents
from house.models import Incident, IncidentStatus
from jackpot import permissions
from jackpot.contribute import Counted, Message, contribute_bulk
from jackpot.disagreements import METER_MESSAGE, Fell, compare, counted_otherwise
from jackpot.incident_kinds import METER_NOT_BELIEVED
from jackpot.messages import Answered
from jackpot.models import MeterReading, Table, TableMeter
from jackpot.rules.running_meter import Read, Step, next_reading
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

READINGS_LIMIT: Final = 1_000  # of a call


@dataclass(frozen=True, slots=True)
class Reading:
    table: str
    sequence: int
    meter: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about a table's meter that its controller is told."""

    table: str
    sequence: int
    what: str
    first: int | None = None
    """Readings that did not come: send them again, from here"""
    last: int | None = None
    """to here."""


@dataclass(slots=True)
class MetersRead:
    accepted: int = 0
    duplicates: int = 0
    wagers: int = 0
    amount: Money = ZERO
    held: list[Answered] = field(default_factory=list)
    refused: list[Answered] = field(default_factory=list)
    conflicts: list[Answered] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)


@transaction.atomic
def read_meters(*, readings: Sequence[Reading], by: Actor) -> MetersRead:
    """Take readings in the order of their sequence numbers, table by table; each is answered for itself."""
    by.require(permissions.CONTRIBUTE)
    if not 0 < len(readings) <= READINGS_LIMIT:
        raise Refusal("too-many", f"Send 1 to {READINGS_LIMIT:,} readings a call, not {len(readings):,}.")
    answer = MetersRead()
    tables = {table.code: table for table in Table.objects.filter(code__in={each.table for each in readings})}
    ordered = sorted(enumerate(readings), key=lambda each: (each[1].table, each[1].at, each[1].sequence))
    for place, reading in ordered:
        table = tables.get(reading.table)
        if table is None or (by.tables is not None and reading.table not in by.tables):
            code = "no-such-table" if table is None else "not-your-table"
            answer.refused.append(_answered(place, reading, code, f"{reading.table} is no table of yours."))
        else:
            _take(answer, place, reading, table, by)
    return answer


def _answered(place: int, reading: Reading, code: str, detail: str) -> Answered:
    return Answered(place, str(reading.sequence), reading.table, code, detail)


def _take(answer: MetersRead, place: int, reading: Reading, table: Table, by: Actor) -> None:
    meter = TableMeter.objects.select_for_update().filter(table=table).first()
    last = None if meter is None else (meter.sequence, meter.meter)
    is_later = meter is None or reading.at > meter.at
    found = next_reading(last=last, sequence=reading.sequence, meter=reading.meter, is_later=is_later)
    if found.step is Step.EARLIER:
        assert meter is not None
        _came_before(answer, place, reading, meter)
    elif found.step is Step.UNBELIEVABLE:
        detail = f"The meter of {table.code} fell from {last[1] if last else 0:,} to {reading.meter:,}."
        answer.refused.append(_answered(place, reading, "meter-fell", detail))
        _report(table, detail, by)
        assert meter is not None
        fell = Fell(reading.sequence, reading.meter)
        compare(table, since=meter.at, until=max(meter.at, reading.at), shown=0, counted=0, by=by, fell=fell)
    elif _brought_in(answer, place, reading, table, found, meter, by):
        answer.accepted += 1
        _keep(reading, table, found, meter)
        _note(answer, reading, found)


def _brought_in(  # noqa: PLR0917
    answer: MetersRead, place: int, reading: Reading, table: Table, found: Read, meter: TableMeter | None, by: Actor
) -> bool:
    """Whether the reading can be taken: what it adds is counted now, or compared with what came in otherwise."""
    if meter is None:
        return True  # a baseline
    otherwise = counted_otherwise(table, after=meter.at, upto=reading.at)
    if not otherwise and found.wagers and not _counted(answer, place, reading, table, found, meter, by):
        return False
    counted = otherwise or found.wagers
    compare(table, since=meter.at, until=reading.at, shown=found.wagers, counted=counted, by=by)
    return True


def _came_before(answer: MetersRead, place: int, reading: Reading, meter: TableMeter) -> None:
    """A reading before the last: it came already, or fills a gap whose wagers the meter has counted since."""
    known = MeterReading.objects.filter(table=meter.table, run=meter.run, sequence=reading.sequence).first()
    if known is None:
        if reading.meter > meter.meter:
            answer.conflicts.append(_answered(place, reading, "meter-differs", "A later reading shows less."))
            return
        answer.accepted += 1
        MeterReading.objects.create(
            table=meter.table,
            run=meter.run,
            sequence=reading.sequence,
            meter=reading.meter,
            at=reading.at,
            wagers=0,
        )
    elif (known.meter, known.at) == (reading.meter, reading.at):
        answer.duplicates += 1
    else:
        detail = f"Reading {reading.sequence} showed {known.meter:,} at {known.at.isoformat()}."
        answer.conflicts.append(_answered(place, reading, "reading-differs", detail))


def _counted(  # noqa: PLR0917
    answer: MetersRead, place: int, reading: Reading, table: Table, found: Read, meter: TableMeter | None, by: Actor
) -> bool:
    run = _run(found, meter)
    message = Message(f"{METER_MESSAGE}{table.code}/{run}/{reading.sequence}", table.code, found.wagers, reading.at)
    try:
        counted: Counted = contribute_bulk(messages=[message], by=by)
    except Refusal as why:
        answer.refused.append(_answered(place, reading, why.code, why.detail))
        return False
    for said, into in ((counted.refused, answer.refused), (counted.conflicts, answer.conflicts)):
        into.extend(_answered(place, reading, each.code, each.detail) for each in said)
    answer.held.extend(_answered(place, reading, "held", f"Batch {each.batch}.") for each in counted.held)
    answer.wagers += counted.wagers
    answer.amount += counted.amount
    return not counted.refused and not counted.conflicts


def _run(found: Read, meter: TableMeter | None) -> int:
    before = 1 if meter is None else meter.run
    return before + 1 if found.step is Step.RESTART else before


def _keep(reading: Reading, table: Table, found: Read, meter: TableMeter | None) -> None:
    run = _run(found, meter)
    shown = {"run": run, "sequence": reading.sequence, "meter": reading.meter, "at": reading.at}
    TableMeter.objects.update_or_create(table=table, defaults=shown)
    MeterReading.objects.create(table=table, wagers=found.wagers, **shown)


def _note(answer: MetersRead, reading: Reading, found: Read) -> None:
    if found.missing is not None:
        first, last = found.missing
        answer.noted.append(Noted(reading.table, reading.sequence, Step.GAP, first, last))
    if found.step in (Step.BASELINE, Step.RESTART, Step.ROLL_OVER):
        answer.noted.append(Noted(reading.table, reading.sequence, found.step))


def _report(table: Table, what: str, by: Actor) -> None:
    subject = f"table:{table.code}"
    if not Incident.objects.filter(kind=METER_NOT_BELIEVED, subject=subject, status=IncidentStatus.OPEN).exists():
        incidents.open_incident(kind=METER_NOT_BELIEVED, what=f"{what} Nothing was counted.", by=by, subject=subject)
