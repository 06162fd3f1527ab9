"""Approved values: what is in force of each kind, and every version before it (``house.models.ApprovedValue``).

What a value looks like is said once, by the shape of its kind of change; whoever reads it reads it through that.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

from django.db.models import QuerySet
from django.utils import timezone

from house.approval_acts import ValueInstalled
from house.approvals.shape import Shape
from house.approvals.standing import Standing, standing_of
from house.log import record_act
from house.models import ApprovedValue, Proposal, ProposalStatus
from kernel.actors import SYSTEM, Actor
from kernel.acts import Json
from kernel.authority import Authority

T = TypeVar("T")


def in_force(kind: str, code: str, *, at: datetime | None = None) -> ApprovedValue | None:
    """The version in force now, or at an earlier moment; None before the first, and where it is withdrawn."""
    versions = ApprovedValue.objects if at is None else _by(at)
    found = versions.filter(kind=kind, code=code).order_by("-version").first()
    return found if found is not None and found.value is not None else None


def _by(at: datetime) -> QuerySet[ApprovedValue]:
    return ApprovedValue.objects.filter(since__lte=at)


def all_in_force(kind: str, *, at: datetime | None = None) -> list[ApprovedValue]:
    """The versions in force of one kind, by code; now, or at an earlier moment."""
    versions = ApprovedValue.objects.filter(kind=kind) if at is None else _by(at).filter(kind=kind)
    latest = versions.order_by("code", "-version").distinct("code")
    return [version for version in latest if version.value is not None]


def versions(*, kind: str | None = None, code: str | None = None) -> QuerySet[ApprovedValue]:
    """Every version of everything, or of one kind, or of one value."""
    named = {name: value for name, value in (("kind", kind), ("code", code)) if value is not None}
    return ApprovedValue.objects.filter(**named).select_related("proposal")


def first(kind: str, code: str) -> ApprovedValue | None:
    return ApprovedValue.objects.filter(kind=kind, code=code, version=1).first()


def read(version: ApprovedValue | None, shape: Shape[T]) -> T | None:
    """The value as its type."""
    return None if version is None or version.value is None else shape.read(version.value)


def value(kind: str, code: str, shape: Shape[T]) -> T | None:
    """The value in force as its type."""
    return read(in_force(kind, code), shape)


def put_in_force(kind: str, code: str, new: Json, *, by: Actor, proposal: Proposal) -> ApprovedValue:
    """Write the next version: the effect of a proposal that its authority has approved."""
    require_decision(proposal, by=by)
    return _next(kind, code, new, authority=Authority(proposal.authority), approved_by=by.identity, proposal=proposal)


def install(kind: str, code: str, new: Json, *, authority: Authority, by: Actor) -> ApprovedValue:
    """The value that the demo or a new installation begins with. Nobody has approved it, and it is shown as such.

    Only the system does, and only where there is no version yet: nothing that was approved is replaced by it.
    """
    require_decision(None, by=by)
    if first(kind, code) is not None:
        raise ValueError(f"{kind} {code} has a version already: what replaces it is approved")
    version = _next(kind, code, new, authority=authority, approved_by=by.identity)
    installed = ValueInstalled(kind_=kind, code=code, value=new, authority=authority, number=version.pk)
    record_act(installed, by=by)
    return version


def require_decision(proposal: Proposal | None, *, by: Actor) -> None:
    """What is put in force was approved, or it is what the system begins with. Anything else is a fault of ours."""
    if proposal is None and not by.identity.startswith(SYSTEM):
        raise ValueError(f"{by.identity} cannot put in force what nobody has approved")
    if proposal is not None and proposal.status != ProposalStatus.APPROVED:
        raise ValueError(f"proposal {proposal.pk} is {proposal.status}: nobody has approved it")


def standing(version: ApprovedValue) -> Standing:
    """By whose word it is in force: the authority's own, a letter's, or nobody's (the demo)."""
    return standing_of(version.proposal, authority=Authority(version.authority))


def _next(
    kind: str, code: str, new: Json, *, authority: Authority, approved_by: str, proposal: Proposal | None = None
) -> ApprovedValue:
    newest = ApprovedValue.objects.filter(kind=kind, code=code).order_by("-version").first()
    return ApprovedValue.objects.create(
        kind=kind,
        code=code,
        version=newest.version + 1 if newest else 1,
        value=new,
        since=timezone.now(),
        authority=authority,
        approved_by=approved_by,
        proposal=proposal,
    )
