"""The console's own part of its frame: home, audit and rules in the rail, whether the log is sealed, the clauses."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.urls import reverse
from django.utils import timezone

from console.navigation import navigation, opens
from house.pages.reporting import Reports
from kernel.actors import Actor
from kernel.rooms import offered
from ledger import queries
from web import rulebook, sections, words
from web.frame import Action, Found, Line, NavigationEntry, NavigationGroup, SearchIn, StatusLines

SEALED_WITHIN: Final = dt.timedelta(seconds=15)  # the sealer works every second
CLAUSES_SHOWN: Final = 8
QUERY_LETTERS_MIN: Final = 3


def _sealed() -> list[Line]:
    """Whether the log is sealed up to now: a row older than a few seconds that no seal covers is worth a word."""
    last = queries.last_seal()
    oldest = queries.oldest_unsealed(last)
    if oldest is not None and oldest < timezone.now() - SEALED_WITHIN:
        return [Line(f"Not sealed since {words.moment(oldest)}.", "is-attention", "alert")]
    if last is None:
        return []
    # Nothing is waiting, so the last seal covers everything up to now.
    return [Line(f"Everything sealed at {timezone.localtime(last.at):%H:%M:%S}.", "is-good", "audit")]


def _find_clause(_: Actor, query: str) -> list[Found]:
    return [_clause(query, rulebook.says(query))] if query in rulebook.clauses() else []


def _find_in_rules(_: Actor, query: str) -> list[Found]:
    wanted = query.casefold()
    if len(wanted) < QUERY_LETTERS_MIN:
        return []
    matches = [clause for clause in rulebook.clauses().values() if wanted in f"{clause.id} {clause.what}".casefold()]
    return [_clause(clause.id, clause.what) for clause in matches[:CLAUSES_SHOWN]]


def _clause(number: str, what: str) -> Found:
    return Found("rules", number, what, f"{reverse('console:rules')}#{number}")


def _find_page(actor: Actor, query: str) -> list[Found]:
    """By its own name or by that of its section."""
    wanted = query.casefold()
    return [
        Found(page.icon, page.title, place.title if place.title != page.title else "Page", page.url)
        for place in navigation(actor, "/").places
        for page in place.pages
        if wanted in page.title.casefold() or wanted in place.title.casefold()
    ]


def _find_action(actor: Actor, query: str) -> list[Found]:
    wanted = query.casefold()
    return [
        Found(action.icon, action.title, "Do it now", opened)
        for action in offered(Action)
        if wanted in action.title.casefold() and (opened := opens(actor, action.name))
    ]


def _find_report(actor: Actor, query: str) -> list[Found]:
    wanted = query.casefold()
    if len(wanted) < QUERY_LETTERS_MIN:
        return []
    return [
        Found("chart", title, f"{words.label(of.room)} report", reverse(f"console:{of.address}", args=[name]))
        for of in offered(Reports)
        if actor.may(of.permission)
        for name, title in of.titles.items()
        if name in of.reports and wanted in title.casefold()
    ]


OFFERS: Final = (
    NavigationGroup(
        0,
        sections.HOME,
        (
            NavigationEntry(
                "Home",
                "home",
                "home",
                help="Home shows what needs your attention first, and then how the house stands today. Figures refresh "
                "by themselves. Press Ctrl K to find a page, a game, a ticket or a person.",
            ),
        ),
    ),
    NavigationGroup(
        70,
        sections.RECORDS,
        (
            NavigationEntry(
                "Audit",
                "audit",
                "audit",
                help="Everything that anybody did is written here in order, and sealed within seconds, so that nobody "
                "can change it later. What people did comes first; choose “What machines did” for the rest. Click "
                "a number to see the proof of that row. Exports can be taken away and checked without this "
                "system.",
            ),
        ),
    ),
    NavigationGroup(
        71,
        sections.RECORDS,
        (
            NavigationEntry(
                "Rules",
                "rules",
                "rules",
                help="The gazetted rules, clause by clause, with what this system does about each of them.",
            ),
        ),
    ),
    NavigationGroup(
        73,
        sections.RECORDS,
        (
            NavigationEntry(
                "Words",
                "glossary",
                "list",
                help="The words of the trade that these pages use, one word for one thing.",
            ),
        ),
    ),
    StatusLines(30, _sealed),
    SearchIn(0, _find_clause, "Rules", exact=True),
    SearchIn(1, _find_page, "Pages"),
    SearchIn(35, _find_report, "Reports"),
    SearchIn(36, _find_action, "Actions"),
    SearchIn(90, _find_in_rules, "Rules"),
)
