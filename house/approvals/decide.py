from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.approvals.effect import take_effect
from house.approvals.registry import find
from house.models import Proposal, ProposalStatus
from house.refusal import Conflict, Forbidden, NotFound


@transaction.atomic
def approve(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    """Approve somebody else's proposal; what is to happen at once happens in this transaction.

    The answer's status says what came of it: approved (its time is to come), effective, stale or failed.
    """
    proposal = _decide(proposal_id=proposal_id, by=by, comment=comment, status=ProposalStatus.APPROVED)
    now = timezone.now()
    if not proposal.condition and (proposal.effective_from is None or proposal.effective_from <= now):
        take_effect(proposal, by=by, now=now)
    return proposal


@transaction.atomic
def reject(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    return _decide(proposal_id=proposal_id, by=by, comment=comment, status=ProposalStatus.REJECTED)


@transaction.atomic
def withdraw(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    """The proposer thinks better of it, as long as nobody has decided."""
    proposal = _lock(proposal_id)
    if proposal.proposed_by != by.identity:
        raise Forbidden("not-your-proposal", "Only who proposed it can withdraw it; reject it instead.")
    _refuse_decided(proposal)
    proposal.status, proposal.comment = ProposalStatus.WITHDRAWN, comment.strip()
    proposal.save(update_fields=["status", "comment"])
    _record(proposal, by=by)
    return proposal


def _decide(*, proposal_id: int, by: Actor, comment: str, status: ProposalStatus) -> Proposal:
    proposal = _lock(proposal_id)
    change = find(proposal.kind)
    by.require(change.permission)
    if proposal.proposed_by == by.identity:
        raise Forbidden("own-proposal", "Another person has to decide: nobody approves or rejects their own proposal.")
    if change.concerns(proposal.subject) == by.identity:
        raise Forbidden("own-affair", "Another person has to decide: this is about yourself.")
    _refuse_decided(proposal)
    proposal.status, proposal.comment = status, comment.strip()
    proposal.decided_by, proposal.decided_at = by.identity, timezone.now()
    proposal.save(update_fields=["status", "comment", "decided_by", "decided_at"])
    _record(proposal, by=by)
    return proposal


def _lock(proposal_id: int) -> Proposal:
    """The row, held until the transaction ends: of two who decide at once the second finds it decided."""
    proposal = Proposal.objects.select_for_update().filter(pk=proposal_id).first()
    if proposal is None:
        raise NotFound("no-such-proposal", f"There is no proposal {proposal_id}.")
    return proposal


def _refuse_decided(proposal: Proposal) -> None:
    if proposal.status != ProposalStatus.PROPOSED:
        raise Conflict("already-decided", f"Proposal {proposal.pk} is {proposal.status} already.")


def _record(proposal: Proposal, *, by: Actor) -> None:
    acts.record(
        kind=f"approval.{proposal.status}",
        subject=f"proposal:{proposal.pk}",
        by=by,
        data={"kind": proposal.kind, "about": proposal.subject, "comment": proposal.comment},
    )
