from __future__ import annotations

from django.db.models import Q, QuerySet

from house.approvals.authority import is_inspector
from house.approvals.registry import kinds
from house.models import Letter, LetterStatus, Proposal, ProposalStatus
from house.permissions import RECORD_LETTERS
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import NotFound


def history(*, kind: str | None = None, subject: str | None = None) -> QuerySet[Proposal]:
    """Everything ever proposed, the newest first."""
    found = Proposal.objects.order_by("-id")
    if kind is not None:
        found = found.filter(kind=kind)
    if subject is not None:
        found = found.filter(subject=subject)
    return found


def proposal_numbered(number: int) -> Proposal:
    found = Proposal.objects.filter(pk=number).first()
    if found is None:
        raise NotFound("no-such-proposal", f"There is no proposal {number}.")
    return found


def waiting_for(by: Actor) -> QuerySet[Proposal]:
    """What this person may decide now: theirs to decide, and not proposed by them."""
    theirs = Q(authority=Authority.INSPECTOR)
    if not is_inspector(by):
        mine = [kind.kind for kind in kinds().values() if kind.permission and by.may(kind.permission)]
        theirs = Q(authority=Authority.HOUSE, kind__in=mine)
    waiting = Proposal.objects.filter(theirs, status=ProposalStatus.PROPOSED)
    return waiting.exclude(proposed_by=by.identity).order_by("id")


def letters_for(by: Actor) -> QuerySet[Letter]:
    """Letters that wait for this person: an inspector countersigns, a second person of the house confirms."""
    letters = Letter.objects.defer("document").select_related("proposal").order_by("id")
    if is_inspector(by):
        return letters.filter(status=LetterStatus.CONFIRMED)
    if not by.may(RECORD_LETTERS):
        return letters.none()
    waiting = letters.filter(status=LetterStatus.RECORDED)
    return waiting.exclude(recorded_by=by.identity).exclude(proposal__proposed_by=by.identity)


def letter_with_document(proposal_id: int) -> Letter:
    """The letter on record for a proposal, its document included; the last one, if all were discarded."""
    letters = Letter.objects.select_related("proposal").filter(proposal=proposal_id)
    found = letters.exclude(status=LetterStatus.DISCARDED).first() or letters.first()
    if found is None:
        raise NotFound("no-letter", f"There is no letter on record for proposal {proposal_id}.")
    return found


def describe(proposal: Proposal) -> str:
    """What would change, in a sentence. A kind whose room is gone is still shown."""
    kind = kinds().get(proposal.kind)
    return (
        kind.sentence(proposal.subject, proposal.old, proposal.new) if kind else f"{proposal.kind}: {proposal.subject}"
    )
