from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.urls import reverse

from house import approvals
from house.approvables import OPENING_HOURS
from house.models import Proposal, ProposalStatus
from house.pages import compare, letters, proposals
from house.pages.days import choices, within
from house.pages.forms.house import HoursForm
from house.permissions import PROPOSE, VIEW_APPROVALS
from house.venue import week
from kernel.refusal import NotFound
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


def _columns(*, history: bool) -> tuple[Column, ...]:
    first = (
        Column("Change", approvals.describe),
        Column("Proposed by", lambda row: row.proposed_by, order="proposed_by"),
        Column("Proposed", lambda row: row.proposed_at, order="proposed_at"),
    )
    rest = (
        Column("Authority", lambda row: row.authority, shown=False),
        Column("Why", lambda row: row.why, shown=False),
        Column("Decided", lambda row: row.decided_at, shown=False),
        Column("Comment", lambda row: row.comment, shown=False),
        Column("In effect", lambda row: row.effective_at, shown=False),
    )
    if history:
        outcome = Column("Outcome", lambda row: row.status, order="status")
        by_letter = (
            Column("By letter", lambda row: "yes" if row.by_letter else "no", shown=False),
            Column("Countersigned", lambda row: "yes" if row.countersigned else "no", shown=False),
        )
        return (*first, outcome, Column("Decided by", lambda row: row.decided_by), *rest, *by_letter)
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
        "house/approvals/list.html",
        listing=found,
        history=history,
        kinds={kind.kind: kind.label for kind in approvals.kinds().values()},
        statuses=[status for status in ProposalStatus.values if status != "proposed"],
        day_choices=choices(),
        proposable=approvals.proposable(request.actor),
    )


@page(VIEW_APPROVALS)
def inbox(request: Visit) -> HttpResponseBase:
    return _list(request, approvals.history().filter(status=ProposalStatus.PROPOSED), history=False)


@page(VIEW_APPROVALS)
def history(request: Visit) -> HttpResponseBase:
    return _list(request, approvals.history().exclude(status=ProposalStatus.PROPOSED), history=True)


@page(VIEW_APPROVALS)
def approval(request: Visit, number: int) -> HttpResponseBase:
    [row] = proposals.described([approvals.proposal_numbered(number)], request.actor)
    kind = approvals.kinds().get(row.kind)
    return show(
        request,
        "house/approvals/approval.html",
        proposal=row,
        lines=compare.side_by_side(row.old, row.new, kind.shape.form if kind else None),
        steps=row.steps,
        letters=letters.shown(row),
        approve_url=reverse("console:decide", args=[number, "approve"]),
        reject_url=reverse("console:decide", args=[number, "reject"]),
        withdraw_url=reverse("console:decide", args=[number, "withdraw"]),
        confirm_url=reverse("console:letter-act", args=[number, "confirm"]),
        discard_url=reverse("console:letter-act", args=[number, "discard"]),
        countersign_url=reverse("console:answer-letter", args=[number, "countersign"]),
        dispute_url=reverse("console:answer-letter", args=[number, "dispute"]),
    )


_DECISIONS = {"approve": approvals.approve, "reject": approvals.reject, "withdraw": approvals.withdraw}


@page(VIEW_APPROVALS, post=True)
def decide(request: Visit, number: int, decision: str) -> HttpResponseBase:
    if decision not in _DECISIONS:
        raise NotFound("no-such-decision", "A proposal is approved, rejected or withdrawn.")
    decided = _DECISIONS[decision](proposal_id=number, by=request.actor, comment=request.POST.get("comment", ""))
    return done(request, proposals.came_of(decided), "approval", number)


@page(PROPOSE)
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
            why=form.why,
            effective_from=form.effective_from,
            by=request.actor,
        )
        if proposal:
            return done(request, proposals.proposed(proposal), "approval", proposal.pk)
    return show(request, "house/approvals/propose_hours.html", form=form)
