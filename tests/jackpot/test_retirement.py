"""The end of a pool while controllers still send."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from django.db import connection, transaction

from house.approvals import propose
from jackpot import pools
from jackpot.contribute import Message, contribute_bulk
from kernel.money import ZERO
from tests.world.approvals import decide
from tests.world.money import dollars
from tests.world.people import SUPERVISOR, TABLE


@pytest.mark.usefixtures("live_floor")
def test_retirement_waits_for_a_contribution_under_way_and_takes_it_along() -> None:
    waiting = propose(
        kind="jackpot.retirement", subject="jackpot:GJ", new={"into": "BOOM"}, why="Few play it.", by=SUPERVISOR
    )
    contributed, done = threading.Event(), threading.Event()
    raised: list[BaseException] = []

    def contribute() -> None:
        with transaction.atomic():
            contribute_bulk(messages=[Message("late", "GJ-01", 10, datetime.now(UTC))], by=TABLE)
            contributed.set()
            done.wait(timeout=30)
        connection.close()

    def retire() -> None:
        try:
            decide(waiting)
        except BaseException as error:
            raised.append(error)
        connection.close()

    threads = [threading.Thread(target=contribute), threading.Thread(target=retire)]
    threads[0].start()
    contributed.wait(timeout=30)
    threads[1].start()
    with connection.cursor() as cursor:  # until it stands at the door
        while threads[1].is_alive():
            cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
            if cursor.fetchone()[0]:
                break
    done.set()
    for thread in threads:
        thread.join()
    assert raised == []
    assert all(amount == ZERO for amount in pools.read_pools("GJ").balances.values())
    assert pools.read_pools("BOOM").prize == dollars("20006.00")
    later = contribute_bulk(messages=[Message("later", "GJ-01", 1, datetime.now(UTC))], by=TABLE)
    assert (later.counted, [each.code for each in later.refused]) == (0, ["pool-retired"])
