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
from benchmarks.cpu import spent
from benchmarks.report import figure

PLAYS = int(os.environ.get("BENCH_PLAYS", "1000000"))
A_GAME, SALES, READS, ROUNDS = PLAYS // 100, 200, 200, 3
SECONDS_ALLOWED = 2.0  # from the last ball until its prizes are seen
BARE = """
    SELECT spots, bit_count(numbers & %(drawn)s::bit(80)), count(*), sum(stake) FROM keno_play
    WHERE first_game <= %(game)s AND plays_to >= %(game)s GROUP BY 1, 2
"""


def run() -> None:
    price()
    writer = keno_rows.open_counter()
    growth(writer)
    settle_a_million()
    settle_ways()


def seconds(work: Callable[[], Any], times: int = 1) -> float:
    started = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - started) / times


def price() -> None:
    """Sixteen kings, eight to a way: C(16, 8) = 12,870."""
    from keno.rules.entry import TicketEntry
    from keno.rules.price import quote
    from keno.rules.schedules import STANDARD
    from keno.rules.selection import Play, way
    from kernel.money import ZERO, Money

    groups, stake = [[number] for number in range(1, 17)], Money.cents(10)

    def counted() -> int:
        entry = TicketEntry(way(groups, [Play(8, stake)]), STANDARD, False)
        return quote(entry, games=1, premium=ZERO).price.total.micros

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
    """Sale, settlement and meter, with ever more tickets of past games on record; the least of a few counts."""
    sizes = [PLAYS // 100, PLAYS // 10, PLAYS]
    measures: dict[str, tuple[str, float, Callable[[], tuple[float, float]]]] = {
        "sale": ("ms", 1e3 / SALES, lambda: sales(writer)),
        "settle a play": ("µs", 1e6 / A_GAME, settlement),
        "meter read": ("µs", 1e6 / READS, lambda: spent(lambda: [read_meters() for _ in range(READS)])),
    }
    at_first: dict[str, float] = {}
    before = 0
    for step, size in enumerate(sizes):
        games = max(1, (size - before) // 1_000)
        keno_rows.load(count=size - before, game=-100_000 * (step + 1), games=games, seed=1 + step)
        before = size
        for name, (unit, scale, measure) in measures.items():
            least = map(min, zip(*(measure() for _ in range(ROUNDS)), strict=True))
            for what, value in zip((f"{name}, {size:,} tickets on record", "  the same, CPU"), least, strict=True):
                first = at_first.setdefault(name + what[:2], value)
                figure(what, value * scale, unit, value / first, f"itself at {sizes[0]:,}")


def sales(writer: Any) -> tuple[float, float]:
    from keno.entries import TicketRequest
    from keno.sell import sell_ticket
    from kernel.money import Money

    request = TicketRequest(numbers=[4, 8, 15, 16, 23, 42], stake=Money.dollars(2), games=1)
    return spent(lambda: [sell_ticket(request=request, by=writer) for _ in range(SALES)])


def settlement() -> tuple[float, float]:
    from keno.settle import settle

    number, _ = drawn_game(A_GAME)
    return spent(lambda: settle(number=number))


def read_meters() -> Any:
    from keno.jackpots import displayed

    return displayed()


_seeds = iter(range(1_000, 10_000))


def drawn_game(plays: int, *, ways: bool = False) -> tuple[int, list[int]]:
    """Sell the open game so many plays, close and draw it; the next one opens."""
    from keno.close import close_game
    from keno.draw import DRAWER, draw_numbers
    from keno.models import Draw, Game
    from keno.permissions import RUN_GAMES
    from kernel.actors import Actor

    number = Game.objects.get(status="open").number
    keno_rows.load(count=plays, game=number, seed=next(_seeds), ways=ways)
    supervisor = Actor(DRAWER.identity, DRAWER.name, frozenset({RUN_GAMES}))
    close_game(number=number, by=supervisor)
    draw_numbers(number=number, upto=20)
    return number, Draw.objects.get(game=number, voided_at=None).numbers


def settle_a_million() -> None:
    """Settled three times, the record put back in between, turn and turn about with the bare SELECT: the least counts.

    By the clock, as both run here; and by CPU, which the machine's other work disturbs less.
    """
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

    scans, settlements, grown = [], [], 0.0
    for _ in range(ROUNDS):
        keno_rows.unsettle(number)
        scans += [spent(bare) for _ in range(3)]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        settlements.append(spent(lambda: settle(number=number)))
        grown = max(grown, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024)
    winners = Prize.objects.filter(game=number).count()
    totals = Game.objects.get(pk=number).totals
    assert totals is not None
    assert totals["winners"] == winners
    taken, cpu = (min(column) for column in zip(*settlements, strict=True))
    baseline, baseline_cpu = (min(column) for column in zip(*scans, strict=True))
    figure(f"settle {PLAYS:,} plays, {winners:,} winners", taken, "s", taken / baseline, "one bare SELECT over them")
    figure("  the same, CPU of all processes", cpu, "s", cpu / baseline_cpu, "the CPU of that SELECT")
    figure("  its memory beyond what was there", grown, "MB", grown / (PLAYS * 1e-3), "a kilobyte a play")


def settle_ways() -> None:
    """Tickets of 105 ways each, settled twice: what a game full of them takes from the last ball to the prizes."""
    from keno.settle import settle

    tickets = PLAYS // 10
    number, _ = drawn_game(tickets, ways=True)
    settlements = []
    for _ in range(2):
        keno_rows.unsettle(number)
        settlements.append(spent(lambda: settle(number=number)))
    taken, cpu = (min(column) for column in zip(*settlements, strict=True))
    figure(f"settle {tickets:,} way tickets of 105 ways", taken, "s", taken / SECONDS_ALLOWED, "the 2 s it may take")
    figure("  the same, CPU of all processes", cpu, "s", cpu / SECONDS_ALLOWED, "the same")
