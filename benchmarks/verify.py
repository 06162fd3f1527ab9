"""The stranger's check of a house with everything in it: every row, draw, ticket, prize and contribution again.

A Keno counter of many games, each closed, sealed, asked about, drawn and settled by the verbs; its sales and payments
are written in bulk, as the verbs write them, for selling a million tickets takes an hour. Rounds at jackpot tables are
played by the verbs. ``BENCH_ROWS=100000`` tries it on fewer rows. ``BENCH_KEEP=file`` keeps the export there, and where
it is there already no house is built: a million rows take longer to make than to check.
"""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

from benchmarks import keno_rows
from benchmarks.report import figure

if TYPE_CHECKING:
    from keno.entries import Composed
    from keno.models import Shift
    from kernel.actors import Actor

ROWS: Final = int(os.environ.get("BENCH_ROWS", "1000000"))
ROWS_A_GAME: Final = 2_500
TICKETS_A_GAME: Final = 1_750  # and what is paid on them, and a game's own thirty acts, and rounds
ROUNDS_A_GAME: Final = 30  # six rows each
PAID: Final = 0.9  # of those that won
_numbers = count(1)  # of payments
# Between two statements a busy machine may need longer to write tickets than the database lets anybody stand still.
_PATIENT: Final = "SELECT set_config('idle_in_transaction_session_timeout', '0', true)::int"
# What the process itself used at most is Linux's VmHWM: ru_maxrss begins with what the benchmark had before it.
_CHECK: Final = """
import re, resource, sys
from pathlib import Path
from verify.program import main
code = main(sys.argv[1:])
own = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), file=sys.stderr)
sys.exit(code)
"""
# Of twenty players at a counter: ten want one game, four several games, four ways, two a jackpot.
_ONE, _SEVERAL, _WAYS, _JACKPOT = "one", "several", "ways", "jackpot"
_MIX: Final = (*[_ONE] * 10, *[_SEVERAL] * 4, *[_WAYS] * 4, *[_JACKPOT] * 2)


def run() -> None:
    kept = Path(os.environ["BENCH_KEEP"]) if "BENCH_KEEP" in os.environ else None
    with tempfile.TemporaryDirectory() as folder:
        path = kept or Path(folder, "export")
        sealing = None
        if not path.exists():
            build()
            sealing = write(path)
        check(path, Path(folder), sealing=sealing)


