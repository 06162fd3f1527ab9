"""Contributions into one link beside a hot row; a pool read after a million of them beside a primary-key SELECT."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Any

from benchmarks import pgbench
from benchmarks.report import figure

if TYPE_CHECKING:
    from jackpot.terms import LinkTerms

CLIENTS, SECONDS, CALLS, A_CALL, READS, LINKS = 16, 5, 30, 10_000, 2_000, 50


def run() -> None:
    prepare()
    hot = hot_row_rate()
    figure("hot row: UPDATE and its ledger row", hot, "wagers/s", 1.0, f"pgbench, {CLIENTS} clients")
    for name, tables in (("contributions, one link, bulk", ["CSP-01"]), (f"contributions, {LINKS} links", fifty())):
        rate = bulk_rate(name, tables)
        figure(name, rate, "wagers/s", rate / hot, "the hot row")
    contribute(1_000_000)
    read = seconds_a_read(read_pool)
    plain = seconds_a_read(read_row)
    figure("pool read after 1,000,000 contributions", read * 1e6, "µs", read / plain, "a primary-key SELECT")
    meters = seconds_a_read(read_meters)
    figure(f"meters of all {LINKS + 3} links", meters * 1e6, "µs", meters / plain, "a primary-key SELECT")


def prepare() -> None:
    from django.db import connection

    from house.plan_days import ensure_gaming_days
    from jackpot.demo import LINKS as DEMO
    from jackpot.demo import build_demo

    ensure_gaming_days()
    build_demo([(code, title, hurried(terms), tables) for code, title, terms, tables in DEMO])
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_pool (id int PRIMARY KEY, v bigint NOT NULL)")
        cursor.execute("INSERT INTO bench_pool VALUES (1, 0)")
        cursor.execute(
            "CREATE TABLE bench_wager (id bigserial PRIMARY KEY, at timestamptz DEFAULT now(), amount bigint)"
        )


def hurried(terms: LinkTerms) -> LinkTerms:
    """A day of play passes in seconds here: as much of it as may be approved."""
    from jackpot.rules.pool import ROUNDS_PER_MINUTE_LIMIT

    return replace(terms, parameters=replace(terms.parameters, rounds_per_minute_limit=ROUNDS_PER_MINUTE_LIMIT))


def hot_row_rate() -> float:
    """What a locked meter would cost: pgbench, sixteen clients, one row to update and one to write beside it."""
    script = "UPDATE bench_pool SET v = v + 1750000 WHERE id = 1;\nINSERT INTO bench_wager (amount) VALUES (1750000);\n"
    return pgbench.rate(script, clients=CLIENTS, seconds=SECONDS)


def fifty() -> list[str]:
    from jackpot import permissions
    from jackpot.demo import CSP
    from jackpot.open_link import open_link
    from jackpot.tables import join_table
    from kernel.actors import Actor

    by = Actor("system:bench", "bench", frozenset({permissions.TABLES}))
    for n in range(LINKS):
        open_link(code=f"L{n}", title=f"Link {n}", link_terms=hurried(CSP), by=by)
        join_table(code=f"L{n}-01", link=f"L{n}", by=by)
    return [f"L{n}-01" for n in range(LINKS)]


def bulk_rate(name: str, tables: list[str]) -> float:
    """One wager a message, 10,000 messages a call, one caller."""
    from jackpot import permissions
    from jackpot.contribute import Message, contribute_bulk
    from kernel.actors import Actor

    by = Actor("device:T-0001", "table", frozenset({permissions.CONTRIBUTE}))
    now = datetime.now(UTC)
    batches = [
        [Message(f"{name}/{call}/{n}", tables[n % len(tables)], 1, now) for n in range(A_CALL)] for call in range(CALLS)
    ]
    started = time.perf_counter()
    for batch in batches:
        contribute_bulk(messages=batch, by=by)
    return CALLS * A_CALL / (time.perf_counter() - started)


def contribute(messages: int) -> None:
    """So many contributions on record, a hundred to a set of transfers; sealed, as the sealer does every second."""
    from jackpot import permissions
    from jackpot.contribute import Message, contribute_bulk
    from kernel.actors import Actor
    from ledger.seal import seal_now

    by = Actor("device:T-0001", "table", frozenset({permissions.CONTRIBUTE}))
    now = datetime.now(UTC)
    for call in range(messages // A_CALL):
        table = f"CSP-0{call % 4 + 1}"
        contribute_bulk(messages=[Message(f"million/{call}/{n}", table, 1, now) for n in range(A_CALL)], by=by)
    seal_now()


def read_pool() -> Any:
    from jackpot.pools import prize_amounts

    return prize_amounts("CSP")


def read_meters() -> Any:
    from jackpot.queries import displayed

    return displayed()


def read_row() -> Any:
    from jackpot.models import Table

    return Table.objects.filter(pk=1).values_list("code", "status", "boxes").get()


def seconds_a_read(read: Callable[[], Any]) -> float:
    read()
    numbers = count()
    started = time.perf_counter()
    while next(numbers) < READS:
        read()
    return (time.perf_counter() - started) / READS
