"""The page that walks through the payment of a hit: what it asks for, whose turn it is, instalments, the slip."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from django.utils import timezone

from house import approvals, people
from house.cash.limits import asks_identity
from house.pages.proposals import proposed
from house.permissions import PROPOSE
from jackpot import handpay as payments
from jackpot import hits, instalments, permissions, steps
from jackpot.models import Hit, Instalment
from jackpot.pages.forms import InstalmentsForm, PayForm, PayInstalmentForm
from kernel.actors import Actor
from kernel.refusal import NotFound
from web import words
from web.page import Visit, attempt, done, page, show
from web.words import money


@page(permissions.VIEW)
def handpay(request: Visit, number: int) -> HttpResponseBase:
    return _walk(request, hits.find_hit(number))


def _walk(
    request: Visit, hit: Hit, *, pay_form: PayForm | None = None, part_form: PayInstalmentForm | None = None
) -> HttpResponseBase:
    actor, rules = request.actor, payments.rules_of(hit)
    withheld = hit.withheld if hit.paid_at else rules.withheld(hit.amount)
    names = people.names([hit.claimed_by, hit.verified_by, hit.authorised_by, hit.paid_by])
    return show(
        request,
        "jackpot/handpay.html",
        form=pay_form or part_form,
        hit=hit,
        asked=payments.asked_for(hit),
        rate=words.rate(rules.tax_rate),
        withheld=withheld,
        handed=hit.amount - withheld,
        people=[names.get(each or "") for each in (hit.claimed_by, hit.verified_by, hit.authorised_by, hit.paid_by)],
        asks_authorisation=rules.asks_authorisation(hit.amount),
        may_pay=steps.HitStep.PAY in steps.hit_steps(hit, actor) and payments.is_authorised(hit),
        asks_surveillance=rules.asks_surveillance(hit.amount),
        allows_instalments=rules.allows_instalments(hit.amount) and hit.status == Hit.Status.VERIFIED,
        may_authorise=steps.would_allow(payments.must_authorise, hit, actor),
        may_propose=actor.may(PROPOSE),
        waits=steps.what_it_waits_for(hit),
        steps=steps.hit_steps(hit, actor),
        plan=instalments.plan_of(hit),
        pay_form=pay_form or _pay_form(hit),
        threshold=asks_identity(hit.amount),
        parts=_parts(hit, actor),
        owed=instalments.owed(hit),
        part_form=part_form or PayInstalmentForm(auto_id="part-%s"),
    )


def _pay_form(hit: Hit) -> PayForm:
    return PayForm(auto_id="pay-%s", initial={"method": "cheque" if asks_identity(hit.amount) else "cash"})


def _parts(hit: Hit, actor: Actor) -> list[tuple[Instalment, bool]]:
    now = timezone.now()
    found = hit.instalments.select_related("hit__link", "hit__table", "hit__round__terms", "proposal")
    return [(part, steps.would_allow(instalments.must_pay, part, actor, now)) for part in found.order_by("number")]


@page(permissions.AUTHORISE, post=True)
def authorise(request: Visit, number: int) -> HttpResponseBase:
    payments.authorise_hit(hit_id=number, by=request.actor)
    return done(request, f"The payment of hit {number} is authorised. Somebody else pays it.", "handpay", number)


@page(permissions.PAY, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    form = PayForm(request.POST, auto_id="pay-%s")
    if form.is_valid():
        paid = attempt(
            form,
            hits.pay_hit,
            hit_id=number,
            method=form.method,
            payment_reference=form.payment_reference,
            identity=form.identity(),
            surveillance=form.surveillance,
            by=request.actor,
        )
        if paid:
            return done(request, f"{money(paid.paid_out)} is paid.", "handpay", number)
    return _walk(request, hits.find_hit(number), pay_form=form)


@page(permissions.PAY, post=True)
def pay_instalment(request: Visit, number: int) -> HttpResponseBase:
    part = instalments.find_instalment(number).first()
    if part is None:
        raise NotFound("no-such-instalment", f"There is no instalment {number}.")
    form = PayInstalmentForm(request.POST, auto_id="part-%s")
    if form.is_valid():
        paid = attempt(
            form,
            instalments.pay_instalment,
            instalment_id=number,
            method=form.method,
            reference=form.reference,
            identity=form.identity(),
            by=request.actor,
        )
        if paid:
            return done(request, f"Instalment {paid.number}, {money(paid.amount)}, is paid.", "handpay", paid.hit_id)
    return _walk(request, hits.find_hit(part.hit_id), part_form=form)


@page(PROPOSE)
def propose_instalments(request: Visit, number: int) -> HttpResponseBase:
    hit = hits.find_hit(number)
    form = InstalmentsForm(request.POST or None)
    owed = hit.amount - payments.rules_of(hit).withheld(hit.amount)
    if form.is_valid():
        proposal = attempt(
            form,
            approvals.propose,
            kind=instalments.PLAN,
            subject=hit.link.subject,
            new=form.new(hit, owed),
            why=form.why,
            by=request.actor,
        )
        if proposal:
            return done(request, proposed(proposal), "approval", proposal.pk)
    return show(request, "jackpot/propose_instalments.html", form=form, hit=hit, link=hit.link, owed=owed)
