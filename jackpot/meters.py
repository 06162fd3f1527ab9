"""Running meters of controllers: a third way in, with one meaning. What a reading adds is counted as a message.

    [{"table": "CSP-01", "sequence": 7, "meter": 120344, "at": …}]

The first reading of a table is its baseline. Nothing is counted twice or lost: a reading comes once, a gap is covered
by the meter itself and asked for again, restarts and roll-overs are recognised (``rules/running_meter.py``), and a
meter that cannot be believed counts nothing and is an incident. Where a table's wagers came in as rounds or messages
its meter is the check of them: it counts nothing, and a difference is kept until it is explained
(``disagreements.py``). So is a restart: what was wagered between the last reading and it no reading shows, unless that
comes after all, late, from the run before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Min

from house import incidents
from house.models import Incident, IncidentStatus
from jackpot import pace, permissions, terms
from jackpot.contribute import Counted, Message, contribute_bulk
from jackpot.disagreements import METER_MESSAGE, Fell, compare, counted_otherwise
from jackpot.incident_kinds import METER_NOT_BELIEVED
from jackpot.messages import Answered
from jackpot.models import DisagreementStatus, MeterDisagreement, MeterReading, Table, TableMeter
from jackpot.rules.running_meter import Read, Step, follows, next_reading
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
    tables = {
        table.code: table
        for table in Table.objects.select_related("link").filter(code__in={each.table for each in readings})
    }
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
    if meter is not None and (run := _run_of(meter, reading)) < meter.run:
        if run:
            _before_a_restart(answer, place, reading, table, run, by)
        else:
            _before_the_first(answer, place, reading, table, by)
        return
    found = _means(reading, table, meter)
    if found.step is Step.EARLIER:
        assert meter is not None
        _came_before(answer, place, reading, table, meter.run)
    elif found.step is Step.UNBELIEVABLE:
        assert meter is not None
        detail = f"The meter of {table.code} fell from {meter.meter:,} to {reading.meter:,}."
        answer.refused.append(_answered(place, reading, "meter-fell", detail))
        _report(table, detail, by)
        fell = Fell(reading.sequence, reading.meter)
        compare(table, since=meter.at, until=max(meter.at, reading.at), shown=0, counted=0, by=by, fell=fell)
    elif _brought_in(answer, place, reading, table, found, meter, by):
        answer.accepted += 1
        _keep(reading, table, found, meter)
        _note(answer, reading, found)


def _means(reading: Reading, table: Table, meter: TableMeter | None) -> Read:
    if meter is None:
        return Read(Step.BASELINE)
    is_later, playable = reading.at > meter.at, None
    if reading.sequence < meter.sequence and _fills_a_gap(reading, table, meter.run):
        return Read(Step.EARLIER)  # whatever its clock says
    if reading.sequence <= meter.sequence or reading.meter < meter.meter:
        playable = _playable(table, since=meter.at, until=reading.at)
    last = meter.sequence, meter.meter
    return next_reading(last=last, sequence=reading.sequence, meter=reading.meter, is_later=is_later, playable=playable)


def _playable(table: Table, *, since: datetime, until: datetime) -> int | None:
    parameters = terms.of(terms.in_force(table.link, at=until)).parameters
    return pace.playable(table, parameters, during=until - since)


def _brought_in(  # noqa: PLR0917
    answer: MetersRead, place: int, reading: Reading, table: Table, found: Read, meter: TableMeter | None, by: Actor
) -> bool:
    """Whether the reading can be taken: what it adds is counted now, or compared with what came in otherwise."""
    if meter is None:
        return True  # a baseline
    otherwise = counted_otherwise(table, after=meter.at, upto=reading.at)
    run = _run(found, meter)
    if not otherwise and found.wagers and not _counted(answer, place, reading, table, run, found.wagers, by):
        return False
    compare(
        table,
        since=meter.at,
        until=reading.at,
        shown=found.wagers,
        counted=otherwise or found.wagers,
        unseen=0 if otherwise else found.unseen,  # rounds and messages are seen
        by=by,
    )
    return True


# Readings that come after later ones


def _neighbours(reading: Reading, table: Table, run: int) -> tuple[MeterReading | None, MeterReading | None]:
    readings = MeterReading.objects.filter(table=table, run=run)
    below = readings.filter(sequence__lt=reading.sequence).order_by("-sequence").first()
    return below, readings.filter(sequence__gt=reading.sequence).order_by("sequence").first()


def _fills_a_gap(reading: Reading, table: Table, run: int) -> bool:
    if MeterReading.objects.filter(table=table, run=run, sequence=reading.sequence).exists():
        return False
    below, above = _neighbours(reading, table, run)
    return below is not None and above is not None and follows(reading.meter, below=below.meter, above=above.meter)


def _run_of(meter: TableMeter, reading: Reading) -> int:
    """The run of the controller in which it was read, by its time; 0 before the first reading of all."""
    if reading.at >= meter.at:
        return meter.run
    readings = MeterReading.objects.filter(table=meter.table_id)
    began = readings.values_list("run").annotate(began=Min("at"))
    run = max((run for run, at in began if at <= reading.at), default=0)
    if 0 < run < meter.run:
        last = readings.filter(run=run).order_by("-sequence")[0]
        if reading.at > last.at and reading.sequence <= last.sequence:
            return run + 1  # its sequence had begun again
    return run


def _before_the_first(answer: MetersRead, place: int, reading: Reading, table: Table, by: Actor) -> None:
    """A reading from before the baseline takes its place, and what was wagered between the two is counted."""
    first = MeterReading.objects.filter(table=table, run=1).order_by("sequence")[0]
    wagers = first.meter - reading.meter
    most = _playable(table, since=reading.at, until=first.at)
    if reading.sequence >= first.sequence or wagers < 0 or (most is not None and wagers > most):
        detail = f"It was read before the first reading of {table.code}, and does not lead up to it."
        answer.conflicts.append(_answered(place, reading, "before-baseline", detail))
        return
    counts = wagers > 0 and not counted_otherwise(table, after=reading.at, upto=first.at)
    upto = Reading(reading.table, first.sequence, first.meter, first.at)
    if not counts or _counted(answer, place, upto, table, 1, wagers, by):
        answer.accepted += 1
        _keep_reading(reading, table, 1, 0)


def _before_a_restart(  # noqa: PLR0917
    answer: MetersRead, place: int, reading: Reading, table: Table, run: int, by: Actor
) -> None:
    """A reading from before the last restart: one that fills a gap or comes again, or the end of that run, late."""
    below, above = _neighbours(reading, table, run)
    known = MeterReading.objects.filter(table=table, run=run, sequence=reading.sequence).exists()
    if known or above is not None or below is None:
        _came_before(answer, place, reading, table, run)
    elif not follows(reading.meter, below=below.meter, above=None):
        detail = f"It was read before {table.code} restarted, and shows less than was read then."
        answer.conflicts.append(_answered(place, reading, "meter-differs", detail))
    elif _end_of_run(answer, place, reading, table, below, by):
        answer.accepted += 1


def _end_of_run(  # noqa: PLR0917
    answer: MetersRead, place: int, reading: Reading, table: Table, last: MeterReading, by: Actor
) -> bool:
    """What was wagered before a restart is known after all. Once two people have closed it, they are told, and no more
    is counted."""
    following = MeterReading.objects.filter(table=table, run=last.run + 1).order_by("sequence")[0]
    kept = following.meter >= last.meter  # the restart kept its meter, and has shown them
    wagers = 0 if kept else reading.meter - last.meter
    waits = MeterDisagreement.objects.filter(
        table=table, status=DisagreementStatus.OPEN, unseen__gt=0, since__lte=last.at
    ).exists()
    counts = waits and wagers > 0 and not counted_otherwise(table, after=last.at, upto=reading.at)
    if counts and not _counted(answer, place, reading, table, last.run, wagers, by):
        return False
    if wagers:
        compare(
            table,
            since=last.at,
            until=reading.at,
            shown=wagers,
            counted=wagers if counts else 0,
            unseen=-wagers if counts else 0,
            by=by,
        )
    _keep_reading(reading, table, last.run, wagers)
    return True


def _came_before(answer: MetersRead, place: int, reading: Reading, table: Table, run: int) -> None:
    """A reading before the last of its run: it came already, or fills a gap whose wagers were counted since."""
    known = MeterReading.objects.filter(table=table, run=run, sequence=reading.sequence).first()
    if known is None:
        below, above = _neighbours(reading, table, run)
        least, most = 0 if below is None else below.meter, None if above is None else above.meter
        if not follows(reading.meter, below=least, above=most):
            answer.conflicts.append(_answered(place, reading, "meter-differs", "Those beside it show otherwise."))
            return
        answer.accepted += 1
        _keep_reading(reading, table, run, 0)
    elif (known.meter, known.at) == (reading.meter, reading.at):
        answer.duplicates += 1
    else:
        detail = f"Reading {reading.sequence} showed {known.meter:,} at {known.at.isoformat()}."
        answer.conflicts.append(_answered(place, reading, "reading-differs", detail))


def _counted(  # noqa: PLR0917
    answer: MetersRead, place: int, reading: Reading, table: Table, run: int, wagers: int, by: Actor
) -> bool:
    message = Message(f"{METER_MESSAGE}{table.code}/{run}/{reading.sequence}", table.code, wagers, reading.at)
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
    _keep_reading(reading, table, run, found.wagers)


def _keep_reading(reading: Reading, table: Table, run: int, wagers: int) -> None:
    MeterReading.objects.create(
        table=table, run=run, sequence=reading.sequence, meter=reading.meter, at=reading.at, wagers=wagers
    )


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
