"""OpenTelemetry traces, where the packages are there and the standard environment asks for them. Else nothing at all.

Asked for by ``OTEL_EXPORTER_OTLP_ENDPOINT`` (or ``OTEL_EXPORTER_OTLP_TRACES_ENDPOINT``), with ``opentelemetry-sdk`` and
``opentelemetry-exporter-otlp-proto-http`` installed; they are no dependency of ours. A request is a span, and so is a
task that it sends, under the same trace: method, path without numbers, status. No body, no query, no header, no name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final, cast

import structlog
from celery import signals

log = structlog.get_logger(__name__)

_ASKED: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_NAMES: Final = re.compile(r"(?:(?<=/)|^)[^/]*\d[^/]*")  # whatever has a digit names one ticket, player or game
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def asked_for() -> bool:
    return os.environ.get("OTEL_SDK_DISABLED", "").lower() != "true" and any(os.environ.get(each) for each in _ASKED)


class Traces:
    """What is asked of OpenTelemetry. Made only where its packages are there."""

    def __init__(self, program: str, processor: Any = None) -> None:
        from opentelemetry import propagate, trace  # noqa: PLC0415  optional
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415

        named = os.environ.get("OTEL_SERVICE_NAME") or f"meterhouse-{program}"
        provider = TracerProvider(resource=Resource.create({"service.name": named}))
        provider.add_span_processor(processor or _sender())
        self._propagate, self._trace, self._tracer = propagate, trace, provider.get_tracer("meterhouse")

    def begin(self, name: str, came: str) -> Any:
        """A span below the one that the caller's ``traceparent`` names, if it names one. Whoever begins it ends it."""
        return self._tracer.start_span(name, context=self._propagate.extract({"traceparent": came}))

    def within(self, span: Any) -> AbstractContextManager[Any]:
        """While it lasts, what is sent is sent by this span, which ends with it."""
        return cast("AbstractContextManager[Any]", self._trace.use_span(span, end_on_exit=True))

    def traceparent(self) -> str:
        carried: dict[str, str] = {}
        self._propagate.inject(carried)
        return carried.get("traceparent", "")


def _sender() -> Any:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    return BatchSpanProcessor(OTLPSpanExporter())


def traces(program: str) -> Traces | None:
    """None where nobody asks, or where the packages are missing: that is said once."""
    if not asked_for():
        return None
    try:
        return Traces(program)
    except ImportError as missing:
        log.warning("no traces: a package is missing", package=missing.name)
        return None


def route_of(path: str) -> str:
    """The address without what names somebody or something."""
    version, found, rest = path.partition("/api/v1/")
    return version + found + _NAMES.sub("*", rest) if found and not version else _NAMES.sub("*", path)


def traced(application: Application, to: Traces | None) -> Application:
    """A WSGI application whose requests are spans; itself where there are no traces."""
    if to is None:
        return application

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        method, path = str(environ.get("REQUEST_METHOD", "")), route_of(str(environ.get("PATH_INFO", "")))
        span = to.begin(f"{method} {path}", str(environ.get("HTTP_TRACEPARENT", "")))

        def begin(status: str, *more: Any) -> Any:
            span.set_attribute("http.response.status_code", int(status.split(maxsplit=1)[0]))
            return start_response(status, *more)

        with to.within(span):
            span.set_attribute("http.request.method", method)
            span.set_attribute("url.path", path)
            return application(environ, begin)

    return answer


_open: dict[str, Any] = {}  # by a task's id: its span, while it runs


def follow_into_tasks(to: Traces | None) -> None:
    """What a request sends is part of its trace. Called once a process."""
    if to is None:
        return

    @signals.before_task_publish.connect(weak=False)
    def send(headers: dict[str, Any] | None = None, **_: object) -> None:
        if headers is not None and (now := to.traceparent()):
            headers["traceparent"] = now

    @signals.task_prerun.connect(weak=False)
    def begin(task_id: str, task: Any, **_: object) -> None:
        _open[task_id] = to.begin(task.name, getattr(task.request, "traceparent", None) or "")

    @signals.task_postrun.connect(weak=False)
    def end(task_id: str, state: str | None = None, **_: object) -> None:
        span = _open.pop(task_id, None)
        if span is not None:
            span.set_attribute("celery.state", str(state))
            span.end()
