"""A player's usual tickets, found by his card, to be looked at and forgotten. The card is never part of an address."""

from __future__ import annotations

from django import forms
from django.http import HttpResponseBase

from keno.favourites import favourites_of, forget_favourite
from keno.permissions import FAVOURITES
from web.forms import PageForm
from web.page import Visit, attempt, page, show


class CardForm(PageForm):
    card = forms.CharField(
        label="Player card", max_length=64, widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"})
    )


@page(FAVOURITES)
def favourites(request: Visit) -> HttpResponseBase:
    """Looked up by sending the card; one of them is forgotten where its number comes along."""
    form, found = CardForm(request.POST or None), None
    if form.is_valid():
        forgotten = request.POST.get("forget", "")
        if forgotten.isascii() and forgotten.isdigit() and len(forgotten) < 19:
            attempt(form, forget_favourite, card=form.card, number=int(forgotten), by=request.actor)
        found = attempt(form, favourites_of, card=form.card, by=request.actor)
    return show(request, "keno/favourites.html", form=form, found=found)
