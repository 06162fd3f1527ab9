"""Who is calling: a device by its bearer token, or a member of staff by the console's session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from house import callers
from kernel.actors import Actor
from kernel.refusal import Forbidden, NotSignedIn
from web.problems import SIGN_IN_WITH
from web.remembered import Remembered, Remembers
from web.throttle import Throttle

# A good token is never counted: a stranger at the same address cannot take a terminal's line from it.
_GUESSES = Throttle("unknown-token", 120, closed_without_counter=False)
UNKNOWN = "This token is not known here, or has been revoked."


def bearer_token(request: HttpRequest | Request) -> str | None:
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token or not token.isascii() or not token.isprintable():
        raise NotSignedIn("not-signed-in", "Sign in with “Authorization: Bearer” and the token of your device.")
    return token


class DeviceToken(Remembers):
    def authenticate(self, request: Request) -> tuple[Actor, None] | None:
        token = bearer_token(request)
        if token is None:
            return None
        actor = callers.actor_for_token(token)
        if actor is None:
            _GUESSES.count(request._request)
            raise NotSignedIn("token-unknown", UNKNOWN)
        return actor, None

    def authenticate_header(self, request: Request) -> str:
        return SIGN_IN_WITH

    def remembered(self, environ: Mapping[str, Any]) -> Remembered | None:
        scheme, _, token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme != "Bearer" or not token:
            return None
        hashed = callers.token_hash(token)
        actor = callers.remembered(hashed)
        return None if actor is None else Remembered(actor, hashed)

    def confirmed(self, by: Remembered) -> None:
        callers.confirmed(by.proof)


class _Csrf(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> HttpResponse:
        raise Forbidden("csrf", f"This did not come from our own page ({reason.rstrip('.')}).")


class StaffSession(BaseAuthentication):
    """The console's own pages calling the API. Only after the second step, and only with the page's CSRF token."""

    def authenticate(self, request: Request) -> tuple[Actor, None] | None:
        user = getattr(request._request, "user", None)
        if user is None or not user.is_authenticated or not user.is_active:
            return None
        if not user.is_verified():
            raise NotSignedIn("second-step-missing", "Finish signing in: the second step is still to be taken.")
        check = _Csrf(lambda request: HttpResponse())
        check.process_request(request._request)
        check.process_view(request._request, lambda request: HttpResponse(), (), {})
        return user.as_actor(), None
