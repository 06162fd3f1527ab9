"""A test finds the copy as if it had just been started: what it remembers of another test's database is forgotten."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tests.world.memory import forget

HEADER = "X-Test-World"


class Forgetting:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.world = ""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        world = request.headers.get(HEADER, "")
        if world != self.world:
            forget()
            self.world = world
        return self.get_response(request)
