"""Which wagers of a table controller count on a must-hit-by link, and which go to its next pool.

A wager counts if its message names round and boxes and comes within ten seconds of its time, and the table's rounds
follow each other. Without round and boxes it cannot win, and that is all. Late, or after a gap, it cannot win either,
and an incident says so: a controller that keeps wagers back must not choose when they count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from django.utils import timezone

from house import incidents
from house.log import record_act
from house.models import Incident, IncidentStatus
from jackpot import promises, terms
from jackpot.acts import WagersTooLate
from jackpot.incident_kinds import WAGERS_TOO_LATE
from jackpot.models import Contribution, ControllerRound, Table, Terms
from jackpot.rules.must_hit_by import LATE_SECONDS
from kernel.actors import Actor
from kernel.refusal import Refusal

_LATE: Final = timedelta(seconds=LATE_SECONDS)


class Why(StrEnum):
    """Why wagers go to the next pool."""

    NAMELESS = "no round and boxes were named"
    LATE = "they came more than ten seconds from their time"
    GAP = "a round before them is missing, or they come after a later one"
    UNPROMISED = "what decides the day was not public yet"


class Message(NamedTuple):
    id: str
    table: str
    wagers: int
    at: datetime
    round: int | None = None
    """The controller's own number of the round at this table, one after the other."""
    boxes: tuple[int, ...] | None = None

    def refuse_boxes(self, table: Table) -> None:
        """What cannot be true of its boxes."""
        if (self.round is None) != (self.boxes is None):
            raise Refusal("boxes-missing", "A message names its round and its boxes, or neither.")
        if self.boxes is None:
            return
        if len(set(self.boxes)) != self.wagers or len(self.boxes) != self.wagers:
            raise Refusal("boxes-differ", "There is one wager on each of the boxes, and no more.")
        if not all(1 <= box <= table.boxes for box in self.boxes):
            raise Refusal("no-such-box", f"{table.code} has boxes 1 to {table.boxes}.")


def is_must_hit_by(versions: Sequence[Terms]) -> bool:
    """By every version of its terms: what decides a win on a link never changes."""
    return promises.is_must_hit_by(terms.of(versions[0]))


def why_not(messages: Sequence[Message], tables: Mapping[str, Table], *, now: datetime) -> dict[str, Why]:
    """By id: why the message of a table on a must-hit-by link cannot win. Those that may are not in it.

    Holds what its tables' rounds have come to until the transaction ends: two calls of one table come in turn.
    """
    links = {tables[message.table].link for message in messages}
    promised = {link.pk for link in links if promises.public_promise(link, now) is not None}
    found = {
        message.id: why
        for message in messages
        if (why := _by_itself(message, now, promised=tables[message.table].link_id in promised))
    }
    by_table: dict[str, list[Message]] = {}
    for message in messages:
        if message.round is not None:
            by_table.setdefault(message.table, []).append(message)
    for code in sorted(by_table, key=lambda each: tables[each].pk):
        found |= _out_of_order(by_table[code], tables[code], found)
    return found


def _by_itself(message: Message, now: datetime, *, promised: bool) -> Why | None:
    if message.round is None:
        return Why.NAMELESS
    if abs(now - message.at) > _LATE:
        return Why.LATE
    return None if promised else Why.UNPROMISED


def _out_of_order(messages: Sequence[Message], table: Table, known: Mapping[str, Why]) -> dict[str, Why]:
    last, _ = ControllerRound.objects.select_for_update().get_or_create(table=table, defaults={"number": 0})
    counted = set(Contribution.objects.filter(pk__in=[each.id for each in messages]).values_list("pk", flat=True))
    number, found = last.number, {}
    for message in sorted(messages, key=lambda each: each.round or 0):
        if message.id in counted:
            continue  # a duplicate: it was looked at when it came first
        assert message.round is not None
        if number and message.round != number + 1 and message.id not in known:
            found[message.id] = Why.GAP
        number = max(number, message.round)
    if number != last.number:
        last.number = number
        last.save(update_fields=["number"])
    return found


def tell(table: Table, why: Why, *, wagers: int, by: Actor) -> None:
    """On record each time; an incident once, while it is open."""
    if why is Why.NAMELESS:
        return
    record_act(WagersTooLate(code=table.link.code, table=table.code, wagers=wagers, why=str(why)), by=by)
    subject = f"table:{table.code}"
    known = Incident.objects.filter(kind=WAGERS_TOO_LATE, subject=subject, status=IncidentStatus.OPEN)
    if not known.exists():
        incidents.open_incident(
            kind=WAGERS_TOO_LATE,
            what=f"{table.code}: {wagers} wagers went to the next pool of {table.link.code}, because {why}.",
            by=by,
            subject=subject,
            happened_at=timezone.now(),
        )
