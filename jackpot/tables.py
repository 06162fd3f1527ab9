"""Tables on a link: joined, opened, closed, suspended. What a table pays and takes is its link's (nsw-csp:11.9)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house import incidents
from house.incident_kinds import EQUIPMENT_MALFUNCTION
from house.log import record_act
from jackpot import links, permissions, promises, steps, terms
from jackpot.acts import TableClosed, TableJoined, TableMoved, TableOpened, TableSuspended
from jackpot.models import CountedWager, Link, Round, Table, TableMeter, TableSpell, TableStatus, TableWatch
from kernel.actors import Actor
from kernel.acts import Act
from kernel.refusal import Conflict, NotFound, Refusal

BOXES_DEFAULT: Final = 7
METER_READ_WITHIN: Final = timedelta(minutes=5)  # before its table moves


@transaction.atomic
def join_table(*, code: str, link: str, by: Actor, boxes: int = BOXES_DEFAULT) -> Table:
    """Put a table on a link."""
    by.require(permissions.TABLES)
    found = links.find_link(link)
    if joins_when_won(found):
        raise Conflict(
            "only-when-won",
            f"{link} is played for: a table joins it when it is won. Propose it (jackpot.table).",
            field="link",
        )
    return put_on(found, code=code, boxes=boxes, by=by)


def joins_when_won(link: Link) -> bool:
    """Whether it is a must-hit-by link that is played for: its tables change only with its win."""
    return promises.is_must_hit_by_link(link) and CountedWager.objects.filter(link=link).exists()


def put_on(link: Link, *, code: str, boxes: int, by: Actor) -> Table:
    check_table(link, code=code, boxes=boxes)
    table, new = Table.objects.get_or_create(code=code, defaults={"link": link, "boxes": boxes})
    if not new:
        raise _exists(code)
    _spell(table)
    record_act(TableJoined(table=code, link=link.code, boxes=boxes), by=by)
    return table


def check_table(link: Link, *, code: str, boxes: int) -> None:
    terms.in_force(link)
    steps.must_be_open(link)
    if not links.CODE.fullmatch(code) or not 1 <= boxes <= 20:
        raise Refusal(
            "table-not-allowed", "A table has a code of up to 16 capitals, digits and dashes, and 1 to 20 boxes."
        )
    if Table.objects.filter(code=code).exists():
        raise _exists(code)


def _exists(code: str) -> Conflict:
    return Conflict("table-exists", f"There is a table {code} already.", field="code")


@transaction.atomic
def open_table(*, table: str, by: Actor) -> Table:
    """Open a table's jackpot again, after it was closed or its malfunction was put right."""
    by.require(permissions.TABLES)
    found = lock_table(table)
    steps.must_open(found, by)
    return set_status(found, Table.Status.OPEN, TableOpened(table=table), by)


@transaction.atomic
def close_table(*, table: str, by: Actor) -> Table:
    by.require(permissions.TABLES)
    found = lock_table(table)
    steps.must_close(found, by)
    if Round.objects.filter(table=found, status=Round.Status.OPEN).exists():
        raise Conflict("round-open", f"A round is open at {table}: finish or void it first.")
    _not_for_silence(found)
    return set_status(found, Table.Status.CLOSED, TableClosed(table=table), by)


@transaction.atomic
def move_table(*, table: str, link: str, by: Actor) -> Table:
    """Put a table on another link, at a round's end and after its running meter was read. What it played before stays
    the old link's, late messages too."""
    by.require(permissions.TABLES)
    found, new = lock_table(table), links.find_link(link)
    steps.must_move(found, by)
    old = found.link
    if old == new:
        raise Conflict("same-link", f"{table} is on {link} already.", field="link")
    terms.in_force(new)
    steps.must_be_open(new, field="link")
    for each in (old, new):
        if joins_when_won(each):
            raise Conflict(
                "only-when-won",
                f"{each} is played for: its tables change when it is won (jackpot.table).",
                field="link",
            )
    if Round.objects.filter(table=found, status=Round.Status.OPEN).exists():
        raise Conflict("round-open", f"A round is open at {table}: finish or void it first.")
    _must_be_read(found)
    _not_for_silence(found)
    found.link, found.status = new, Table.Status.OPEN
    found.save(update_fields=["link", "status"])
    _spell(found)
    record_act(TableMoved(table=table, link=new.code, from_=old.code), by=by)
    return found


