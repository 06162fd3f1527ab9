"""Proposals as the pages show them: a sentence, people's names, and whether this person may decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from house import approvals, people
from house.models import Proposal, ProposalStatus
from kernel.actors import Actor
from kernel.authority import Authority
from web import words


def described(proposals: Iterable[Proposal], actor: Actor | None = None) -> list[Any]:
    rows: list[Any] = list(proposals)
    names = people.names(
        each for row in rows for each in (row.proposed_by, row.seconded_by, row.decided_by, row.subject)
    )
    for row in rows:
        kind = approvals.kinds().get(row.kind)
        about = names[row.subject] if row.subject.startswith(("staff:", "device:")) else ""
        row.title = f"{kind.label if kind else row.kind}{f': {about}' if about else ''}"
        row.sentence = approvals.describe(row).rstrip(".")
        row.proposer, row.decider = names.get(row.proposed_by), names.get(row.decided_by or "")
        row.seconder = names.get(row.seconded_by or "")
        row.when = when(row)
        row.asks = Authority(row.authority).words
        row.waits = waits_for(row)
        row.standing = approvals.standing_of(row) if row.by_letter else None
        row.mark = {"effective": "good", "approved": "good", "proposed": "", "withdrawn": ""}.get(row.status, "stopped")
        row.steps = frozenset() if actor is None else approvals.proposal_steps(row, actor)
    return rows


_WAITS: Final = {
    Authority.HOUSE: "a second person",
    Authority.INSPECTOR: "an inspector",
    Authority.COMMISSION: "a letter of the commission",
}


def waits_for(proposal: Proposal) -> str:
    then = _WAITS[Authority(proposal.authority)]
    return f"a second person, then {then}" if approvals.needs_second(proposal) else then


def proposed(proposal: Proposal) -> str:
    """What is said once something is proposed."""
    return f"Proposed. Needs {waits_for(proposal)}."


def came_of(proposal: Proposal) -> str:
    """What came of a decision."""
    taken_up = f"Seconded. Needs {waits_for(proposal)}." if proposal.seconded_by else None
    said = {
        ProposalStatus.PROPOSED: taken_up or "You have taken it up. Needs another person to decide.",
        ProposalStatus.EFFECTIVE: "Approved, and in effect.",
        ProposalStatus.APPROVED: "Approved. It takes effect at its time.",
        ProposalStatus.REJECTED: "Rejected. Nothing changes.",
        ProposalStatus.WITHDRAWN: "Withdrawn.",
    }
    return said.get(ProposalStatus(proposal.status), f"Approved, but {proposal.status}: {proposal.outcome}")


def named(rows: Iterable[Any], *fields: str) -> list[Any]:
    """The rows with the names of those who did something: ``recorded_by_name`` beside ``recorded_by``."""
    found = list(rows)
    names = people.names(getattr(row, field) for row in found for field in fields)
    for row in found:
        for field in fields:
            setattr(row, f"{field}_name", names.get(getattr(row, field) or "", ""))
    return found


def when(proposal: Proposal) -> str:
    if proposal.condition:
        return f"on the condition “{words.label(proposal.condition).lower()}”"
    return f"from {words.moment(proposal.effective_from)}" if proposal.effective_from else "on approval"
