"""What was won: verified by one person, paid or denied by another."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase

from console import people
from console.forms import Sheet
from console.forms.jackpots import PayForm, VerifyForm
from console.page import Visit, attempt, done, page, show
from console.tables import Column, Listing
from console.words import money
from jackpot import hits, permissions, slips
from jackpot.models import Hit, Pool


@page(permissions.VIEW)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        Hit.objects.select_related("pool", "table"),
        name="jackpot-hits",
        order="-claimed_at",
        search=("table__code", "hand", "player"),
        filters={
            "link": lambda rows, code: rows.filter(pool__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Hit", lambda row: row.pk),
            Column("When", lambda row: row.claimed_at, order="claimed_at"),
            Column("Link", lambda row: row.pool.code, order="pool__code"),
            Column("Table", lambda row: row.table.code, order="table__code"),
            Column("Hand", lambda row: row.hand or row.kind, order="hand"),
            Column("Amount", lambda row: row.amount, order="amount", css="right"),
            Column("State", lambda row: row.status, order="status"),
            Column("From the pool", lambda row: row.from_pool, shown=False),
            Column("From the house", lambda row: row.from_house, shown=False),
            Column("Gaming day", lambda row: row.day, shown=False),
        ),
    )
    if found.wants_csv:
        return found.csv()
    return show(
        request,
        "console/jackpots/hits.html",
        listing=found,
        codes=Pool.objects.filter(terms__version=1).values_list("code", flat=True),
        states=Hit.Status.values,
    )


@page(permissions.VIEW)
def hit(request: Visit, number: int) -> HttpResponseBase:
    return _show_hit(request, number)


def _show_hit(request: Visit, number: int, *, bound: Sheet | None = None) -> HttpResponseBase:
    found: Any = hits.find_hit(number)
    actor = request.actor
    took_part = actor.identity in {found.claimed_by, found.verified_by}
    steps = people.names([found.claimed_by, found.verified_by, found.paid_by, found.denied_by])
    forms: dict[str, Sheet] = {
        "verify": VerifyForm(auto_id="verify-%s", initial={"box": found.box}),
        "pay": PayForm(auto_id="pay-%s", initial={"method": "cash" if found.amount < hits.THRESHOLD else "cheque"}),
    }
    reopened = next((name for name, form in forms.items() if type(form) is type(bound)), "")
    if bound is not None:
        forms[reopened] = bound
    return show(
        request,
        "console/jackpots/hit.html",
        form=bound,
        hit=found,
        laid=_laid(found),
        people=steps,
        forms=forms,
        reopened=reopened,
        took_part=took_part,
        threshold=found.amount >= hits.THRESHOLD,
        right_to_complain=hits.RIGHT_TO_COMPLAIN,
        may_verify=found.status == "claimed" and actor.may(permissions.VERIFY) and not took_part,
        may_pay=found.status == "verified" and actor.may(permissions.PAY) and not took_part,
        may_deny=found.status in ("claimed", "verified") and actor.may(permissions.DENY) and not took_part,
    )


def _laid(hit: Hit) -> str:
    """What the table sent for the box."""
    hands: Any = (hit.round.hands if hit.round else None) or []
    return next((" ".join(each.get("cards") or each["tiles"]) for each in hands if each["box"] == hit.box), "")


@page(permissions.VERIFY, post=True)
def verify(request: Visit, number: int) -> HttpResponseBase:
    form = VerifyForm(request.POST, auto_id="verify-%s")
    if form.is_valid() and attempt(form, hits.verify_hit, hit_id=number, by=request.actor, **form.seen):
        return done(request, f"Hit {number} is verified. Somebody else pays it.", "hit", number)
    return _show_hit(request, number, bound=form)


@page(permissions.PAY, post=True)
def pay(request: Visit, number: int) -> HttpResponseBase:
    form = PayForm(request.POST, auto_id="pay-%s")
    if form.is_valid():
        paid = attempt(
            form,
            hits.pay_hit,
            hit_id=number,
            method=form.cleaned_data["method"],
            payment_reference=form.cleaned_data["payment_reference"],
            identity=form.identity,
            by=request.actor,
        )
        if paid:
            return done(request, f"{money(paid.amount)} is paid.", "hit", number)
    return _show_hit(request, number, bound=form)


@page(permissions.DENY, post=True)
def deny(request: Visit, number: int) -> HttpResponseBase:
    hits.deny_hit(hit_id=number, reason=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Hit {number} is denied. Tell the person of the right to complain.", "hit", number)


@page(permissions.VIEW)
def slip(request: Visit, number: int) -> HttpResponseBase:
    """The paper that goes with the payment, or with the denial."""
    named = {"Content-Disposition": f'inline; filename="hit-{number}.pdf"'}
    return HttpResponse(slips.as_pdf(hit_id=number), content_type="application/pdf", headers=named)
