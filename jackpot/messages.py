"""What of a controller's messages can be counted, and for which link: by where the table stood when they were played.

A message counts by the time at which it was played: for the link and the terms of then, also when it comes hours later
or after the link was retired. What was played while the table's jackpot was closed or suspended, or in a round that the
table sent as such, is not counted; each message is answered for itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from house import incidents
from house.models import Incident, IncidentStatus
from jackpot import links, steps
from jackpot.controllers import Message
from jackpot.incident_kinds import MESSAGES_DIFFER
from jackpot.models import Contribution, Link, Round, Table, TableSpell, TableStatus
from kernel.actors import Actor
from kernel.refusal import Conflict, NotFound, Refusal

CLOCK_AHEAD_LIMIT: Final = timedelta(minutes=5)  # how far a controller's clock may be in front of ours
LATE_LIMIT: Final = timedelta(days=7)  # what is older is no late message: a person looks into it


@dataclass(frozen=True, slots=True)
class Answered:
    """A message that was not counted, and why."""

    place: int
    """In the call, from 0."""
    id: str
    table: str
    code: str
    detail: str


@dataclass(slots=True)
class Sifted:
    messages: list[Message] = field(default_factory=list)
    """To be counted, each id once."""
    tables: dict[str, Table] = field(default_factory=dict)
    plain: dict[str, int] = field(default_factory=dict)
    """By table: the link for which its messages were played, where nothing is to be said about any in the call;"""
    links: dict[str, int] = field(default_factory=dict)
    """otherwise by the message's id."""
    repeated: int = 0
    """The same message twice in one call."""
    refused: list[Answered] = field(default_factory=list)
    conflicts: list[Answered] = field(default_factory=list)
    """Another message has this id; or the play came in another way."""
    places: dict[str, int] = field(default_factory=dict)

    def link_of(self, message: Message) -> int:
        return self.links.get(message.id) or self.plain[message.table]

    @property
    def played_for(self) -> set[int]:
        return {*self.links.values(), *self.plain.values()}

    def conflict(self, message: Message, code: str, detail: str, place: int | None = None) -> None:
        position = self.places[message.id] if place is None else place
        self.conflicts.append(Answered(position, message.id, message.table, code, detail))


class _Places:
    """Where a table stood, from when on."""

    def __init__(self, table: Table, spells: Sequence[TableSpell]) -> None:
        self.table, self.spells = table, spells
        self.since = [spell.since for spell in spells]
        self.rounds: list[tuple[datetime, datetime | None]] = []

    def at(self, moment: datetime) -> TableSpell:
        """Before it was put on a link there was only the first."""
        return self.spells[max(0, bisect_right(self.since, moment) - 1)]

    def plain(self, since: datetime, until: datetime, retired: Mapping[int, datetime]) -> int:
        """Its link, if it was open on that one all the time and had no rounds then; otherwise 0."""
        spell = self.at(since)
        stayed = spell is self.at(until) and spell.status == TableStatus.OPEN and not self.rounds
        return spell.link_id if stayed and until <= retired.get(spell.link_id, until) else 0

    def in_a_round(self, moment: datetime) -> bool:
        return any(began <= moment and (ended is None or moment <= ended) for began, ended in self.rounds)


def sift(messages: Sequence[Message], *, now: datetime, by: Actor) -> Sifted:
    codes, times = {message.table for message in messages}, [message.at for message in messages]
    own = codes if by.tables is None else codes & by.tables
    if not own:
        steps.must_be_at(messages[0].table, by)
    found = Sifted()
    tables = {table.code: table for table in Table.objects.select_related("link").filter(code__in=own)}
    latest, earliest, first_at, last_at = now + CLOCK_AHEAD_LIMIT, now - LATE_LIMIT, min(times), max(times)
    places = _places(tables, since=first_at, until=last_at)
    retired = _enter(places)
    why_not = {code: why for code in codes if (why := _why_not(code, tables.get(code), by)) is not None}
    found.tables = {code: table for code, table in tables.items() if code not in why_not}
    # Ten thousand at once: where there is nothing to be said about any of them, none is looked at by itself.
    plain = {code: link for code in found.tables if (link := places[code].plain(first_at, last_at, retired))}
    if plain.keys() >= codes and earliest <= first_at <= last_at <= latest:
        found.places = {message.id: place for place, message in enumerate(messages)}
        special = [message for message in messages if message.round is not None or message.boxes is not None]
        if len(found.places) == len(messages) and not special:
            found.messages, found.plain = list(messages), plain
            return found
    found.places = {}
    for place, message in enumerate(messages):
        if (first := found.places.setdefault(message.id, place)) != place:
            if messages[first] == message:
                found.repeated += 1
            else:
                found.conflict(message, "id-used", "Another message in this call has this id.", place)
            continue
        why = why_not.get(message.table) or _why_not_then(message, places.get(message.table), latest, earliest, retired)
        if isinstance(why, Conflict) and why.code == "played-in-a-round":
            found.conflict(message, why.code, why.detail)
        elif why is not None:
            found.refused.append(Answered(place, message.id, message.table, why.code, why.detail))
        else:
            found.messages.append(message)
            found.links[message.id] = places[message.table].at(message.at).link_id
    return found