def _must_be_read(table: Table) -> None:
    """Wagers that its running meter has not shown yet would count for the new link."""
    meter = TableMeter.objects.filter(table=table).first()
    if table.status == TableStatus.OPEN and meter is not None and meter.at < timezone.now() - METER_READ_WITHIN:
        last = f"{timezone.localtime(meter.at):%H:%M}"
        raise Conflict("meter-not-read", f"The meter of {table.code} was last read at {last}: read it, or close it.")


@transaction.atomic
def suspend_table(*, table: str, what: str, by: Actor, happened_at: datetime | None = None) -> Table:
    """nsw-csp:14.15: the equipment fails; an inspector is told, and play goes on without the jackpot. A round that is
    open is finished or voided by people."""
    by.require(permissions.TABLES)
    found = lock_table(table)
    steps.must_suspend(found, by)
    _not_for_silence(found)
    set_status(found, Table.Status.SUSPENDED, TableSuspended(table=table, what=what.strip()), by)
    incidents.open_incident(
        kind=EQUIPMENT_MALFUNCTION, what=what, by=by, happened_at=happened_at, subject=f"table:{found.code}"
    )
    return found


def _not_for_silence(table: Table) -> None:
    """How it stands now a person has decided: when it is heard of again it does not open for that."""
    TableWatch.objects.filter(table=table, silent_since__isnull=False).update(silent_since=None)


def hear(tables: Iterable[Table], *, at: datetime) -> None:
    """Rounds and messages are signs of life, too, of tables that are watched and not silent (``heartbeats.py``)."""
    TableWatch.objects.filter(table__in=tables, silent_since__isnull=True, heard_at__lt=at).update(heard_at=at)


def table_sign(table: Table) -> dict[str, object]:
    """What the sign at the table must show: wager, bonus, pay table (nsw-csp:11.3, 11.11)."""
    link_terms = terms.of(terms.in_force(table.link))
    return {
        "table": table.code,
        "link": table.link.code,
        "title": link_terms.rules.title,
        "wager": link_terms.parameters.wager,
        "bonus": link_terms.bonus if link_terms.rules.pays_bonus else None,
        "prizes": [
            {
                "hand": prize.hand,
                "fixed": prize.fixed or None,
                "percent": prize.percent // 100 if prize.percent and prize.percent % 100 == 0 else None,
                "share": f"{prize.percent // 100}.{prize.percent % 100:02d}" if prize.percent else None,
                "at_least": prize.at_least or None,
                "level": prize.level if prize.percent else None,
            }
            for prize in link_terms.rules.prizes
        ],
    }


def find_table(code: str) -> Table:
    return _found(Table.objects.select_related("link"), code)


def lock_table(code: str) -> Table:
    # Not its key: what refers to the table, like a batch of contributions, is written meanwhile.
    return _found(Table.objects.select_for_update(of=("self",), no_key=True).select_related("link"), code)


def _found(tables: QuerySet[Table], code: str) -> Table:
    table = tables.filter(code=code).first()
    if table is None:
        raise NotFound("no-such-table", f"There is no table {code}.")
    return table


def set_status(table: Table, status: TableStatus, act: Act, by: Actor) -> Table:
    table.status = status
    table.save(update_fields=["status"])
    _spell(table)
    record_act(act, by=by)
    return table


def _spell(table: Table, *, at: datetime | None = None) -> None:
    """From now on it stands so: late messages count by when they were played."""
    TableSpell.objects.create(table=table, link=table.link, status=table.status, since=at or timezone.now())


def close_all(link: Link, *, at: datetime) -> None:
    """The end of a link: its tables are closed, and may move to another."""
    for table in Table.objects.filter(link=link).select_related("link"):
        table.status = TableStatus.CLOSED
        table.save(update_fields=["status"])
        _spell(table, at=at)
