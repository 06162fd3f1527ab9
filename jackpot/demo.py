"""The demo venue's three links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction

from jackpot import permissions
from jackpot.models import Link, Table
from jackpot.open_link import open_link
from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN
from jackpot.rules.pool import Level, Parameters
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.money import Money

ROUNDS_PER_MINUTE: Final = 4  # faster than any dealer
CSP: Final = LinkTerms(
    rules=CARIBBEAN_STUD,
    bonus=Money.dollars(250),
    parameters=Parameters(
        wager=Money.parse("2.50"),
        levels=(Level(increment_rate=7000, seed=Money.dollars(50_000)),),
        reserve_rate=1000,
        retained_rate=2000,
        contribution_limit=Money.dollars(2_500),
        rounds_per_minute_limit=ROUNDS_PER_MINUTE,
    ),
)
BOOM: Final = LinkTerms(
    rules=BOOMERANG,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=(Level(increment_rate=6000, seed=Money.dollars(10_000)),),
        reserve_rate=4000,  # with the increment all of it: the ACT leaves the house nothing to keep (act-cp 10.5)
        contribution_limit=Money.dollars(1_000),
        rounds_per_minute_limit=ROUNDS_PER_MINUTE,
    ),
)
GJ: Final = LinkTerms(rules=GEE_JUN, parameters=BOOM.parameters)
DemoLink = tuple[str, str, LinkTerms, tuple[str, ...]]
LINKS: Final[tuple[DemoLink, ...]] = (
    ("CSP", "Caribbean Stud jackpot", CSP, ("CSP-01", "CSP-02", "CSP-03", "CSP-04")),
    ("BOOM", "Boomerang jackpot", BOOM, ("BOOM-01", "BOOM-02")),
    ("GJ", "Gee Jun jackpot", GJ, ("GJ-01", "GJ-02")),
)
_BUILDER: Final = Actor(identity="system:demo", name="demo", permissions=frozenset({permissions.TABLES}))


@transaction.atomic
def build_demo(links: Sequence[DemoLink] = LINKS) -> list[Link]:
    """Make the demo links, or complete what is missing of them. The house must have had its first gaming day."""
    made = []
    for code, title, link_terms, tables in links:
        link = Link.objects.filter(code=code).first() or open_link(
            code=code, title=title, link_terms=link_terms, by=_BUILDER
        )
        for table in tables:
            if not Table.objects.filter(code=table).exists():
                join_table(code=table, link=code, by=_BUILDER)
        made.append(link)
    return made
