"""What is reachable under ``/api/`` and what it needs. A view that does not say so stops the start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.core.checks import CheckMessage, Error, register
from django.urls import URLPattern, URLResolver, get_resolver

from house.permissions import declared
from web.view import Call, HouseView

# Pages for people and programs that describe the API; they show no data of the house.
DESCRIBE = {"api-schema", "api-docs", "api-problems"}


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    name: str
    call: Call
    view: type[HouseView]


def patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for each in resolver.url_patterns:
        path = prefix + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from patterns(each, path)
        else:
            yield path, each


def _api() -> Iterator[tuple[str, URLPattern, object]]:
    for path, pattern in patterns(get_resolver()):
        if path.startswith("api/"):
            yield path, pattern, getattr(pattern.callback, "cls", None)


def routes() -> list[Route]:
    """Every call there is: the table the tests go through, profile by profile."""
    return [
        Route(method, path, pattern.name or "", call, view)
        for path, pattern, view in _api()
        if isinstance(view, type) and issubclass(view, HouseView)
        for method, call in view.calls().items()
    ]


@register("api")
def every_call_names_its_permission(**_: object) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for path, pattern, view in _api():
        if not (isinstance(view, type) and issubclass(view, HouseView)) and pattern.name not in DESCRIBE:
            found.append(Error(f"{path} is reachable and names no permission", hint="Use HouseView.", id="house.E001"))
    for route in routes():
        power = route.call.permission
        if not all(each.everybody or each in declared() for each in power.alternatives):
            words = f"{route.method} {route.path} needs “{power}”, which no room declares"
            found.append(Error(words, id="house.E002"))
        if not route.name:
            found.append(Error(f"{route.path} has no name", id="house.E003"))
    return found
