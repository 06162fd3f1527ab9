"""Fees of a Keno tournament that go back: others say so, a writer hands them over."""

from __future__ import annotations

from django.http import HttpResponseBase

from house.pages.forms.cash import IdentityForm
from house.pages.proposals import proposed
from keno import tournaments
from keno.pages.tournaments import show_tournament
from keno.permissions import PAY, TOURNAMENT
from keno.tournaments import KENO
from tournaments import queries
from web.page import Visit, attempt, done, page
from web.words import money


@page(TOURNAMENT, post=True)
def call_off(request: Visit, code: str) -> HttpResponseBase:
    made = tournaments.propose_calling_off(code=code, why=request.POST.get("comment", ""), by=request.actor)
    return done(request, proposed(made), "approval", made.pk)


@page(TOURNAMENT, post=True)
def authorise_refund(request: Visit, number: int) -> HttpResponseBase:
    entry = tournaments.authorise_refund(entry_id=number, why=request.POST.get("comment", ""), by=request.actor)
    said = f"You authorised the refund of {money(entry.fee)} for entry {entry.pk}. A writer hands it over."
    said += "" if entry.refund_seconded_by else " At a terminal it takes another person who says so, too."
    return done(request, said, "keno-tournament", entry.tournament.code)


@page(PAY, post=True)
def refund(request: Visit, number: int) -> HttpResponseBase:
    code = queries.find_entry(KENO, number).tournament.code
    form = IdentityForm(request.POST, auto_id=f"refund-{number}-%s")
    if form.is_valid():
        paid = attempt(form, tournaments.refund_entry, entry_id=number, identity=form.identity(), by=request.actor)
        if paid:
            return done(request, f"{money(paid.fee)} is given back for entry {paid.pk}.", "keno-tournament", code)
    return show_tournament(request, tournaments.find_tournament(code), form=form, paying=number)
