"""The door: password, second step, setting it up, out again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from console.door_forms import CodeForm, PasswordForm, SignInForm
from console.first_steps import Shown, tour
from house import demo, guesses, sign_in, staff
from house.middleware import note_activity
from house.pages.devices import qr
from kernel.refusal import NotSignedIn, Refusal
from ledger import separation
from ledger.checkpoints import fingerprints
from web.forms import PageForm
from web.page import OVER_THE_PAGE, Visit, attempt, done, door, page, safe_next, show, show_door
from web.problems import TooMany

_NEXT = "after-sign-in"
_STEPS = {"code": "console:second-step", "enrol": "console:enrol", "password": "console:sign-in"}


@sensitive_post_parameters("password")
@door
def enter(request: HttpRequest) -> HttpResponseBase:
    if request.user.is_authenticated:
        return _again(request) if OVER_THE_PAGE in request.headers else redirect("console:home")
    whose = request.headers.get(OVER_THE_PAGE, "")
    form = SignInForm(request.POST or None, initial={"username": whose})
    if form.is_valid():
        step = _stepped(request, form, sign_in.password_step, username=form.username, password=form.password)
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
        demo_people=[each for each in _demo_people() if whose in ("", each.username)],
        jobs=[] if whose else _jobs(),
        not_separated=separation.in_words(),
        fingerprints=fingerprints(),
    )


@door
def second_step(request: HttpRequest) -> HttpResponseBase:
    if (step := sign_in.next_step(request)) != "code":
        return redirect(_STEPS[step])
    somebody = sign_in.pending_person(request)
    form = CodeForm(request.POST or None)
    if form.is_valid():
        person = _stepped(request, form, sign_in.code_step, code=form.code)
        if isinstance(person, HttpResponse):
            return person
        if person:
            return _inside(request)
    code = next((each.code for each in _demo_people() if each.username == somebody.username), "")
    return show_door(request, "console/door/second_step.html", form=form, somebody=somebody, demo_code=code)


@door
def enrol(request: HttpRequest) -> HttpResponseBase:
    if (step := sign_in.next_step(request)) != "enrol":
        return redirect(_STEPS[step])
    enrolment = sign_in.begin_enrolment(request=request)
    form = CodeForm(request.POST or None)
    if form.is_valid():
        person = _stepped(request, form, sign_in.confirm_enrolment, code=form.code)
        if isinstance(person, HttpResponse):
            return person
        if person:
            return _inside(request)
    return show_door(
        request,
        "console/door/enrol.html",
        form=form,
        secret=enrolment.secret,
        qr=qr(enrolment.uri, name="QR code for the authenticator"),
    )


def _demo_people() -> list[demo.Credential]:
    """Shown only while the demo setting is on. house.demo answers nobody otherwise; we do not even ask."""
    return demo.credentials() if settings.DEMO else []


def _jobs() -> list[tuple[demo.Credential, list[Shown]]]:
    """The demo's tour: who does what in it."""
    found = ((each, tour(f"staff:{each.username}")) for each in _demo_people())
    return [(each, steps) for each, steps in found if steps]


def _stepped(request: HttpRequest, form: PageForm, verb: Callable[..., Any], /, **arguments: object) -> Any:
    """One step of the sign-in: what the verb answers, a page that says to wait, or None and the reason on the form."""
    try:
        return verb(request=request, **arguments)
    except NotSignedIn as refusal:
        form.refuse(refusal)
    except TooMany as refusal:
        return _slow_down(request, refusal)
    except Refusal as refusal:
        form.refuse(refusal)
    return None


def _slow_down(request: HttpRequest, refusal: TooMany) -> HttpResponse:
    seconds = refusal.retry_after_seconds
    until = timezone.now() + dt.timedelta(seconds=seconds)
    answer = show_door(request, "console/door/slow_down.html", until=until, seconds=seconds)
    answer.status_code = refusal.status
    answer["Retry-After"] = str(seconds)
    return answer


def _inside(request: HttpRequest) -> HttpResponseBase:
    """Where the person wanted to go; the browser keeps the mark by which its failures are counted."""
    wanted = safe_next(request, request.session.pop(_NEXT, None))
    over = OVER_THE_PAGE in request.headers
    answer = _again(request) if over else redirect("console:arrive" if wanted == reverse("console:home") else wanted)
    answer.set_cookie(
        guesses.COOKIE,
        request.session.pop(sign_in.BROWSER_MARK),
        max_age=guesses.PLACE_LIFE,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return answer


def _again(request: HttpRequest) -> HttpResponse:
    """Signed in over the page: who, and the token for the forms that were open on it."""
    return JsonResponse({"person": request.user.get_username(), "token": get_token(request)})


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
        attempt(
            form,
            staff.change_own_password,
            staff=request.user,
            current=form.current,
            new=form.new,
            session_key=request.session.session_key,
        )
        if not form.errors and not form.refusal:
            update_session_auth_hash(request, request.user)
            return done(request, "Your password is changed. Your other sessions have ended.", "home")
    must = request.user.must_change_password
    frame = "web/door.html" if must else "web/page.html"
    return show(request, "console/door/password.html", form=form, frame=frame, must=must)
