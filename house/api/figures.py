"""Figures for Prometheus: from this machine itself, or with a token that may see them."""

from __future__ import annotations

from ipaddress import ip_address

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from house import callers
from house.api.authentication import UNKNOWN, bearer_token
from house.permissions import VIEW_METRICS
from kernel.refusal import NotSignedIn, Refusal
from web import metrics, problems


def _from_this_machine(request: HttpRequest) -> bool:
    """A proxy on this machine also comes from loopback, but says for whom."""
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def _allow(request: HttpRequest) -> None:
    token = bearer_token(request)
    if token is None:
        if _from_this_machine(request):
            return
        raise NotSignedIn("not-signed-in", "Figures are given to this machine, or to a token with “metrics.view”.")
    actor = callers.actor_for_token(token)
    if actor is None:
        raise NotSignedIn("token-unknown", UNKNOWN)
    actor.require(VIEW_METRICS)


@require_safe
def prometheus(request: HttpRequest) -> HttpResponse:
    try:
        _allow(request)
    except Refusal as refusal:
        return problems.answer(refusal)
    return HttpResponse(metrics.text(), content_type=metrics.CONTENT_TYPE)