def _enter(places: Mapping[str, _Places]) -> dict[int, datetime]:
    """Hold the door of every link that these tables played for; the answer is which of them are retired, since when."""
    keys = {spell.link_id for each in places.values() for spell in each.spells}
    links.enter(keys)
    gone = Link.objects.filter(pk__in=keys, retired_at__isnull=False).values_list("pk", "retired_at")
    return {pk: at for pk, at in gone if at is not None}


def _places(tables: Mapping[str, Table], *, since: datetime, until: datetime) -> dict[str, _Places]:
    by_pk: dict[int, list[TableSpell]] = {}
    for spell in TableSpell.objects.filter(table__in=tables.values()).order_by("since", "pk"):
        by_pk.setdefault(spell.table_id, []).append(spell)
    found = {code: _Places(table, by_pk[table.pk]) for code, table in tables.items()}
    rounds = Round.objects.filter(table__in=tables.values(), started_at__lte=until).filter(
        Q(ended_at__isnull=True) | Q(ended_at__gte=since)
    )
    for code, began, ended in rounds.values_list("table__code", "started_at", "ended_at"):
        found[code].rounds.append((began, ended))
    return found


def _why_not(code: str, table: Table | None, by: Actor) -> Refusal | None:
    try:
        steps.must_be_at(code, by)
    except Refusal as why:
        return why
    return NotFound("no-such-table", f"There is no table {code}.") if table is None else None


def _why_not_then(
    message: Message, places: _Places | None, latest: datetime, earliest: datetime, retired: Mapping[int, datetime]
) -> Refusal | None:
    assert places is not None
    at = message.at
    if at > latest:
        return Refusal("not-happened-yet", "That time is still to come.")
    if at < earliest:
        return Refusal("too-long-ago", f"It was played more than {LATE_LIMIT.days} days ago: a person looks into it.")
    return _why_not_there(message, places, retired) or _why_not_boxes(message, places.table)


def _why_not_boxes(message: Message, table: Table) -> Refusal | None:
    try:
        message.refuse_boxes(table)
    except Refusal as why:
        return why
    return None


def _why_not_there(message: Message, places: _Places, retired: Mapping[int, datetime]) -> Refusal | None:
    at = message.at
    spell = places.at(at)
    gone = retired.get(spell.link_id)
    if gone is not None and at > gone:
        return Conflict("pool-retired", f"What {message.table} played for was retired before.")
    if spell.status != TableStatus.OPEN:
        clause = "nsw-csp:14.15" if spell.status == TableStatus.SUSPENDED else None
        return Conflict("table-not-open", f"The jackpot of {message.table} was {spell.status} then.", clause=clause)
    if places.rounds and places.in_a_round(at):
        return Conflict("played-in-a-round", f"At that time {message.table} had a round, and has sent its wagers.")
    return None


def tell_apart(found: Sifted, *, new: set[int], by: Actor) -> int:
    """Of those whose ids were taken: conflicts where another message has it, and how many came again as they were.

    *new*: the batches of this call."""
    sent = {message.id: message for message in found.messages}
    taken = Contribution.objects.filter(pk__in=list(sent)).exclude(batch__in=new).select_related("batch__table")
    same, differ = 0, []
    for each in taken:
        message = sent[each.pk]
        if (each.batch.table.code, each.wagers, each.at) == (message.table, message.wagers, message.at):
            same += 1
        else:
            differ.append(message)
            was = f"{each.wagers} wagers of {each.batch.table.code} at {each.at.isoformat()}"
            found.conflict(message, "id-used", f"This id was counted with {was}.")
    for table in sorted({message.table for message in differ}):
        _report(table, [message for message in differ if message.table == table], by)
    return same


def _report(table: str, messages: Sequence[Message], by: Actor) -> None:
    """An incident once, while it is open: a controller that uses its ids twice has lost count."""
    subject = f"table:{table}"
    if not Incident.objects.filter(kind=MESSAGES_DIFFER, subject=subject, status=IncidentStatus.OPEN).exists():
        what = f"{table}: message {messages[0].id!r} came again with other content. It was not counted."
        incidents.open_incident(kind=MESSAGES_DIFFER, what=what, by=by, subject=subject)
