"""Tables of one link: the same wager, the same part of it, the same seed, whichever of them is played and however it
sends what was played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from jackpot import pools
from jackpot.contribute import Message, contribute_bulk
from jackpot.meters import Reading, read_meters
from jackpot.models import Table, Wager
from jackpot.start_round import Offer, start_round
from tests.jackpot.dealt import ROYAL, cards
from tests.world.jackpot_table import finish, purses, start
from tests.world.money import dollars
from tests.world.people import TABLE

pytestmark = pytest.mark.usefixtures("floor")
TABLES = ("CSP-01", "CSP-02", "CSP-03", "CSP-04")


def at_rounds(table: str) -> None:
    finish(start(table, (1, 2)))


def by_message(table: str) -> None:
    contribute_bulk(messages=[Message(f"m-{table}", table, 2, timezone.now())], by=TABLE)


def by_meter(table: str) -> None:
    now = timezone.now()
    first = Reading(table, 1, 100, now - timedelta(minutes=1))
    read_meters(readings=[first, Reading(table, 2, 102, now)], by=TABLE)


@pytest.mark.clause("nsw-csp:11.9.2", "nsw-csp:11.9.3")
@pytest.mark.parametrize("way", [at_rounds, by_message, by_meter])
def test_two_wagers_bring_the_same_from_every_table(way: Callable[[str], None]) -> None:
    assert set(TABLES) == set(Table.objects.filter(link__code="CSP").values_list("code", flat=True))
    for table in TABLES:
        before = pools.read_pools("CSP")
        way(table)
        now = pools.read_pools("CSP")
        assert (now.prize - before.prize, now.reserve - before.reserve) == (dollars("3.50"), dollars("0.50")), table


@pytest.mark.clause("nsw-csp:11.9.3")
@pytest.mark.parametrize("table", TABLES)
def test_a_wager_of_another_value_is_taken_at_none_of_them(table: str) -> None:
    offers = [Offer(box=1, amount=dollars("2.50")), Offer(box=2, amount=dollars("5.00")), Offer(box=3)]
    started = start_round(table=table, wagers=offers, by=TABLE)
    assert list(Wager.objects.filter(round=started).values_list("amount", flat=True)) == [dollars("2.50")] * 2
    assert [(each["box"], each["code"]) for each in started.refused] == [(2, "wrong-denomination")]


@pytest.mark.clause("nsw-csp:11.9.2")
def test_the_pool_begins_again_with_the_same_seed_wherever_it_is_won() -> None:
    for table in TABLES:
        started = start(table, (1,))
        assert started.displayed == {"prize": "50000.00"}, table
        (hit,) = finish(started, cards(1, ROYAL))
        assert hit.amount == dollars("50001.75"), table
        assert purses("CSP")[0] == "50000.00", table
