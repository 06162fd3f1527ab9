"""A must-hit-by link with three tables, and wagers on it."""

from __future__ import annotations

import copy
from typing import Any

from django.utils import timezone

from draws.commit import publish
from draws.models import Commitment
from house.approvals import propose
from house.models import Proposal
from jackpot import terms
from jackpot.decide import decide_movements
from jackpot.finish_round import finish_round
from jackpot.models import Hit, Link, Round
from jackpot.open_link import open_link
from jackpot.rules.catalogue import MUST_HIT_BY, MUST_HIT_BY_LEVELS
from jackpot.rules.pool import Level, Parameters
from jackpot.start_round import Offer, start_round
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from kernel.money import Money
from tests.world.approvals import SYSTEM
from tests.world.people import SUPERVISOR, TABLE

SEED, CEILING, STEP, TO_RESERVE = 50_000_000, 60_000_000, 500_000, 100_000  # micro-dollars
TERMS = LinkTerms(
    rules=MUST_HIT_BY,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=(Level(increment_rate=5000, seed=Money(SEED), ceiling=Money(CEILING)),),
        reserve_rate=1000,
        retained_rate=4000,
    ),
)


LEVELS = LinkTerms(
    rules=MUST_HIT_BY_LEVELS,
    parameters=Parameters(
        wager=Money.dollars(1),
        levels=(
            Level(name="mini", increment_rate=1000, seed=Money.dollars(1), ceiling=Money.dollars(2)),
            Level(name="minor", increment_rate=2000, seed=Money.dollars(5), ceiling=Money.dollars(15)),
            Level(name="major", increment_rate=1500, seed=Money.dollars(20), ceiling=Money.dollars(32)),
        ),
        reserve_rate=1500,
        retained_rate=4000,
    ),
)


def open_mystery_link() -> Link:
    return _opened("MYS", TERMS)


def open_levels_link() -> Link:
    """The same in three levels."""
    return _opened("LEV", LEVELS)


def _opened(code: str, link_terms: LinkTerms) -> Link:
    link = open_link(code=code, title="Mystery", link_terms=link_terms, by=SYSTEM)
    for table in range(1, 4):
        join_table(code=f"{code}-0{table}", link=code, by=SUPERVISOR)
    for promised in Commitment.objects.filter(purpose="must-hit-by"):
        publish(promised)
    return link


def play(table: str = "MYS-01", boxes: int = 1) -> Round:
    return start_round(table=table, wagers=[Offer(box=box) for box in range(boxes, 0, -1)], by=TABLE)


def played(table: str = "MYS-01", boxes: int = 1) -> Round:
    """A round from its wagers to its end, with which they count."""
    started = play(table, boxes)
    assert finish_round(round_id=started.pk, hands=[], by=TABLE) == []
    return Round.objects.get(pk=started.pk)


def until_it_falls(table: str = "MYS-01") -> Hit:
    """Wagers one by one, each decided by itself: twenty are enough."""
    before = set(Hit.objects.values_list("pk", flat=True))
    for _ in range(21):
        played(table)
        decide_movements(timezone.now())
        fallen = Hit.objects.exclude(pk__in=before).order_by("sequence").first()
        if fallen is not None:
            return fallen
    raise AssertionError("it must be hit by its ceiling")


def changed_levels(**levels_: dict[str, Any]) -> dict[str, Any]:
    data = copy.deepcopy(terms.write(LEVELS))
    for level in data["levels"]:
        level.update(levels_.get(level["name"], {}))
    return data


def proposed_levels(new: dict[str, Any], condition: str = "when-won") -> Proposal:
    said: dict[str, Any] = {"subject": "jackpot:LEV", "why": "Agreed.", "by": SUPERVISOR}
    return propose(kind="jackpot.terms", new=new, condition=condition, **said)
