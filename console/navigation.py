"""The rail on the left: only what this person may open. A room that gets pages adds its entry here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from console import waiting
from house.actors import Actor


@dataclass(frozen=True, slots=True)
class Entry:
    title: str
    name: str  # of the url, in the console's namespace
    icon: str
    key: str  # after g
    permission: str | None = None  # None: everybody who is signed in; of several, one is enough
    counter: Callable[[Actor], int] | None = None
    counted: str = ""
    tone: str = ""
    alone: bool = False  # other entries have addresses below this one


ENTRIES: Final[tuple[tuple[str, tuple[Entry, ...]], ...]] = (
    (
        "",
        (
            Entry("Home", "home", "home", "h"),
            Entry(
                "Approvals", "approvals", "approvals", "a", "approvals.view", waiting.approvals_count, "wait for you"
            ),
            Entry(
                "Incidents",
                "incidents",
                "incidents",
                "i",
                "incidents.view",
                waiting.overdue_count,
                "notices overdue",
                "is-stopped",
            ),
        ),
    ),
    (
        "Keno",
        (
            Entry("Writer terminal", "keno-terminal", "keys", "w", "keno.sell"),
            Entry("Game control", "keno-control", "live", "c", "keno.view", alone=True),
            Entry("Games", "keno-games", "balls", "n", "keno.view"),
            Entry("Tickets", "keno-tickets", "ticket", "t", "keno.view"),
            Entry("Orders", "keno-orders", "list", "9", "keno.view", waiting.orders_count, "wait for a ticket"),
            Entry("Shifts", "keno-shifts", "drawer", "f", "keno.view"),
            Entry("Claims", "keno-claims", "claim", "m", "keno.view"),
            Entry("Keno tournaments", "keno-tournaments", "hits", "0", "keno.view"),
            Entry("Schedules", "keno-schedules", "odds", "o", "keno.view"),
            Entry("Catalogue", "keno-catalogues", "list", "b", "keno.view"),
            Entry("Reports", "keno-reports", "chart", "p", "keno.reports"),
        ),
    ),
    (
        "Jackpots",
        (
            Entry("Links", "links", "meter", "y", "jackpot.view"),
            Entry("Hits", "hits", "hits", "z", "jackpot.view", waiting.hits_count, "wait for you", "is-money"),
            Entry("Jackpot reports", "jackpot-reports", "chart", "3", "jackpot.reports"),
            Entry("Table terminal", "table-terminal", "keys", "2", "jackpot.play"),
        ),
    ),
    (
        "Tables",
        (
            Entry("Check a hand", "tables-settle", "tick", "x", "tablegames.check"),
            Entry("Over- and underpaid", "tables-errors", "alert", "e", "tablegames.view"),
        ),
    ),
    (
        "Promotions",
        (
            Entry("Promotions", "promotions", "gift", "1", "promotions.view", alone=True),
            Entry("Enter somebody", "promotion-enter", "plus", "4", "promotions.enter"),
            Entry(
                "Winners",
                "promotion-winners",
                "hits",
                "5",
                "promotions.view",
                waiting.untold_count,
                "not told in time",
                "is-stopped",
            ),
            Entry(
                "Prize claims",
                "promotion-claims",
                "claim",
                "6",
                "promotions.view",
                waiting.claims_count,
                "wait for you",
                "is-money",
            ),
            Entry("Tournaments", "tournaments", "chart", "7", "promotions.view tournaments.enter"),
            Entry("Promotion reports", "promotion-reports", "list", "8", "promotions.reports"),
            Entry("Excluded cards", "promotion-excluded", "off", "-", "promotions.personal"),
            Entry("Personal data", "promotions-personal", "lock", ".", "promotions.personal"),
        ),
    ),
    (
        "House",
        (
            Entry("Venue and days", "venue", "venue", "v"),
            Entry("Players", "players", "players", "q", "players.view"),
            Entry("Devices", "devices", "devices", "d", "devices.view"),
            Entry("Staff", "staff", "staff", "s", "staff.view"),
            Entry("Roles and rights", "roles", "roles", "r"),
        ),
    ),
    (
        "Record",
        (
            Entry("Audit", "audit", "audit", "u", "audit.view"),
            Entry("Rules", "rules", "rules", "l"),
        ),
    ),
)


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


def navigation(actor: Actor, path: str) -> list[Group]:
    groups = []
    for title, entries in ENTRIES:
        shown = []
        for entry in entries:
            if entry.permission and not any(actor.may(each) for each in entry.permission.split()):
                continue
            url = reverse(f"console:{entry.name}")
            shown.append(
                Shown(
                    title=entry.title,
                    url=url,
                    icon=entry.icon,
                    key=entry.key,
                    current=path == url if entry.alone or url == "/" else path.startswith(url),
                    count=entry.counter(actor) if entry.counter else 0,
                    counted=entry.counted,
                    tone=entry.tone,
                )
            )
        if shown:
            groups.append(Group(title=title, entries=shown))
    return groups
