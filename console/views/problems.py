"""What a browser is shown where there is no page, no right, or a mistake of ours; the API has its own documents.

Somebody who is signed in stays in the frame and can go on; a stranger, and everybody after a mistake of ours, sees the
door's page, which asks nothing of the database.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from kernel.refusal import Forbidden, Malformed, NotFound, Refusal
from web import problems
from web.headers import secured
from web.json import TooLarge
from web.page import THEMES, Visit, page

_HEADINGS = {
    400: "This request cannot be read",
    403: "This is not allowed",
    404: "There is no such page",
    500: "Something went wrong here",
}


@page()
def _in_the_frame(request: Visit, refusal: Refusal) -> HttpResponseBase:
    raise refusal


def _at_the_door(request: HttpRequest, refusal: Refusal) -> HttpResponseBase:
    theme = request.COOKIES.get("theme", "")
    shown: dict[str, Any] = {
        "heading": _HEADINGS.get(refusal.status, refusal.title),
        "words": refusal.detail,
        "status": refusal.status,
        "theme": theme if theme in THEMES else "",
    }
    return secured(render(request, "console/door/problem.html", shown, status=refusal.status))


def _shown(request: HttpRequest, refusal: Refusal) -> HttpResponseBase:
    if request.path.startswith("/api/"):
        return problems.answer(refusal)
    person: Any = getattr(request, "user", None)
    known = person is not None and person.is_authenticated and not person.must_change_password
    if known and request.method in ("GET", "HEAD"):
        return _in_the_frame(request, refusal)
    return _at_the_door(request, refusal)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    refusal: Refusal = Malformed("malformed", "This request cannot be read.")
    if isinstance(exception, RequestDataTooBig):
        refusal = TooLarge("too-large", "That is more than can be sent here.")
    return problems.answer(refusal) if request.path.startswith("/api/") else _at_the_door(request, refusal)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return _shown(request, Forbidden("not-allowed", "This is not allowed."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return _shown(request, NotFound("not-found", "There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponseBase:
    refusal = problems.broken()
    return problems.answer(refusal) if request.path.startswith("/api/") else _at_the_door(request, refusal)
