"""Calls about approvals (decision 11).

Who may propose or decide depends on the kind of change, so the verbs ask for that right; the calls ask for seeing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from house import approvals
from house.approvals import Approvable
from house.models import Proposal, ProposalStatus
from house.permissions import VIEW_APPROVALS
from house.queries import on_gaming_day
from kernel.actors import Actor
from kernel.authority import Authority
from web.fields import (
    AnyField,
    AnyOf,
    Choice,
    InstantField,
    Nothing,
    QueryFlag,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.view import ByDay, HouseView, listing, read, verb


def _forms() -> list[AnyField]:
    return [kind.shape.spelt(allow_null=False) for kind in approvals.kinds().values()]


class ApprovalOut(StrictSerializer):
    id = WholeNumber()
    kind = Text()
    subject = Text()
    authority = Choice(choices=[*Authority], help_text="Whose approval the rule asks for.")
    by_letter = TrueOrFalse(help_text="Approved by a letter that two people of the house put on record.")
    countersigned = TrueOrFalse(help_text="Whether an inspector has countersigned that letter in his own name.")
    disputed = TrueOrFalse(help_text="Whether an inspector has said that the letter is not the authority’s.")
    says = serializers.SerializerMethodField(help_text="What would change, in a sentence.")
    old = AnyOf(forms=_forms, allow_null=True, help_text="What was in force, in the shape of its kind.")
    new = AnyOf(forms=_forms, allow_null=True, help_text="In the shape of its kind, as when it was proposed.")
    effective_from = InstantField(allow_null=True)
    condition = Text(allow_blank=True)
    why = Text()
    status = Choice(choices=ProposalStatus.values)
    proposed_by = Text()
    proposed_at = InstantField()
    seconded_by = Text(allow_null=True, help_text="Where two people of the house stand behind it: the second.")
    decided_by = Text(allow_null=True)
    decided_at = InstantField(allow_null=True)
    comment = Text(allow_blank=True)
    effective_at = InstantField(allow_null=True)
    outcome = Text(allow_blank=True, help_text="Why it became stale or failed.")
    example = shown(
        {
            "id": 12,
            "kind": "house.staff-roles",
            "subject": "staff:anna",
            "authority": "house",
            "by_letter": False,
            "countersigned": False,
            "disputed": False,
            "says": "anna becomes supervisor, writer (was writer).",
            "old": ["writer"],
            "new": ["supervisor", "writer"],
            "effective_from": None,
            "condition": "",
            "why": "Anna passed her examination.",
            "status": "proposed",
            "proposed_by": "staff:ruth",
            "proposed_at": "2026-11-16T21:04:00+11:00",
            "seconded_by": None,
            "decided_by": None,
            "decided_at": None,
            "comment": "",
            "effective_at": None,
            "outcome": "",
        }
    )

    def get_says(self, proposal: Proposal) -> str:
        return approvals.describe(proposal)


class ApprovalsAsked(ByDay):
    status = Choice(choices=ProposalStatus.values, required=False)
    kind = Text(required=False, max_length=64)
    subject = Text(required=False, max_length=120)
    waiting = QueryFlag(required=False, help_text="`true`: only what you may decide now.")


class ProposalIn(StrictSerializer):
    """A change; its kind decides what the new value looks like."""

    told_apart_by: ClassVar = "kind"
    kind = Text(max_length=64)
    subject = Text(max_length=120)
    new = serializers.JSONField(allow_null=True, help_text="The new value, in the shape of its kind.")
    effective_from = InstantField(required=False, help_text="Left out: at once on approval.")
    condition = Text(required=False, max_length=32, help_text="A named moment the kind knows, such as `when-won`.")
    why = Text(help_text="It stays on record.")

    @classmethod
    def variants(cls) -> Mapping[str, type[StrictSerializer]]:
        return {str(kind): cls._of(kind) for kind in approvals.kinds().values()}

    @classmethod
    def _of(cls, kind: Approvable[object]) -> type[StrictSerializer]:
        name = "".join(word.capitalize() for word in re.split(r"[.-]", kind)) + cls.__name__
        parts: dict[str, object] = {
            "kind": Choice(choices=[str(kind)]),
            "new": kind.shape.spelt(),
            "told_apart_by": "",
            "__module__": __name__,
            "__doc__": f"{kind.label}.",
        }
        return type(name, (cls,), parts)

    example = shown(
        {
            "kind": "house.staff-roles",
            "subject": "staff:anna",
            "new": ["supervisor", "writer"],
            "why": "Anna passed her examination.",
        }
    )


class DecisionIn(StrictSerializer):
    comment = Text(required=False)
    example = shown({"comment": "Seen the certificate."})


class Approvals(HouseView):
    @listing(permission=VIEW_APPROVALS, gives=ApprovalOut, asks=ApprovalsAsked)
    def get(self, by: Actor, asked: ApprovalsAsked) -> QuerySet[Proposal]:
        """Proposed changes and what became of them."""
        rows = approvals.history(kind=asked.kind, subject=asked.subject)
        if asked.waiting:
            rows = rows.filter(pk__in=approvals.waiting_for(by).values("pk"))
        if asked.status is not None:
            rows = rows.filter(status=asked.status)
        return on_gaming_day(rows, asked.gaming_day, column="proposed_at") if asked.gaming_day is not None else rows

    @verb(permission=VIEW_APPROVALS, takes=ProposalIn, gives=ApprovalOut, status=201)
    def post(self, by: Actor, data: ProposalIn) -> Proposal:
        """Propose a change.

        Another person has to approve it. The kind of change decides who may propose it.
        """
        return approvals.propose(
            kind=data.kind,
            subject=data.subject,
            new=data.new,
            why=data.why,
            effective_from=data.effective_from,
            condition=data.condition or "",
            by=by,
        )


class OneApproval(HouseView):
    @read(permission=VIEW_APPROVALS, gives=ApprovalOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Proposal:
        """One proposed change."""
        return approvals.proposal_numbered(id)


class Approve(HouseView):
    @verb(permission=VIEW_APPROVALS, takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: DecisionIn, *, id: int) -> Proposal:
        """Approve somebody else's proposal.

        What is to happen at once happens with it. Only the proposal's authority decides, and never the proposer: a
        second person of the house, an inspector in his own name (403 `needs-inspector` for the house), or a letter
        (403 `needs-letter` where only the commission's letter will do).
        """
        return approvals.approve(proposal_id=id, comment=data.comment or "", by=by)


class Reject(HouseView):
    @verb(permission=VIEW_APPROVALS, takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: DecisionIn, *, id: int) -> Proposal:
        """Reject somebody else's proposal, as its authority."""
        return approvals.reject(proposal_id=id, comment=data.comment or "", by=by)


class Withdraw(HouseView):
    @verb(permission=VIEW_APPROVALS, takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: DecisionIn, *, id: int) -> Proposal:
        """Withdraw your own proposal, as long as nobody has decided."""
        return approvals.withdraw(proposal_id=id, comment=data.comment or "", by=by)
