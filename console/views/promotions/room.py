"""The draw room: the operator's desk. What is promised, sealed, drawn, signed and called, step by step."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters

from console import people, words
from console.forms.promotions.people import NominateForm, OnTheSpotForm
from console.page import Visit, attempt, done, page, show
from console.second_person import on_the_spot
from console.views.promotions import stage
from house.incidents import overdue
from house.models import Incident
from house.refusal import NotFound
from promotions import integrity, scrutineer
from promotions.attempts import standing_draw
from promotions.draw import draw_promotion, single_prizes
from promotions.draw_permissions import DRAW, INTEGRITY, SCRUTINISE
from promotions.lifecycle import OVER, Status
from promotions.locks import find_promotion
from promotions.models import Draw, EntryList, Pick, Promotion, Win
from promotions.permissions import SEE, SUBMIT
from promotions.rules.editions import needs_scrutineer
from promotions.versions import edition_of, in_force, terms_of

HELD = {Status.RUNNING, Status.CLOSED, Status.SEALED, Status.DRAWN}


def _room(request: Visit, promotion: Promotion) -> dict[str, Any]:
    """Everything the desk shows, and which step is next."""
    may, now = request.actor.may, timezone.now()
    version = in_force(promotion)
    if version is None:
        raise NotFound("not-started", f"{promotion.code} has not started: its draw room opens with it.")
    terms = terms_of(version)
    lots = list(version.prizes.order_by("place"))
    prizes = single_prizes(lots)
    watched = any(needs_scrutineer(prize.value) for prize in prizes)
    draw = standing_draw(promotion)
    sealed = EntryList.objects.filter(promotion=promotion, voided_at=None).first()
    held = _winners(draw, now) if draw else []
    status, me = promotion.status, request.actor.identity
    names = people.names([draw.scrutineer, draw.drawn_by, draw.made_by] if draw else [])
    early = promotion.draw_at is not None and now < promotion.draw_at
    ready = status == Status.SEALED and draw is not None and not early and not (watched and draw.attended_at is None)
    return {
        "promotion": promotion,
        "rules": edition_of(promotion),
        "terms": terms,
        "prizes": prizes,
        "lots": lots,
        "worth": sum(prize.value.micros for prize in prizes),
        "watched": watched,
        "draw": draw,
        "commitment": bytes(draw.commitment).hex() if draw else "",
        "scrutineer": names.get(draw.scrutineer or "") if draw else "",
        "drawer": names.get(draw.drawn_by or "") if draw else "",
        "sealed": sealed,
        "root": bytes(sealed.root).hex() if sealed else "",
        "entries": sealed.count if sealed else promotion.entries.filter(withdrawn_at=None).count(),
        "winners": held,
        "alternates": list(Pick.objects.filter(draw=draw, outcome="alternate").order_by("place")[:20]) if draw else [],
        "void": list(Draw.objects.filter(promotion=promotion, voided_at__isnull=False).order_by("attempt")),
        "seconds": int((promotion.draw_at - now).total_seconds()) if early and promotion.draw_at else None,
        "incidents": _incidents(promotion),
        "over": status in OVER,
        "may_seal": may(SUBMIT) and status == Status.CLOSED,
        "may_draw": may(DRAW) and ready and draw is not None and draw.scrutineer != me,
        "may_nominate": may(DRAW) and draw is not None and draw.drawn_at is None and status in HELD,
        "is_scrutineer": may(SCRUTINISE) and draw is not None and draw.scrutineer == me,
        "may_spot": may(DRAW) and draw is not None and bool(draw.scrutineer) and draw.scrutineer != me,
        "may_call": may(DRAW) and terms.must_be_present,
        "may_practise": may(DRAW),
        "may_postpone": may(INTEGRITY) and status in HELD,
        "may_resume": may(INTEGRITY) and status == Status.POSTPONED,
        "may_cancel": may(INTEGRITY) and status not in OVER,
        "may_dispute": may(INTEGRITY) and draw is not None and draw.drawn_at is not None,
    }


def _winners(draw: Draw, now: Any) -> list[Any]:
    """Who holds each prize, then who lost one; the first who has not come forward is the one to call."""
    rows: list[Any] = list(
        Win.objects.filter(pick__draw=draw).select_related("pick", "prize").order_by("pick__prize", "pick__place")
    )
    called = False
    for row in rows:
        waits = row.status == "drawn" and row.present_at is None
        row.seconds = int((row.call_ends_at - now).total_seconds()) if waits and row.call_ends_at else None
        row.to_call = waits and row.called_at is None and not called
        row.absent = row.seconds is not None and row.seconds < 0
        called = called or waits
    return rows


def _incidents(promotion: Promotion) -> list[Any]:
    late = {notice.incident_id for notice in overdue()}
    rows: list[Any] = list(Incident.objects.filter(subject=promotion.subject).order_by("-id")[:5])
    for row in rows:
        row.title, row.late = words.label(row.kind), row.pk in late
    return rows


def show_room(request: Visit, code: str, *, spot: OnTheSpotForm | None = None) -> HttpResponseBase:
    promotion = find_promotion(code)
    room = _room(request, promotion)
    return show(
        request,
        "console/promotions/room.html",
        form=spot,
        nominate=NominateForm(but=request.actor.identity, permission=SCRUTINISE) if request.actor.may(DRAW) else None,
        spot=spot or OnTheSpotForm(auto_id="spot-%s"),
        reopened=spot is not None,
        # The desk looks by itself every two seconds, so a step may open later: its dialog is there already.
        operates=request.actor.may(DRAW) and not room["over"] and (room["draw"] is None or not room["draw"].signed_at),
        seals=request.actor.may(SUBMIT) and not room["over"] and room["sealed"] is None,
        stage_url=stage.address(code) if request.actor.may(DRAW) else "",
        **room,
    )


@page(SEE)
def desk(request: Visit, code: str) -> HttpResponseBase:
    return show_room(request, code)


@page(SEE, poll=True)
def live(request: Visit, code: str) -> HttpResponseBase:
    return render(request, "console/promotions/_room.html", _room(request, find_promotion(code)))


@page(DRAW, post=True)
def draw_now(request: Visit, code: str) -> HttpResponseBase:
    drawn = draw_promotion(code=code, by=request.actor)
    if drawn.drawn_at is None:
        return done(request, f"{code} is postponed: its list is not the one that was sealed.", "promotion-room", code)
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
    _steps(step)(code=code, by=request.actor)
    return _overseen(request, code, step)


@sensitive_post_parameters("password", "code")
@page(DRAW, post=True)
def oversee_here(request: Visit, code: str, step: str) -> HttpResponseBase:
    """The scrutineer signs in at the operator's screen, for this one step."""
    verb = _steps(step)
    form = OnTheSpotForm(request.POST, auto_id="spot-%s")
    if form.is_valid():
        other = attempt(form, on_the_spot, request=request, **form.cleaned_data)
        if other and attempt(form, verb, code=code, by=other):
            return _overseen(request, code, step)
    return show_room(request, code, spot=form)


def _steps(step: str) -> Any:
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
        reseal, new_seed = (request.POST.get(name) == "on" for name in ("reseal", "new_seed"))
        integrity.resume(code=code, why=said, by=request.actor, reseal=reseal, new_seed=new_seed)
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


@page(DRAW, post=True)
def practise(request: Visit, code: str) -> HttpResponseBase:
    """A draw that counts for nothing, with a seed that is thrown away: to rehearse with the stage."""
    promotion = find_promotion(code)
    return redirect(stage.practice_address(promotion))
