"""Files for the authority. They hold personal data: who takes one out has a right of its own, and the log says so.

The log keeps which reports, and the hash of the file: nobody's name, and of suspicious matters not even that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import date, tzinfo
from typing import Any, Final, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house.cash.acts import ConfidentialRecordKept, ReportsDownloaded
from house.cash.identity import PARTS, Identity
from house.cash.queries import OPEN_MATTER, kind_of, matter_numbered, matters_seen_by, report_numbered, reports_seen_by
from house.log import record_act
from house.models import CashLine, SuspiciousMatter, ThresholdReport, Venue
from house.permissions import MATTERS, REPORT_FILES
from house.venue import venue, zone
from kernel.actors import Actor, system
from kernel.refusal import Conflict
from web import csv
from web.files import FileAnswer

CSV: Final = csv.CSV
JSON: Final = "application/json"
FORMATS: Final = ("csv", "json")
TYPES: Final = (CSV, JSON)
_SYSTEM: Final = system("cash")
REPORTS_LIMIT: Final = 1_000

Filed = TypeVar("Filed", ThresholdReport, SuspiciousMatter)
Row = dict[str, Any]


@transaction.atomic
def reports_file(*, by: Actor, format: str, report_id: int | None = None, day: date | None = None) -> FileAnswer:
    """One threshold report, or all that are due, as the authority takes them."""
    by.require(REPORT_FILES)
    if report_id is not None:
        reports = [report_numbered(report_id, by)]
    else:
        reports = _at_most(reports_seen_by(by, state="due", day=day, now=timezone.now()).order_by("pk"))
    here, clock = venue(), zone()
    told = [_report(report, here, clock) for report in reports]
    content = _written(told, format, part="payments")
    act = ReportsDownloaded(
        reports=[report.pk for report in reports], format=format, sha256=hashlib.sha256(content).hexdigest()
    )
    record_act(act, by=by)
    name = f"threshold-report-{report_id}" if report_id is not None else f"threshold-reports-{timezone.localdate()}"
    return _file(content, format, name)


@transaction.atomic
def matters_file(*, by: Actor, format: str, matter_id: int | None = None) -> FileAnswer:
    """One suspicious matter, or all that are open."""
    by.require(MATTERS)
    by.require(REPORT_FILES)
    if matter_id is not None:
        matters = [matter_numbered(matter_id, by)]
    else:
        matters = _at_most(matters_seen_by(by).filter(OPEN_MATTER).order_by("pk"))
    here, clock = venue(), zone()
    content = _written([_matter(matter, here, clock) for matter in matters], format, part="payments")
    for matter in matters:
        act = ConfidentialRecordKept(record=matter.pk, sha256=hashlib.sha256(content).hexdigest())
        record_act(act, by=_SYSTEM)
    name = f"confidential-{matter_id}" if matter_id is not None else f"confidential-{timezone.localdate()}"
    return _file(content, format, name)


def _at_most(rows: QuerySet[Filed]) -> list[Filed]:
    found = list(rows[: REPORTS_LIMIT + 1])
    if not found:
        raise Conflict("nothing-due", "No report is due: there is nothing to send.")
    if len(found) > REPORTS_LIMIT:
        raise Conflict("too-many", f"More than {REPORTS_LIMIT} are due: take them a gaming day at a time.")
    return found


def _report(report: ThresholdReport, here: Venue, clock: tzinfo) -> Row:
    return {
        "report": report.pk,
        "kind": "threshold",
        "venue": here.code,
        "venue_name": here.name,
        "direction": report.way,
        "cash": str(report.cash),
        "gaming_day": report.day.isoformat(),
        "due_at": report.due_at.astimezone(clock).isoformat(),
        "customer": _who(report.receiver),
        "payments": [_line(line, clock) for line in report.lines.order_by("pk")] or [_line(report, clock)],
    }


def _matter(matter: SuspiciousMatter, here: Venue, clock: tzinfo) -> Row:
    line = matter.line
    shown = Identity.read(line.identity) if line is not None and line.identity is not None else Identity()
    return {
        "report": matter.pk,
        "kind": "suspicious",
        "venue": here.code,
        "venue_name": here.name,
        "terrorism": matter.terrorism,
        "what": matter.what,
        "reference": matter.reference,
        "raised_at": matter.raised_at.astimezone(clock).isoformat(),
        "due_at": matter.due_at.astimezone(clock).isoformat(),
        "player": "" if matter.player is None else matter.player.number,
        "player_name": "" if matter.player is None else matter.player.name,
        "staff": ", ".join(matter.concerns),
        "customer": _who(shown),
        "payments": [] if line is None else [_line(line, clock)],
    }


def _who(identity: Identity) -> dict[str, str]:
    return identity.as_json()


def _line(line: CashLine | ThresholdReport, clock: tzinfo) -> Row:
    at, by = (line.at, line.by) if isinstance(line, CashLine) else (line.made_at, line.made_by)
    return {
        "at": at.astimezone(clock).isoformat(),
        "what": kind_of(line).label,
        "reference": line.reference,
        "cash": str(line.cash),
        "paid_by": by,
    }


def _written(told: Sequence[Row], format: str, *, part: str) -> bytes:
    if format == "json":
        return json.dumps({"reports": told}, indent=2, ensure_ascii=False).encode()
    return "".join(csv.lines(_rows(told, part))).encode()


def _rows(told: Sequence[Row], part: str) -> Iterable[list[str]]:
    """A line a payment, what belongs to its report before it."""
    own = [name for name in told[0] if name not in ("customer", part)]
    paid = ["at", "what", "reference", "cash", "paid_by"]
    yield [*own, *PARTS, *(f"payment_{name}" for name in paid)]
    for row in told:
        first = [csv.guarded(str(each)) for each in (*(row[name] for name in own), *row["customer"].values())]
        for line in row[part] or [dict.fromkeys(paid, "")]:
            yield [*first, *(csv.guarded(str(line[name])) for name in paid)]


def _file(content: bytes, format: str, name: str) -> FileAnswer:
    return FileAnswer(JSON if format == "json" else CSV, content, f"{name}.{format}")
