"""The demo venue's three links."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from house.actors import Actor
from jackpot import permissions
from jackpot.links import join_table, open_link
from jackpot.models import Pool, Table
from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN
from jackpot.rules.pool import Level, Parameters
from jackpot.terms import LinkTerms
from ledger.money import Money

CSP: Final = LinkTerms(
    rules=CARIBBEAN_STUD,
    bonus=Money.dollars(250),
    parameters=Parameters(
        wager=Money.parse("2.50"),
        levels=(Level(increment_rate=7000, seed=Money.dollars(50_000)),),
        reserve_rate=1000,
        retained_rate=2000,
    ),
)
BOOM: Final = LinkTerms(
    rules=BOOMERANG,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=(Level(increment_rate=6000, seed=Money.dollars(10_000)),),
        reserve_rate=2500,
        retained_rate=1500,
    ),
)
GJ: Final = LinkTerms(rules=GEE_JUN, parameters=BOOM.parameters)
LINKS: Final = (
    ("CSP", "Caribbean Stud jackpot", CSP, ("CSP-01", "CSP-02", "CSP-03", "CSP-04")),
    ("BOOM", "Boomerang jackpot", BOOM, ("BOOM-01", "BOOM-02")),
    ("GJ", "Gee Jun jackpot", GJ, ("GJ-01",)),
)
_BUILDER: Final = Actor(identity="system:demo", name="demo", permissions=frozenset({permissions.TABLES}))


@transaction.atomic
def build_demo() -> list[Pool]:
    """Make the demo links, or complete what is missing of them. The house must have had its first gaming day."""
    made = []
    for code, title, link_terms, tables in LINKS:
        pool = Pool.objects.filter(code=code).first() or open_link(
            code=code, title=title, link_terms=link_terms, by=_BUILDER
        )
        for table in tables:
            if not Table.objects.filter(code=table).exists():
                join_table(code=table, link=code, by=_BUILDER)
        made.append(pool)
    return made
