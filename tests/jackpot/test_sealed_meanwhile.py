"""A round reads the pool, and before it has ended something that it could not see ends and is sealed: that is honest.

A seal ends before the oldest transaction that is under way. That may be the round's own, and it has read before.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from django.db import connection, connections, transaction

from jackpot.purses_on_record import Balances, PursesOnRecord, SealsOnRecord, read_seen
from kernel.actors import system
from kernel.export_check import Doubt
from kernel.money import Money
from ledger.export import export
from ledger.models import Act
from ledger.seal import seal_now
from ledger.statements import Sealed
from tests.jackpot.dealt import FULL_HOUSE, cards
from tests.world.falsified import Draft, Exported, Forger, wrong
from tests.world.jackpot_table import finish, start
from tests.world.small_house import private_halves
from verify.books import Books
from verify.clocks import later
from verify.result import Account
from verify.verifier import verify

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Desk:
    """A connection of its own, whose transaction ends when it is told to."""

    def __init__(self) -> None:
        self.thread, self.held = ThreadPoolExecutor(1), ExitStack()

    def do(self, call: Callable[[], Any]) -> Any:
        return self.thread.submit(call).result()

    def begin(self, call: Callable[[], Any]) -> Any:
        self.do(lambda: self.held.enter_context(transaction.atomic()))
        return self.do(call)

    def end(self) -> None:
        self.do(self.held.close)


@contextmanager
def desks(many: int) -> Iterator[list[Desk]]:
    made = [Desk() for _ in range(many)]
    try:
        yield made
    finally:
        for desk in made:
            desk.end()
            desk.do(connections.close_all)
            desk.thread.shutdown()


@pytest.mark.usefixtures("live_floor")
def test_who_read_before_a_seal_and_ends_after_it_is_believed_and_nobody_later() -> None:
    with desks(2) as (other, reader):
        other.begin(lambda: start("CSP-02", (1, 2)))
        read = reader.begin(lambda: start("CSP-01", (1,)))
        other.end()
        sealed = seal_now()  # with the other's contribution, up to the reader
        reader.end()
    assert sealed is not None
    _won_by_who_began_first_and_sealed_before_the_first_who_won()
    file = BytesIO()
    export(to=file, by=system("test"), venue="Test")
    exported = Exported(tuple(file.getvalue().splitlines(keepends=True)), private_halves(), "")
    verify(BytesIO(exported.raw))

    def of_reader(draft: Draft) -> dict[str, Any]:
        row = next(row for row in draft.acts("jackpot.round-started") if row["data"]["round"] == read.pk)
        assert (row["data"]["displayed"], row["tx"]) == ({"prize": "50000.00"}, sealed.tx_upto)
        return row

    def ten_minutes_earlier(seal: Sealed) -> Sealed:
        return replace(seal, at=later(seal.at, -600))

    def saw_it(draft: Draft) -> None:
        row = of_reader(draft)
        row["data"]["seen"] = f"{row['tx']}:{row['tx']}:"

    def shown_what_it_would_have_seen(draft: Draft) -> None:
        of_reader(draft)["data"]["displayed"] = {"prize": "50003.50"}

    said = wrong(exported, saw_it, by=Forger.HOUSE)
    assert "$50,000.00 is said to have been displayed, and it was $50,003.50" in said
    said = wrong(exported, shown_what_it_would_have_seen, by=Forger.HOUSE)
    assert "$50,003.50 is said to have been displayed, and it was $50,000.00" in said
    long_before = wrong(
        exported, lambda draft: draft.reseal(ten_minutes_earlier, *range(1, sealed.number + 1)), by=Forger.HOUSE
    )
    assert "it is said not to have seen what had been sealed before it" in long_before


def _won_by_who_began_first_and_sealed_before_the_first_who_won() -> None:
    quick, slow = start("CSP-03", (1,)), start("CSP-04", (1,))
    with desks(2) as (overtaken, between):
        for desk in (overtaken, between):
            desk.begin(_take_a_number)
        finish(quick, cards(1, FULL_HOUSE))
        overtaken.do(lambda: finish(slow, cards(1, FULL_HOUSE)))
        overtaken.end()
        sealed = seal_now()  # with the second win, and without the first
    assert sealed is not None
    first, second = (Act.objects.get(kind="jackpot.hit", data__sequence=each).tx for each in (1, 2))
    assert second < sealed.tx_upto <= first
    seal_now()


def _take_a_number() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()")


def test_he_is_believed_as_long_as_a_transaction_and_clocks_can_be() -> None:
    def believed(seals: SealsOnRecord, at: datetime) -> bool:
        try:
            read_seen("90:110:90", tx=100, row=1, line=1, at=lambda: at, seals=seals)
        except Doubt:
            return False
        return True

    seals = SealsOnRecord()
    seals.add(80, NOON - timedelta(hours=1))
    seals.add(95, NOON)
    assert [believed(seals, NOON + timedelta(seconds=each)) for each in (-3600, 0, 180, 181)] == [1, 1, 1, 0]
    seals.add(98, NOON + timedelta(seconds=60))
    assert believed(seals, NOON)
    seals.add(99, NOON + timedelta(seconds=61))  # dated back, he would have been under way over all of them
    assert not believed(seals, NOON)


def test_a_purse_is_below_nothing_only_as_long_as_somebody_was_under_way() -> None:
    """Who paid out may be sealed before who had brought it in."""

    def below(*seals: tuple[int, int]) -> str:
        books = Books([])
        books.accounts = {"purse": Account(whole_cents=False, kind="liability", opened_at=1, debits=500)}
        books.low["purse"] = 7
        for n, (seconds, came_in) in enumerate(seals):
            books.accounts["purse"].credits += came_in
            books.ended_before(n, rows=0, at=NOON + timedelta(seconds=seconds))
        books._check_low()
        return str(books.below or "")

    assert below((0, 0), (60, 500)) == ""
    assert "purse would hold" in below((0, 0), (61, 0), (62, 500))
    assert "purse would hold" in below((0, 0), (60, 499))


@dataclass
class _Written:
    tx: int
    rows: list[tuple[int, int]]  # number, micro-dollars
    seen: str
    row: int  # the reader's
    held: int  # what it read
    at: datetime


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_order_nobody_honest_is_doubted_and_amounts_are_exact(seed: int) -> None:
    """Transactions that get their number, write, read and end in any order, before or after each other, beside a
    sealer. (One reads before it has a number, too.)"""
    chance, now, numbers, next_tx = random.Random(seed), NOON, iter(range(1, 10_000)), 100
    running: dict[int, _Written] = {}
    ended: list[_Written] = []
    unsealed: list[_Written] = []
    purses, seals, checked = PursesOnRecord(), SealsOnRecord(), 0

    def snapshot() -> tuple[str, int]:
        under_way = sorted(running)
        text = f"{min([next_tx, *under_way])}:{next_tx}:{','.join(map(str, under_way))}"
        return text, sum(micros for each in ended for _, micros in each.rows)

    def end(tx: int) -> None:
        ended.append(running.pop(tx))
        unsealed.append(ended[-1])

    def check(held: Balances, due: int) -> None:
        nonlocal checked
        checked += 1
        assert held.get("prize", Money(0)) == Money(due)

    def seal() -> None:
        upto = min([next_tx, *running])
        for each in sorted((each for each in unsealed if each.tx < upto), key=lambda each: each.tx):
            unsealed.remove(each)
            purses.read_upto(each.tx)
            for number, micros in each.rows:
                purses.move(each.tx, number, "drop", "prize", micros)
            seen = read_seen(each.seen, tx=each.tx, row=each.row, line=1, at=partial(getattr, each, "at"), seals=seals)
            purses.when_seen(seen, partial(check, due=each.held))
        seals.add(upto, now)
        purses.seal(seals)

    before = snapshot()
    for _ in range(400):
        now += timedelta(seconds=chance.choice((0, 0, 1, 5)))
        match chance.randrange(8):
            case 0 | 1 | 2 if len(running) < 5:
                first = (next(numbers), chance.randrange(1, 100))
                seen, held = before if chance.random() < 0.3 else snapshot()
                own = chance.random() < 0.5
                at_row, held = next(numbers), held + first[1] * own
                running[next_tx] = _Written(next_tx, [first][:own], seen, at_row, held, now)
                running[next_tx].rows.append((next(numbers), chance.randrange(1, 100)))
                next_tx += 1
            case 3 | 4 | 5 if running:
                end(chance.choice(sorted(running)))
            case 6:
                seal()
        if running and now - min(each.at for each in running.values()) > timedelta(seconds=50):
            end(min(running.values(), key=lambda each: each.at).tx)
        before = snapshot()
    for tx in list(running):
        end(tx)
    seal()
    purses.read_upto(next_tx)
    assert (checked, len(purses.waiting)) == (len(ended), 0)
    assert len(purses.kept) < len(ended)
