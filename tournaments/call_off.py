"""A tournament that is given up: one person proposes it, another decides; then every fee is owed to who paid it.

Each fee is handed over by a third (``refund.py``): neither of the two who called it off gives any of it back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from house.approvals import Approvable, Record, Shape, propose
from house.log import record_act
from house.models import Proposal, ProposalStatus
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.locks import Lock, hold
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from tournaments.acts import TournamentCalledOff
from tournaments.find import hold_running, playing
from tournaments.kinds import TournamentKind
from tournaments.models import Tournament
from tournaments.permissions import DECIDE_CALL_OFF
from web.fields import TrueOrFalse

Check = Callable[[Tournament], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledOff:
    called_off: bool


class CalledOffValue(Record):
    """Whether a tournament is called off."""

    called_off = TrueOrFalse(help_text="true: what was called off is not played after all.")
    makes = CalledOff


def calling_off(code: str, *, kind: TournamentKind, check: Check) -> Approvable[CalledOff]:
    """The change by which a room's tournaments are called off. *check* refuses where it is too late."""

    def refuse(subject: str, new: CalledOff) -> None:
        tournament = _of_subject(kind, subject)
        if not new.called_off:
            raise Refusal("not-called-off", "A tournament is called off, and never on again.", field="new")
        if tournament.finished_at is not None:
            raise Conflict("tournament-over", f"The tournament “{tournament.code}” is finished.")
        check(tournament)

    def apply(proposal: Proposal, new: CalledOff, by: Actor) -> None:
        _call_off(kind, _of_subject(kind, proposal.subject).code, proposal, by)

    return Approvable(
        kind=code,
        label="Call off a tournament",
        shape=Shape[CalledOff](CalledOffValue()),
        authority=Authority.HOUSE,
        permission=DECIDE_CALL_OFF,
        propose_permission=kind.rights.run,
        describe=lambda subject, old, new: (
            f"Tournament {_of_subject(kind, subject).code} is called off: every fee is owed back."
        ),
        current=lambda subject: CalledOff(called_off=_of_subject(kind, subject).cancelled_at is not None),
        check=refuse,
        hold=lambda subject, new: hold(Lock.TOURNAMENT, _of_subject(kind, subject).pk),
        apply=apply,
    )


@transaction.atomic
def propose_calling_off(
    change: Approvable[CalledOff], *, kind: TournamentKind, code: str, why: str, by: Actor
) -> Proposal:
    """Propose that it is given up. Nothing happens until another person decides."""
    by.require(kind.rights.run)
    hold_running(kind, code)
    if (waiting := calling_off_proposed(change, kind=kind, code=code)) is not None:
        raise Conflict("proposed-already", f"Proposal {waiting.pk} to call off “{code}” waits.")
    return propose(kind=str(change), subject=_subject(kind, code), new={"called_off": True}, why=why, by=by)


def calling_off_proposed(change: Approvable[CalledOff], *, kind: TournamentKind, code: str) -> Proposal | None:
    """What waits to be decided about it."""
    waiting = Proposal.objects.filter(kind=str(change), subject=_subject(kind, code))
    return waiting.filter(status__in=[ProposalStatus.PROPOSED, ProposalStatus.APPROVED]).first()


def _call_off(kind: TournamentKind, code: str, proposal: Proposal, by: Actor) -> None:
    tournament = hold_running(kind, code)
    tournament.cancelled_at, tournament.cancel_reason = timezone.now(), proposal.why
    tournament.cancelled_by, tournament.cancel_proposed_by = by.identity, proposal.proposed_by
    tournament.save(update_fields=["cancelled_at", "cancelled_by", "cancel_proposed_by", "cancel_reason"])
    owed = Money.total(entry.paid_in for entry in playing(tournament))
    record_act(
        TournamentCalledOff(tournament=code, of=kind.act_of, why=proposal.why, owed=owed, proposal=proposal.pk), by=by
    )


def _subject(kind: TournamentKind, code: str) -> str:
    """As the log names it."""
    return f"{kind.act_of}-tournament:{code}" if kind.act_of else f"tournament:{code}"


def _of_subject(kind: TournamentKind, subject: str) -> Tournament:
    found = Tournament.objects.filter(kind=kind.name, code=subject.rpartition(":")[2]).first()
    if found is None or subject != _subject(kind, found.code):
        written = _subject(kind, "CODE")
        raise NotFound(
            "no-such-tournament", f"Nobody has entered it. Write the subject like {written}.", field="subject"
        )
    return found
