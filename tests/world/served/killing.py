"""Dying at the worst moments: after the commit and before the answer, or inside the transaction."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponse

from ledger import log

HEADER = "X-Test-Kill"
_inside: ContextVar[bool] = ContextVar("inside", default=False)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Killing:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        real = log.write

        def write(**act: Any) -> int:
            row = real(**act)
            if _inside.get():
                die()  # the effect and the key are written and not committed
            return row

        log.write = write

    def __call__(self, request: HttpRequest) -> HttpResponse:
        when = request.headers.get(HEADER)
        _inside.set(when == "inside")
        response = self.get_response(request)
        if when == "after":
            die()  # committed; the answer never leaves
        return response
