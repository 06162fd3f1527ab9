"""The rail on the left: what the rooms offer, and of that only what this person may open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.urls import resolve, reverse

from kernel.actors import Actor
from web.frame import NavigationEntry, NavigationGroup, in_place
from web.page import Needs, needs_of


@dataclass(frozen=True, slots=True)
class Shown:
    title: str
    url: str
    icon: str
    key: str
    current: bool
    count: int
    counted: str
    tone: str


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    entries: list[Shown]


def entries() -> list[tuple[str, NavigationEntry]]:
    """Every entry with the title of its group, in order."""
    return [(group.title, entry) for group in in_place(NavigationGroup) for entry in group.entries]


@cache
def _page(name: str) -> tuple[str, Needs]:
    url = reverse(f"console:{name}")
    needs = needs_of(resolve(url).func)
    assert needs is not None, f"{name} is no page"
    return url, needs


def navigation(actor: Actor, path: str) -> list[Group]:
    groups: dict[str, Group] = {}
    for title, entry in entries():
        url, needs = _page(entry.name)
        if not actor.may(needs.power):
            continue
        shown = Shown(
            title=entry.title,
            url=url,
            icon=entry.icon,
            key=entry.key,
            current=path == url if entry.alone or url == "/" else path.startswith(url),
            count=entry.counter(actor) if entry.counter else 0,
            counted=entry.counted,
            tone=entry.tone,
        )
        groups.setdefault(title, Group(title, [])).entries.append(shown)
    return list(groups.values())
