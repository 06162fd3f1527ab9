"""Proposals as the pages show them: a sentence, people's names, and whether this person may decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from console import people, words
from house import approvals
from house.actors import Actor
from house.models import Proposal, ProposalStatus


def described(proposals: Iterable[Proposal], actor: Actor | None = None) -> list[Any]:
    rows: list[Any] = list(proposals)
    names = people.names(each for row in rows for each in (row.proposed_by, row.decided_by, row.subject))
    for row in rows:
        kind = approvals.kinds().get(row.kind)
        about = names[row.subject] if row.subject.startswith(("staff:", "device:")) else ""
        row.title = f"{kind.label if kind else row.kind}{f': {about}' if about else ''}"
        row.sentence = approvals.describe(row).rstrip(".")
        row.proposer, row.decider = names.get(row.proposed_by), names.get(row.decided_by or "")
        row.when = when(row)
        row.mark = {"effective": "good", "approved": "good", "proposed": "", "withdrawn": ""}.get(row.status, "stopped")
        row.own = actor is not None and row.proposed_by == actor.identity
        row.decidable = actor is not None and decidable(row, actor)
    return rows


def decidable(proposal: Proposal, actor: Actor) -> bool:
    """Whether to offer the decision. The verb asks again: this only spares people a refusal."""
    kind = approvals.kinds().get(proposal.kind)
    return (
        kind is not None
        and proposal.status == ProposalStatus.PROPOSED
        and actor.may(kind.permission)
        and actor.identity not in (proposal.proposed_by, kind.concerns(proposal.subject))
    )


def when(proposal: Proposal) -> str:
    if proposal.condition:
        return f"on the condition “{words.label(proposal.condition).lower()}”"
    return f"from {words.moment(proposal.effective_from)}" if proposal.effective_from else "on approval"


def may_propose(actor: Actor, kind: str) -> bool:
    return kind in approvals.kinds() and actor.may(approvals.kinds()[kind].propose_permission)
