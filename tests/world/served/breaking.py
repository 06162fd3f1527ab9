"""Mistakes of ours, made when a test's header asks for one: in the middle of a sale, of a sign-in, in the database."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

from house import guesses
from keno import sell

HEADER = "X-Test-Break"  # "error", "row" or "value"
_asked: ContextVar[str] = ContextVar("asked", default="")
_body: ContextVar[str] = ContextVar("body", default="")


class Breaking:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        _before(sell, "take")
        _before(guesses, "begin")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        _asked.set(request.headers.get(HEADER, ""))
        _body.set(request.body.decode() if _asked.get() else "")
        return self.get_response(request)


def _before(module: Any, name: str) -> None:
    real = getattr(module, name)

    def broken(*args: Any, **named: Any) -> Any:
        typed = _body.get()
        if _asked.get() == "error":
            raise RuntimeError("something that nobody thought of")
        if _asked.get():
            with connection.cursor() as cursor:
                if _asked.get() == "value":
                    cursor.execute("SELECT %s::int", [typed])
                columns = "(actor, key, method, path, body_hash, answer, created_at)"
                cursor.execute(
                    f"INSERT INTO web_requestkey {columns} VALUES (NULL, 'k', '', '', '', %s, now())", [typed]
                )
        return real(*args, **named)

    setattr(module, name, broken)
