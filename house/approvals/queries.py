from __future__ import annotations

from django.db.models import QuerySet

from house.actors import Actor
from house.approvals.registry import kinds
from house.models import Proposal, ProposalStatus


def history(*, kind: str | None = None, subject: str | None = None) -> QuerySet[Proposal]:
    """Everything ever proposed, the newest first."""
    found = Proposal.objects.order_by("-id")
    if kind is not None:
        found = found.filter(kind=kind)
    if subject is not None:
        found = found.filter(subject=subject)
    return found


def waiting_for(by: Actor) -> QuerySet[Proposal]:
    """What this person may decide now: theirs to decide, and not proposed by them."""
    theirs = [kind.kind for kind in kinds().values() if by.may(kind.permission)]
    return (
        Proposal.objects.filter(status=ProposalStatus.PROPOSED, kind__in=theirs)
        .exclude(proposed_by=by.identity)
        .order_by("id")
    )


def describe(proposal: Proposal) -> str:
    """What would change, in a sentence. A kind whose room is gone is still shown."""
    kind = kinds().get(proposal.kind)
    return (
        kind.describe(proposal.subject, proposal.old, proposal.new) if kind else f"{proposal.kind}: {proposal.subject}"
    )
