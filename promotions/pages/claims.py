"""Claims: decided by one person, paid by another; denied with reasons, a letter and the right to complain."""

from __future__ import annotations

from django.http import HttpResponseBase

from house import people
from promotions import claims, letters, prize_steps, queries
from promotions.locks import find_promotion
from promotions.models import Claim, ClaimStatus
from promotions.pages.listing import pdf
from promotions.pages.people_forms import DenyForm, OtherClaimForm, PayForm, ToldForm
from promotions.pay import pay_prize
from promotions.permissions import CLAIM, DECIDE_CLAIM, PAY, PERSONAL, SEE
from promotions.rules.claims import Offer, allowed, right_to_complain
from promotions.versions import edition_of
from web.forms import PageForm
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show
from web.words import money


@page(SEE)
def listing(request: Visit) -> HttpResponseBase:
    names = request.actor.may(PERSONAL)
    found = Listing(
        request,
        queries.claims(),
        name="promotion-claims",
        order="-made_at",
        search=("promotion__code", "what", "name") if names else ("promotion__code", "what"),
        filters={
            "promotion": lambda rows, code: rows.filter(promotion__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Claim", lambda row: row.pk, order="pk"),
            Column("Made", lambda row: row.made_at, order="made_at"),
            Column("Promotion", lambda row: row.promotion.code, order="promotion__code"),
            Column("Prize", lambda row: row.what, order="what"),
            Column("Value", lambda row: row.value, order="value", css="right"),
            *((Column("Claimant"),) if names else ()),  # on the page; a list with names is the report of denied claims
            Column("State", lambda row: row.status, order="status"),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "promotions/claims.html",
        listing=found,
        names=names,
        codes=queries.with_claims(),
        states=ClaimStatus.values,
    )


@page(SEE)
def one(request: Visit, number: int) -> HttpResponseBase:
    return _show(request, number)


def _pay_form(claim: Claim, data: object = None) -> PayForm | None:
    win = claim.win
    if win is None or not prize_steps.is_unpaid(claim):
        return None
    offer = Offer(win.prize.kind, win.value, tuple(win.prize.payment), win.prize.alternative)
    rules = edition_of(claim.promotion)
    methods = dict.fromkeys((*allowed(rules, offer), *allowed(rules, offer, alternative=True)))
    without = win.prize.kind in rules.no_alternative or (rules.alternative_in_terms and win.prize.alternative is None)
    form = PayForm(data, win=win, methods=tuple(methods) if not without else allowed(rules, offer), auto_id="pay-%s")
    if without:
        form.offer("alternative", [("no", "The prize")])
    return form


def _show(request: Visit, number: int, *, bound: PageForm | None = None) -> HttpResponseBase:
    claim = claims.find_claim(number)
    rules, payment = edition_of(claim.promotion), queries.payment_of(claim)
    names = people.names([claim.made_by, claim.decided_by, claim.told_by, payment.by if payment else None])
    forms: dict[str, PageForm | None] = {
        "deny": DenyForm(claim=claim, auto_id="deny-%s"),
        "told": ToldForm(auto_id="told-%s"),
        "pay": _pay_form(claim),
    }
    reopened = next((name for name, form in forms.items() if form and type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    return show(
        request,
        "promotions/claim.html",
        form=bound,
        claim=claim,
        rules=rules,
        payment=payment,
        maker=names[claim.made_by],
        decider=names.get(claim.decided_by or ""),
        teller=names.get(claim.told_by or ""),
        payer=names.get(payment.by) if payment else None,
        forms=forms,
        reopened=reopened,
        names=request.actor.may(PERSONAL),
        complaint=right_to_complain(rules),
        decided_it=prize_steps.is_unpaid(claim) and claim.decided_by == request.actor.identity,
        steps=prize_steps.of_claim(claim, request.actor),
    )


@page(CLAIM)
def other(request: Visit, code: str) -> HttpResponseBase:
    """Somebody who, by the draw, has not won asks for a prize: to be decided, and kept if denied."""
    promotion = find_promotion(code)
    form = OtherClaimForm(request.POST or None)
    if form.is_valid():
        made = attempt(
            form,
            claims.make_other_claim,
            code=code,
            what=form.what,
            value=form.value,
            **form.claimant,
            by=request.actor,
        )
        if made:
            return done(request, f"Claim {made.pk} is taken.", "promotion-claim", made.pk)
    return show(request, "promotions/other_claim.html", form=form, promotion=promotion)


@page(DECIDE_CLAIM, post=True)
def accept(request: Visit, number: int) -> HttpResponseBase:
    claims.accept_claim(claim_id=number, by=request.actor)
    return done(request, f"Claim {number} is accepted. Somebody else pays it.", "promotion-claim", number)


@page(DECIDE_CLAIM, post=True)
def deny(request: Visit, number: int) -> HttpResponseBase:
    form = DenyForm(request.POST, claim=claims.find_claim(number), auto_id="deny-%s")
    if form.is_valid():
        denied = attempt(
            form,
            claims.deny_claim,
            claim_id=number,
            reasons=form.reasons,
            address=form.cleaned_data.get("address", ""),
            forfeit=form.forfeit,
            by=request.actor,
        )
        if denied:
            return done(request, f"Claim {number} is denied. Tell the person why.", "promotion-claim", number)
    return _show(request, number, bound=form)


@page(CLAIM, post=True)
def told(request: Visit, number: int) -> HttpResponseBase:
    form = ToldForm(request.POST, auto_id="told-%s")
    if form.is_valid():
        claim = attempt(form, claims.told_of_denial, claim_id=number, how=form.how, by=request.actor)
        if claim:
            return done(request, "The person has been told.", "promotion-claim", number)
    return _show(request, number, bound=form)


@page(PAY, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    form = _pay_form(claims.find_claim(number), request.POST)
    if form is None:
        pay_prize(claim_id=number, parts=[], by=request.actor)  # says why not
        return _show(request, number)
    if form.is_valid():
        paid = attempt(
            form,
            pay_prize,
            claim_id=number,
            parts=form.parts,
            alternative=form.alternative,
            identity=form.identity(),
            by=request.actor,
        )
        if paid:
            return done(request, f"{money(paid.amount)} is paid.", "promotion-claim", number)
    return _show(request, number, bound=form)


@page(PERSONAL)
def letter(request: Visit, number: int) -> HttpResponseBase:
    return pdf(letters.denial_letter(number), f"claim-{number}.pdf")
