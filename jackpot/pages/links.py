"""Links and their tables: what they show, what they take and pay, their books."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from draws.pages.forms import DiceForm
from house import approvals
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from jackpot import adjust, approvables, pay_out, permissions, pools, published, queries, steps, terms
from jackpot.dice import dice_for_movement
from jackpot.models import Link
from jackpot.pages.forms import AdjustForm, PayOutForm, PayPayoutForm, RetireForm, TermsForm, Timing
from jackpot.pools import read_meter
from jackpot.rules import mathematics
from jackpot.rules.pool import RESERVE
from kernel.money import Money
from kernel.refusal import Refusal
from web.page import Visit, attempt, done, page, show
from web.words import money


@page(permissions.VIEW)
def listing(request: Visit) -> HttpResponseBase:
    actor = request.actor
    may_read, may_propose = actor.may(permissions.REPORTS), actor.may(PROPOSE)
    return show(request, "jackpot/list.html", bands=queries.bands(), is_reader=may_read, may_propose=may_propose)


@page(permissions.VIEW, poll=True)
def meters(request: Visit) -> HttpResponseBase:
    return render(request, "jackpot/_bands.html", {"bands": queries.bands()})


@page(permissions.VIEW)
def link(request: Visit, code: str) -> HttpResponseBase:
    link, actor = queries.find_table_link(code), request.actor
    meter = read_meter(link)
    figures = mathematics.mathematics(
        meter.terms.rules, wager=meter.terms.parameters.wager, levels=meter.terms.parameters.levels
    )
    return show(
        request,
        "jackpot/link.html",
        link=link,
        meter=meter,
        reserve=meter.pools.balances[RESERVE].down_to_cents(),
        tables=[(table, steps.table_steps(table, actor)) for table in link.tables.select_related("watch")],
        version=(version := terms.in_force(link)),
        standing=queries.standing(version),
        figures=(data := figures.as_data()),
        hands=list(zip((each.prize for each in figures.prizes), data["hands"], strict=True)),
        must_hit_by=published.promised(link, now=timezone.now()),
        waiting=queries.first_undecided(link) if actor.may(permissions.DICE) else None,
        books=queries.books_of(link) if actor.may(permissions.REPORTS) else None,
        hits=queries.last_hits_of(link),
        steps=steps.link_steps(link, actor),
        payouts=pay_out.payouts_of(link, actor),
        pay_form=PayPayoutForm(),
        may_propose=actor.may(PROPOSE),
        held=queries.held_for(link) if actor.may(permissions.HELD) else (),
        may_join=actor.may(permissions.TABLES) and link.status == Link.Status.OPEN,
    )


@page(permissions.DICE)
def dice(request: Visit, key: int) -> HttpResponseBase:
    """An inspector's dice for one movement of a must-hit-by link, the witness being away."""
    seal = queries.meter_seal(key)
    code, number = seal.link.code, seal.number
    form = DiceForm(request.POST or None)
    if form.is_valid():
        thrown = attempt(
            form, dice_for_movement, code=code, number=number, dice=form.dice, why=form.why, by=request.actor
        )
        if thrown:
            return done(request, f"Movement {number} of {code} is decided by these throws.", "link", code)
    return show(request, "jackpot/dice.html", form=form, link=seal.link, seal=seal)


@page(permissions.VIEW, poll=True)
def meter(request: Visit, code: str) -> HttpResponseBase:
    return render(request, "jackpot/_meter.html", {"meter": read_meter(queries.find_table_link(code))})


def _propose(
    request: Visit,
    link: Link,
    form: TermsForm | AdjustForm | RetireForm | PayOutForm,
    kind: str,
    template: str,
    **more: object,
) -> HttpResponseBase:
    """What changes a jackpot is a proposal, and needs a second person (decision 11)."""
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=kind,
            subject=link.subject,
            new=form.new,
            why=form.why,
            by=request.actor,
            **(form.timing if isinstance(form, TermsForm) else Timing()),
        )
        if proposal:
            return done(request, proposed(proposal), "approval", proposal.pk)
    return show(request, template, form=form, link=link, **more)


@page(PROPOSE)
def propose_terms(request: Visit, code: str) -> HttpResponseBase:
    link = queries.find_table_link(code)
    form = TermsForm(request.POST or None, current=terms.of(terms.in_force(link)))
    return _propose(request, link, form, approvables.TERMS, "jackpot/propose_terms.html")


@page(PROPOSE)
def propose_adjustment(request: Visit, code: str) -> HttpResponseBase:
    link = queries.find_table_link(code)
    purses = adjust.adjustable(link)
    form = AdjustForm(request.POST or None, purses=purses)
    balances = pools.read_pools(link.code, levels=link.levels).balances
    shown = {purse: balances[purse] for purse in purses}
    return _propose(request, link, form, approvables.ADJUSTMENT, "jackpot/propose_adjustment.html", balances=shown)


@page(PROPOSE)
def propose_retirement(request: Visit, code: str) -> HttpResponseBase:
    link = queries.find_table_link(code)
    form = RetireForm(request.POST or None, link=link)
    return _propose(request, link, form, approvables.RETIREMENT, "jackpot/propose_retirement.html")


@page(PROPOSE)
def propose_pay_out(request: Visit, code: str) -> HttpResponseBase:
    """The link ends, or has ended and something came in since: to whom what is in it goes."""
    link = queries.find_table_link(code)
    form = PayOutForm(request.POST or None)
    held = Money.total(pools.read_pools(link.code, levels=link.levels).balances.values())
    return _propose(request, link, form, pay_out.PAYING_OUT, "jackpot/propose_pay_out.html", held=held)


@page(permissions.PAY, post=True)
def pay_payout(request: Visit, code: str, number: int) -> HttpResponseBase:
    form = PayPayoutForm(request.POST)
    if form.is_valid():
        paid = pay_out.pay_payout(payout_id=number, method=form.method, reference=form.reference, by=request.actor)
        return done(request, f"{money(paid.amount)} is paid to {paid.payee}.", "link", code)
    raise Refusal("reference-missing", "Enter the number of the cheque or the transfer.")
