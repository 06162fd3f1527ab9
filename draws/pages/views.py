"""Draws that wait and masters that are lost, for people; and what an inspector does about them."""

from __future__ import annotations

import json

from django.http import HttpResponseBase

from draws import inspect
from draws.beacon import can_fetch
from draws.commit import commitment_numbered, lost_masters
from draws.pages.forms import DiceForm, MasterForm, RoundForm
from draws.permissions import VIEW_DRAWS
from draws.replace import first_round
from draws.waits import unanswered, waiting
from house.permissions import AS_INSPECTOR
from web.page import Visit, attempt, done, page, show


@page(VIEW_DRAWS)
def overview(request: Visit) -> HttpResponseBase:
    return show(
        request,
        "draws/draws.html",
        waits=waiting(),
        lost=lost_masters(),
        inspector=request.actor.may(AS_INSPECTOR),
    )


@page(AS_INSPECTOR)
def question(request: Visit, number: int) -> HttpResponseBase:
    """An answer that does not come: dice, or a round, in its place."""
    asked, commitment = inspect.question_numbered(number)
    by_round = "round" in request.POST
    dice = DiceForm(request.POST if request.method == "POST" and not by_round else None)
    named = RoundForm(request.POST if by_round else None, initial={"round": first_round()}, auto_id="round_%s")
    if (
        dice.is_valid()
        and attempt(dice, inspect.throw_dice, question_id=number, dice=dice.dice, why=dice.why, by=request.actor)
        is not None
    ):
        return done(request, "On record. The draw goes on with your dice, marked as unwitnessed.", "draws")
    if (
        named.is_valid()
        and attempt(named, inspect.name_round, question_id=number, round=named.round, why=named.why, by=request.actor)
        is not None
    ):
        return done(request, "On record. The draw goes on with this round, marked as unwitnessed.", "draws")
    return show(
        request,
        "draws/question.html",
        question=asked,
        promised=commitment,
        waits=unanswered().filter(pk=number).exists(),
        dice=dice,
        named=named if can_fetch() else None,
    )


@page(AS_INSPECTOR)
def master(request: Visit, number: int) -> HttpResponseBase:
    """A master that does not open any more, given back from escrow."""
    promised = commitment_numbered(number)
    form = MasterForm(request.POST or None)
    if form.is_valid() and (
        attempt(form, inspect.give_back, promise_id=number, master=form.master, why=form.why, by=request.actor)
        is not None
    ):
        return done(request, f"The master of {promised} is back.", "draws")
    act = json.dumps(inspect.promised_act(promised), indent=1, sort_keys=True)
    return show(request, "draws/master.html", promised=promised, form=form, act=act)
