"""Figures for Prometheus: from this machine itself, or with a token that may see them."""

from __future__ import annotations

from contextlib import suppress
from ipaddress import ip_address

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from redis import RedisError

from house import callers, lateness
from house.api.authentication import UNKNOWN, bearer_token
from house.permissions import VIEW_METRICS
from kernel import heartbeats
from kernel.clock_source import is_kept
from kernel.refusal import NotSignedIn, Refusal
from ledger.readiness import seal_state
from web import metrics, problems
from web.queue import queued


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


def _look() -> None:
    """What only shows from outside: a loop that stands still says nothing of itself."""
    with suppress(RedisError):
        for loop, age in heartbeats.ages().items():
            metrics.LOOP_AGE_SECONDS.labels(loop=loop).set(age)
    with suppress(DatabaseError):
        since = seal_state().waiting_since
        waiting = (timezone.now() - since).total_seconds() if since is not None else 0.0
        metrics.SEALS_WAITING_SECONDS.set(max(waiting, 0.0))
        lateness.measured(timezone.now())
    metrics.CLOCK_SYNCHRONISED.set(is_kept())
    if (waiting_messages := queued()) is not None:
        metrics.QUEUE_MESSAGES.set(waiting_messages)


@require_safe
def prometheus(request: HttpRequest) -> HttpResponse:
    try:
        _allow(request)
    except Refusal as refusal:
        return problems.answer(refusal)
    _look()
    return HttpResponse(metrics.text(), content_type=metrics.CONTENT_TYPE)
