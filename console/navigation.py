"""The rail on the left, by job: of what the rooms offer, only what this person may open, and where he is.

A section has one line in the rail; its pages are a row of tabs above each of them, reached by their digit. Where he is
is lit once: the page whose address is the longest beginning of his.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.urls import resolve, reverse

from kernel.actors import Actor
from web.frame import NavigationEntry, NavigationGroup, in_place
from web.page import Needs, needs_of
from web.sections import SECTIONS, Section


@dataclass(frozen=True, slots=True)
class Shown:
    """A page of a section. *key*: its digit, on the pages of its section."""

    title: str
    url: str
    icon: str
    key: str
    current: bool
    count: int
    counted: str
    tone: str
    help: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the rail. Where a person may open one page of a section only, it is called like that page."""

    title: str
    icon: str
    key: str
    pages: list[Shown]
    current: bool

    @property
    def url(self) -> str:
        return self.pages[0].url

    @property
    def counted(self) -> list[Shown]:
        return [page for page in self.pages if page.count]

    @property
    def page(self) -> Shown | None:
        return next((page for page in self.pages if page.current), None)


@dataclass(frozen=True, slots=True)
class Navigation:
    places: list[Place]
    path: str

    @property
    def here(self) -> Place | None:
        return next((place for place in self.places if place.current), None)

    @property
    def tabs(self) -> list[Shown]:
        """The other pages of this section."""
        return self.here.pages if self.here is not None and len(self.here.pages) > 1 else []

    @property
    def trail(self) -> list[tuple[str, str]]:
        """The section, for a page inside it; what is between it and the page, the page itself says."""
        here = self.here
        if here is None or not self.tabs or (here.page is not None and here.page.url == self.path):
            return []  # the tabs say it
        return [(here.title, here.url)]

    @property
    def above(self) -> Shown | None:
        """The page of the section that this one is below of."""
        page = self.here.page if self.here is not None else None
        known = page is None or self.here is None or page.title == self.here.title
        return page if not known and page is not None and page.url != self.path else None


def entries() -> list[tuple[Section, NavigationEntry]]:
    """Every entry with its section, in order."""
    found = [(group.section, entry) for group in in_place(NavigationGroup) for entry in group.entries]
    return sorted(found, key=lambda each: SECTIONS.index(each[0]))


@cache
def _page(name: str) -> tuple[str, Needs]:
    url = reverse(f"console:{name}")
    needs = needs_of(resolve(url).func)
    assert needs is not None, f"{name} is no page"
    return url, needs


def opens(actor: Actor, name: str) -> str:
    """The address of a page that this person may open; nothing where he may not."""
    url, needs = _page(name)
    return url if actor.may(needs.power) else ""


def navigation(actor: Actor, path: str) -> Navigation:
    found: dict[Section, list[tuple[str, NavigationEntry]]] = {}
    for section, entry in entries():
        url, needs = _page(entry.name)
        if actor.may(needs.power):
            found.setdefault(section, []).append((url, entry))
    lit = _lit([url for pages in found.values() for url, _ in pages], path)
    places = []
    for section, pages in found.items():
        shown = [_shown(entry, url, place, actor, lit) for place, (url, entry) in enumerate(pages, start=1)]
        alone = shown[0] if len(shown) == 1 else None
        title, icon = (alone.title, alone.icon) if alone else (section.title, section.icon)
        places.append(Place(title, icon, section.key, shown, current=any(page.current for page in shown)))
    return Navigation(places, path)


def _lit(urls: list[str], path: str) -> str:
    """The address that is the longest beginning of this one; else the first page that begins with the same word."""
    below = [url for url in urls if path == url or (url != "/" and path.startswith(url))]
    if below:
        return max(below, key=len)
    word = path.split("/")[1]
    return next((url for url in urls if word and url.split("/")[1] == word), "")


def _shown(entry: NavigationEntry, url: str, place: int, actor: Actor, lit: str) -> Shown:
    return Shown(
        title=entry.title,
        url=url,
        icon=entry.icon,
        key=str(place),
        current=url == lit,
        count=entry.counter(actor) if entry.counter else 0,
        counted=entry.counted,
        tone=entry.tone,
        help=entry.help,
        clauses=entry.clauses,
    )
