"""The frame every console page stands in: who is asking, what they may, and how a refusal is shown.

Views hold no rules. They read a form, call one verb of the house and show what came of it; a refusal by the verb is
shown with its clause, and a person without the right gets a page in words.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlencode
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from kernel.actors import Actor
from kernel.codes import Power
from kernel.refusal import Forbidden, NotFound, Refusal
from web import rulebook
from web.forms import PageForm
from web.headers import secured
from web.view import PUBLIC, SIGNED_IN

P = ParamSpec("P")
T = TypeVar("T")
THEMES = ("light", "dark")
HANDED_OVER = "handed-over"
OVER_THE_PAGE = "X-Over-The-Page"  # whose session had ended; the door comes to him (again.js)
_REFUSED = "refused"  # where the session carries a refusal to the page it is shown on


class Visit(HttpRequest):
    """A request by somebody who has signed in with both steps."""

    user: Any  # the person, as the house stores people
    actor: Actor
    venue: Any  # the venue, likewise


View = Callable[Concatenate[Visit, P], HttpResponseBase]
Bare = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Needs:
    """What a page asks for: for the frame, the table of powers and the checks."""

    asked: Power | Callable[[], Power]
    post: bool = False

    @property
    def power(self) -> Power:
        return self.asked if isinstance(self.asked, Power) else self.asked()


def page(
    power: Power | Callable[[], Power] = SIGNED_IN, *, post: bool = False, poll: bool = False
) -> Callable[[View[P]], Bare[P]]:
    """A page for signed-in staff; with a power, for those who hold it. ``post``: an action, never fetched.

    *power* is a function where it depends on what the rooms offer.

    ``poll``: a part that a page fetches by itself; somebody whose session has ended gets 401, not the door's page.
    """

    needs = Needs(power, post)

    def frame(view: View[P]) -> Bare[P]:
        @functools.wraps(view)
        def framed(request: Any, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            return secured(_handed_over(request, _answer(request, *args, **kwargs)))

        def _answer(request: Any, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if (elsewhere := _not_in_yet(request, poll=poll)) is not None:
                return elsewhere
            request.actor = request.user.as_actor()
            try:
                request.actor.require(needs.power)
                if post and request.method != "POST":
                    raise NotFound("only-post", "That is something to do, not a page to look at.")
                return view(request, *args, **kwargs)
            except Refusal as refusal:
                refusal.take_note()
                if request.method == "POST" and not isinstance(refusal, (Forbidden, NotFound)):
                    return _carried_back(request, refusal)
                return _refused(request, refusal)

        framed.needs = needs  # type: ignore[attr-defined]
        return framed

    return frame


def needs_of(view: Callable[..., object]) -> Needs | None:
    """What a page has said it needs; None for what is no page."""
    return getattr(view, "needs", None)


def takes_file(bytes_limit: int) -> Callable[[Bare[P]], Bare[P]]:
    """A page to which so much may be sent. Elsewhere it is as much as a form holds (config/web.py)."""

    def mark(view: Bare[P]) -> Bare[P]:
        view.body_bytes_limit = bytes_limit  # type: ignore[attr-defined]
        return view

    return mark


def _handed_over(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """A form answered by a file leaves the page as it was: the cookie tells it that the file has come (console.js)."""
    if request.method == "POST" and answer.headers.get("Content-Disposition", "").startswith("attachment"):
        answer.set_cookie(HANDED_OVER, uuid4().hex, max_age=60, samesite="Lax", secure=request.is_secure())
    return answer


def _not_in_yet(request: HttpRequest, *, poll: bool) -> HttpResponseBase | None:
    """Where somebody goes who is not fully signed in; None for somebody who is.

    A session without its second step is not signed in at all (house.sign_in), so there is one thing to ask.
    """
    person: Any = request.user
    if person.is_authenticated and person.is_active:
        must = person.must_change_password and not request.path.startswith(reverse("console:password"))
        return redirect("console:password") if must else None
    if poll:
        return HttpResponse(status=401)
    # What was sent is not done; the page that it came from still has it (drafts.js).
    wanted = (
        request.get_full_path() if request.method == "GET" else safe_next(request, request.META.get("HTTP_REFERER"))
    )
    query = {"next": wanted} if wanted != "/" else {}
    return redirect(f"{reverse('console:sign-in')}{'?' if query else ''}{urlencode(query)}")


def door(view: Bare[P]) -> Bare[P]:
    """A page before or around the sign-in: anybody may see it."""

    @functools.wraps(view)
    def framed(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return secured(view(request, *args, **kwargs))

    framed.needs = Needs(PUBLIC)  # type: ignore[attr-defined]
    return framed


def show_door(request: HttpRequest, template: str, *, form: PageForm | None = None, **context: Any) -> HttpResponse:
    code = form.status if form is not None and form.is_bound and (form.errors or form.refusal) else 200
    shown = _as_shown(form.refusal) if form is not None and form.refusal else None
    frame: dict[str, Any] = {"form": form, "refusal": shown, "theme": _theme(request)}
    frame["venue"] = request.venue  # type: ignore[attr-defined]
    over = OVER_THE_PAGE in request.headers
    frame |= {"frame": "web/over.html" if over else "web/door.html", "over": over}
    answer = render(request, template, frame | context, status=code)
    if over:
        answer.headers[OVER_THE_PAGE] = "door"
    return answer


def show(request: Visit, template: str, *, form: PageForm | None = None, **context: Any) -> HttpResponse:
    """Render a page in its frame. A form with errors answers 422, or what the refusal says."""
    code = 200
    refusal = form.refusal if form is not None else None
    if form is not None and form.is_bound and (form.errors or refusal):
        code = form.status
    shown = _as_shown(refusal) if refusal else request.session.pop(_REFUSED, None)
    frame = {
        "form": form,
        "refusal": shown,
        "venue": request.venue,
        "actor": request.actor,
        "theme": _theme(request),
    }
    assert "person" not in context, "that is who is signed in, in the frame"
    code = context.pop("status_code", code)
    return render(request, template, frame | context, status=code)


def attempt(form: PageForm, verb: Callable[P, T], *args: P.args, **arguments: P.kwargs) -> T | None:
    """Call a verb with what a valid form holds. None, with the reason on the form, when it refuses."""
    try:
        return verb(*args, **arguments)
    except Forbidden:
        raise
    except Refusal as refusal:
        refusal.take_note()
        form.refuse(refusal)
        return None


def done(request: HttpRequest, said: str, name: str, *args: object) -> HttpResponse:
    """It worked: say so, and go on to the named page."""
    messages.success(request, said)
    return redirect(f"console:{name}", *args)


def safe_next(request: HttpRequest, url: str | None) -> str:
    """Where to go after the sign-in: only ever a page of ours."""
    if url and url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure()):
        return url
    return reverse("console:home")


@dataclass(frozen=True, slots=True)
class Refused:
    status: int
    title: str
    heading: str
    words: str


def _refused(request: Visit, refusal: Refusal) -> HttpResponse:
    heading = {403: "You have no right to do this", 404: "There is no such page"}.get(refusal.status, refusal.title)
    text = refusal.detail
    if refusal.status == 403:
        text += " Ask a manager, or an administrator for the role that has it."
    refused = Refused(status=refusal.status, title=refusal.title, heading=heading, words=text)
    return show(request, "web/refused.html", refused=refused, status_code=refusal.status)


def _carried_back(request: Visit, refusal: Refusal) -> HttpResponse:
    """An action refused: back to the page it came from, with the refusal on top of it."""
    request.session[_REFUSED] = _as_shown(refusal)
    return redirect(safe_next(request, request.META.get("HTTP_REFERER")))


def _as_shown(refusal: Refusal) -> dict[str, str]:
    clause = refusal.clause or ""
    return {"title": refusal.title, "detail": refusal.detail, "clause": clause, "says": rulebook.says(clause)}


def _theme(request: HttpRequest) -> str:
    chosen = request.COOKIES.get("theme", "")
    return chosen if chosen in THEMES else ""
