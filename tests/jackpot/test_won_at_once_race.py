"""Two tables of one link lay the winning tiles in the same moment (act-pg:13.3)."""

from __future__ import annotations

from functools import partial

import pytest

from jackpot import pools
from jackpot.models import Hit
from jackpot.reconcile import reconcile
from tests.jackpot.dealt import GEE_JUN, tiles
from tests.world.jackpot_table import conserved, finish, start
from tests.world.threads import at_once

pytestmark = pytest.mark.usefixtures("live_floor")


@pytest.mark.clause("act-pg:13.3")
def test_whoever_is_first_both_share() -> None:
    rounds = [start(table, (1,)) for table in ("GJ-01", "GJ-02")]
    at_once([partial(finish, each, tiles(1, GEE_JUN)) for each in rounds])
    first, second = Hit.objects.order_by("sequence")
    assert {str(hit.amount) for hit in (first, second)} == {"5000.00"}
    assert (first.lock_id, second.lock_id) == (None, first.round_id)
    assert str(pools.read_pools("GJ").owed_to_winners) == "10000.00"
    assert str(pools.read_pools("GJ").prize) == "10000.00"
    conserved("GJ")
    assert reconcile(link=first.link).fault == ""
