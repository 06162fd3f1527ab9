"""Calls about approvals (decision 11).

Who may propose or decide depends on the kind of change, so the verbs ask for that right; the calls ask for seeing.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from house import approvals
from house.actors import Actor
from house.api.days import on_gaming_day
from house.api.fields import Choice, InstantField, StrictSerializer, Text, Whole, shown
from house.api.view import ByDay, HouseView, Truthy, listing, read, verb
from house.models import Proposal, ProposalStatus
from house.refusal import NotFound


class ApprovalOut(StrictSerializer):
    id = Whole()
    kind = Text()
    subject = Text()
    says = serializers.SerializerMethodField(help_text="What would change, in a sentence.")
    old = serializers.JSONField(allow_null=True)
    new = serializers.JSONField(allow_null=True)
    effective_from = InstantField(allow_null=True)
    condition = Text(allow_blank=True)
    why = Text()
    status = Choice(choices=ProposalStatus.values)
    proposed_by = Text()
    proposed_at = InstantField()
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
            "says": "anna becomes supervisor, writer (was writer).",
            "old": ["writer"],
            "new": ["supervisor", "writer"],
            "effective_from": None,
            "condition": "",
            "why": "Anna passed her examination.",
            "status": "proposed",
            "proposed_by": "staff:ruth",
            "proposed_at": "2026-11-16T21:04:00+11:00",
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
    waiting = Truthy(required=False, help_text="`true`: only what you may decide now.")


class ProposalIn(StrictSerializer):
    kind = Text(max_length=64)
    subject = Text(max_length=120)
    new = serializers.JSONField(allow_null=True, help_text="The new value; its shape depends on the kind.")
    effective_from = InstantField(required=False, help_text="Left out: at once on approval.")
    condition = Text(required=False, max_length=32, help_text="A named moment the kind knows, such as `when-won`.")
    why = Text(help_text="It stays on record.")
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
    @listing(permission="approvals.view", gives=ApprovalOut, asks=ApprovalsAsked)
    def get(self, by: Actor, asked: dict[str, Any]) -> QuerySet[Proposal]:
        """Proposed changes and what became of them."""
        rows = approvals.history(kind=asked.get("kind"), subject=asked.get("subject"))
        if asked.get("waiting"):
            rows = rows.filter(pk__in=approvals.waiting_for(by).values("pk"))
        if "status" in asked:
            rows = rows.filter(status=asked["status"])
        return on_gaming_day(rows, asked["gaming_day"], column="proposed_at") if "gaming_day" in asked else rows

    @verb(permission="approvals.view", takes=ProposalIn, gives=ApprovalOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> Proposal:
        """Propose a change.

        Another person has to approve it. The kind of change decides who may propose it.
        """
        return approvals.propose(by=by, **data)


class OneApproval(HouseView):
    @read(permission="approvals.view", gives=ApprovalOut)
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> Proposal:
        """One proposed change."""
        found = Proposal.objects.filter(pk=id).first()
        if found is None:
            raise NotFound("no-such-proposal", f"There is no proposal {id}.")
        return found


class Approve(HouseView):
    @verb(permission="approvals.view", takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Proposal:
        """Approve somebody else's proposal.

        What is to happen at once happens with it. The kind of change decides who may; never the proposer.
        """
        return approvals.approve(proposal_id=id, by=by, **data)


class Reject(HouseView):
    @verb(permission="approvals.view", takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Proposal:
        """Reject somebody else's proposal."""
        return approvals.reject(proposal_id=id, by=by, **data)


class Withdraw(HouseView):
    @verb(permission="approvals.view", takes=DecisionIn, gives=ApprovalOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Proposal:
        """Withdraw your own proposal, as long as nobody has decided."""
        return approvals.withdraw(proposal_id=id, by=by, **data)
