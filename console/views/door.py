"""The door: password, second step, setting it up, out again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from console import lockouts, words
from console.forms import Sheet
from console.forms.door import CodeForm, PasswordForm, SignInForm
from console.page import Visit, attempt, done, door, page, safe_next, show, show_door
from console.views.devices import qr
from house import demo, sign_in, staff
from house.middleware import note_activity
from house.models import Staff
from house.refusal import NotSignedIn, Refusal

_NEXT = "after-sign-in"
_STEPS = {"code": "console:second-step", "enrol": "console:enrol", "password": "console:sign-in"}


@sensitive_post_parameters("password")
@door
def enter(request: HttpRequest) -> HttpResponseBase:
    if request.user.is_authenticated:
        return redirect("console:home")
    form = SignInForm(request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        step = _stepped(request, form, given["username"], sign_in.password_step, **given)
        if isinstance(step, HttpResponse):
            return step
        if step:
            request.session[_NEXT] = safe_next(request, request.POST.get("next"))
            return redirect(_STEPS[step])
    idle = "You were signed out because nothing had happened for a while." if request.GET.get("idle") else ""
    return show_door(
        request,
        "console/door/sign_in.html",
        form=form,
        notice=idle,
        next=request.POST.get("next") or request.GET.get("next", ""),
        demo_people=_demo_people(),
    )


@door
def second_step(request: HttpRequest) -> HttpResponseBase:
    if (step := sign_in.next_step(request)) != "code":
        return redirect(_STEPS[step])
    somebody = _pending(request)
    form = CodeForm(request.POST or None)
    if form.is_valid():
        person = _stepped(request, form, somebody.username, sign_in.code_step, code=form.cleaned_data["code"])
        if isinstance(person, HttpResponse):
            return person
        if person:
            return redirect(safe_next(request, request.session.pop(_NEXT, None)))
    code = next((each.code for each in _demo_people() if each.username == somebody.username), "")
    return show_door(request, "console/door/second_step.html", form=form, somebody=somebody, demo_code=code)


@door
def enrol(request: HttpRequest) -> HttpResponseBase:
    if (step := sign_in.next_step(request)) != "enrol":
        return redirect(_STEPS[step])
    somebody = _pending(request)
    enrolment = sign_in.begin_enrolment(request=request)
    form = CodeForm(request.POST or None)
    if form.is_valid():
        person = _stepped(request, form, somebody.username, sign_in.confirm_enrolment, code=form.cleaned_data["code"])
        if isinstance(person, HttpResponse):
            return person
        if person:
            return redirect(safe_next(request, request.session.pop(_NEXT, None)))
    return show_door(
        request,
        "console/door/enrol.html",
        form=form,
        secret=enrolment.secret,
        qr=qr(enrolment.uri, name="QR code for the authenticator"),
    )


def _pending(request: HttpRequest) -> Staff:
    """Whose password was right: asked only after sign_in.next_step has said that it still is."""
    return Staff.objects.get(pk=request.session[sign_in.PENDING]["staff"])


def _demo_people() -> list[demo.Credential]:
    """Shown only while the demo setting is on. house.demo answers nobody otherwise; we do not even ask."""
    return demo.credentials() if settings.DEMO else []


def _stepped(request: HttpRequest, form: Sheet, username: str, verb: Callable[..., Any], /, **arguments: Any) -> Any:
    """One step of the sign-in: what the verb answers, the locked-out page, or None with the reason on the form."""
    try:
        return verb(request=request, **arguments)
    except NotSignedIn as refusal:
        form.refuse(refusal)
    except Refusal as refusal:
        if refusal.code == "locked-out":
            return _locked(request, username.strip().lower(), refusal)
        form.refuse(refusal)
    return None


def _locked(request: HttpRequest, username: str, refusal: Refusal) -> HttpResponse:
    until = lockouts.locked_until(username).get(username)
    left = max(until - timezone.now(), dt.timedelta()) if until else dt.timedelta()
    answer = show_door(
        request,
        "console/door/locked.html",
        sentence=f"Too many failed attempts for “{username}”.",
        words=refusal.detail,
        until=until,
        seconds=int(left.total_seconds()),
        clock=words.clock(until) if until else "",
    )
    answer.status_code = refusal.status
    return answer


@door
def form_expired(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """A form without its token: mostly one that was open in another tab while somebody signed in or out."""
    answer = show_door(request, "console/door/expired.html")
    answer.status_code = 403
    return answer


@require_POST
@door
def leave(request: HttpRequest) -> HttpResponseBase:
    sign_in.sign_out(request=request)
    return redirect("console:sign-in")


@require_GET
@page(poll=True)
def stay(request: Visit) -> HttpResponseBase:
    """“Stay signed in”: a person pressed it, so it counts as something done."""
    note_activity(request, timezone.now())
    return JsonResponse({"signed_in": True})


@sensitive_post_parameters("current", "new", "again")
@page()
def password(request: Visit) -> HttpResponseBase:
    form = PasswordForm(request.POST or None)
    if form.is_valid():
        given = form.cleaned_data
        attempt(
            form,
            staff.change_own_password,
            staff=request.user,
            current=given["current"],
            new=given["new"],
            session_key=request.session.session_key,
        )
        if not form.errors and not form.refusal:
            update_session_auth_hash(request, request.user)
            return done(request, "Your password is changed. Your other sessions have ended.", "home")
    must = request.user.must_change_password
    frame = "console/door.html" if must else "console/page.html"
    return show(request, "console/door/password.html", form=form, frame=frame, must=must)
