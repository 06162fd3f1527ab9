"""Traces: nothing where nobody asks, a line where the packages are missing, and in a span nobody’s name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from celery import signals

from config import traces


class Span:
    def __init__(self, name: str, came: str) -> None:
        self.name, self.came, self.said, self.over = name, came, dict[str, object](), False

    def set_attribute(self, name: str, value: object) -> None:
        self.said[name] = value

    def end(self) -> None:
        self.over = True


class Kept(traces.Traces):
    """What OpenTelemetry would be told."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def begin(self, name: str, came: str) -> Any:
        self.spans.append(Span(name, came))
        return self.spans[-1]

    @contextmanager
    def within(self, span: Any) -> Iterator[None]:
        yield
        span.end()

    def traceparent(self) -> str:
        return "00-11-22-01"


def application(environ: dict[str, Any], start: Any) -> list[bytes]:
    start("201 Created", [])
    return [b"done"]


def test_nothing_is_asked_for_and_nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    assert traces.traces("web") is None
    assert traces.traced(application, None) is application
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert traces.traces("web") is None


def test_packages_that_are_missing_are_said_and_stop_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry", None)
    with structlog.testing.capture_logs() as said:
        assert traces.traces("web") is None
    assert [each["event"] for each in said] == ["no traces: a package is missing"]


def test_a_request_is_a_span_without_names_or_numbers() -> None:
    kept = Kept()
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": "/api/v1/keno/tickets/12-3456-7/pay", "QUERY_STRING": "code=SECRET",
        "HTTP_TRACEPARENT": "00-aa-bb-01",
    }  # fmt: skip
    answered: list[str] = []
    assert list(traces.traced(application, kept)(environ, lambda status, *_: answered.append(status))) == [b"done"]
    (span,) = kept.spans
    assert (span.name, span.came, span.over, answered) == (
        "POST /api/v1/keno/tickets/*/pay", "00-aa-bb-01", True, ["201 Created"],
    )  # fmt: skip
    assert span.said == {
        "http.request.method": "POST", "url.path": "/api/v1/keno/tickets/*/pay", "http.response.status_code": 201,
    }  # fmt: skip


def test_a_task_is_a_span_of_whoever_has_sent_it() -> None:
    kept = Kept()
    listening = (signals.before_task_publish, signals.task_prerun, signals.task_postrun)
    before = [list(each.receivers) for each in listening]
    for each in listening:
        each.receivers[:] = []  # others look at more of a task
    try:
        traces.follow_into_tasks(kept)
        headers: dict[str, object] = {}
        signals.before_task_publish.send(sender="tick", headers=headers)
        assert headers == {"traceparent": "00-11-22-01"}
        task = SimpleNamespace(name="tick", request=SimpleNamespace(traceparent="00-11-22-01"))
        signals.task_prerun.send(sender="tick", task_id="1", task=task)
        signals.task_postrun.send(sender="tick", task_id="1", task=task, state="SUCCESS")
        signals.task_postrun.send(sender="tick", task_id="2", task=task, state="SUCCESS")  # begun before us
    finally:
        for each, receivers in zip(listening, before, strict=True):
            each.receivers[:] = receivers
    (span,) = kept.spans
    assert (span.name, span.came, span.said, span.over) == ("tick", "00-11-22-01", {"celery.state": "SUCCESS"}, True)
