"""Contributions in bulk, from controllers that only count. Each id is counted once, ever, in whatever order they come.

Nothing here locks a pool: the ids are claimed by their primary key (``claim_messages.py``), and the money of all new
ones of a table is one set of transfers. On a must-hit-by link those that name round and boxes count and may win; the
others go to its next pool (``controllers.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from house.persons import is_another
from jackpot import controllers, movements, pace, permissions, pools, terms
from jackpot.acts import BatchAct, ContributionsHeld, ContributionsRejected, ContributionsReleased
from jackpot.adjust import sweep
from jackpot.claim import CONTRIBUTION
from jackpot.claim_messages import Group, claim
from jackpot.controllers import Message, Why
from jackpot.disagreements import METER_MESSAGE, compare
from jackpot.messages import Answered, Sifted, sift, tell_apart
from jackpot.models import Batch, Contribution, Table, TableSpell, Terms
from jackpot.rules.must_hit_by import into_next_pool
from jackpot.rules.pool import WAGERS, contribute
from jackpot.tables import hear
from kernel.actors import Actor
from kernel.acts import moment_text
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.post import Booking, post_many

__all__ = ["Counted", "HeldMessage", "Message", "contribute_bulk", "count_by_two", "decide_held"]

MESSAGES_LIMIT: Final = 10_000  # messages a call
WAGERS_LIMIT: Final = 1_000_000  # of one message
ID_CHARACTERS_LIMIT: Final = 64  # characters of an id


@dataclass(frozen=True, slots=True)
class HeldMessage:
    id: str
    table: str
    wagers: int
    batch: int
    """Which a supervisor releases or rejects."""


@dataclass(frozen=True, slots=True)
class Counted:
    counted: int
    """Messages counted now."""
    duplicates: int
    """Messages whose id had been counted before, or stands twice in this call."""
    wagers: int
    amount: Money
    held: list[HeldMessage] = field(default_factory=list)
    """Messages that bring in unreasonably much: a supervisor must look at them."""
    refused: list[Answered] = field(default_factory=list)
    """Messages that cannot be counted, each in its own place: they do not stop the others."""
    conflicts: list[Answered] = field(default_factory=list)
    """Messages whose id was used for another, or whose play came in as a round."""


@transaction.atomic
def contribute_bulk(*, messages: Sequence[Message], by: Actor) -> Counted:
    """Count messages of table controllers. What cannot be read refuses the call; what was seen is nothing."""
    by.require(permissions.CONTRIBUTE)
    now = timezone.now()
    _check(messages)
    found = sift(messages, now=now, by=by)
    tables = found.tables
    hear(tables.values(), at=now)
    versions = _versions(found)
    groups = _grouped(found, versions, now)
    counted = claim(groups) if groups else {}
    by_pk = {table.pk: table for table in tables.values()}
    version_by_pk = {version.pk: version for each in versions.values() for version in each}
    day = gaming_day_at(now).date
    batches = [
        Batch(
            pk=claimed.batch,
            table=by_pk[table_pk],
            terms=version_by_pk[version_pk],
            day=day,
            at=now,
            contributions=claimed.messages,
            wagers=claimed.wagers,
            first=claimed.first,
            last=claimed.last,
            received_by=by.identity,
            status=Batch.Status.HELD if alone else Batch.Status.COUNTED,
            next_pool=why is not None,
        )
        for (table_pk, version_pk, alone, why), claimed in counted.items()
    ]
    _hold_what_cannot_be_played(batches, at=now, by=by)
    Batch.objects.bulk_create(batches)
    good = [batch for batch in batches if batch.status == Batch.Status.COUNTED]
    post_many(bookings=[booking for batch in good for booking in bookings_of(batch)], by=by, day=day, at=now)
    for batch in batches:
        if batch.status == Batch.Status.HELD:
            _record(ContributionsHeld, batch, by)
    held_groups = {counted[key].batch: group for key, group in groups.items() if key in counted}
    _count_on_must_hit_by(good, held_groups, now)
    for (table_pk, _, _, why), claimed in counted.items():
        if why is not None:
            controllers.tell(by_pk[table_pk], why, wagers=claimed.wagers, by=by)
    some_came_again = sum(batch.contributions for batch in batches) < len(found.messages)
    again = tell_apart(found, new={batch.pk for batch in batches}, by=by) if some_came_again else 0
    return Counted(
        counted=sum(batch.contributions for batch in good),
        duplicates=found.repeated + again,
        wagers=sum(batch.wagers for batch in good),
        amount=Money.total(terms.of(batch.terms).parameters.wager * batch.wagers for batch in good),
        held=[
            each
            for batch in batches
            if batch.status == Batch.Status.HELD
            for each in _held_messages(batch, held_groups[batch.pk])
        ],
        refused=found.refused,
        conflicts=found.conflicts,
    )


def _count_on_must_hit_by(batches: Sequence[Batch], groups: Mapping[int, Sequence[Message]], now: datetime) -> None:
    for batch in batches:
        boxes = {message.id: message.boxes for message in groups[batch.pk] if message.boxes is not None}
        if boxes and not batch.next_pool and controllers.is_must_hit_by([batch.terms]):
            new = Contribution.objects.filter(batch=batch).order_by("pk").values_list("pk", flat=True)
            movements.count_messages(batch, [(name, boxes[name] or ()) for name in new], at=now)


def _hold_what_cannot_be_played(batches: Sequence[Batch], *, at: datetime, by: Actor) -> None:
    """What is too much for one message is held already; so is what all of them bring in beyond what can be played."""
    for batch in sorted(batches, key=lambda each: each.table_id):
        if batch.status == Batch.Status.HELD:
            pace.note(batch.table, f"{batch.wagers:,} wagers came in with one message. They are held.", by=by)
        elif not pace.keeps(batch.table, terms.of(batch.terms).parameters, wagers=batch.wagers, at=at, by=by):
            batch.status = Batch.Status.HELD
            batch.next_pool = controllers.is_must_hit_by([batch.terms])  # released, they come too late to win
            what = f"{batch.wagers:,} wagers came in, more than its boxes can play in a day. They are held."
            pace.note(batch.table, what, by=by)


def _held_messages(batch: Batch, group: Sequence[Message]) -> list[HeldMessage]:
    taken: set[str] = set()
    if batch.contributions < len(group):
        others = Contribution.objects.filter(pk__in=[message.id for message in group]).exclude(batch=batch)
        taken.update(others.values_list("pk", flat=True))
    new = sorted(message for message in group if message.id not in taken)
    return [HeldMessage(message.id, batch.table.code, message.wagers, batch.pk) for message in new]


@transaction.atomic
def decide_held(*, batch_id: int, release: bool, by: Actor) -> Batch:
    """A person has looked at what seemed unreasonable: count it after all, or reject it for good."""
    by.require(permissions.HELD)
    batch = (
        Batch.objects.select_for_update(of=("self",))
        .select_related("table__link", "terms__link__retired_into")
        .filter(pk=batch_id)
        .first()
    )
    if batch is None:
        raise NotFound("no-such-batch", f"There is no batch of contributions {batch_id}.")
    if batch.status != Batch.Status.HELD:
        raise Conflict("batch-decided", f"Batch {batch_id} is {batch.status}.")
    if not is_another(by, permissions.HELD, batch.received_by):
        raise Forbidden("same-person", "Another person has to decide than who sent it.")
    moment = timezone.now()
    batch.day = gaming_day_at(moment).date
    batch.status = Batch.Status.RELEASED if release else Batch.Status.REJECTED
    batch.decided_by = by.identity
    batch.save(update_fields=["day", "status", "decided_by"])
    _record(ContributionsReleased if release else ContributionsRejected, batch, by)
    if release:
        post_many(bookings=bookings_of(batch), by=by, day=batch.day, at=moment)
    else:
        _compare_with_meter(batch, by=by)
    return batch


def _compare_with_meter(rejected: Batch, *, by: Actor) -> None:
    """What a running meter showed and a person has rejected is a difference between the meter and what was counted."""
    first, last = rejected.first or rejected.at, rejected.last or rejected.at
    messages = Contribution.objects.filter(at__gte=first, at__lte=last, batch=rejected, pk__startswith=METER_MESSAGE)
    if shown := messages.aggregate(wagers=Sum("wagers"))["wagers"]:
        compare(rejected.table, since=first, until=last, shown=shown, counted=0, by=by)


def count_by_two(table: Table, *, disagreement: int, wagers: int, at: datetime, by: Actor, day: date) -> None:
    """Wagers that nobody had counted, as two people have found (``explain_disagreement.py``): by the link and the
    terms of their time. On a must-hit-by link they come too late to win."""
    spells = TableSpell.objects.filter(table=table).order_by("since", "pk")
    spell = spells.filter(since__lte=at).last() or spells.first()
    assert spell is not None
    versions = Terms.objects.filter(link=spell.link_id).select_related("link__retired_into").order_by("-version")
    version = version_at(list(versions), at)
    batch = Batch.objects.create(
        table=table,
        terms=version,
        day=day,
        contributions=1,
        wagers=wagers,
        first=at,
        last=at,
        received_by=by.identity,
        next_pool=controllers.is_must_hit_by([version]),
    )
    name = f"{METER_MESSAGE}{table.code}/disagreement/{disagreement}"
    Contribution.objects.create(id=name, batch=batch, wagers=wagers, at=at)
    post_many(bookings=bookings_of(batch, explains=disagreement), by=by, day=day, at=timezone.now())


def _check(messages: Sequence[Message]) -> None:
    if not 0 < len(messages) <= MESSAGES_LIMIT:
        raise Refusal("too-many", f"Send 1 to {MESSAGES_LIMIT:,} contributions a call, not {len(messages):,}.")
    for i, message in enumerate(messages):
        if not 0 < len(message.id) <= ID_CHARACTERS_LIMIT or "\x00" in message.id:
            raise Refusal("id-not-allowed", f"An id has 1 to {ID_CHARACTERS_LIMIT} characters.", field=f"[{i}].id")
        if not 0 < message.wagers <= WAGERS_LIMIT:
            raise Refusal(
                "wagers-not-allowed", f"A message counts 1 to {WAGERS_LIMIT:,} wagers.", field=f"[{i}].wagers"
            )


def _versions(found: Sifted) -> dict[int, list[Terms]]:
    """Every version of the terms of the links that were played for, the newest first."""
    versions: dict[int, list[Terms]] = {}
    played_for = Terms.objects.filter(link__in=found.played_for).select_related("link__retired_into")
    for version in played_for.order_by("-version"):
        versions.setdefault(version.link_id, []).append(version)
    return versions


def version_at(versions: Sequence[Terms], at: datetime) -> Terms:
    return next((version for version in versions if version.effective_at <= at), versions[-1])


def _grouped(found: Sifted, versions: Mapping[int, Sequence[Terms]], now: datetime) -> dict[Group, list[Message]]:
    """By table and version of the terms; an unreasonable one by itself; on a must-hit-by link those that may win apart
    from those that may not."""
    tables, link_of = found.tables, found.link_of
    must_hit_by = {pk for pk, each in versions.items() if controllers.is_must_hit_by(each)}
    cannot_win = controllers.why_not(
        [message for message in found.messages if must_hit_by and link_of(message) in must_hit_by], tables, now=now
    )
    reasonable = {version.pk: _most_wagers(version) for each in versions.values() for version in each}
    by_table: dict[str, list[Message]] = {}
    for message in found.messages:
        by_table.setdefault(message.table, []).append(message)
    groups: dict[Group, list[Message]] = {}
    for code, messages in by_table.items():
        if (link := found.plain.get(code)) and link not in must_hit_by:
            newest = versions[link][0]
            since, most = min([each.at for each in messages]), max([each.wagers for each in messages])
            if newest.effective_at <= since and most <= reasonable[newest.pk]:  # as nearly always, all of them at once
                groups[tables[code].pk, newest.pk, "", None] = messages
                continue
        for message in messages:
            version = version_at(versions[link_of(message)], message.at)
            alone = message.id if message.wagers > reasonable[version.pk] else ""
            why = cannot_win.get(message.id)
            if version.link_id in must_hit_by and (alone or version.link.retired_at is not None):
                why = why or Why.LATE  # released, it comes too late; so it does after the end of its link
            groups.setdefault((tables[code].pk, version.pk, alone, why), []).append(message)
    return groups


def _most_wagers(version: Terms) -> int:
    """The most that one message may bring in before somebody looks at it."""
    parameters = terms.of(version).parameters
    limit = parameters.contribution_limit
    return WAGERS_LIMIT if limit is None else limit.micros // parameters.wager.micros


def bookings_of(batch: Batch, **more: object) -> list[Booking]:
    """Into the purses of the link it was played for; if that was retired meanwhile, on to where its money went.
    *more*: what else its memo says."""
    link = batch.terms.link
    code = link.code
    # The limit is asked of each message, not of what many of them add up to.
    parameters = replace(terms.of(batch.terms).parameters, contribution_limit=None)
    moves = contribute(parameters, wagers=batch.wagers)
    moves = into_next_pool(moves, levels=link.levels) if batch.next_pool else moves
    into = pools.bookings_for(
        link=code,
        movements=moves,
        kind=CONTRIBUTION,
        reference=f"batch/{batch.pk}",
        outside={WAGERS: pools.account(code, pools.DROP)},
        memo={
            "table": batch.table.code,
            "wagers": batch.wagers,
            "messages": batch.contributions,
            "terms": batch.terms.version,
            "first": moment_text(batch.first or batch.at),
            "last": moment_text(batch.last or batch.at),
            **({"next_pool": True} if batch.next_pool else {}),
            **more,
        },
    )
    return into if link.retired_into is None else [*into, *sweep(link, moves, reference=f"batch/{batch.pk}")]


def _record(act: type[BatchAct], batch: Batch, by: Actor) -> None:
    written = act(link=batch.terms.link.code, batch=batch.pk, table=batch.table.code, wagers=batch.wagers)
    record_act(written, by=by)
