from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from house.approval_acts import ChangeApproved, ChangeRejected, ChangeSeconded, ChangeTakenUp, ChangeWithdrawn
from house.approvals.authority import is_inspector
from house.approvals.discard import set_aside
from house.approvals.effect import take_effect
from house.approvals.steps import letter_of, needs_second, refuse_decision, refuse_seconding, refuse_withdrawal
from house.log import record_act
from house.models import Letter, LetterStatus, Proposal, ProposalStatus
from house.persons import hold_here
from kernel.actors import SYSTEM, Actor
from kernel.refusal import NotFound
from ledger.log import refuse_overtaken


@transaction.atomic
def approve(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    """Approve somebody else's proposal, as the authority that it needs; what is to happen at once happens with it.

    The answer's status says what came of it: approved (its time is to come), effective, stale or failed. Behind what a
    command line proposed stands nobody yet: the first who approves it takes it up as his own, and another decides.
    Where its kind asks for two people and the authority, the second person of the house stands behind it by this, too.
    """
    proposal = lock(proposal_id)
    hold_here(by)
    if needs_second(proposal) and not is_inspector(by):
        return _second(proposal, by=by)
    refuse_decision(proposal, by)
    if proposal.proposed_by.startswith(SYSTEM):
        return _take_up(proposal, by=by)
    _set_letter_aside(proposal, by=by)
    approved(proposal, by=by, comment=comment)
    return put_in_force_if_due(proposal, by=by)


@transaction.atomic
def reject(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    proposal = lock(proposal_id)
    hold_here(by)
    refuse_decision(proposal, by)
    _set_letter_aside(proposal, by=by)
    _decided(proposal, ProposalStatus.REJECTED, by=by, comment=comment)
    record_act(ChangeRejected(**_about(proposal)), by=by)
    return proposal


@transaction.atomic
def withdraw(*, proposal_id: int, by: Actor, comment: str = "") -> Proposal:
    """The proposer thinks better of it, as long as nobody has decided."""
    proposal = lock(proposal_id)
    refuse_withdrawal(proposal, by)
    _set_letter_aside(proposal, by=by)
    proposal.status, proposal.comment = ProposalStatus.WITHDRAWN, comment.strip()
    proposal.save(update_fields=["status", "comment"])
    record_act(ChangeWithdrawn(**_about(proposal)), by=by)
    return proposal


def _second(proposal: Proposal, *, by: Actor) -> Proposal:
    refuse_seconding(proposal, by)
    proposal.seconded_by = by.identity
    proposal.save(update_fields=["seconded_by"])
    record_act(ChangeSeconded(proposal=proposal.pk, kind_=proposal.kind, about=proposal.subject), by=by)
    return proposal


def _take_up(proposal: Proposal, *, by: Actor) -> Proposal:
    record_act(
        ChangeTakenUp(
            proposal=proposal.pk, kind_=proposal.kind, about=proposal.subject, proposed_by=proposal.proposed_by
        ),
        by=by,
    )
    proposal.proposed_by, proposal.proposed_at = by.identity, timezone.now()
    proposal.save(update_fields=["proposed_by", "proposed_at"])
    return proposal


def approved(proposal: Proposal, *, by: Actor, comment: str, letter: Letter | None = None) -> None:
    """Mark it approved, by *letter* where one decided. The row is held, and who may was asked, by the caller."""
    proposal.by_letter = letter is not None
    _decided(proposal, ProposalStatus.APPROVED, by=by, comment=comment)
    act = ChangeApproved(
        **_about(proposal), authority=proposal.authority, letter=None if letter is None else letter.sha256
    )
    record_act(act, by=by)


def put_in_force_if_due(proposal: Proposal, *, by: Actor) -> Proposal:
    now = timezone.now()
    if not proposal.condition and (proposal.effective_from is None or proposal.effective_from <= now):
        take_effect(proposal, by=by, now=now)
    return proposal


def lock(proposal_id: int) -> Proposal:
    """The row, held until the transaction ends: of two who decide at once the second finds it decided."""
    proposal = Proposal.objects.select_for_update().filter(pk=proposal_id).first()
    if proposal is None:
        raise NotFound("no-such-proposal", f"There is no proposal {proposal_id}.")
    refuse_overtaken(f"proposal:{proposal_id}")
    return proposal


def _decided(proposal: Proposal, status: ProposalStatus, *, by: Actor, comment: str) -> None:
    proposal.status, proposal.comment = status, comment.strip()
    proposal.decided_by, proposal.decided_at = by.identity, timezone.now()
    proposal.save(update_fields=["status", "comment", "decided_by", "decided_at", "by_letter"])


def _set_letter_aside(proposal: Proposal, *, by: Actor) -> None:
    """A letter that nobody has confirmed decides nothing once the proposal is decided or withdrawn."""
    letter = letter_of(proposal)
    if letter is not None and letter.status == LetterStatus.RECORDED:
        set_aside(letter, comment="The proposal was decided without it.", by=by)


def _about(proposal: Proposal) -> dict[str, Any]:
    return {
        "proposal": proposal.pk,
        "kind_": proposal.kind,
        "about": proposal.subject,
        "comment": proposal.comment,
    }
