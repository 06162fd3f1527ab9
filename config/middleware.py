"""Around every request: its id, one log line, its figures; and what only browsers need."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, cast

import structlog
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django_htmx.middleware import HtmxMiddleware
from django_otp.middleware import OTPMiddleware

from house.middleware import IdleTimeout
from kernel.actors import Actor
from web import logs, metrics
from web.languages.middleware import Languages

_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
# Asked every few seconds by machines; a line each would hide everything else.
_QUIET = {"healthz", "readyz", "metrics"}

log = structlog.get_logger("request")

Handler = Callable[[HttpRequest], HttpResponse]


class Addresses(CommonMiddleware):
    """Django's, but a call that misses its final slash is not found: redirected, it would lose its body."""

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not request.path_info.startswith("/api/") and super().should_redirect_with_slash(request)


class Began:
    """A request that has come in: its id, and what is noted of it once it is answered."""

    def __init__(self, offered_id: str | None) -> None:
        self.at = time.perf_counter()
        self.request_id = logs.begin_request(offered_id)

    def note_answer(self, method: str | None, path: str, *, route: str, status: int, by: Actor | None) -> None:
        seconds = time.perf_counter() - self.at
        method = method if method in _METHODS else "other"
        answered, taken = metrics.of_requests(route, method, status)
        answered.inc()
        taken.observe(seconds)
        metrics.note_pool()
        write = log.debug if route in _QUIET and status < 400 else log.info
        write(
            "answered",
            method=method,
            route=route,
            path=path,
            status=status,
            ms=round(seconds * 1000, 1),
            actor=by.identity if by else None,
            request_id=self.request_id,
        )


class Requests:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = Began(request.headers.get(logs.HEADER))
        response = self.get_response(request)
        response[logs.HEADER] = began.request_id
        by = getattr(request, "actor", None)
        began.note_answer(request.method, request.path, route=_route(request), status=response.status_code, by=by)
        return response


def _route(request: HttpRequest) -> str:
    """The name of the route, never the path: a label for each ticket would be a label too many."""
    match = request.resolver_match
    return (match.view_name or match.route) if match else "unmatched"


class Browsers:
    """What only browsers need. A device's call goes past all of it: its token is its session, and it shows no pages."""

    needed = (
        SessionMiddleware, CsrfViewMiddleware, AuthenticationMiddleware, OTPMiddleware, IdleTimeout, MessageMiddleware,
        HtmxMiddleware, Languages,
    )  # fmt: skip

    def __init__(self, get_response: Handler) -> None:
        self.past = self.through = get_response
        for kind in reversed(self.needed):
            made: Any = kind(self.through)
            self.through = cast(Handler, convert_exception_to_response(made))
            if isinstance(made, CsrfViewMiddleware):
                self.csrf = made

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return (self.past if _by_a_device(request) else self.through)(request)

    def process_view(self, request: HttpRequest, view: Any, positions: Any, names: Any) -> HttpResponse | None:
        return None if _by_a_device(request) else self.csrf.process_view(request, view, positions, names)


def _by_a_device(request: HttpRequest) -> bool:
    return "HTTP_AUTHORIZATION" in request.META and request.path_info.startswith("/api/v1/")
