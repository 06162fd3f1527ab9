"""Appending transfers, and sealing and verifying a million rows."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import date
from itertools import count
from typing import Any

from benchmarks.report import figure
from kernel.export_check import RoomCheck, Transfers


class Sales(RoomCheck):
    """Who owns the transfers of this benchmark: their sum is as much as a room makes of its many."""

    name = "Benchmark"
    transfers = reduced = frozenset({"bench.sale"})

    @staticmethod
    def reduce(rows: Transfers) -> int:
        return sum(map(int, rows.amounts))

    def merge(self, part: int) -> None:
        """Nothing is compared with it."""


CLIENTS, SECONDS, ROWS = 16, 5, 1_000_000
DAY = date(2026, 11, 16)


def run() -> None:
    prepare()
    for name, many in (("transfers appended, one a transaction", 1), ("transfers appended, five a transaction", 5)):
        bare, ours = throughput(bare_insert, many), throughput(append, many)
        figure(name, ours * many, "rows/s", ours / bare, f"a bare INSERT of the same columns, {CLIENTS} clients")
    seal_and_verify()


def prepare() -> None:
    from django.db import connection

    from ledger.accounts import open_account
    from ledger.models import Account

    for n in range(10):
        open_account(code=f"bench:till-{n}", name="Till", kind=Account.Kind.ASSET)
        open_account(code=f"bench:sales-{n}", name="Sales", kind=Account.Kind.INCOME)
    with connection.cursor() as cursor:
        cursor.execute(
            """CREATE TABLE bench_bare (id bigserial PRIMARY KEY, at timestamptz DEFAULT now(), day date, phase text,
               debit_id int, credit_id int, amount bigint, kind text, reference text, actor text)"""
        )


def bare_insert(reference: str, many: int) -> None:
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        row: list[Any] = [DAY, "posted", 1, 2, 2_500_000, "bench.sale", reference, "device:W-0001"]
        values = ", ".join(["(%s, %s, %s, %s, %s, %s, %s, %s)"] * many)
        cursor.execute(
            f"INSERT INTO bench_bare (day, phase, debit_id, credit_id, amount, kind, reference, actor) VALUES {values}",
            row * many,
        )


def append(reference: str, many: int) -> None:
    from kernel.actors import Actor
    from kernel.money import Money
    from ledger.post import Booking, post_many

    post_many(
        bookings=[
            Booking(
                debit="bench:till-1",
                credit="bench:sales-1",
                amount=Money.parse("2.50"),
                kind="bench.sale",
                reference=f"{reference}/{n}",
            )
            for n in range(many)
        ],
        by=Actor("device:W-0001", "Writer 1"),
        day=DAY,
    )


def throughput(work: Callable[[str, int], None], many: int) -> float:
    """Calls a second by sixteen clients in two processes, so that Python's own lock is not what is measured."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        return sum(pool.starmap(_clients, [(work.__name__, many, n) for n in range(2)]))


def _clients(name: str, many: int, process: int) -> float:
    import django

    django.setup()
    from django.db import connection

    work = {"append": append, "bare_insert": bare_insert}[name]
    done = [0] * (CLIENTS // 2)
    numbers = count()
    stop = time.perf_counter() + SECONDS

    def client(n: int) -> None:
        while time.perf_counter() < stop:
            work(f"{name}/{many}/{process}/{next(numbers)}", many)
            done[n] += 1
        connection.close()

    threads = [threading.Thread(target=client, args=(n,)) for n in range(len(done))]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rate = sum(done) / (time.perf_counter() - started)
    connection.close_pool()  # type: ignore[attr-defined]
    return rate


def seal_and_verify() -> None:
    from django.db import connection

    from kernel.actors import Actor
    from ledger.export import export
    from ledger.seal import seal_now
    from verify.rooms import room_checks
    from verify.verifier import verify

    seal_now()
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_transfer (day, debit_id, debit_whole_cents, credit_id, credit_whole_cents, amount,
                                            kind, reference, actor)
               SELECT %s, d.id, true, c.id, true, 2500000, 'bench.sale', 'bulk/' || g, 'device:W-0001'
               FROM generate_series(1, %s) g
               JOIN ledger_account d ON d.code = 'bench:till-' || g %% 10
               JOIN ledger_account c ON c.code = 'bench:sales-' || g / 10 %% 10""",
            [DAY, ROWS],
        )
        cursor.execute("ANALYZE ledger_transfer")
    started = time.perf_counter()
    seal_now()
    sealing = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "export")
        with open(path, "wb") as file:
            rows = export(to=file, by=Actor("system:bench", "bench"), venue="bench").rows
        started = time.perf_counter()
        with open(path, "rb") as file:
            verify(file, rooms=[*room_checks(), Sales()])
        verifying = time.perf_counter() - started
        started = time.perf_counter()
        with open(path, "rb") as file:
            for line in file:
                hashlib.sha256(line).digest()
        hashing = time.perf_counter() - started
    figure(f"seal {rows:,} rows", sealing, "s", sealing / hashing, "SHA-256 of each row, the same bytes")
    figure(f"verify {rows:,} rows", verifying, "s", verifying / hashing, "SHA-256 of each row, the same bytes")
    both = sealing + verifying
    figure(f"seal and verify {rows:,} rows", both, "s", both / hashing, "SHA-256 of each row, the same bytes")
