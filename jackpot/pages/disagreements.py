"""Tables whose running meter and what was counted differ: shown, explained by one person, decided by another."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import approvals
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from jackpot import explain_disagreement, permissions, queries
from jackpot.disagreements import find_disagreement
from jackpot.models import DisagreementStatus
from jackpot.pages.forms import ExplainForm
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


@page(permissions.REPORTS)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.disagreements(),
        name="jackpot-disagreements",
        order="-opened_at",
        search=("table__code", "cause"),
        filters={
            "link": lambda rows, code: rows.filter(table__link__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Number", lambda row: row.pk),
            Column("Table", lambda row: row.table.code, order="table__code"),
            Column("Since", lambda row: row.opened_at, order="opened_at"),
            Column("Meter shows", lambda row: row.shown, css="right"),
            Column("Counted", lambda row: row.counted, css="right"),
            Column("State", lambda row: row.status),
        ),
    )
    if found.wants_csv:
        return found.csv()
    states = DisagreementStatus.values
    return show(request, "jackpot/disagreements.html", listing=found, codes=queries.link_codes(), states=states)


@page(permissions.REPORTS)
def disagreement(request: Visit, number: int) -> HttpResponseBase:
    """One of them: both sides, and what was said of it."""
    found = find_disagreement(number)
    return show(
        request,
        "jackpot/disagreement.html",
        found=found,
        cause=explain_disagreement.CAUSES.get(found.cause, ""),
        explains=found.status == DisagreementStatus.OPEN and request.actor.may(PROPOSE),
    )


@page(PROPOSE)
def explain(request: Visit, number: int) -> HttpResponseBase:
    """One person says why the two differ; another decides."""
    found = find_disagreement(number)
    form = ExplainForm(request.POST or None, found=found)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=explain_disagreement.DISAGREEMENT,
            subject=f"table:{found.table.code}",
            new=form.new,
            why=form.why,
            by=request.actor,
        )
        if proposal:
            return done(request, proposed(proposal), "approval", proposal.pk)
    most = explain_disagreement.most_to_count(found)
    return show(request, "jackpot/explain_disagreement.html", found=found, link=found.table.link, form=form, most=most)
