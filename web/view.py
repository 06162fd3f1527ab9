"""How a call is declared: what it takes, what it gives, which permission it needs. Then one verb is called.

    class Approvals(HouseView):
        @listing(permission=VIEW_APPROVALS, gives=ApprovalOut)
        def get(self, by: Actor, asked: ByDay) -> QuerySet[Proposal]:
            return queries.proposals(day=asked.gaming_day)

        @verb(permission=PROPOSE, takes=ProposalIn, gives=ApprovalOut, status=201)
        def post(self, by: Actor, data: ProposalIn) -> Proposal:
            return propose(kind=data.kind, new=data.new, why=data.why, by=by)

What is sent is read once and handed on as an object with an attribute for each field, typed by the declared serializer
(decision 32): mypy knows that ``data.why`` is text, and that what the method takes is what the call declares.
A method without its declaration does not import: nothing is reachable by having been forgotten.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Concatenate, Final, Literal, Protocol, TypedDict, TypeVar, Unpack, cast, overload

from django.core.exceptions import ImproperlyConfigured
from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.urls import resolve
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from kernel.actors import Actor
from kernel.codes import ANYWHERE, AT_THE_CONSOLE, Permission, Power
from kernel.refusal import Malformed, NotFound, NotSignedIn, Refusal
from web import at_once, problems, request_keys
from web.fields import DayField, Nothing, Shown, StrictSerializer, Text, asked_by, one_of
from web.files import FileAnswer
from web.json import as_json, check, text_is_clean
from web.models.requests import RequestKey
from web.paging import PAGE_ROWS_DEFAULT, PAGE_ROWS_LIMIT, page_of

PUBLIC: Final = Permission("public", "Anybody, signed in or not", at=ANYWHERE, everybody=True)
SIGNED_IN: Final = Permission("signed-in", "Everybody who works here, and every device", at=ANYWHERE, everybody=True)
IN_SESSION: Final = Permission(
    "in-session", "Everybody who works here, signed in at the console himself", at=AT_THE_CONSOLE, everybody=True
)

ANYBODY = Actor(identity="public:anybody", name="anybody")
NOTHING: Nothing = Nothing().run_validation({})
METHODS = ("get", "post", "put", "patch", "delete")


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": PAGE_ROWS_LIMIT})
class Limit(serializers.Field[int, object, int, object]):
    default_error_messages: ClassVar = {"limit": f"Write a whole number from 1 to {PAGE_ROWS_LIMIT}."}

    def to_internal_value(self, data: Any) -> int:
        is_number = isinstance(data, str) and data.isascii() and data.isdigit() and len(data) < 5
        if not (is_number and 1 <= int(data) <= PAGE_ROWS_LIMIT):
            self.fail("limit")
        return int(data)


class Paging(StrictSerializer):
    cursor = Text(required=False, max_length=500, help_text="A position in the list: follow `next` and `previous`.")
    limit = Limit(default=PAGE_ROWS_DEFAULT, help_text=f"How many at most, from 1 to {PAGE_ROWS_LIMIT}.")


class ByDay(Paging):
    """A list that can be asked for one gaming day."""

    gaming_day = DayField(required=False, help_text="Only what belongs to this gaming day.")


Gives = type[serializers.Serializer[Any]]


class Secrets(Protocol):
    """What of an answer is not kept under its request key, and is derived again where the answer is given again."""

    def leave_out(self, answer: Shown) -> Shown: ...

    def put_back(self, answer: Shown) -> Shown: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """What one method of one address does, for the dispatcher, the schema, the docs page and the checks."""

    permission: Power
    takes: type[StrictSerializer] = Nothing
    takes_many: bool = False
    asks: type[StrictSerializer] = Nothing
    gives: Gives | None
    gives_many: bool = False
    status: int = 200
    needs_key: bool = False
    # Where a second person decides instead: what a call gives then, with 202.
    proposes: Gives | None = None
    # It waits for somebody else (a seal, the witness), so nothing of it is within the transaction of a request key.
    waits: bool = False
    paged_by: str | None = None
    also: tuple[str, ...] = ()
    secrets: Secrets | None = None
    # How it is done in one statement, where it is the usual one (web/at_once.py).
    at_once: at_once.AtOnce | None = None
    summary: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Proposed:
    """An answer of a call that says ``proposes``: nothing was done, others decide."""

    proposal: Any


Answer = Callable[..., HttpResponse]
Data = TypeVar("Data", bound=StrictSerializer)
Listed = TypeVar("Listed", bound=Paging)
# A view's method: of itself, by whom, what was sent or asked, and by name what stands in the address.
Method = Callable[Concatenate[Any, Actor, Data, ...], object]
Bulk = Callable[Concatenate[Any, Actor, list[Any], ...], object]


class Doing(TypedDict, total=False):
    """What a verb may say besides."""

    gives_many: bool
    status: int
    needs_key: bool
    secrets: Secrets | None  # what of its answer no database may hold
    proposes: Gives | None  # what it gives, with 202, where it answers ``Proposed``
    at_once: at_once.AtOnce | None  # how the usual one is done in one statement
    waits: bool  # it is no single transaction: somebody else is asked in between


class Looking(TypedDict, total=False):
    """What a read may say besides."""

    gives_many: bool
    also: tuple[str, ...]  # the media types of the papers that it may give instead


@overload
def verb(
    *, permission: Power, gives: Gives | None, takes: type[Data], takes_many: Literal[True], **more: Unpack[Doing]
) -> Callable[[Bulk], Answer]: ...
@overload
def verb(
    *, permission: Power, gives: Gives | None, takes: type[Data], **more: Unpack[Doing]
) -> Callable[[Method[Data]], Answer]: ...
@overload
def verb(*, permission: Power, gives: Gives | None, **more: Unpack[Doing]) -> Callable[[Method[Nothing]], Answer]: ...
def verb(*, needs_key: bool = True, **declared: Any) -> Callable[[Any], Answer]:
    """A call that does something: ``(self, by, data, *, path parameters)``.

    It needs a request key unless it says not.
    """
    return _declare(needs_key=needs_key, **declared)


@overload
def read(
    *, permission: Power, gives: Gives, asks: type[Data], **more: Unpack[Looking]
) -> Callable[[Method[Data]], Answer]: ...
@overload
def read(*, permission: Power, gives: Gives, **more: Unpack[Looking]) -> Callable[[Method[Nothing]], Answer]: ...
def read(**declared: Any) -> Callable[[Any], Answer]:
    """A call that only looks: ``(self, by, asked, *, path parameters)``."""
    return _declare(**declared)


@overload
def listing(
    *, permission: Power, gives: Gives, asks: type[Listed], order: str = "-id"
) -> Callable[[Method[Listed]], Answer]: ...
@overload
def listing(*, permission: Power, gives: Gives, order: str = "-id") -> Callable[[Method[ByDay]], Answer]: ...
def listing(*, order: str = "-id", asks: type[Paging] = ByDay, **declared: Any) -> Callable[[Any], Answer]:
    """A list in pages: the method returns the rows asked for, in any order."""
    return _declare(paged_by=order, asks=asks, **declared)


def _declare(**declared: Any) -> Callable[[Any], Answer]:
    def decorate(method: Callable[..., object]) -> Answer:
        lines = (method.__doc__ or "").strip().partition("\n")
        description = " ".join(line.strip() for line in lines[2].splitlines()).strip()
        call = Call(summary=lines[0].strip().rstrip("."), description=description, **declared)

        @functools.wraps(method)
        def answer(self: HouseView, request: Request, **where: str | int) -> HttpResponse:
            if call.takes is not Nothing or request.method not in {"GET", "HEAD"}:
                return self._do(call, method, request, where)
            return self._look(call, method, request, where)

        answer.call = call  # type: ignore[attr-defined]
        return answer

    return decorate


class HouseView(at_once.View):
    http_method_names = [*METHODS, "head"]  # noqa: RUF012  as Django declares it
    # Whether it answers 429 to somebody who guesses: for the API's document.
    slowed: ClassVar[bool] = False
    # Where a body may be longer than elsewhere: it holds a document.
    body_bytes_limit: ClassVar[int | None] = None

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        for name in METHODS:
            method = cls.__dict__.get(name)
            if method is not None and not isinstance(getattr(method, "call", None), Call):
                raise ImproperlyConfigured(
                    f"{cls.__name__}.{name} does not say which permission it needs: "
                    "declare it with @verb, @read or @listing"
                )

    @classmethod
    @functools.cache
    def calls(cls) -> dict[str, Call]:
        """Every method that is reachable here, by name: ``{"GET": Call(…)}``."""
        return {name.upper(): getattr(cls, name).call for name in METHODS if hasattr(cls, name)}

    def call_of(self, method: str | None) -> Call | None:
        return self.calls().get("GET" if method == "HEAD" else method or "")

    def get_authenticators(self) -> list[BaseAuthentication]:
        call = self.call_of(self.request.method) if getattr(self, "request", None) else None
        return [] if call and call.permission == PUBLIC else super().get_authenticators()

    def perform_authentication(self, request: Request) -> None:
        user = request.user
        request._request.actor = user if isinstance(user, Actor) else None  # type: ignore[attr-defined]

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """A call that gives papers chooses among them itself; any other gives JSON or nothing."""
        if request.headers.get("Accept", "*/*") in at_once.JSON_WILL_DO:  # nearly always
            renderer = self.get_renderers()[0]
            return renderer, renderer.media_type
        call = self.call_of(request.method)
        return super().perform_content_negotiation(request, force=force or bool(call and call.also))

    def check_permissions(self, request: Request) -> None:
        call = self.call_of(request.method)
        if call is None or call.permission == PUBLIC:
            return
        actor: Actor | None = request._request.actor  # type: ignore[attr-defined]
        if actor is None:
            raise NotSignedIn(
                "not-signed-in", "Sign in first: send “Authorization: Bearer” and the token of your device."
            )
        actor.require(call.permission)

    def handle_exception(self, exc: Exception) -> Any:
        if isinstance(exc, Refusal):
            exc.take_note()
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **where: Any) -> Any:
        """Names, tokens and security codes are in answers: no proxy and no browser keeps a copy."""
        response = super().finalize_response(request, response, *args, **where)
        response.headers.setdefault(*at_once.NOT_KEPT)
        return response

    def initial(self, request: Request, *args: Any, **where: Any) -> None:
        super().initial(request, *args, **where)
        if not all(text_is_clean(value) for value in where.values() if isinstance(value, str)):
            raise NotFound("not-found", "There is nothing at this address.")

    def _asked(self, call: Call, request: Request) -> StrictSerializer:
        """What the query asks for."""
        if call.asks is Nothing and not request.META.get("QUERY_STRING"):
            return NOTHING
        for name, values in request.query_params.lists():
            if len(values) > 1:
                raise Malformed("malformed", f"{name!r} is asked for twice.", field=name)
        written = request.query_params.dict()
        check(written)
        question = call.asks(data=written)
        question.is_valid(raise_exception=True)
        asked: StrictSerializer = question.validated_data
        return asked

    def _look(
        self, call: Call, method: Callable[..., object], request: Request, where: dict[str, str | int]
    ) -> HttpResponse:
        asked = self._asked(call, request)
        by = self._by(request)
        found = method(self, by, asked, **where)
        if call.paged_by is None:
            return self._give(call, found, by)
        position = cast("Paging", asked)
        page = page_of(
            cast("QuerySet[Model]", found),
            order=[call.paged_by],
            cursor=position.cursor,
            limit=position.limit,
            request=request._request,
        )
        assert call.gives is not None
        with asked_by(by):
            rows = call.gives(page.rows, many=True).data
        return json_response({"results": rows, "next": page.next, "previous": page.previous})

    def _do(
        self, call: Call, method: Callable[..., object], request: Request, where: dict[str, str | int]
    ) -> HttpResponse:
        self._asked(call, request)
        key = request_keys.readable(request.headers.get(request_keys.HEADER)) if call.needs_key else None
        body = request.data
        data = call.takes.read_many(body) if call.takes_many else call.takes.read(body)
        by = self._by(request)

        def effect() -> HttpResponse:
            return self._give(call, method(self, by, data, **where), by)

        if key is None:
            return effect()
        return self._once(call, key, by, request, effect)

    def _once(
        self, call: Call, key: str, by: Actor, request: Request, effect: Callable[[], HttpResponse]
    ) -> HttpResponse:
        sent: list[HttpResponse] = []

        def keep(response: HttpResponse) -> tuple[int, str]:
            sent.append(response)
            kept = response.content if (left := getattr(response, "kept", None)) is None else left
            return response.status_code, kept.decode()

        once = request_keys.once_outside if call.waits else request_keys.once
        answer = once(
            by=by,
            key=key,
            method=request.method or "",
            path=request.path,
            body=request.data,
            effect=lambda: keep(effect()),
            refused=lambda refusal: keep(problems.answer(refusal)),
        )
        if not answer.replayed:
            return sent[-1]
        kind = "application/json" if answer.status < 400 else problems.MEDIA_TYPE
        body = answer.body
        if call.secrets is not None and answer.status < 400 and answer.secrets_told:
            body = as_json(call.secrets.put_back(json.loads(body))).decode()
        response = HttpResponse(body, status=answer.status, content_type=kind)
        response[request_keys.REPLAYED] = "true"
        return response

    def _by(self, request: Request) -> Actor:
        return request._request.actor or ANYBODY  # type: ignore[attr-defined]

    def _give(self, call: Call, result: object, by: Actor) -> HttpResponse:
        if call.gives is None:
            return HttpResponse(status=204)
        if isinstance(result, Proposed):
            assert call.proposes is not None
            with asked_by(by):
                return json_response(call.proposes(result.proposal).data, status=202)
        if isinstance(result, FileAnswer):
            assert result.media_type in call.also
            return result.response(status=call.status)
        with asked_by(by):
            many = call.gives_many
            data = call.gives(result, many=True).data if many else one_of(call.gives).to_representation(result)
        response = json_response(data, status=call.status)
        if call.secrets is not None:
            response.kept = as_json(call.secrets.leave_out(data))  # type: ignore[attr-defined]
        return response


def answered(found: RequestKey, by: Actor) -> object:
    """What a kept request was answered, for the caller whose request it was; whole again as long as that is told."""
    view = getattr(resolve(found.path).func, "cls", None)
    call = view.calls().get(found.method) if view is not None else None
    if call is not None:
        by.require(call.permission)  # what it says is for whoever may do it today, not for whoever once could
    if not found.answer:
        return None
    answer = json.loads(found.answer)
    if call is None or call.secrets is None or found.status is None or found.status >= 400:
        return answer
    if not request_keys.secrets_told(found):
        return answer
    return call.secrets.put_back(answer)


def json_response(data: object, status: int = 200) -> HttpResponse:
    return HttpResponse(as_json(data), status=status, content_type="application/json")
