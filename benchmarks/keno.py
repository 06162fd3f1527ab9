"""Keno at scale: settling a million plays, pricing ways, and what a full house of tickets on record does to the rest.

``BENCH_PLAYS=100000`` tries it on fewer plays and tickets; the figures then say so.
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

from benchmarks import keno_rows
from benchmarks.report import figure

PLAYS = int(os.environ.get("BENCH_PLAYS", "1000000"))
A_GAME, SALES, READS = PLAYS // 100, 200, 200
BARE = """
    SELECT spots, bit_count(numbers & %(drawn)s::bit(80)), count(*), sum(stake) FROM keno_play
    WHERE first_game <= %(game)s AND plays_to >= %(game)s GROUP BY 1, 2
"""


def run() -> None:
    price()
    writer = keno_rows.open_counter()
    growth(writer)
    settle_a_million()


def seconds(work: Callable[[], Any], times: int = 1) -> float:
    started = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - started) / times


def price() -> None:
    """Sixteen kings, eight to a way: C(16, 8) = 12,870."""
    from keno.rules.entry import Entry
    from keno.rules.price import quote
    from keno.rules.schedules import STANDARD
    from keno.rules.selection import Play, way
    from ledger.money import ZERO, Money

    groups, stake = [[number] for number in range(1, 17)], Money.cents(10)

    def counted() -> int:
        return quote(Entry(way(groups, [Play(8, stake)]), STANDARD, False), games=1, premium=ZERO).price.total.micros

    def listed() -> int:
        """Every set of groups that makes eight numbers, one by one."""
        ways = 0
        for size in range(1, len(groups) + 1):
            for chosen in combinations(groups, size):
                ways += sum(map(len, chosen)) == 8
        return ways * stake.micros

    assert counted() == listed() == 12_870 * stake.micros
    ours, theirs = seconds(counted, 200), seconds(listed, 3)
    figure("price a 12,870-way ticket", ours * 1e6, "µs", theirs / ours, "times faster than listing its ways")


def growth(writer: Any) -> None:
    """Sale, settlement and meter, with ever more tickets of past games on record."""
    sizes = [PLAYS // 100, PLAYS // 10, PLAYS]
    measures: dict[str, tuple[str, Callable[[], float]]] = {
        "sale": ("ms", lambda: sale_seconds(writer) * 1e3),
        "settle a play": ("µs", lambda: settle_seconds() / A_GAME * 1e6),
        "meter read": ("µs", lambda: seconds(read_meters, READS) * 1e6),
    }
    at_first: dict[str, float] = {}
    before = 0
    for step, size in enumerate(sizes):
        games = max(1, (size - before) // 1_000)
        keno_rows.load(count=size - before, game=-100_000 * (step + 1), games=games, seed=1 + step)
        before = size
        for name, (unit, measure) in measures.items():
            value = min(measure() for _ in range(3))
            first = at_first.setdefault(name, value)
            figure(f"{name}, {size:,} tickets on record", value, unit, value / first, f"itself at {sizes[0]:,}")


def sale_seconds(writer: Any) -> float:
    from keno.entries import TicketRequest
    from keno.sell import sell_ticket
    from ledger.money import Money

    request = TicketRequest(numbers=[4, 8, 15, 16, 23, 42], stake=Money.dollars(2), games=1)
    return seconds(lambda: sell_ticket(request=request, by=writer), SALES)


def settle_seconds() -> float:
    from keno.settle import settle

    number, _ = drawn_game(A_GAME)
    return seconds(lambda: settle(number=number))


def read_meters() -> Any:
    from keno.jackpots import displayed

    return displayed()


_seeds = iter(range(1_000, 10_000))


def drawn_game(plays: int) -> tuple[int, list[int]]:
    """Sell the open game so many plays, close and draw it; the next one opens."""
    from django.utils import timezone

    from keno.close import close
    from keno.draw import record_numbers
    from keno.models import Draw, Game

    number = Game.objects.get(status="open").number
    keno_rows.load(count=plays, game=number, seed=next(_seeds))
    close(number=number, now=timezone.now())
    record_numbers(number=number, upto=20)
    return number, Draw.objects.get(game=number, voided_at=None).numbers


def settle_a_million() -> None:
    from django.db import connection

    from keno.models import Game, Prize
    from keno.models.fields import as_bits
    from keno.settle import settle

    number, drawn = drawn_game(PLAYS)
    values: dict[str, Any] = {"drawn": as_bits(drawn), "game": number}

    def bare() -> None:
        with connection.cursor() as cursor:
            cursor.execute(BARE, values)
            cursor.fetchall()

    baseline = min(seconds(bare) for _ in range(5))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = seconds(lambda: settle(number=number))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    winners = Prize.objects.filter(game=number).count()
    totals = Game.objects.get(pk=number).totals
    assert totals is not None
    assert totals["winners"] == winners
    figure(f"settle {PLAYS:,} plays, {winners:,} winners", taken, "s", taken / baseline, "one bare SELECT over them")
    figure("  its memory beyond what was there", grown, "MB", grown / (PLAYS * 1e-3), "a kilobyte a play")
