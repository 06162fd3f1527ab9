"""The sealed point was found to the cent in 17 calls: a duplicate message that "might reach it" waited for the link,
and answered 503 while somebody held it; one that could not reach it answered at once.

Stopped by: no call compares anything with a point, and no wager or message waits for a link. A duplicate answers the
same whatever it would bring. Not stopped: nothing is left to find.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.db import connection, transaction

from jackpot import links, pools
from jackpot.contribute import Message, contribute_bulk
from jackpot.models import CountedWager
from tests.world.mystery_link import open_mystery_link, played
from tests.world.people import TABLE


@pytest.fixture
def committed(transactional_db: None) -> None:
    """A must-hit-by link that other threads see."""
    from house.gaming_days import forget
    from house.plan_days import ensure_gaming_days
    from house.seed import seed

    seed()
    forget()
    ensure_gaming_days()
    open_mystery_link()


def test_messages_of_any_size_do_not_wait_while_the_link_is_held(committed: None) -> None:
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            links.hold("MYS")
            held.set()
            done.wait(timeout=60)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(timeout=60)
    try:
        for wagers in (1, 5, 20, 300):
            messages = [Message(f"probe-{wagers}", "MYS-01", wagers, datetime.now(UTC))]
            first = contribute_bulk(messages=messages, by=TABLE)
            again = contribute_bulk(messages=messages, by=TABLE)
            assert (first.counted, again.counted, again.duplicates) == (1, 0, 1)
        played("MYS-02", boxes=7)  # a round begins and ends meanwhile, too
    finally:
        done.set()
        holder.join()
    assert CountedWager.objects.count() == 7
    assert str(pools.read_pools("MYS").prize) == "53.50"
