"""What a browser is told about the pages for everybody: run no script but ours, and listen only to our own streams."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse


def streams_origin(request: HttpRequest) -> str | None:
    """Where the event streams are, for this visitor: the same machine, the streams' own port."""
    if settings.STREAMS_PORT is None:
        return None
    host = request.get_host()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return f"{request.scheme}://{name}:{settings.STREAMS_PORT}"


def for_everybody(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"connect-src 'self' {streams_origin(request) or ''}; base-uri 'none'; form-action 'self'"
    )
    response.headers["Content-Security-Policy"] = policy
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-cache"
    return response