def build() -> None:
    from django.db import connections
    from django.utils import timezone

    from keno.close import close_game
    from keno.draw import draw_game
    from keno.models import Game, Shift
    from keno.permissions import RUN_GAMES
    from kernel.actors import Actor

    writer = keno_rows.open_counter()
    rounds = Rounds()
    shift = Shift.objects.get()
    supervisor = Actor("system:bench", "bench", frozenset({RUN_GAMES}))
    chance = Random(1)
    requests = _requests(chance)
    beside = ThreadPoolExecutor(1)  # tables play while the counter sells
    for _ in range(max(2, ROWS // ROWS_A_GAME)):
        number = Game.objects.get(status="open").number
        playing = beside.submit(rounds.play, ROUNDS_A_GAME)
        wanted = [chance.choice(requests) for _ in range(TICKETS_A_GAME)]
        sell(wanted, game=number, shift=shift, by=writer, now=timezone.now())
        close_game(number=number, by=supervisor)
        draw_game(number=number, by=supervisor)
        pay(game=number, shift=shift, by=writer, chance=chance)
        playing.result()
    beside.submit(connections.close_all).result()  # its own
    beside.shutdown()


def _requests(chance: Random) -> list[Composed]:
    """What can be sold, priced."""
    from keno.entries import TicketRequest, compose
    from keno.rules.selection import Play
    from kernel.money import Money

    found = []
    for n in range(2_000):
        sort, spots = _MIX[n % len(_MIX)], n % 10 + 1
        numbers = sorted(chance.sample(range(1, 81), 10))
        stake = Money.dollars(chance.choice((1, 1, 1, 2, 5)))
        if sort == _WAYS:
            groups = [numbers[:3], numbers[3:6], numbers[6:8]]
            request = TicketRequest(groups=groups, plays=[Play(3, stake), Play(5, stake)], games=1)
        elif sort == _JACKPOT:
            request = TicketRequest(numbers=numbers[:6], stake=stake, games=1, jackpot=True)
        else:
            games = chance.randint(2, 5) if sort == _SEVERAL else 1
            request = TicketRequest(numbers=numbers[:spots], stake=stake, games=games)
        found.append(compose(request))
    return found


def sell(wanted: Sequence[Composed], *, game: int, shift: Shift, by: Actor, now: datetime) -> None:
    """In one transaction, by what ``keno.sell`` writes with; its rows go in together."""
    from django.db import transaction

    from keno import accounts, sell
    from keno.rules.exposure import exposure
    from keno.tender import EXACT_CASH, take
    from kernel.money import ZERO
    from ledger.post import Booking, post_many

    booked = []
    with transaction.atomic():
        _Rows._do(_PATIENT)
        rows = _Rows(game, len(wanted))
        with patch.object(sell, "_insert", rows.take):
            for composed in wanted:
                price = composed.quote.price.total
                taken = take(tender=EXACT_CASH, price=price, now=now, by=by)
                ticket, _ = sell._write(
                    composed,
                    taken,
                    exposure(composed.entry),
                    first_game=game,
                    now=now,
                    day=shift.day,
                    shift=shift,
                    change=ZERO,
                    player=None,
                )
                booked.append(
                    Booking(debit=shift.cash, credit=accounts.STAKES_HELD, amount=price, kind="keno.sale",
                            reference=ticket.serial)
                )  # fmt: skip
        rows.write()
        post_many(bookings=booked, by=by, day=shift.day, at=now)


class _Rows:
    """What sales write, by COPY: a statement for each takes most of the time that the house takes."""

    TICKET: Final = (
        "serial", "kind", "groups", "schedule", "schedule_version", "jackpot", "set_bet", "games", "first_game",
        "last_game", "charged_to", "price_a_game", "premium", "price", "change", "sold_at", "day", "terminal", "writer",
        "shift", "player", "leaf", "could_pay", "could_pay_minors", "could_pay_held",
    )  # fmt: skip
    PLAY: Final = ("place", "spots", "ways", "stake")
    TENDER: Final = ("place", "type", "amount", "reference")

    def __init__(self, game: int, many: int) -> None:
        self.game = game
        self.ids = self._do("SELECT nextval('keno_ticket_id_seq') FROM generate_series(1, %s)", many)
        self.taken: list[dict[str, Any]] = []

    def take(self, values: dict[str, Any]) -> int:
        self.taken.append(values)
        return self.ids[len(self.taken) - 1]

    def write(self) -> None:
        of = list(zip(self.ids, self.taken, strict=True))
        columns = [{"shift": "shift_id", "player": "player_id"}.get(name, name) for name in self.TICKET]
        self._copy("keno_ticket", ["id", *columns, "status"], [
            (number, *(values[name] for name in self.TICKET), "issued") for number, values in of
        ])  # fmt: skip
        for table, part, names in (("keno_play", "plays", self.PLAY), ("keno_tender", "tenders", self.TENDER)):
            rows = [(number, *(each[name] for name in names)) for number, values in of for each in values[part].obj]
            self._copy(table, ["ticket_id", *names], rows)
        sums = [sum(values[name] for _, values in of) for name in self.TICKET[-3:]]
        self._do(
            "INSERT INTO keno_gameexposure (game, part, most, minors, held) VALUES (%s, 0, %s, %s, %s) RETURNING game",
            self.game, *sums,
        )  # fmt: skip

    @staticmethod
    def _do(statement: str, *values: int) -> list[int]:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(statement, values)
            return [number for (number,) in cursor.fetchall()]

    @staticmethod
    def _copy(table: str, columns: Sequence[str], rows: Sequence[tuple[object, ...]]) -> None:
        from django.db import connection

        with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def pay(*, game: int, shift: Shift, by: Actor, chance: Random) -> None:
    """Most of what those have won whose last game it was, as ``keno.pay`` books it; never what takes two people."""
    from django.db.models import Sum
    from django.utils import timezone

    from keno import accounts
    from keno.models import Prize
    from kernel.money import Money
    from ledger.post import Booking, post_many

    won = Prize.objects.filter(ticket__last_game=game).values_list("ticket__serial").annotate(Sum("amount"))
    booked = [
        Booking(debit=accounts.PRIZES_OWING, credit=shift.cash, amount=amount, kind="keno.payment",
                reference=str(next(_numbers)), memo={"ticket": serial})
        for serial, amount in won
        if amount < Money.dollars(10_000) and chance.random() < PAID
    ]  # fmt: skip
    post_many(bookings=booked, by=by, day=shift.day, at=timezone.now())


class Rounds:
    """Jackpot tables at play: three boxes a round, and nobody has anything."""

    def __init__(self) -> None:
        from benchmarks.jackpot import hurried
        from jackpot import permissions
        from jackpot.demo import LINKS, build_demo
        from kernel.actors import Actor

        build_demo([(code, title, hurried(terms), tables) for code, title, terms, tables in LINKS])
        self.tables = [table for _, _, _, tables in LINKS for table in tables]
        self.by = Actor("device:T-0001", "table", frozenset({permissions.PLAY}))

    def play(self, many: int) -> None:
        from jackpot.finish_round import finish_round
        from jackpot.start_round import Offer, start_round

        for n in range(many):
            table = self.tables[n % len(self.tables)]
            begun = start_round(table=table, wagers=[Offer(box=box) for box in (1, 2, 3)], by=self.by)
            finish_round(round_id=begun.pk, hands=[], by=self.by)


def write(path: Path) -> float:
    """How long its last rows took to seal."""
    from kernel.actors import Actor
    from ledger.cosign import cosign_now
    from ledger.export import export
    from ledger.seal import seal_now

    started = time.perf_counter()
    seal_now()
    sealing = time.perf_counter() - started
    cosign_now()
    with path.open("wb") as file:
        export(to=file, by=Actor("system:bench", "bench"), venue="bench")
    return sealing


def check(path: Path, folder: Path, *, sealing: float | None) -> None:
    """By the clock on two cores, and by CPU, which the machine's other work disturbs less."""
    hashing, hashing_cpu, rows, tickets = hashed(path, folder)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    said = subprocess.run([sys.executable, "-c", _CHECK, str(path)], capture_output=True, text=True, check=False)
    verifying = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert said.returncode in (0, 3), said.stdout + said.stderr
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    to = "SHA-256 of each row and of each ticket"
    figure(f"verify {rows:,} rows, {tickets:,} tickets", verifying, "s", verifying / hashing, to)
    figure("  the same, CPU of all processes", cpu, "s", cpu / hashing_cpu, "the CPU of that")
    largest = int(said.stderr.split()[-1]) / 1024
    figure("  its largest process", largest, "MB", largest / (rows * 1e-3), "a kilobyte a row")
    if sealing is not None:
        figure("  seal its last rows", sealing, "s", sealing / hashing, to)


def hashed(path: Path, folder: Path) -> tuple[float, float, int, int]:
    """Each row and each ticket by itself, read from a file: seconds, of the processor, and how many there are."""
    from keno.ticket_lines import TicketLine
    from kernel.canonical import canonical

    count = tickets = 0
    rows = folder / "rows"
    with path.open("rb") as file, rows.open("wb") as written:
        for line in file:
            if line.startswith(b'{"attached":"keno'):
                entries = [canonical(each) + b"\n" for each in TicketLine.read(line).entries()]
                tickets += len(entries)
                written.writelines(entries)
            else:
                count += line.startswith(b'{"n":')
                written.write(line)
    started, cpu = time.perf_counter(), time.process_time()
    with rows.open("rb") as file:
        for line in file:
            hashlib.sha256(line).digest()
    return time.perf_counter() - started, time.process_time() - cpu, count, tickets
