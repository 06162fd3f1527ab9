"""The draw room: the operator's desk. What is promised, sealed, drawn, signed and called, step by step."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters

from house import people
from house.permissions import AS_INSPECTOR
from house.second_person import on_the_spot
from kernel.refusal import NotFound
from promotions import integrity, scrutineer, void
from promotions.draw import dice, draw_promotion
from promotions.draw_room import draw_room
from promotions.entered_by import entered_by
from promotions.lifecycle import Step
from promotions.locks import find_promotion
from promotions.models import Draw
from promotions.pages import stage
from promotions.pages.people_forms import NominateForm, OnTheSpotForm
from promotions.permissions import DRAW, INTEGRITY, SCRUTINISE, SEE, VOID_DRAW
from promotions.steps import DrawStep
from web.page import Visit, attempt, done, page, show


def show_room(request: Visit, code: str, *, spot: OnTheSpotForm | None = None) -> HttpResponseBase:
    room = draw_room(find_promotion(code), by=request.actor, now=timezone.now())
    operates = Step.DRAW in room.coming
    waits_for = "sign" if room.draw is not None and room.draw.drawn_at else "attend"
    return show(
        request,
        "promotions/draw_room.html",
        form=spot,
        nominate=NominateForm(but=request.actor.identity, permission=SCRUTINISE) if operates else None,
        spot=spot or OnTheSpotForm(auto_id="spot-%s"),
        reopened=waits_for if spot is not None else "",
        stage_url=stage.address(code) if DrawStep.PRACTISE in room.steps else "",
        entered=entered_by(room.promotion),
        **vars(room),
    )


@page(SEE)
def desk(request: Visit, code: str) -> HttpResponseBase:
    return show_room(request, code)


@page(SEE, poll=True)
def live(request: Visit, code: str) -> HttpResponseBase:
    room = draw_room(find_promotion(code), by=request.actor, now=timezone.now())
    return render(request, "promotions/_draw_room.html", vars(room))


@page(DRAW, post=True)
def draw_now(request: Visit, code: str) -> HttpResponseBase:
    drawn = draw_promotion(code=code, by=request.actor)
    if drawn.begun_at is None:
        return done(request, f"{code} is postponed: its list is not the one that was sealed.", "promotion-room", code)
    if drawn.drawn_at is None:
        said = "The witness does not answer. The draw waits: it is asked again every second."
        return done(request, said, "promotion-room", code)
    said = "Drawn." if drawn.published_at else "Drawn. The scrutineer signs before the result is out."
    return done(request, said, "promotion-room", code)


@page(DRAW, post=True)
def nominate(request: Visit, code: str) -> HttpResponseBase:
    named = scrutineer.nominate_scrutineer(code=code, scrutineer=request.POST.get("scrutineer", ""), by=request.actor)
    name = people.names([named.scrutineer])[named.scrutineer or ""]
    return done(request, f"{name} oversees the draw, and says so before it.", "promotion-room", code)


@page(SCRUTINISE, post=True)
def oversee(request: Visit, code: str, step: str) -> HttpResponseBase:
    """The scrutineer, at his own screen."""
    _verb(step)(code=code, by=request.actor)
    return _overseen(request, code, step)


@sensitive_post_parameters("password", "code")
@page(DRAW, post=True)
def oversee_here(request: Visit, code: str, step: str) -> HttpResponseBase:
    """The scrutineer signs in at the operator's screen, for this one step."""
    verb = _verb(step)
    form = OnTheSpotForm(request.POST, auto_id="spot-%s")
    if form.is_valid():
        other = attempt(
            form, on_the_spot, request=request, username=form.username, password=form.password, code=form.code
        )
        if other and attempt(form, verb, code=code, by=other):
            return _overseen(request, code, step)
    return show_room(request, code, spot=form)


def _verb(step: str) -> Callable[..., Draw]:
    if step not in {"attend", "sign"}:
        raise NotFound("no-such-page", "There is no such page.")
    return scrutineer.attend if step == "attend" else scrutineer.sign


def _overseen(request: Visit, code: str, step: str) -> HttpResponseBase:
    said = "The scrutineer is here." if step == "attend" else "Signed: the result is out."
    return done(request, said, "promotion-room", code)


@page(INTEGRITY, post=True)
def doubt(request: Visit, code: str, what: str) -> HttpResponseBase:
    """17.11, 15.12: postponed or cancelled with the inspector's notice; resumed once validated; a dispute recorded."""
    said = request.POST.get("comment", "")
    if what == "resume":
        integrity.resume(code=code, why=said, by=request.actor, reseal=request.POST.get("reseal") == "on")
        return done(request, f"{code} goes on.", "promotion-room", code)
    if what == "dispute":
        incident = integrity.record_dispute(code=code, what=said, by=request.actor)
        return done(request, f"The dispute is incident {incident.pk}.", "promotion-room", code)
    verb = {"postpone": integrity.postpone, "cancel": integrity.cancel}.get(what)
    if verb is None:
        raise NotFound("no-such-page", "There is no such page.")
    incident = verb(code=code, why=said, by=request.actor)
    is_what = "cancelled" if what == "cancel" else "postponed"
    return done(request, f"{code} is {is_what}. Tell the inspector.", "incident", incident.pk)


@page(VOID_DRAW, post=True)
def void_draw(request: Visit, code: str) -> HttpResponseBase:
    """After asking: proposed here, seconded by another person, decided by the inspector."""
    then = void.FOR_GOOD if request.POST.get("for_good") == "on" else void.AGAIN
    made = void.propose_void(code=code, then=then, why=request.POST.get("comment", ""), by=request.actor)
    said = f"Proposal {made.pk}: another person stands behind it, then the inspector decides. The draw stands."
    return done(request, said, "promotion-room", code)


@page(AS_INSPECTOR, post=True)
def throw(request: Visit, code: str) -> HttpResponseBase:
    """The inspector’s dice in the place of a witness that is away."""
    given = request.POST
    dice(code=code, throws=given.get("dice", ""), why=given.get("comment", ""), by=request.actor)
    said = "The throws are on record: the draw goes on by them, marked as unwitnessed."
    return done(request, said, "promotion-room", code)


@page(DRAW, post=True)
def practise(request: Visit, code: str) -> HttpResponseBase:
    """A draw that counts for nothing, with a seed that is thrown away: to rehearse with the stage."""
    promotion = find_promotion(code)
    return redirect(stage.practice_address(promotion))
