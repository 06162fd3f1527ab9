"""What the boards change only through an approval: the venue's look."""

from __future__ import annotations

from typing import Final

from house import approved
from house.approvals import Approvable
from house.log import record_act
from house.models import Proposal
from house.permissions import DECIDE_HOUSE
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import NotFound
from signage import look
from signage.acts import LookChosen
from signage.look import Look


def _refuse_subject(subject: str) -> None:
    if subject != look.CODE:
        raise NotFound("no-such-subject", "The look of the boards belongs to the venue.", field="subject")


def _current(subject: str) -> Look:
    _refuse_subject(subject)
    return look.chosen()


def _check(subject: str, new: Look) -> None:
    look.check(new)


def _apply(proposal: Proposal, new: Look, by: Actor) -> None:
    approved.put_in_force(look.KIND, look.CODE, proposal.new, by=by, proposal=proposal)
    record_act(LookChosen(name=new.name, accent=new.accent, ground=new.ground, logo=new.logo), by=by)


def _describe(subject: str, old: Look | None, new: Look) -> str:
    was = old or Look()
    parts = {"name": (was.name, new.name), "accent": (was.accent, new.accent), "ground": (was.ground, new.ground)}
    changes = [f"{name} {after or 'as it comes'}" for name, (before, after) in parts.items() if before != after]
    if was.logo != new.logo:
        changes.append("another logo" if new.logo and was.logo else "a logo" if new.logo else "no logo")
    return f"New look of the boards: {', '.join(changes) or 'as it is'}."


LOOK: Final = Approvable(
    kind=look.KIND,
    label="Look of the boards",
    shape=look.SHAPE,
    authority=Authority.HOUSE,
    permission=DECIDE_HOUSE,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
