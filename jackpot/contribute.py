"""Contributions in bulk, from controllers that only count. Each id is counted once, ever, in whatever order they come.

Nothing here locks a pool: the ids are claimed in one statement by their primary key (a twin waits there and finds them
taken), and the money of all new ones of a table is one set of transfers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from jackpot import mystery, permissions, pools, terms
from jackpot.claim import CONTRIBUTION
from jackpot.models import Batch, Pool, Table, Terms
from jackpot.rules.pool import WAGERS, contribute
from ledger.money import ZERO, Money
from ledger.post import Booking, post_many

MOST: Final = 10_000  # messages a call
MOST_WAGERS: Final = 1_000_000  # of one message
MOST_ID: Final = 64  # characters of an id
AHEAD: Final = timedelta(minutes=5)  # how far a controller's clock may be in front of ours

Group = tuple[int, int, str]
"""A table, a version of its link's terms, and the id of a message that stands alone because it is to be held."""


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    table: str
    wagers: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Counted:
    counted: int
    """Messages counted now."""
    duplicates: int
    """Messages whose id had been counted before, or stands twice in this call."""
    held: int
    """Messages that bring in unreasonably much: a supervisor must look at them."""
    wagers: int
    amount: Money


@transaction.atomic
def contribute_bulk(*, messages: Sequence[Message], by: Actor) -> Counted:
    """Count messages of table controllers. What cannot be read refuses the call; what was seen is nothing."""
    by.require(permissions.CONTRIBUTE)
    now = timezone.now()
    _check(messages, now)
    tables, held = _tables(messages)
    versions = _versions(tables)
    counted = _claim(_grouped(messages, tables, versions))
    by_pk = {table.pk: table for table in tables.values()}
    version_by_pk = {version.pk: version for each in versions.values() for version in each}
    day = gaming_day_at(now).date
    batches = [
        Batch(
            pk=number,
            table=by_pk[table_pk],
            terms=version_by_pk[version_pk],
            day=day,
            at=now,
            contributions=found,
            wagers=wagers,
            received_by=by.identity,
            status=Batch.Status.HELD if alone else Batch.Status.COUNTED,
        )
        for (table_pk, version_pk, alone), (number, found, wagers) in counted.items()
    ]
    Batch.objects.bulk_create(batches)
    good = [batch for batch in batches if batch.status == Batch.Status.COUNTED]
    post_many(bookings=[booking for batch in good for booking in _bookings(batch)], by=by, day=day, at=now)
    for batch in batches:
        if batch.status == Batch.Status.HELD:
            _record(batch, "held", by)
    for pool in {table.pool for table in tables.values() if table.pool_id in held}:
        mystery.settle(pool, by=by)
    return Counted(
        counted=sum(batch.contributions for batch in good),
        duplicates=len(messages) - sum(batch.contributions for batch in batches),
        held=sum(batch.contributions for batch in batches) - sum(batch.contributions for batch in good),
        wagers=sum(batch.wagers for batch in good),
        amount=Money.total(terms.of(batch.terms).parameters.wager * batch.wagers for batch in good),
    )


@transaction.atomic
def decide_held(*, batch_id: int, release: bool, by: Actor) -> Batch:
    """A person has looked at what seemed unreasonable: count it after all, or reject it for good."""
    by.require(permissions.HELD)
    held = _hold_for(batch_id) if release else set()
    batch = (
        Batch.objects.select_for_update(of=("self",)).select_related("table__pool", "terms").filter(pk=batch_id).first()
    )
    if batch is None:
        raise NotFound("no-such-batch", f"There is no batch of contributions {batch_id}.")
    if batch.status != Batch.Status.HELD:
        raise Conflict("batch-decided", f"Batch {batch_id} is {batch.status}.")
    if batch.received_by == by.identity:
        raise Forbidden("same-person", "Another person has to decide than who sent it.")
    moment = timezone.now()
    batch.day = gaming_day_at(moment).date
    batch.status = Batch.Status.RELEASED if release else Batch.Status.REJECTED
    batch.decided_by = by.identity
    batch.save(update_fields=["day", "status", "decided_by"])
    if release:
        post_many(bookings=_bookings(batch), by=by, day=batch.day, at=moment)
        if held:
            mystery.settle(batch.table.pool, by=by)
    _record(batch, str(batch.status), by)
    return batch


def _check(messages: Sequence[Message], now: datetime) -> None:
    if not 0 < len(messages) <= MOST:
        raise Refusal("too-many", f"Send 1 to {MOST:,} contributions a call, not {len(messages):,}.")
    for i, message in enumerate(messages):
        if not 0 < len(message.id) <= MOST_ID or "\x00" in message.id:
            raise Refusal("id-not-allowed", f"An id has 1 to {MOST_ID} characters.", field=f"[{i}].id")
        if not 0 < message.wagers <= MOST_WAGERS:
            raise Refusal("wagers-not-allowed", f"A message counts 1 to {MOST_WAGERS:,} wagers.", field=f"[{i}].wagers")
        if message.at > now + AHEAD:
            raise Refusal("not-happened-yet", "That time is still to come.", field=f"[{i}].at")


def _hold_for(batch_id: int) -> set[int]:
    batch = Batch.objects.select_related("table__pool", "terms").filter(pk=batch_id).first()
    return mystery.hold({batch.table.pool: _increment(batch.terms) * batch.wagers}) if batch else set()


