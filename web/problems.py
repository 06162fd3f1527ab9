"""Refusals as the caller sees them: problem documents (RFC 9457) with a stable ``code``.

Whatever goes wrong under ``/api/`` ends here: a rule's refusal, DRF's own errors, a lock that could not be had, a bug.
The caller never sees a traceback; a bug's answer carries the request id, under which the log has the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import structlog
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.db import DataError, InternalError, OperationalError
from django.dispatch import receiver
from django.http import Http404, HttpResponse
from rest_framework import exceptions

from kernel.refusal import Busy, Forbidden, Malformed, NotFound, NotSignedIn, Refusal
from web import logs, metrics
from web.json import as_json

MEDIA_TYPE = "application/problem+json"
DOCS = "/api/docs/problems"
SIGN_IN_WITH = 'Bearer realm="meterhouse"'

# What PostgreSQL says when somebody else was in the way and trying again is right.
_IN_THE_WAY = {"55P03": "lock not available", "40001": "serialization failure", "40P01": "deadlock"}

log = structlog.get_logger(__name__)


class TooMany(Refusal):
    """Asked too often (429)."""

    status = 429
    title = "Too many requests"
    final = False

    def __init__(self, code: str, detail: str, *, retry_after_seconds: int) -> None:
        super().__init__(code, detail)
        self.retry_after_seconds = retry_after_seconds


class BadMethod(Refusal):
    status = 405
    title = "No such method here"
    final = False


class NotAcceptable(Refusal):
    status = 406
    title = "Not acceptable"
    final = False


class WrongMediaType(Refusal):
    status = 415
    title = "Wrong content type"
    final = False


READ_ONLY: Final = "25006"  # a standby that is no primary yet, or a disk that takes nothing


class Unavailable(Busy):
    """A service this needs does not answer (503)."""

    title = "Not available"


class Broken(Refusal):
    """Our fault (500)."""

    status = 500
    title = "Something went wrong here"
    final = False


def document(refusal: Refusal) -> dict[str, object]:
    members = {
        "type": f"{DOCS}#{refusal.code}",
        "title": refusal.title,
        "status": refusal.status,
        "code": refusal.code,
        "clause": refusal.clause,
        "detail": refusal.detail,
        "field": refusal.field,
    }
    return {name: value for name, value in members.items() if value is not None} | refusal.extra


def answer(refusal: Refusal, headers: Mapping[str, str] | None = None) -> HttpResponse:
    metrics.REFUSALS.labels(code=refusal.code).inc()
    response = HttpResponse(as_json(document(refusal)), status=refusal.status, content_type=MEDIA_TYPE)
    if refusal.status == 401:
        response["WWW-Authenticate"] = SIGN_IN_WITH
    if isinstance(refusal, TooMany):
        response["Retry-After"] = str(refusal.retry_after_seconds)
    if refusal.status == 503:
        response["Retry-After"] = "1"
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def details_in(detail: Any, path: str = "") -> Iterator[tuple[str, exceptions.ErrorDetail]]:
    """DRF's nested errors as a flat list, each with the path of its field: ``plays[0].stake``."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            if name == "non_field_errors":
                deeper = path
            elif isinstance(name, int):
                deeper = f"{path}[{name}]"
            else:
                deeper = f"{path}.{name}" if path else str(name)
            yield from details_in(inner, deeper)
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from details_in(inner, path if isinstance(inner, str) else f"{path}[{index}]")
    else:
        yield path, detail


def errors_in(detail: object) -> Iterator[dict[str, str]]:
    """The same as the caller sees them."""
    for path, error in details_in(detail):
        code = "unknown-field" if getattr(error, "code", "") == "unknown-field" else "malformed"
        yield {"field": path, "code": code, "detail": str(error)}


def malformed(error: exceptions.ValidationError) -> Malformed:
    errors = list(errors_in(error.detail))
    first = errors[0]
    code = "unknown-field" if all(each["code"] == "unknown-field" for each in errors) else "malformed"
    refusal = Malformed(code, first["detail"], field=first["field"] or None)
    refusal.extra = {"errors": errors} if len(errors) > 1 else {}
    return refusal


def _from_database(error: OperationalError | InternalError) -> Refusal | None:
    state = getattr(error.__cause__, "sqlstate", None)
    if state == READ_ONLY:
        log.error("database read-only")
        return Unavailable("unavailable", "The database can only be read just now. Nothing was done; try again.")
    if isinstance(error, InternalError):
        return None
    if state in _IN_THE_WAY:
        log.warning("busy", why=_IN_THE_WAY[state])
        return Busy("busy", "Somebody else is changing the same thing just now. Nothing was done; try again.")
    log.error("database unavailable", error=str(error))
    return Unavailable("unavailable", "The database does not answer. Nothing is lost; try again shortly.")


def refusal_for(error: Exception) -> Refusal | None:  # noqa: PLR0911  a table, one line a kind
    """What an exception means to the caller; None if it means that we have a bug."""
    match error:
        case Refusal():
            return error
        case exceptions.ValidationError():
            return malformed(error)
        case exceptions.ParseError():
            return Malformed("malformed", str(error.detail))
        case exceptions.AuthenticationFailed() | exceptions.NotAuthenticated():
            return NotSignedIn("not-signed-in", str(error.detail))
        case exceptions.PermissionDenied():
            return Forbidden("not-allowed", str(error.detail))
        case PermissionDenied():
            return Forbidden("not-allowed", str(error) or "This is not allowed.")
        case exceptions.NotFound() | Http404():
            return NotFound("not-found", "There is nothing at this address.")
        case exceptions.MethodNotAllowed():
            return BadMethod("method-not-allowed", str(error.detail))
        case exceptions.NotAcceptable():
            return NotAcceptable("not-acceptable", "Answers are JSON: accept application/json.")
        case exceptions.UnsupportedMediaType():
            return WrongMediaType("wrong-content-type", "Send JSON, with Content-Type: application/json.")
        case OperationalError() | InternalError():
            return _from_database(error)
        case DataError():
            # A value the parser let through and PostgreSQL cannot hold: the caller's mistake, and a gap of ours.
            log.error("value out of range", exc_info=error)
            return Malformed("malformed", "A value in this request is outside what can be stored.")
    return None


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """DRF's exception handler."""
    refusal = refusal_for(error)
    if refusal is None:
        got_request_exception.send(sender=context["view"].__class__, request=context["request"])
        refusal = broken()
    headers = {}
    if isinstance(error, exceptions.MethodNotAllowed):
        headers["Allow"] = ", ".join(context["view"].allowed_methods)
    return answer(refusal, headers)


@receiver(got_request_exception)
def _log(**_: object) -> None:
    """Whatever nobody expected, in a call or a page."""
    log.error("unexpected error", exc_info=True)


def broken() -> Broken:
    request_id = logs.request_id()
    return Broken(
        "unexpected",
        f"This is our mistake, not yours. It is in the log under request {request_id}.",
        request_id=request_id,
    )
