"""Log lines: JSON for machines, readable where a command is run at a terminal, each with the id of its request. What
the supervisor keeps running writes JSON, and the supervisor shows it (config/terminal.py).

The id comes from the caller (``X-Request-ID``) where it is well-formed, and travels with Celery messages, so that one
search finds what a request did and what was done later because of it.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import uuid
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars, merge_contextvars

from kernel import tracebacks
from kernel.masking import MASK, NAMES, masked

HEADER = "X-Request-ID"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,80}", re.ASCII)
_SECRET = re.compile(NAMES, re.IGNORECASE)
VALUE_LIMIT: Final = 8_000  # characters of one value
_HARMLESS = frozenset({"request_id", "timestamp", "level", "logger"})

Line = MutableMapping[str, Any]


def begin_request(offered: str | None) -> str:
    """Start a request's log context. A well-formed id from outside is kept, so that traces join up."""
    clear_contextvars()
    request_id = offered if offered and _WELL_FORMED.fullmatch(offered) else uuid.uuid4().hex
    bind_contextvars(request_id=request_id)
    return request_id


def request_id() -> str:
    return str(get_contextvars().get("request_id", ""))


def without_secrets(_: object, __: str, line: Line) -> Line:
    """Whatever is called a token, a password or a cookie is not written down, nor are they in a sentence or an error.

    Errors are told as kernel/tracebacks.py tells them: never with what the variables held. Nor is anything endless.
    """
    for name, value in line.items():
        if name in _HARMLESS:
            continue
        if _SECRET.search(name):
            line[name] = MASK
        elif isinstance(value, str):
            line[name] = masked(tracebacks.shortened(value, VALUE_LIMIT))
        elif not isinstance(value, (int, float)) and masked(text := str(value)) != text:
            line[name] = masked(tracebacks.shortened(text, VALUE_LIMIT))
    return line


def tell_error(_: object, __: str, line: Line) -> Line:
    error = line.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()
    if isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        line["exception"] = tracebacks.told(error)
    return line


def _short_time(_: object, __: str, line: Line) -> Line:
    """On a terminal the time of day is enough."""
    if "timestamp" in line:
        line["timestamp"] = str(line["timestamp"])[11:19]
    return line


_ON_THE_WAY: list[Any] = [
    merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def settings(*, level: str = "INFO", terminal: bool | None = None) -> dict[str, Any]:
    """Django's LOGGING: everything, ours and the libraries', goes through one formatter to the error stream."""
    terminal = sys.stderr.isatty() if terminal is None else terminal
    if terminal:
        # Its own way to show an error would be with every variable.
        plain = structlog.dev.plain_traceback
        console = structlog.dev.ConsoleRenderer(
            colors="NO_COLOR" not in os.environ, pad_event_to=0, exception_formatter=plain
        )
        rendering: list[Any] = [_short_time, console]
    else:
        rendering = [structlog.processors.JSONRenderer()]
    rendering = [tell_error, without_secrets, *rendering]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,  # first: a line that is not written should cost nothing
            *_ON_THE_WAY,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _ON_THE_WAY,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Nobody is sent a page of variables by mail.
            "django": {"handlers": [], "level": level, "propagate": True},
            # One line a request is enough, and it is ours (config.middleware).
            "django.request": {"level": "CRITICAL"},
            "django.server": {"level": "WARNING", "handlers": ["stderr"], "propagate": False},
            # A tick a second would drown everything else.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker": {"level": "WARNING"},
            "celery.apps.worker": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
            # Every glyph of every face, at the first start.
            "fontTools": {"level": "WARNING"},
        },
    }


def follow_into_tasks() -> None:
    """Give each Celery message the id of the request that sent it, and each task's log lines that id."""
    from celery import signals  # noqa: PLC0415

    @signals.before_task_publish.connect(weak=False)
    def _send(headers: dict[str, object] | None = None, **_: object) -> None:
        if headers is not None and request_id():
            headers.setdefault("request_id", request_id())

    @signals.task_prerun.connect(weak=False)
    def _receive(task: Any = None, task_id: str = "", **_: Any) -> None:
        clear_contextvars()
        sender = task.request.get("request_id") or task_id
        bind_contextvars(request_id=str(sender), task=task.name)

    @signals.task_postrun.connect(weak=False)
    def _done(**_: object) -> None:
        clear_contextvars()

    @signals.setup_logging.connect(weak=False)
    def _keep_ours(**_: object) -> None:
        """Connected so that Celery leaves the logging that Django has set up alone."""

    logging.getLogger("celery").setLevel(logging.INFO)
