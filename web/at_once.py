"""A call that is done in one statement: its key, what it does and its answer together (decision 37).

Most calls are the usual ones of somebody who called a moment ago. For those a process takes for granted what it
remembers (who calls with a token; the verb may remember more), makes the whole answer with it, and asks the database
once: is all of that so? Then do it. It is asked in the transaction that does it, so that nothing revoked, closed or
changed is honoured after its commit: a memory is a guess here, never a permission.

Whatever is not as expected goes the usual way, step by step, from the beginning: nothing was done, and it is there that
somebody is told what is wrong. Nothing is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog
from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.views import APIView

from kernel.actors import Actor
from kernel.refusal import Busy, Refusal
from web import problems, request_keys
from web.fields import one_of
from web.json import as_json, read_json
from web.remembered import Remembered, Remembers

if TYPE_CHECKING:
    from web.view import Call

JSON: Final = "application/json"
JSON_WILL_DO: Final = frozenset({"", "*/*", JSON})
NOT_KEPT: Final = ("Cache-Control", "no-store, private")
TRIED: Final = "meterhouse.tried"  # in the environ of a request that was tried before Django had it (config/door.py)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be done: by whom, and under which key. *keep*: the answer as it is kept under it, of what is given."""

    by: Remembered
    data: Any
    claim: Mapping[str, Any]
    status: int
    keep: Callable[[object], str]


class AtOnce(Protocol):
    def __call__(self, asked: Asked) -> bool:
        """Do it, with its key and its answer. False, or a refusal: nothing was done."""


class NotDone(Exception):
    """Nothing was done: it goes the usual way."""


def do(
    call: Call, authenticators: Iterable[BaseAuthentication], environ: Mapping[str, Any], body: bytes
) -> tuple[bytes, Actor]:
    """Do it, and say what is answered to whom. Refused is only to wait any longer for somebody who is in the way."""
    signs_in = next((each for each in authenticators if isinstance(each, Remembers)), None)
    if call.at_once is None or signs_in is None or not _is_usual(environ, body):
        raise NotDone
    by = signs_in.remembered(environ)
    if by is None or not by.actor.may(call.permission):
        raise NotDone
    given = _Given(call)
    try:
        if not call.at_once(_asked(call, by, environ, body, given)):
            raise NotDone
    except (Refusal, ValidationError, UnicodeDecodeError) as error:
        raise NotDone from error
    except OperationalError as error:
        if isinstance(refusal := problems.refusal_for(error), Busy) and not isinstance(refusal, problems.Unavailable):
            raise refusal from error
        raise NotDone from error
    except NotDone:
        raise
    except Exception as error:  # a mistake of ours here; step by step it may be none, and if it is, it is told there
        log.error("not done at once", exc_info=True)
        raise NotDone from error
    signs_in.confirmed(by)
    return given.whole, by.actor


def _is_usual(environ: Mapping[str, Any], body: bytes) -> bool:
    return (
        not environ.get("QUERY_STRING")
        and environ.get("CONTENT_TYPE") == JSON
        and environ.get("HTTP_ACCEPT", "") in JSON_WILL_DO
        and len(body) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    )


def _asked(call: Call, by: Remembered, environ: Mapping[str, Any], body: bytes, given: _Given) -> Asked:
    key = request_keys.readable(environ.get("HTTP_IDEMPOTENCY_KEY"))
    sent = read_json(body.decode())
    claim = request_keys.claim(
        by=by.actor, key=key, method=environ["REQUEST_METHOD"], path=environ["PATH_INFO"], body=sent
    )
    return Asked(by=by, data=call.takes.read(sent), claim=claim, status=call.status, keep=given.keep)


class _Given:
    """The answer, whole and as it is kept."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.whole = b""

    def keep(self, result: object) -> str:
        assert self.call.gives is not None
        shown = one_of(self.call.gives).to_representation(result)
        self.whole = as_json(shown)
        left = shown if self.call.secrets is None else self.call.secrets.leave_out(shown)
        return as_json(left).decode()


class View(APIView):
    """Where a call is done at once, if it says how and it is a usual one; any other step by step, as DRF does it."""

    def call_of(self, method: str | None) -> Call | None:
        raise NotImplementedError

    def dispatch(self, request: HttpRequest, *args: Any, **where: Any) -> Any:
        call = self.call_of(request.method)
        if call is not None and call.at_once is not None and TRIED not in request.META:
            with suppress(NotDone):
                return self._do_at_once(call, request)
        return super().dispatch(request, *args, **where)

    def _do_at_once(self, call: Call, request: HttpRequest) -> HttpResponse:
        try:
            done, by = do(call, APIView.get_authenticators(self), request.META, request.body)
        except Refusal as refusal:
            return problems.answer(refusal)
        request.actor = by  # type: ignore[attr-defined]
        headers = dict([NOT_KEPT, ("Allow", ", ".join(self.allowed_methods))])
        return HttpResponse(done, status=call.status, content_type=JSON, headers=headers)
