"""Sixteen posting at once while the sealer runs and readers read: nothing lost, nothing doubled, always in balance."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from django.db import transaction

from kernel.money import Money
from kernel.refusal import Conflict
from ledger.balance import balances
from ledger.export import export
from ledger.models import Seal, Transfer
from ledger.post import post, post_many
from ledger.reverse import reverse
from ledger.seal import seal, seal_now
from tests.world.books import ALL, ANNA, BEN, CASH, DAY, SALES, booking, open_books
from tests.world.threads import raised_at_once
from verify.verifier import verify

pytestmark = pytest.mark.django_db(transaction=True)
THREADS, EACH = 16, 40


def test_sixteen_post_while_the_sealer_runs_and_the_export_is_clean(tmp_path: Path) -> None:
    open_books()
    done, sealed_once = threading.Event(), threading.Event()
    left = threading.Semaphore(0)

    def write() -> None:
        for turn in range(EACH):
            if turn == EACH // 2:  # what is written after this stands under another seal
                sealed_once.wait()
            if turn % 4 == 3:  # some give up half-way: gaps in the numbers, not in the log
                with transaction.atomic():
                    post(booking=booking("9.99"), by=ANNA, day=DAY)
                    transaction.set_rollback(True)
            else:
                post_many(bookings=[booking("1.00"), booking("0.50")], by=ANNA, day=DAY)
        left.release()

    def keep_sealing() -> None:
        while not done.is_set():
            if seal() is not None:
                sealed_once.set()

    def keep_reading() -> None:
        last = 0
        while not done.is_set():
            now = balances([CASH, SALES])
            assert now[CASH].amount == now[SALES].amount  # one snapshot: never half a transfer
            assert now[CASH].amount.micros % 1_500_000 == 0  # never half a sale
            assert now[CASH].amount.micros >= last
            last = now[CASH].amount.micros

    def finish() -> None:
        for _ in range(THREADS):
            left.acquire()
        done.set()

    assert raised_at_once(*[write] * THREADS, keep_sealing, keep_reading, finish) == []
    expected = Money.parse("1.50") * (THREADS * EACH * 3 // 4)
    assert balances(ALL)[CASH].amount == expected
    seal_now()
    assert Seal.objects.count() > 1
    file = io.BytesIO()
    export(to=file, by=ANNA, venue="Test")
    path = tmp_path / "x"
    path.write_bytes(file.getvalue())
    with path.open("rb") as stored:
        result = verify(stored)
    sealed = sum(1 for line in file.getvalue().splitlines() if b'"type":"transfer"' in line)
    assert sealed == Transfer.objects.count() == THREADS * EACH * 3 // 4 * 2
    assert result.seals == Seal.objects.count()


def test_eight_people_reverse_one_transfer() -> None:
    open_books()
    number = post(booking=booking("30.00"), by=ANNA, day=DAY)
    barrier = threading.Barrier(8)

    def undo() -> None:
        barrier.wait()
        reverse(transfer=number, why="test", by=BEN, day=DAY)

    raised = raised_at_once(*[undo] * 8)
    assert len(raised) == 7
    assert all(isinstance(error, Conflict) and error.code == "already-reversed" for error in raised)
    assert Transfer.objects.get(reverses=number).amount == Money.parse("30.00")
    assert balances([CASH])[CASH].amount == Money(0)
