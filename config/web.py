"""The web server: granian, with the guard (config/guard.py) between it and the application.

``python -m config.web config.wsgi:application --port 8000 --workers 2``
"""

from __future__ import annotations

import argparse
import sys
import threading
from typing import Any, Final

from django.conf import settings
from django.urls import Resolver404, resolve
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from kernel import environment
from kernel.masking import mask_uncaught

LINES: Final = 1_024  # in a process; one on which nothing is asked ends after a few seconds
THREADS: Final = 512  # in a process; most of them wait for somebody's body (config/guard.py)
HEAD_BYTES_LIMIT: Final = 65_536


def body_bytes_limit(path: str) -> int:
    """How much may be sent to an address: most take little, a few a document or a file."""
    try:
        view = resolve(path).func
    except Resolver404:
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    limit: int | None = getattr(getattr(view, "cls", view), "body_bytes_limit", None)
    return limit or settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _guarded(application: Any, *_: object) -> object:
    from config.guard import Guard  # noqa: PLC0415  in the worker, once the application has set Django up

    return Guard(application, limit=body_bytes_limit, slow_seconds=environment.slow_seconds())


# granian has no word for it. At the top of the module: a worker that is not forked imports it anew.
_server: Any = sys.modules[Granian.__module__]
assert callable(_server._wsgi_call_wrap)
_server._wsgi_call_wrap = _guarded


class Server(Granian):  # type: ignore[misc,valid-type]  # which class it is, it decides by the Python that runs it
    def signal_handler_interrupt(self, *_: object) -> None:
        """By a thread of its own: a signal that comes in the moment in which the main one begins to wait, or handles
        another, would wait for a lock that it holds itself, and the house could not be stopped."""
        threading.Thread(target=super().signal_handler_interrupt, daemon=True).start()


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m config.web")
    asked.add_argument("application")
    asked.add_argument("--host", default="127.0.0.1")
    asked.add_argument("--port", type=int, required=True)
    asked.add_argument("--workers", type=int, default=1)
    given = asked.parse_args()
    environment.keep_to_ourselves()
    mask_uncaught()
    environment.allow_open_files(LINES + 1_000)
    Server(
        given.application,
        address=given.host,
        port=given.port,
        interface=Interfaces.WSGI,
        workers=given.workers,
        blocking_threads=THREADS,
        backpressure=LINES,
        # Neither its guess at the protocol nor HTTP/2 has a time-out. Browsers speak HTTP/2 to a proxy.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=int(environment.slow_seconds() * 1000), max_buffer_size=HEAD_BYTES_LIMIT
        ),
        websockets=False,
        log_level=LogLevels.error,
        respawn_failed_workers=given.workers > 1,
        respawn_interval=0.5,
        workers_kill_timeout=5,
    ).serve()


if __name__ == "__main__":
    main()
