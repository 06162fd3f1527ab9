"""A kind of change whose value is kept as approved and nothing else: most of them (``house.approved``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from house import approved
from house.approvals.registry import Approvable
from house.approvals.shape import Shape, withdrawable
from house.models import Proposal
from kernel.actors import Actor
from kernel.acts import Json
from kernel.authority import Authority
from kernel.codes import Permission
from kernel.refusal import NotFound, Refusal

T = TypeVar("T")


def approved_value(
    kind: str,
    *,
    prefix: str,
    label: str,
    shape: Shape[T],
    authority: Authority,
    permission: Permission | None = None,
    check_code: Callable[[str], None],
    check: Callable[[str, T | None], None],
    describe: Callable[[str, T], str],
) -> Approvable[T | None]:
    """The subject is ``prefix:CODE``; null withdraws what is in force. *describe* says what a code becomes."""

    def code_of(subject: str) -> str:
        before, _, code = subject.partition(":")
        if before != prefix or not code:
            raise NotFound("no-such-subject", f"Write the subject like {prefix}:CODE.", field="subject")
        check_code(code)
        return code

    def stored(subject: str) -> Json:
        version = approved.in_force(kind, code_of(subject))
        return None if version is None else version.value

    def checked(subject: str, new: T | None) -> None:
        check(code_of(subject), new)
        if new is None and stored(subject) is None:
            raise Refusal("nothing-changes", "There is nothing in force to withdraw.", field="new")

    def apply(proposal: Proposal, new: T | None, by: Actor) -> None:
        approved.put_in_force(kind, code_of(proposal.subject), proposal.new, by=by, proposal=proposal)

    def said(subject: str, old: T | None, new: T | None) -> str:
        code = subject.partition(":")[2]
        return f"{label} {code} is withdrawn." if new is None else describe(code, new)

    return Approvable(
        kind=kind,
        label=label,
        shape=withdrawable(shape),
        authority=authority,
        permission=permission,
        describe=said,
        current=lambda subject: approved.value(kind, code_of(subject), shape),
        stored=stored,
        check=checked,
        apply=apply,
    )
