"""What the boards change only through an approval: the venue's look."""

from __future__ import annotations

from typing import Any, Final

from house import acts
from house.actors import Actor
from house.approvals import approvable
from house.models import Proposal
from house.refusal import NotFound
from signage import look

_NAMES: Final = {"name": "name", "accent": "accent", "ground": "ground"}


def _refuse_subject(subject: str) -> None:
    if subject != "venue":
        raise NotFound("no-such-subject", "The look of the boards belongs to the venue.", field="subject")


def _current(subject: str) -> Any:
    _refuse_subject(subject)
    return look.in_force()


def _check(subject: str, new: Any) -> None:
    _refuse_subject(subject)
    look.check(new)


def _apply(proposal: Proposal, by: Actor) -> None:
    acts.record(kind=look.ACT, subject="venue", by=by, data=proposal.new)


def _describe(subject: str, old: Any, new: Any) -> str:
    changes = [f"{name} {new[part] or 'as it comes'}" for part, name in _NAMES.items() if old[part] != new[part]]
    if old["logo"] != new["logo"]:
        changes.append("another logo" if new["logo"] and old["logo"] else "a logo" if new["logo"] else "no logo")
    return f"New look of the boards: {', '.join(changes) or 'as it is'}."


LOOK: Final = approvable(
    kind="signage.look",
    label="Look of the boards",
    permission="approvals.decide.house",
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
