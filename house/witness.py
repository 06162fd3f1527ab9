"""The house's side of its witness: an incident when it is away, a line on every page, and how another is appointed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from house.approvals import Approvable, Record, Shape
from house.incident_kinds import LOG_DIVERGED, WITNESS_AWAY, WITNESS_STOPPED, IncidentKind
from house.incidents import open_incident
from house.models import Incident, Proposal
from kernel import locks
from kernel.actors import Actor, system
from kernel.authority import Authority
from kernel.locks import Lock
from kernel.notes import NoteError, VerifierKey
from kernel.refusal import Malformed, NotFound
from ledger import ask, witnesses
from ledger.appoint import appoint_witness, check_appointment
from ledger.models import WitnessState
from web import metrics
from web.fields import Text, WholeNumber

WATCHER: Final = system("witness-watch")
PATIENCE: Final = timedelta(seconds=10)  # a witness may start again, a cable be plugged in
Trouble = WitnessState.Trouble
_KINDS: Final[Mapping[str, IncidentKind]] = {
    Trouble.AWAY: WITNESS_AWAY,
    Trouble.REFUSES: WITNESS_AWAY,
    Trouble.STOPPED: WITNESS_STOPPED,
    Trouble.DIVERGED: LOG_DIVERGED,
}


def watch_witness(now: datetime) -> None:
    """For the tick: one incident for each time that the witness is in trouble for longer than a moment."""
    state = witnesses.state()
    for_seconds = (now - state.since).total_seconds() if state.since is not None else 0.0
    metrics.WITNESS_AWAY_SECONDS.set(max(for_seconds, 0.0))
    metrics.WITNESS_QUESTIONS.set(ask.waiting_count())
    if state.since is None:
        return
    kind = _KINDS[state.trouble]
    if kind == WITNESS_AWAY and now - state.since < PATIENCE:
        return
    subject = f"witness:{state.since:%Y-%m-%dT%H:%M:%S.%f}"
    if Incident.objects.filter(kind=kind, subject=subject).exists():
        return
    with transaction.atomic():
        locks.hold(Lock.WITNESS)  # two ticks may look at once
        if not Incident.objects.filter(kind=kind, subject=subject).exists():
            waits = f" {ask.waiting_count()} draws wait for it." if ask.waiting_count() else ""
            open_incident(kind=kind, what=f"{state.detail}{waits}", by=WATCHER, subject=subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """Which witness, and the last number of the chain of the one before."""

    key: str
    last_number: int


class WitnessValue(Record):
    """Another witness. It must be running at ``WITNESS_URL``."""

    key = Text(max_length=400, help_text="Its verifier key, as its own page shows it: name+hash+base64.")
    last_number = WholeNumber(help_text="The number of the last answer of the witness until now; 0 if it gave none.")
    makes = Appointment


def _key(new: Appointment) -> VerifierKey:
    try:
        return VerifierKey.parse(new.key)
    except NoteError as error:
        raise Malformed("key-not-readable", str(error), field="new") from None


def _current(subject: str) -> Appointment | None:
    if subject != "venue":
        raise NotFound("no-such-subject", "This belongs to the venue: the subject is “venue”.", field="subject")
    witness = witnesses.current()
    return Appointment(key=str(witnesses.cosigner(witness)), last_number=0) if witness is not None else None


def _check(subject: str, new: Appointment) -> None:
    check_appointment(key=_key(new), last_number=new.last_number)


def _apply(proposal: Proposal, new: Appointment, by: Actor) -> None:
    appoint_witness(key=_key(new), last_number=new.last_number, by=by)


def _describe(subject: str, old: Appointment | None, new: Appointment) -> str:
    return f"Another witness, {new.key.partition('+')[0]}, after answer {new.last_number} of the one before."


WITNESS = Approvable(
    kind="house.witness",
    label="Witness",
    shape=Shape[Appointment](WitnessValue(), unreadable="witness-not-readable"),
    authority=Authority.INSPECTOR,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
