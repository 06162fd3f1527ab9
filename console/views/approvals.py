from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.urls import reverse

from console import compare, proposals
from console.days import choices, within
from console.forms.house import HoursForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house import approvals
from house.approvables import OPENING_HOURS
from house.models import Proposal, ProposalStatus
from house.refusal import NotFound
from house.venue import week


def _columns(*, history: bool) -> tuple[Column, ...]:
    first = (
        Column("Change", approvals.describe),
        Column("Proposed by", lambda row: row.proposed_by, order="proposed_by"),
        Column("Proposed", lambda row: row.proposed_at, order="proposed_at"),
    )
    rest = (
        Column("Why", lambda row: row.why, shown=False),
        Column("Decided", lambda row: row.decided_at, shown=False),
        Column("Comment", lambda row: row.comment, shown=False),
        Column("In effect", lambda row: row.effective_at, shown=False),
    )
    if history:
        outcome = Column("Outcome", lambda row: row.status, order="status")
        return (*first, outcome, Column("Decided by", lambda row: row.decided_by), *rest)
    return (*first, Column("Takes effect", proposals.when), Column("", css="act"), *rest)


def _list(request: Visit, rows: QuerySet[Proposal], *, history: bool) -> HttpResponseBase:
    found = Listing(
        request,
        rows,
        name="approvals-history" if history else "approvals",
        order="-proposed_at" if history else "proposed_at",
        search=("subject", "why", "proposed_by", "kind"),
        filters={
            "kind": lambda rows, kind: rows.filter(kind=kind),
            "status": lambda rows, status: rows.filter(status=status),
            "day": lambda rows, day: within(rows, "proposed_at", day),
        },
        columns=_columns(history=history),
    )
    if found.wants_csv:
        return found.csv()
    proposals.described(found.rows, request.actor)
    return show(
        request,
        "console/approvals/list.html",
        listing=found,
        history=history,
        kinds={kind.kind: kind.label for kind in approvals.kinds().values()},
        statuses=[status for status in ProposalStatus.values if status != "proposed"],
        day_choices=choices(),
        may_propose_hours=proposals.may_propose(request.actor, OPENING_HOURS),
    )


@page("approvals.view")
def inbox(request: Visit) -> HttpResponseBase:
    return _list(request, approvals.history().filter(status=ProposalStatus.PROPOSED), history=False)


@page("approvals.view")
def history(request: Visit) -> HttpResponseBase:
    return _list(request, approvals.history().exclude(status=ProposalStatus.PROPOSED), history=True)


@page("approvals.view")
def approval(request: Visit, number: int) -> HttpResponseBase:
    found = approvals.history().filter(pk=number)
    rows = proposals.described(found, request.actor)
    if not rows:
        raise NotFound("no-such-proposal", f"There is no proposal {number}.")
    row = rows[0]
    return show(
        request,
        "console/approvals/approval.html",
        proposal=row,
        lines=compare.side_by_side(row.old, row.new),
        own=row.proposed_by == request.actor.identity,
        decidable=proposals.decidable(row, request.actor),
        approve_url=reverse("console:decide", args=[number, "approve"]),
        reject_url=reverse("console:decide", args=[number, "reject"]),
        withdraw_url=reverse("console:decide", args=[number, "withdraw"]),
    )


_DECISIONS = {"approve": approvals.approve, "reject": approvals.reject, "withdraw": approvals.withdraw}


@page("approvals.view", post=True)
def decide(request: Visit, number: int, decision: str) -> HttpResponseBase:
    if decision not in _DECISIONS:
        raise NotFound("no-such-decision", "A proposal is approved, rejected or withdrawn.")
    decided = _DECISIONS[decision](proposal_id=number, by=request.actor, comment=request.POST.get("comment", ""))
    said = {
        ProposalStatus.EFFECTIVE: "Approved, and in effect.",
        ProposalStatus.APPROVED: "Approved. It takes effect at its time.",
        ProposalStatus.REJECTED: "Rejected. Nothing changes.",
        ProposalStatus.WITHDRAWN: "Withdrawn.",
    }.get(ProposalStatus(decided.status), f"Approved, but {decided.status}: {decided.outcome}")
    return done(request, said, "approval", number)


@page("approvals.propose")
def propose_hours(request: Visit) -> HttpResponseBase:
    hours = week()
    now = {
        name: [f"{pair.opens:%H:%M}", f"{pair.closes:%H:%M}"] if (pair := hours[number]) else None
        for number, name in enumerate(compare.WEEKDAYS)
    }
    form = HoursForm(request.POST or None, now=now)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=OPENING_HOURS,
            subject="venue",
            new=form.week(),
            why=form.cleaned_data["why"],
            effective_from=form.cleaned_data["effective_from"],
            by=request.actor,
        )
        if proposal:
            return done(request, "Proposed. Needs a second person.", "approval", proposal.pk)
    return show(request, "console/approvals/propose_hours.html", form=form)
