"""Links and their tables: what they show, what they take and pay, their books."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponseBase
from django.shortcuts import render

from console.forms.jackpots import AdjustForm, RetireForm, TermsForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from house import approvals
from house.refusal import NotFound
from jackpot import approvables, links, mystery, permissions, pools, terms, trigger_points
from jackpot.models import Hit, Pool, PoolDay, Round
from jackpot.rules import mathematics
from jackpot.rules.pool import RESERVE

_WAITING = Q(hits__status__in=[Hit.Status.CLAIMED, Hit.Status.VERIFIED])
DAYS = 14


def _links() -> list[Any]:
    """The open links with what a band shows of each. Keno's own pools have no terms and no tables."""
    found: list[Any] = list(
        Pool.objects.filter(terms__version=1)
        .annotate(waiting=Count("hits", filter=_WAITING, distinct=True))
        .prefetch_related("tables")
        .order_by("status", "id")
    )
    for pool in found:
        pool.meter = links.meter(pool)
        pool.books = PoolDay.objects.filter(pool=pool).first()
        pool.last = Hit.objects.filter(pool=pool, restarts=True).exclude(status="denied").order_by("-id").first()
        pool.open_tables = [table.code for table in pool.tables.all() if table.status == "open"]
    return found


@page(permissions.VIEW)
def listing(request: Visit) -> HttpResponseBase:
    return show(request, "console/jackpots/list.html", links=_links())


@page(permissions.VIEW, poll=True)
def meters(request: Visit) -> HttpResponseBase:
    return render(request, "console/jackpots/_bands.html", {"links": _links()})


def _find(code: str) -> Pool:
    found = Pool.objects.filter(code=code, terms__version=1).first()
    if found is None:
        raise NotFound("no-such-pool", f"There is no jackpot {code}.")
    return found


@page(permissions.VIEW)
def link(request: Visit, code: str) -> HttpResponseBase:
    pool = _find(code)
    meter = links.meter(pool)
    figures = mathematics.mathematics(
        meter.terms.rules, wager=meter.terms.parameters.wager, levels=meter.terms.parameters.levels
    )
    sealed = mystery.running(pool)
    may_propose = request.actor.may("approvals.propose") and pool.status == Pool.Status.OPEN
    return show(
        request,
        "console/jackpots/link.html",
        pool=pool,
        meter=meter,
        reserve=meter.standing.balances[RESERVE].down_to_cents(),
        tables=list(pool.tables.all()),
        version=terms.in_force(pool),
        figures=figures.as_data(),
        sealed=sealed and trigger_points.published(sealed),
        books=list(PoolDay.objects.filter(pool=pool)[:DAYS]) if request.actor.may(permissions.REPORTS) else None,
        hits=list(Hit.objects.filter(pool=pool).select_related("table").order_by("-id")[:8]),
        may_tables=request.actor.may(permissions.TABLES),
        may_propose=may_propose,
    )


@page(permissions.VIEW, poll=True)
def meter(request: Visit, code: str) -> HttpResponseBase:
    return render(request, "console/jackpots/_meter.html", {"pool": _find(code), "meter": links.meter(_find(code))})


@page(permissions.TABLES, post=True)
def table(request: Visit, code: str, table: str, what: str) -> HttpResponseBase:
    if what == "open":
        links.open_table(table=table, by=request.actor)
    elif what == "close":
        links.close_table(table=table, by=request.actor)
    elif what == "suspend":
        links.suspend_table(table=table, what=request.POST.get("comment", ""), by=request.actor)
    else:
        raise NotFound("no-such-page", "There is no such page.")
    said = {"open": "opened", "close": "closed", "suspend": "suspended; an inspector is to be told"}[what]
    return done(request, f"The jackpot of {table} is {said}.", "link", code)


@page(permissions.VIEW)
def rounds(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Round.objects.select_related("table__pool").annotate(wagers_in=Count("wagers")),
        name="jackpot-rounds",
        order="-started_at",
        search=("table__code", "why"),
        filters={
            "link": lambda rows, code: rows.filter(table__pool__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Round", lambda row: row.pk),
            Column("Table", lambda row: row.table.code, order="table__code"),
            Column("Started", lambda row: row.started_at, order="started_at"),
            Column("Displayed", lambda row: " + ".join(row.displayed.values()), css="right"),
            Column("Wagers", lambda row: row.wagers_in, css="right"),
            Column("State", lambda row: row.status),
            Column("Why", lambda row: row.why),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "console/jackpots/rounds.html",
        listing=found,
        codes=Pool.objects.filter(terms__version=1).values_list("code", flat=True),
        states=Round.Status.values,
    )


def _propose(request: Visit, pool: Pool, form: Any, kind: str, template: str, **more: Any) -> HttpResponseBase:
    """What changes a jackpot is a proposal, and needs a second person (decision 11)."""
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=kind,
            subject=pool.subject,
            new=form.new if hasattr(form, "new") else {"into": form.cleaned_data["into"]},
            why=form.cleaned_data["why"],
            by=request.actor,
            **getattr(form, "timing", {}),
        )
        if proposal:
            return done(request, "Proposed. Needs a second person.", "approval", proposal.pk)
    return show(request, template, form=form, pool=pool, **more)


@page("approvals.propose")
def propose_terms(request: Visit, code: str) -> HttpResponseBase:
    pool = _find(code)
    form = TermsForm(request.POST or None, now=terms.of(terms.in_force(pool)))
    return _propose(request, pool, form, approvables.TERMS, "console/jackpots/propose_terms.html")


@page("approvals.propose")
def propose_adjustment(request: Visit, code: str) -> HttpResponseBase:
    pool = _find(code)
    form = AdjustForm(request.POST or None, purses=[*pool.levels, "reserve", "reimbursement"])
    balances = pools.standing(pool.code, levels=pool.levels).balances
    shown = {purse: balances[purse] for purse in [*pool.levels, "reserve", "reimbursement"]}
    return _propose(
        request, pool, form, approvables.ADJUSTMENT, "console/jackpots/propose_adjustment.html", balances=shown
    )


@page("approvals.propose")
def propose_retirement(request: Visit, code: str) -> HttpResponseBase:
    pool = _find(code)
    form = RetireForm(request.POST or None, pool=pool)
    return _propose(request, pool, form, approvables.RETIREMENT, "console/jackpots/propose_retirement.html")
