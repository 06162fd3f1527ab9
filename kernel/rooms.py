"""What each room offers, in one declared list: its ``room.py``, named by ``settings.ROOMS``.

    ROOM = Room("keno", *permissions.ALL, *incident_kinds.ALL, Tick(tick), ApiRoutes("keno.api.urls"), …)

Whoever stands below asks for what is offered, by type: the house for every :class:`Permission`, ``config`` for every
:class:`Tick`. Nothing is registered by being imported, and ``config.checks`` looks at the whole list at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TypeVar

from django.conf import settings

from kernel.acts import Act
from kernel.codes import Limit, Permission
from kernel.money import Money

T = TypeVar("T")


class Room:
    """A room's name and everything it offers, in the order in which it is shown where order matters."""

    def __init__(self, name: str, *offers: object) -> None:
        self.name = name
        self.offers = offers

    def __repr__(self) -> str:
        return f"Room({self.name!r}, {len(self.offers)} offers)"


def _never(now: datetime) -> datetime | None:
    return None


@dataclass(frozen=True, slots=True)
class Tick:
    """What a room does by itself, every second: short, and safe to run twice at once.

    In a quiet house, where nobody writes anything, it runs now and then only (``config/beat.py``), and from when it is
    *due*: the moment from which the room has something to do though nothing was written since. One in the past: it has
    something to do now.
    """

    run: Callable[[datetime], object]
    due: Callable[[datetime], datetime | None] = _never


@dataclass(frozen=True, slots=True)
class ApiRoutes:
    """Calls below ``/api/v1/``."""

    module: str


@dataclass(frozen=True, slots=True)
class PageRoutes:
    """Staff's pages, in the console's frame."""

    module: str


@dataclass(frozen=True, slots=True)
class PublicRoutes:
    """Addresses outside the console: boards, the check page, terms and results."""

    module: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """A condition of ``/readyz``: raises, or answers a short figure."""

    name: str
    check: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Lateness:
    """What a room should have done by now: a figure and, past its limit, an incident (``house/lateness.py``)."""

    name: str
    label: str
    limit_seconds: float
    seconds: Callable[[datetime], float]  # by how many it is late; not above zero: it is not


@dataclass(frozen=True, slots=True)
class AtStake:
    """What a room could have to pay out at most in what is on sale now: a figure."""

    now: Callable[[], Money]


@dataclass(frozen=True, slots=True)
class DemoVenue:
    """A room's part of the demo venue. Safe to call again."""

    build: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Amount:
    """How much a limit is now."""

    limit: Limit
    now: Callable[[], Money]


def amount_of(limit: Limit) -> Money:
    return _amounts()[limit]()


def above(power: Permission) -> Money:
    """The amount above which this power takes more than one person."""
    assert power.above is not None, f"{power} names no amount"
    return amount_of(power.above)


@cache
def _amounts() -> dict[Limit, Callable[[], Money]]:
    return {each.limit: each.now for each in offered(Amount)}


class Acts:
    """The kinds of act this room writes to the log."""

    def __init__(self, *kinds: type[Act]) -> None:
        self.kinds = kinds


@cache
def declared_acts() -> dict[str, type[Act]]:
    """Every kind of act that some room writes."""
    return {act.kind: act for declared in offered(Acts) for act in declared.kinds}


@cache
def rooms() -> tuple[Room, ...]:
    return tuple(import_module(f"{name}.room").ROOM for name in settings.ROOMS)


def offered(kind: type[T]) -> list[T]:
    """Everything of this type that any room offers."""
    return [offer for _, offer in offered_by(kind)]


def offered_by(kind: type[T]) -> list[tuple[str, T]]:
    """The same with the name of the room that offers it."""
    return [(room.name, offer) for room in rooms() for offer in room.offers if isinstance(offer, kind)]


def acts_of(*modules: ModuleType) -> list[type[Act]]:
    """The acts that these modules declare: every class of theirs that has a kind."""
    return [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Act) and "kind" in vars(value)
    ]


def all_of(kind: type[T], *modules: ModuleType) -> list[T]:
    """What these modules name of that type, once each: where a file of constants is itself the list."""
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, kind)}
    return list(found.values())
