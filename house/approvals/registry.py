"""The kinds of change that need an approval, as the rooms declare them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Generic, TypeVar

from house.approvals.shape import Shape
from house.models import Proposal
from house.permissions import PROPOSE
from kernel.actors import Actor
from kernel.acts import Json
from kernel.authority import Authority
from kernel.codes import Code, Permission
from kernel.refusal import NotFound
from kernel.rooms import offered

T = TypeVar("T")


def _nobody(subject: str, new: Json) -> Collection[str]:
    return ()


def _as_written(subject: str) -> str:
    return subject


def _whenever(subject: str, new: object) -> str:
    return ""


def _nothing(subject: str, new: object) -> None:
    """Most kinds change what no other lock guards."""


class Approvable(Code, Generic[T]):
    """A kind of change that takes effect by somebody else's decision. T is what its value is, once read."""

    shape: Shape[T]
    permission: Permission | None  # to decide as a second person of the house; what is never the house's has none
    propose_permission: Permission
    # Where two people of the house stand behind it before its authority decides: the power of the second.
    second: Permission | None
    # Whose approval the rule asks for, where it is the same for all values and where it is not. (subject, new)
    authority: Callable[[str, T], Authority]
    fixed_authority: Authority | None  # the same, where it does not depend on the change
    # A sentence for people: what would change. (subject, old, new)
    describe: Callable[[str, T | None, T], str]
    # The value in force, if there is one. (subject); refuses a subject that does not exist
    current: Callable[[str], T | None]
    # The same as JSON, as a proposal keeps it under ``old``: as it was written, where it is kept that way.
    stored: Callable[[str], Json]
    # Refuses what a rule does not allow, when it is proposed and again before it takes effect. (subject, new)
    check: Callable[[str, T], None]
    # Takes the advisory locks that ``apply`` needs. Called before Lock.APPROVALS is: docs/locking.md. (subject, new)
    hold: Callable[[str, T], object]
    # Makes it so, inside the transaction that marks the proposal effective. The actor is who approved.
    apply: Callable[[Proposal, T, Actor], object]
    # Named moments that a proposal of this kind may wait for, such as "when-won" (see effect.condition_met).
    conditions: frozenset[str]
    # The one of them that a change has to wait for; "" where it may take effect at once. (subject, new)
    only_when: Callable[[str, T], str]
    # The one way to write the subject: whoever names the same thing or person otherwise means this. (subject)
    canonical: Callable[[str], str]
    # Whose own affair it is, as identities: none of them may decide. (subject, new as JSON)
    concerns: Callable[[str, Json], Collection[str]]
    # Whom it gives power, as identities: none of them may propose it either. Two others appoint. (subject, new as JSON)
    appoints: Callable[[str, Json], Collection[str]]

    def __new__(
        cls,
        *,
        kind: str,
        shape: Shape[T],
        permission: Permission | None = None,
        authority: Authority | Callable[[str, T], Authority],
        describe: Callable[[str, T | None, T], str],
        current: Callable[[str], T | None],
        check: Callable[[str, T], None],
        apply: Callable[[Proposal, T, Actor], object],
        hold: Callable[[str, T], object] = _nothing,
        label: str | None = None,
        stored: Callable[[str], Json] | None = None,
        propose_permission: Permission = PROPOSE,
        second: Permission | None = None,
        conditions: Iterable[str] = (),
        only_when: Callable[[str, T], str] = _whenever,
        canonical: Callable[[str], str] = _as_written,
        concerns: Callable[[str, Json], Collection[str]] = _nobody,
        appoints: Callable[[str, Json], Collection[str]] = _nobody,
    ) -> Approvable[T]:
        made = super().__new__(cls, kind, label or kind)
        assert isinstance(made, Approvable)
        made.shape, made.permission, made.propose_permission = shape, permission, propose_permission
        assert second is None or second.people > 2, f"{second} is not declared as three people's"
        made.second = second
        assert permission is not None or authority in (Authority.INSPECTOR, Authority.COMMISSION), kind
        assert permission is None or permission.authority is Authority.HOUSE, f"{permission} decides nothing"
        assert propose_permission.people > 1, f"{propose_permission} is declared as one person's"
        made.authority = (lambda subject, new: authority) if isinstance(authority, Authority) else authority
        made.fixed_authority = authority if isinstance(authority, Authority) else None
        made.describe, made.current, made.check, made.apply = describe, current, check, apply
        made.hold = hold
        made.stored = stored or (lambda subject: shape.write(current(subject)))
        made.conditions, made.only_when = frozenset(conditions), only_when
        made.canonical, made.concerns, made.appoints = canonical, concerns, appoints
        return made

    @property
    def kind(self) -> str:
        return str(self)

    def is_own_affair(self, proposal: Proposal, identity: str) -> bool:
        return identity in self.concerns(proposal.subject, proposal.new)

    def sentence(self, subject: str, old: Json, new: Json) -> str:
        return self.describe(subject, None if old is None else self.shape.read(old), self.shape.read(new))


def kinds() -> dict[str, Approvable[Any]]:
    return {str(kind): kind for kind in offered(Approvable)}


def find(kind: str) -> Approvable[object]:
    found = kinds().get(kind)
    if found is None:
        raise NotFound("no-such-kind", f"There is no kind of change “{kind}”.", field="kind")
    return found
