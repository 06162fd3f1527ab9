"""What was won: verified by one person, paid or denied by another."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase

from house import people
from jackpot import handpay, hits, permissions, queries, slips, steps
from jackpot.attend import attend_hit, coming_by_name
from jackpot.models import Hit
from jackpot.pages.round_forms import VerifyForm
from web import words
from web.lists import Column, Listing
from web.page import Visit, attempt, done, page, show


@page(permissions.VIEW)
def listing(request: Visit) -> HttpResponseBase:
    found = Listing(
        request,
        queries.hits(),
        name="jackpot-hits",
        order="-claimed_at",
        search=("table__code", "hand", "player_card"),
        filters={
            "link": lambda rows, code: rows.filter(link__code=code),
            "status": lambda rows, status: rows.filter(status=status),
        },
        columns=(
            Column("Hit", lambda row: row.pk),
            Column("When", lambda row: row.claimed_at, order="claimed_at"),
            Column("Link", lambda row: row.link.code, order="link__code"),
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
        "jackpot/hits.html",
        listing=found,
        codes=queries.link_codes(),
        states=Hit.Status.values,
    )


@page(permissions.VIEW)
def hit(request: Visit, number: int) -> HttpResponseBase:
    return _show_hit(request, number)


def _show_hit(request: Visit, number: int, *, bound: VerifyForm | None = None) -> HttpResponseBase:
    found = hits.find_hit(number)
    actor = request.actor
    names = people.names([found.claimed_by, found.verified_by, found.authorised_by, found.paid_by, found.denied_by])
    form = bound or VerifyForm(auto_id="verify-%s", initial={"box": found.box if found.dealt else None})
    return show(
        request,
        "jackpot/hit.html",
        form=bound,
        hit=found,
        laid=words.hand(found.dealt) if steps.may_see_cards(found, actor) else "",
        verify_form=form,
        pieces=form.pieces(hits.game_of(found)) if found.dealt else None,
        lies_on=f"What lies on box {found.box}",
        claimer=names.get(found.claimed_by),
        verifier=names.get(found.verified_by or ""),
        payer=names.get(found.paid_by or ""),
        denier=names.get(found.denied_by or ""),
        reopened="verify" if bound else "",
        steps=steps.hit_steps(found, actor),
        may_pay=steps.HitStep.PAY in steps.hit_steps(found, actor) and handpay.is_authorised(found),
        handed=found.amount - handpay.rules_of(found).withheld(found.amount),
        took_part=steps.took_part(found, actor),
        waits=steps.what_it_waits_for(found),
        coming=coming_by_name([found.pk]).get(found.pk),
        authoriser=names.get(found.authorised_by or ""),
        right_to_complain=hits.RIGHT_TO_COMPLAIN,
    )


@page(permissions.VERIFY, post=True)
def attend(request: Visit, number: int) -> HttpResponseBase:
    """Taken from the alert: the other screens fall silent, the dealer sees who comes."""
    hit = attend_hit(hit_id=number, by=request.actor)
    return done(request, f"You are going to {hit.table}: the dealer sees that you are coming.", "hit", number)


@page(permissions.VERIFY, post=True)
def verify(request: Visit, number: int) -> HttpResponseBase:
    form = VerifyForm(request.POST, auto_id="verify-%s")
    if form.is_valid():
        verified = attempt(
            form,
            hits.verify_hit,
            hit_id=number,
            cards=form.cards or None,
            box=form.box,
            player_card=form.player or None,
            surveillance=form.surveillance,
            note=form.note,
            by=request.actor,
        )
        if verified:
            return done(request, f"Hit {number} is verified. Somebody else pays it.", "hit", number)
    return _show_hit(request, number, bound=form)


@page(permissions.DENY, post=True)
def deny(request: Visit, number: int) -> HttpResponseBase:
    hits.deny_hit(hit_id=number, reason=request.POST.get("comment", ""), by=request.actor)
    return done(request, f"Hit {number} is denied. Tell the person of the right to complain.", "hit", number)


@page(permissions.SLIPS)
def slip(request: Visit, number: int) -> HttpResponseBase:
    """The paper that goes with the payment, or with the denial."""
    named = {"Content-Disposition": f'inline; filename="hit-{number}.pdf"'}
    return HttpResponse(slips.as_pdf(hit_id=number), content_type="application/pdf", headers=named)