def _increment(version: Terms) -> Money:
    parameters = terms.of(version).parameters
    return Money.total(parameters.wager.basis_points(level.increment_rate) for level in parameters.levels)


def _coming(messages: Sequence[Message]) -> dict[Pool, Money]:
    """The most that these messages can bring into each pool: nobody knows yet which of them are new."""
    tables = Table.objects.select_related("pool").filter(code__in={message.table for message in messages})
    by_code = {table.code: table for table in tables}
    increments = {each: max(map(_increment, versions), default=ZERO) for each, versions in _versions(by_code).items()}
    coming = dict.fromkeys((table.pool for table in by_code.values()), ZERO)
    for message in messages:
        if table := by_code.get(message.table):
            coming[table.pool] += increments.get(table.pool_id, ZERO) * message.wagers
    return coming


def _tables(messages: Sequence[Message]) -> tuple[dict[str, Table], set[int]]:
    """The tables, through the doors of their links; and which of the links are held."""
    codes = {message.table for message in messages}
    held = mystery.hold(_coming(messages))
    tables = {table.code: table for table in Table.objects.select_related("pool").filter(code__in=codes)}
    for i, message in enumerate(messages):
        table = tables.get(message.table)
        if table is None:
            raise Refusal("no-such-table", f"There is no table {message.table}.", field=f"[{i}].table")
        if table.pool.status != Pool.Status.OPEN:
            raise Conflict("pool-retired", f"Jackpot {table.pool} is retired.", field=f"[{i}].table")
    return tables, held


def _versions(tables: Mapping[str, Table]) -> dict[int, list[Terms]]:
    """Every version of the terms of these links, the newest first."""
    found: dict[int, list[Terms]] = {}
    for version in Terms.objects.filter(pool__in={table.pool_id for table in tables.values()}).order_by("-version"):
        found.setdefault(version.pool_id, []).append(version)
    return found


def _version_at(versions: Sequence[Terms], at: datetime) -> Terms:
    return next((version for version in versions if version.effective_at <= at), versions[-1])


def _grouped(
    messages: Sequence[Message], tables: Mapping[str, Table], versions: Mapping[int, Sequence[Terms]]
) -> dict[Group, list[Message]]:
    """Each id once, the first of it: by table and version of the terms; an unreasonable one by itself."""
    reasonable = {version.pk: _most_wagers(version) for each in versions.values() for version in each}
    groups: dict[Group, list[Message]] = {}
    for message in {message.id: message for message in reversed(messages)}.values():
        table = tables[message.table]
        newest = versions[table.pool_id][0]
        version = newest if newest.effective_at <= message.at else _version_at(versions[table.pool_id], message.at)
        alone = message.id if message.wagers > reasonable[version.pk] else ""
        groups.setdefault((table.pk, version.pk, alone), []).append(message)
    return groups


def _most_wagers(version: Terms) -> int:
    """The most that one message may bring in before somebody looks at it."""
    parameters = terms.of(version).parameters
    limit = parameters.contribution_limit
    return MOST_WAGERS if limit is None else limit.micros // parameters.wager.micros


def _claim(groups: Mapping[Group, Sequence[Message]]) -> dict[Group, tuple[int, int, int]]:
    """Claim the ids that are new; for each group that had any: its batch number, messages and wagers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence('jackpot_batch', 'id')) FROM generate_series(1, %s)", [len(groups)]
        )
        numbers = dict(zip((row[0] for row in cursor.fetchall()), groups, strict=True))
        rows = [(number, message) for number, key in numbers.items() for message in groups[key]]
        cursor.execute(
            # In the order of the ids: two calls that share some wait for each other in one direction only.
            """
            WITH claimed AS (
                INSERT INTO jackpot_contribution (id, batch_id, wagers, at)
                SELECT * FROM unnest(%s::text[], %s::bigint[], %s::int[], %s::timestamptz[]) AS m(id, batch, n, at)
                ORDER BY m.id COLLATE "C"
                ON CONFLICT (id) DO NOTHING
                RETURNING batch_id, wagers
            )
            SELECT batch_id, count(*), sum(wagers)::bigint FROM claimed GROUP BY batch_id ORDER BY batch_id
            """,
            [
                _array(_quoted(message.id) for _, message in rows),
                _array(str(number) for number, _ in rows),
                _array(str(message.wagers) for _, message in rows),
                _array(message.at.isoformat() for _, message in rows),
            ],
        )
        return {numbers[number]: (number, found, total) for number, found, total in cursor.fetchall()}


def _array(items: Iterable[str]) -> str:
    """An array as PostgreSQL writes it: the driver takes ten times as long over ten thousand of them."""
    return "{" + ",".join(items) + "}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _bookings(batch: Batch) -> list[Booking]:
    code = batch.table.pool.code
    # The limit is asked of each message, not of what many of them add up to.
    parameters = replace(terms.of(batch.terms).parameters, contribution_limit=None)
    return pools.bookings_for(
        pool=code,
        movements=contribute(parameters, wagers=batch.wagers),
        kind=CONTRIBUTION,
        reference=f"batch/{batch.pk}",
        outside={WAGERS: pools.account(code, pools.DROP)},
        memo={"table": batch.table.code, "wagers": batch.wagers, "messages": batch.contributions},
    )


def _record(batch: Batch, what: str, by: Actor) -> None:
    acts.record(
        kind=f"jackpot.contributions-{what}",
        subject=batch.table.pool.subject,
        by=by,
        data={"batch": batch.pk, "table": batch.table.code, "wagers": batch.wagers},
    )
