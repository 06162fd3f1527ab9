"""Coming in for the first time, or again: with a code of two halves, or of an inspector's own authority."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters

from console.door_forms import HalvesForm, InspectorForm
from house import access, guesses, inspectorate
from house.guesses import Step
from kernel.refusal import Refusal
from web.forms import PageForm
from web.page import door, show_door


def _taken(request: HttpRequest, form: PageForm, verb: Any, **given: object) -> HttpResponseBase | None:
    try:
        with guesses.counted(Step.PROVISION, request, wrong="code-not-valid"):
            verb(request=request, **given)
    except Refusal as refusal:
        form.refuse(refusal)
        return None
    return redirect("console:enrol")


@sensitive_post_parameters("first", "second", "new", "again")
@door
def with_halves(request: HttpRequest) -> HttpResponseBase:
    form = HalvesForm(request.POST or None)
    if form.is_valid():
        given = {"username": form.username, "first": form.first, "second": form.second, "password": form.new}
        if answer := _taken(request, form, access.enrol, **given):
            return answer
    return show_door(
        request,
        "console/door/enrol_with_code.html",
        form=form,
        heading="Enrol with your code",
        lead="Two people have each told you one half of it. Nobody but you knows the password that you choose now; "
        "your second step is set up next.",
    )


@sensitive_post_parameters("code", "new", "again")
@door
def inspector(request: HttpRequest) -> HttpResponseBase:
    form = InspectorForm(request.POST or None)
    if form.is_valid() and (answer := _taken(request, form, inspectorate.enrol, code=form.code, password=form.new)):
        return answer
    return show_door(
        request,
        "console/door/enrol_with_code.html",
        form=form,
        heading="Enrol as an inspector",
        lead="With a code that your own authority signed for you. Nobody of the house can make one, or reset what you "
        "choose here.",
    )
