"""Who decides a proposal: the authority that the rule names, and nobody in its place.

The house always proposes. What needs an inspector is decided by one in his own name, or by a letter on record
(``letters.py``); what needs the commission by letter only; what is the house's own by a second person with the right.
"""

from __future__ import annotations

from house.approvals.registry import find
from house.models import Proposal
from house.permissions import AS_INSPECTOR, PROPOSE, RECORD_LETTERS
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.codes import Permission
from kernel.refusal import Forbidden


def is_inspector(by: Actor) -> bool:
    return by.may(AS_INSPECTOR)


def refuse_unless_inspector(by: Actor) -> None:
    """A person, in his own name, who is nobody of the house: whoever may propose for it is not its regulator."""
    if not is_inspector(by) or not by.identity.startswith("staff:") or by.may(PROPOSE):
        raise Forbidden(
            "needs-inspector",
            "A Government Casino Inspector decides this in his own name. Or put his letter on record.",
        )


def refuse_inspector(by: Actor) -> None:
    """The regulator does nothing in the name of the house."""
    if is_inspector(by):
        raise Forbidden("not-the-inspectors", "This is for people of the house: an inspector decides, nothing else.")


def power_to_decide(proposal: Proposal) -> Permission:
    """The power by which it is decided, in the name of its authority; what comes by letter, by those who put it on
    record."""
    match Authority(proposal.authority):
        case Authority.INSPECTOR:
            return AS_INSPECTOR
        case Authority.COMMISSION:
            return RECORD_LETTERS
    permission = find(proposal.kind).permission
    assert permission is not None, f"{proposal.kind} says nobody of the house"
    return permission


def refuse_for_authority(proposal: Proposal, by: Actor) -> None:
    """Refuses everybody but the authority that decides this proposal."""
    match Authority(proposal.authority):
        case Authority.INSPECTOR:
            refuse_unless_inspector(by)
        case Authority.COMMISSION:
            raise Forbidden(
                "needs-letter", "The commission decides this, by letter: put it on record and have it confirmed."
            )
        case Authority.HOUSE:
            refuse_inspector(by)
            by.require(power_to_decide(proposal))
