"""Proposals decided as their authority decides, and approved values out of nowhere."""

from __future__ import annotations

from datetime import date
from typing import Any

from house.approval_acts import ValueInstalled
from house.approvals import approve
from house.approvals.letters import confirm_letter, record_letter
from house.log import record_act
from house.models import ApprovedValue, Letter, Proposal
from kernel.actors import Actor
from kernel.authority import Authority
from tests.world.people import MANAGER, someone

INSPECTOR = someone("inspector")
CLERK, NOTARY = someone("manager", "clerk"), someone("manager", "notary")
SYSTEM = Actor("system:test", "test")


def decide(proposal: Proposal, *, house: Actor = MANAGER) -> Proposal:
    """Approve it as the authority that it needs: a second person, an inspector, or a letter that two put on record."""
    match Authority(proposal.authority):
        case Authority.HOUSE:
            return approve(proposal_id=proposal.pk, by=house)
        case Authority.INSPECTOR:
            return approve(proposal_id=proposal.pk, by=INSPECTOR)
        case Authority.COMMISSION:
            letter = letter_for(proposal)
            return confirm_letter(proposal_id=proposal.pk, sha256=letter.sha256, by=NOTARY)


def letter_for(proposal: Proposal, *, by: Actor = CLERK, **other: Any) -> Letter:
    """A letter on record, not confirmed yet."""
    given: dict[str, Any] = {
        "signed_by": "J. Okonkwo",
        "office": "The commission",
        "reference": f"C/{proposal.pk}",
        "dated": date(2026, 1, 5),
        "document": f"Proposal {proposal.pk} is approved.".encode(),
    }
    return record_letter(proposal_id=proposal.pk, by=by, **given | other)


def put_in_force(kind: str, code: str, value: Any, *, authority: Authority = Authority.INSPECTOR) -> ApprovedValue:
    """The next version of an approved value, without anybody's decision; the log says so."""
    newest = ApprovedValue.objects.filter(kind=kind, code=code).order_by("-version").first()
    made = ApprovedValue.objects.create(
        kind=kind,
        code=code,
        version=newest.version + 1 if newest else 1,
        value=value,
        authority=authority,
        approved_by=SYSTEM.identity,
    )
    installed = ValueInstalled(kind_=kind, code=code, value=value, authority=authority, number=made.pk)
    record_act(installed, by=SYSTEM)
    return made
