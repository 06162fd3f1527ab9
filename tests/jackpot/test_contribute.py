"""Contributions in bulk: each id once ever, in any order, and never a pool locked."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import DatabaseError, IntegrityError, connection, transaction

from house.models import Incident
from jackpot import links, pools
from jackpot.contribute import Counted, Message, contribute_bulk, decide_held
from jackpot.models import Batch, Contribution, Link
from jackpot.open_link import open_link
from jackpot.rules.pool import Level, Parameters
from jackpot.start_round import Offer, start_round
from jackpot.tables import join_table
from jackpot.terms import LinkTerms
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Forbidden, Refusal
from ledger.balance import balance
from ledger.models import Transfer
from tests.world.approvals import SYSTEM
from tests.world.house_game import HOUSE_STUD
from tests.world.money import dollars
from tests.world.people import MANAGER, SUPERVISOR, TABLE, someone

AT = datetime(2026, 11, 16, 10, 0, tzinfo=UTC)


def message(number: int, *, table: str = "CSP-01", wagers: int = 1) -> Message:
    return Message(f"T1-{number:06d}", table, wagers, datetime.now(UTC) - timedelta(seconds=number))


@pytest.mark.usefixtures("floor")
def test_counted_once_whatever_comes_again() -> None:
    first = message(1)
    sent = [first, message(2, table="BOOM-01", wagers=3), first]
    answer = contribute_bulk(messages=sent, by=TABLE)
    assert answer == Counted(counted=2, duplicates=1, wagers=4, amount=dollars("5.50"))
    assert pools.read_pools("CSP").prize == dollars("50001.75")
    assert pools.read_pools("BOOM").prize == dollars("10001.80")
    before = Transfer.objects.count()
    again = contribute_bulk(messages=sent, by=TABLE)
    assert again == Counted(counted=0, duplicates=3, wagers=0, amount=ZERO)
    assert Transfer.objects.count() == before
    mixed = contribute_bulk(messages=[message(3), first], by=TABLE)
    assert (mixed.counted, mixed.duplicates) == (1, 1)
    assert balance(pools.account("CSP", pools.DROP)).amount == dollars("5.00")


@pytest.mark.usefixtures("floor")
def test_ten_thousand_in_one_call_are_one_set_of_transfers() -> None:
    before = Transfer.objects.count()
    answer = contribute_bulk(messages=[message(n) for n in range(10_000)], by=TABLE)
    assert (answer.counted, answer.amount) == (10_000, dollars("25000.00"))
    assert Transfer.objects.count() == before + 3  # prize, reserve, house
    assert pools.read_pools("CSP").prize == dollars("67500.00")


@pytest.mark.usefixtures("floor")
@pytest.mark.parametrize(
    ("messages", "error"),
    [
        ([], Refusal),
        ([message(n) for n in range(10_001)], Refusal),
        ([message(1), message(2, wagers=0)], Refusal),
        ([message(1), message(2, wagers=-5)], Refusal),
        ([message(1), message(2, wagers=10**6 + 1)], Refusal),
        ([message(1), Message("", "CSP-01", 1, AT)], Refusal),
        ([message(1), Message("x" * 65, "CSP-01", 1, AT)], Refusal),
        ([message(1), Message("a\x00b", "CSP-01", 1, AT)], Refusal),
    ],
)
def test_a_call_that_cannot_be_read_counts_nothing(messages: list[Message], error: type[Refusal]) -> None:
    before = Transfer.objects.count()
    with pytest.raises(error):
        contribute_bulk(messages=messages, by=TABLE)
    assert (Transfer.objects.count(), Contribution.objects.count(), Batch.objects.count()) == (before, 0, 0)


@pytest.mark.usefixtures("floor")
def test_only_controllers_contribute_and_a_row_is_for_good() -> None:
    with pytest.raises(Forbidden):
        contribute_bulk(messages=[message(1)], by=MANAGER)
    contribute_bulk(messages=[message(1)], by=TABLE)
    changes: list[Callable[[Any], object]] = [lambda rows: rows.update(wagers=2), lambda rows: rows.delete()]
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            change(Contribution.objects.all())
    with pytest.raises(IntegrityError), transaction.atomic():
        Contribution.objects.create(id="x", batch=Batch.objects.get(), wagers=0, at=AT)


@pytest.mark.usefixtures("floor")
def test_unreasonably_much_waits_for_a_person() -> None:
    limited = LinkTerms(
        rules=HOUSE_STUD,
        parameters=Parameters(
            wager=Money.dollars(1),
            levels=(Level(increment_rate=8000, seed=ZERO),),
            reserve_rate=1000,
            retained_rate=1000,
            contribution_limit=Money.dollars(50),
        ),
    )
    open_link(code="LIM", title="Limited", link_terms=limited, by=SYSTEM)
    join_table(code="LIM-01", link="LIM", by=MANAGER)
    sent = [
        message(1, table="LIM-01", wagers=50),
        message(2, table="LIM-01", wagers=51),
        message(3, table="LIM-01", wagers=60),
        message(4, table="LIM-01", wagers=50),
    ]
    answer = contribute_bulk(messages=sent, by=TABLE)
    assert (answer.counted, sorted(each.wagers for each in answer.held), answer.wagers) == (2, [51, 60], 100)
    assert Incident.objects.get().kind == "jackpot-unreasonable-contributions"  # once, however many are held
    assert pools.read_pools("LIM").prize == dollars("80.00")
    assert contribute_bulk(messages=sent, by=TABLE).duplicates == 4
    first, second = Batch.objects.filter(status="held").order_by("wagers")
    decide_held(batch_id=first.pk, release=True, by=SUPERVISOR)
    decide_held(batch_id=second.pk, release=False, by=SUPERVISOR)
    assert pools.read_pools("LIM").prize == dollars("120.80")
    with pytest.raises(Conflict):
        decide_held(batch_id=second.pk, release=True, by=SUPERVISOR)
    with pytest.raises(Forbidden):
        decide_held(batch_id=second.pk, release=True, by=someone("table"))
    assert pools.read_pools("LIM").prize == dollars("120.80")


@pytest.mark.usefixtures("floor")
def test_a_retired_pool_takes_nothing() -> None:
    Link.objects.filter(code="GJ").update(status="retired", retired_at=AT)
    answer = contribute_bulk(messages=[message(1), message(2, table="GJ-01")], by=TABLE)
    assert [(each.place, each.code) for each in answer.refused] == [(1, "pool-retired")]
    assert list(Contribution.objects.values_list("id", flat=True)) == [message(1).id]


@pytest.mark.usefixtures("floor")
def test_one_bad_message_does_not_stop_the_others() -> None:
    bound = replace(TABLE, tables=frozenset({"CSP-01", "CSP-02"}))
    tomorrow = Message("early", "CSP-01", 1, datetime.now(UTC) + timedelta(days=1))
    sent = [message(1), message(2, table="NONE"), message(3, table="GJ-01"), tomorrow, message(4, table="CSP-02")]
    answer = contribute_bulk(messages=sent, by=bound)
    assert answer.counted == 2
    assert [(each.place, each.table, each.code) for each in answer.refused] == [
        (1, "NONE", "not-your-table"),
        (2, "GJ-01", "not-your-table"),
        (3, "CSP-01", "not-happened-yet"),
    ]
    unbound = contribute_bulk(messages=[message(5), message(6, table="NONE")], by=TABLE)
    assert [(each.place, each.code) for each in unbound.refused] == [(1, "no-such-table")]
    before = Transfer.objects.count()
    with pytest.raises(Forbidden) as refused:
        contribute_bulk(messages=[message(7, table="GJ-01"), message(8, table="BOOM-01")], by=bound)
    assert refused.value.code == "not-your-table"
    assert Transfer.objects.count() == before
    assert pools.read_pools("GJ").prize == dollars("10000.00")


@pytest.mark.usefixtures("floor")
def test_more_than_boxes_can_play_in_a_day_waits_for_a_person() -> None:
    """Seven boxes, four rounds a minute: 28 wagers a minute, 40,320 a day, in however many messages they come."""
    began = datetime.now(UTC)
    with time_machine.travel(began, tick=False):
        for call in range(8):
            sent = [message(call * 10 + n, table="GJ-01", wagers=500) for n in range(10)]
            answer = contribute_bulk(messages=sent, by=TABLE)
            assert (answer.counted, answer.held) == (10, [])
        assert Incident.objects.count() == 1  # an hour's worth was passed, and counted
        held = contribute_bulk(messages=[message(900, table="GJ-01", wagers=321)], by=TABLE)
        assert (held.counted, [each.wagers for each in held.held]) == (0, [321])
        assert contribute_bulk(messages=[message(901, table="GJ-01", wagers=320)], by=TABLE).counted == 1
        assert pools.read_pools("GJ").prize == dollars("10000.00") + dollars("0.60") * 40_320
        with pytest.raises(Conflict) as refused:
            start_round(table="GJ-01", wagers=[Offer(box=1)], by=TABLE)
        assert refused.value.code == "faster-than-play"
        assert contribute_bulk(messages=[message(902, table="BOOM-01")], by=TABLE).counted == 1  # others play on
        assert Incident.objects.count() == 1
    with time_machine.travel(began + timedelta(minutes=1), tick=False):
        assert contribute_bulk(messages=[message(903, table="GJ-01", wagers=28)], by=TABLE).counted == 1
        assert contribute_bulk(messages=[message(904, table="GJ-01", wagers=28)], by=TABLE).counted == 0


@pytest.mark.usefixtures("live_floor")
def test_eight_controllers_replay_and_reorder_their_batches() -> None:
    """Every controller sends every message, several times, in batches and an order of its own: each counts once."""
    everything = [message(n, table=("CSP-01", "CSP-02", "BOOM-01")[n % 3], wagers=n % 5 + 1) for n in range(600)]
    counted: list[int] = []
    raised: list[BaseException] = []
    barrier = threading.Barrier(8)

    def controller(seed: int) -> None:
        dice = random.Random(seed)
        try:
            barrier.wait()
            for _ in range(3):
                mine = dice.sample(everything, len(everything))
                for first in range(0, len(mine), 100):
                    counted.append(contribute_bulk(messages=mine[first : first + 100], by=TABLE).counted)
        except BaseException as error:
            raised.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=controller, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []
    assert sum(counted) == len(everything) == Contribution.objects.count()
    csp = sum(each.wagers for each in everything if each.table.startswith("CSP"))
    boom = sum(each.wagers for each in everything if each.table.startswith("BOOM"))
    assert pools.read_pools("CSP").prize == dollars("50000.00") + dollars("1.75") * csp
    assert pools.read_pools("BOOM").prize == dollars("10000.00") + dollars("0.60") * boom
    assert balance(pools.account("CSP", pools.DROP)).amount == dollars("2.50") * csp


@pytest.mark.usefixtures("live_floor")
def test_a_contribution_does_not_wait_for_a_pool_that_is_held() -> None:
    """Decision 4: somebody holds the pool for a win; wagers are counted all the same."""
    held, done = threading.Event(), threading.Event()

    def holder() -> None:
        with transaction.atomic():
            links.hold("CSP")
            held.set()
            done.wait(timeout=30)
        connection.close()

    thread = threading.Thread(target=holder)
    thread.start()
    held.wait(timeout=30)
    try:
        assert contribute_bulk(messages=[message(1)], by=TABLE).counted == 1
        assert pools.read_pools("CSP").prize == dollars("50001.75")
    finally:
        done.set()
        thread.join()


@pytest.mark.usefixtures("floor")
@pytest.mark.parametrize("taken", [False, True], ids=["all are new", "one of them is not"])
def test_an_id_is_kept_as_it_was_sent(taken: bool) -> None:
    odd = [
        'a"b',
        "a\\b",
        '\\"',
        "{1,2}",
        "NULL",
        "null",
        "a,b",
        " a ",
        "'; --",
        "é漢🂡",
        "%s",
        "\n",
        "\t",
        "\r\n",
        "\\N",
        "\\.",
    ]
    sent = [Message(name, "CSP-01", 1, AT - timedelta(days=1)) for name in odd]
    if taken:
        contribute_bulk(messages=sent[:1], by=TABLE)
    assert contribute_bulk(messages=sent, by=TABLE).counted == len(odd) - taken
    assert set(Contribution.objects.values_list("id", flat=True)) == set(odd)
    assert set(Contribution.objects.values_list("at", flat=True)) == {AT - timedelta(days=1)}
    assert contribute_bulk(messages=sent, by=TABLE).duplicates == len(odd)
