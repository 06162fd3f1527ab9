"""Tables of the demo venue, with pay tables chosen where the rules leave a choice."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from kernel.actors import Actor
from kernel.money import Money
from tablegames.models import GamingTable
from tablegames.rules.terms import Limit, Terms
from tablegames.tables import open_table

_BUILDER: Final = Actor(identity="system:demo", name="demo")


def _limits(wager: str, low: int, high: int | None = None) -> dict[str, Limit]:
    return {wager: Limit(Money.dollars(low), None if high is None else Money.dollars(high))}


TABLES: Final = (
    ("CSP-01", "caribbean-stud", Terms(maximum_payout=Money.dollars(50_000), limits=_limits("ante", 5, 200))),
    ("CP-01", "canberra-poker", Terms(maximum_payout=Money.dollars(20_000), limits=_limits("ante", 5, 100))),
    ("LP-01", "lunar-poker-nsw", Terms(limits=_limits("ante", 5, 200))),
    (
        "LP-02",
        "lunar-poker-vanuatu",
        Terms(super="standard", instant="200/1000", maximum_payout=Money.dollars(50_000)),
    ),
    (
        "LP-03",
        "lunar-poker-new-zealand",
        Terms(super="2", instant="300/1200", maximum_payout=Money.dollars(50_000)),
    ),
    ("BJ-01", "blackjack", Terms(decks=6, limits=_limits("hand", 10, 500) | _limits("super-sevens", 1, 1))),
    ("AR-01", "roulette", Terms(limits=_limits("straight-up", 1, 100))),
    ("BA-01", "baccarat", Terms(limits=_limits("tie", 5, 500))),
    ("MB-01", "mini-baccarat", Terms()),
    ("PG-01", "pai-gow", Terms(limits=_limits("hand", 25, 1000))),
    ("SB-01", "sic-bo", Terms()),
    ("MW-01", "money-wheel", Terms()),
    (
        "PK-01",
        "poker-room",
        Terms(commission_maximum=Money.dollars(10), limits=_limits("table-stake", 40) | _limits("bet", 2)),
    ),
    (
        "PK-02",
        "poker-room",
        Terms(time_charge=Money.dollars(6), time_minutes=30, limits=_limits("table-stake", 100) | _limits("bet", 5)),
    ),
)


@transaction.atomic
def build_demo() -> list[GamingTable]:
    """Make the demo tables, or complete what is missing of them."""
    return [
        GamingTable.objects.filter(code=code).first() or open_table(code=code, game=game, terms=terms, by=_BUILDER)
        for code, game, terms in TABLES
    ]
