"""What a room adds to the frame around every page and to the home page. The console collects it, and knows no room.

Each room declares its part in ``pages/home.py`` and lists it in its ``room.py``. Where the parts of several rooms stand
one after the other, ``place`` says in which order; ``config.checks`` sees to it that no two claim the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from kernel.actors import Actor
from kernel.codes import Permission
from kernel.rooms import offered
from web.sections import Section


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """A page in the rail, for whoever may open it: that the page itself says (``web.page``)."""

    title: str
    name: str  # of the url, in the console's namespace
    icon: str
    counter: Callable[[Actor], int] | None = None
    counted: str = ""
    tone: str = ""
    help: str = ""  # what the page is for, in five sentences at most: `?` shows it, on the pages below it too
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A part of something that several rooms make together."""

    place: int


@dataclass(frozen=True, slots=True)
class FirstStep(Placed):
    """Something that a new house does once, in this order: shown at home to whoever may, until all of it is done."""

    title: str
    says: str
    name: str  # of the url, in the console's namespace
    done: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class TourStep(Placed):
    """Something to try in the demo venue as one of its people (``staff:writer``), in this order."""

    person: str
    title: str
    says: str
    name: str  # of the url, in the console's namespace
    done: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class NavigationGroup(Placed):
    """Pages of one section of the rail, which several rooms may make together."""

    section: Section
    entries: tuple[NavigationEntry, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that waits for a person."""

    icon: str
    tone: str
    sentence: str
    state: str
    second: str
    url: str
    action: str


@dataclass(frozen=True, slots=True)
class Waiting(Placed):
    """What waits for this person: a few rows, however long the list behind them is."""

    items: Callable[[Actor], list[Item]]


@dataclass(frozen=True, slots=True)
class Alert:
    """Something that cannot wait: over the whole width of the page, with a sound, until somebody takes it."""

    key: str
    words: str
    second: str
    url: str
    take: str  # where taking it is posted to


@dataclass(frozen=True, slots=True)
class Alerts(Placed):
    """*hears*: who is told; *now*: what is to be taken."""

    hears: Permission
    now: Callable[[Actor], list[Alert]]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the status line."""

    words: str
    tone: str
    icon: str
    seconds: int | None = None  # a count-down after the words


@dataclass(frozen=True, slots=True)
class StatusLines(Placed):
    lines: Callable[[], list[Line]]


@dataclass(frozen=True, slots=True)
class HomeFigures(Placed):
    """A live section of the home page: its template, and what it shows; None where there is nothing to be seen."""

    template: str
    figures: Callable[[Actor], Mapping[str, object] | None]


@dataclass(frozen=True, slots=True)
class Landing(Placed):
    """Where somebody's work is, who *may* do that and nothing above it: he comes there when he signs in."""

    name: str
    may: Permission
    unless: Permission


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a search has found."""

    icon: str
    title: str
    second: str
    url: str


@dataclass(frozen=True, slots=True)
class SearchIn(Placed):
    """Where to look for what somebody has typed. *exact*: what is named exactly is the whole answer. *group*: under
    which heading it is shown."""

    find: Callable[[Actor, str], list[Found]]
    group: str = ""
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something that one does on a page of its own, found by its name: for whoever may open the page."""

    title: str
    name: str  # of the url, in the console's namespace
    icon: str = "plus"


@dataclass(frozen=True, slots=True)
class Scanned:
    """Where a slip held under a scanner leads, on any page of somebody who may."""

    name: str
    permission: Permission


PlacedT = TypeVar("PlacedT", bound=Placed)


def in_place(kind: type[PlacedT]) -> list[PlacedT]:
    """Everything of this type that any room offers, in its order."""
    return sorted(offered(kind), key=lambda part: part.place)


def is_number(query: str) -> bool:
    """Whether what was typed can be the number of a row."""
    return query.isascii() and query.isdigit() and len(query) < 18
