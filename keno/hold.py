"""A prize on hold, with a reason and an owner, while it is looked into (14.3): nothing on its ticket is paid, tendered
or claimed meanwhile.

The hold is on the ticket, so that what it wins in games to come is held as well. Whoever put it on does not take it
off: that takes another person, or the decision that the wager is void (``void_win.py``).
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from house import people
from house.incidents import close_decided, open_incident
from house.log import record_act
from house.models import Incident, IncidentStatus, Proposal
from house.persons import is_another
from keno.incident_kinds import PRIZE_HELD
from keno.models import PrizeHold, Ticket
from keno.pay import lock_ticket
from keno.permissions import HOLD
from keno.prize_acts import PrizeHeld, PrizeReleased
from keno.queries.tickets import held_on
from kernel.actors import Actor
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal

_CLAUSE: Final = "act-keno:14.3"


@transaction.atomic
def hold_prize(*, serial: str, why: str, by: Actor, owner: str | None = None) -> PrizeHold:
    """Put everything on the ticket on hold. *owner*: who looks into it; left out, whoever puts it on hold."""
    by.require(HOLD)
    if not why.strip():
        raise Refusal("reason-missing", "Say what is looked into: it stays on record.", clause=_CLAUSE, field="why")
    looks = by.identity if not (owner or "").strip() else _owner(owner or "")
    return put_on_hold(lock_ticket(serial), why=why.strip(), owner=looks, by=by)


def _owner(named: str) -> str:
    try:
        person = people.person_of(named)
    except NotFound as nobody:
        raise Refusal(nobody.code, nobody.detail, field="owner") from None
    if not person.is_active:
        raise Refusal("no-such-person", f"{person.name} does not work here any more.", field="owner")
    return person.identity


def put_on_hold(ticket: Ticket, *, why: str, owner: str, by: Actor) -> PrizeHold:
    """The ticket's row is locked: whoever pays waits, and then finds the hold."""
    if (waiting := held_on(ticket)) is not None:
        raise Conflict("held-already", f"Ticket {ticket.serial} is on hold: {waiting.why}", clause=_CLAUSE)
    put = PrizeHold.objects.create(ticket=ticket, why=why, owner=owner, put_by=by.identity, put_at=timezone.now())
    record_act(PrizeHeld(ticket=ticket.serial, why=why, owner=owner), by=by)
    what = f"What ticket {ticket.serial} has won is on hold. {why}"
    open_incident(kind=PRIZE_HELD, what=what, by=by, subject=f"ticket:{ticket.serial}")
    return put


@transaction.atomic
def release_hold(*, serial: str, why: str, by: Actor) -> PrizeHold:
    """Nothing was found against it: it can be paid again. Another person than who put it on hold says so."""
    by.require(HOLD)
    if not why.strip():
        raise Refusal("reason-missing", "Say what was found: it stays on record.", clause=_CLAUSE, field="why")
    ticket = lock_ticket(serial)
    put = held_on(ticket)
    if put is None:
        raise Conflict("not-held", f"Ticket {ticket.serial} is not on hold.", clause=_CLAUSE)
    if not is_another(by, HOLD, put.put_by):
        raise Forbidden("needs-second-person", "Somebody else has to end the hold: you have put it on.")
    return end_hold(put, why=why.strip(), by=by)


def end_hold(put: PrizeHold, *, why: str, by: Actor, decided: Proposal | None = None) -> PrizeHold:
    """The ticket's row is locked."""
    put.released_by, put.released_at, put.release_why, put.decided = by.identity, timezone.now(), why, decided
    put.save(update_fields=["released_by", "released_at", "release_why", "decided"])
    proposal = None if decided is None else decided.pk
    record_act(PrizeReleased(ticket=put.ticket.serial, why=why, proposal=proposal), by=by)
    subject = f"ticket:{put.ticket.serial}"
    for incident in Incident.objects.filter(kind=PRIZE_HELD.code, subject=subject, status=IncidentStatus.OPEN):
        close_decided(incident_id=incident.pk, outcome=why, by=by)  # it was about the hold, and the hold is over
    return put
