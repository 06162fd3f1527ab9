"""Before Django: a device's usual call is done in one statement, and answered here (decision 37, ``web.at_once``).

Only calls that say how they are done at once come in here, and only a device's: its token is its session, so that
nothing that browsers need is of any use to it. Everything else goes on to Django as it came, and so does whatever is
not done here; what Django would put round the answer is put round this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from config import middleware, practice
from config.urls import calls
from house.middleware import VENUE_CLOCK
from kernel.refusal import Refusal
from web import at_once, logs, problems
from web.view import Call, HouseView

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
Start = Callable[..., Any]
Application = Callable[[Environ, Start], Iterable[bytes]]


class Door:
    """A WSGI application in front of Django's."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.done_here = {(method, path): _Here(*found) for (method, path), found in _done_at_once()}

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        here = self.done_here.get((environ["REQUEST_METHOD"], environ["PATH_INFO"]))
        if here is not None and "HTTP_AUTHORIZATION" in environ and _is_ours(environ.get("HTTP_HOST", "")):
            environ[at_once.TRIED] = True
            if (answer := here.answer(environ)) is not None:
                status, headers, body = answer
                start(_STATUS_LINES[status], headers)
                return (body,)
        return self.application(environ, start)


class _Here:
    """One call."""

    def __init__(self, view: type[HouseView], call: Call, route: str) -> None:
        self.call, self.route = call, route
        self.authenticators = [each() for each in view.authentication_classes]
        one = view()
        one.setup(HttpRequest())
        self.headers = [("Content-Type", at_once.JSON), ("Allow", ", ".join(one.allowed_methods)), at_once.NOT_KEPT]

    def answer(self, environ: Environ) -> tuple[int, Headers, bytes] | None:
        began = middleware.Began(environ.get("HTTP_X_REQUEST_ID"))
        body = environ["wsgi.input"].read()
        status, headers = self.call.status, self.headers
        try:
            with timezone.override(VENUE_CLOCK):
                done, by = at_once.do(self.call, self.authenticators, environ, body)
        except at_once.NotDone:
            environ["wsgi.input"] = BytesIO(body)  # not every server lets it be read twice
            return None
        except Refusal as refusal:
            said = problems.answer(refusal)
            status, headers, done, by = said.status_code, list(said.items()), said.content, None
        finally:
            _give_back()
        began.note_answer(environ["REQUEST_METHOD"], environ["PATH_INFO"], route=self.route, status=status, by=by)
        length = ("Content-Length", str(len(done)))
        return status, [*headers, *_around(_is_secure(environ)), length, (logs.HEADER, began.request_id)], done


_STATUS_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


def _done_at_once() -> Iterable[tuple[tuple[str, str], tuple[type[HouseView], Call, str]]]:
    """By method and path, every call that says how; an address that has something of its own in it is none of them."""
    for path, each in _addresses(calls, "/api/v1/"):
        view = getattr(each.callback, "cls", None)
        if view is not None and issubclass(view, HouseView):
            for method, call in view.calls().items():
                if call.at_once is not None:
                    yield (method, path), (view, call, each.name or path)


def _addresses(found: Iterable[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, URLPattern]]:
    for each in found:
        path = f"{before}{each.pattern}"
        if isinstance(each, URLResolver):
            yield from _addresses(each.url_patterns, path)
        else:
            yield path, each


@lru_cache(maxsize=256)
def _is_ours(host: str) -> bool:
    """Whether this is a name of the house, as Django asks of every request."""
    name, _ = split_domain_port(host)
    return bool(name) and validate_host(name, settings.ALLOWED_HOSTS)


def _is_secure(environ: Environ) -> bool:
    said = settings.SECURE_PROXY_SSL_HEADER
    if said is None:
        return bool(environ["wsgi.url_scheme"] == "https")
    return bool(environ.get(said[0], "").partition(",")[0].strip() == said[1])


class _Asked(HttpRequest):
    def __init__(self, *, secure: bool) -> None:
        super().__init__()
        self.secure = secure

    def is_secure(self) -> bool:
        return self.secure


@cache
def _around(secure: bool) -> Headers:
    """What Django's own middleware says with every answer."""
    response = HttpResponse()
    for kind in (XFrameOptionsMiddleware, SecurityMiddleware):
        response = kind(lambda _: HttpResponse()).process_response(_Asked(secure=secure), response)
    marks = [(practice.HEADER, "true")] if settings.PRACTICE else []
    return [*((name, value) for name, value in response.items() if name != "Content-Type"), *marks]


def _give_back() -> None:
    """The connection, where Django's own was used, as it does after every request."""
    line = connections[DEFAULT_DB_ALIAS]
    if line.connection is not None and not line.in_atomic_block:
        line.close_if_unusable_or_obsolete()
