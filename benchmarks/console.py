"""The staff's pages over a million tickets of a hundred days, a million contributions to a jackpot, a million
entries in a promotion, all in one house: the processor's time for each, beside a fresh house's.

``BENCH_PLAYS=100000`` tries it on fewer of each; the figures then say so.
"""

from __future__ import annotations

import logging
import os
import time
from typing import Any, Final

import psutil

from benchmarks import jackpot, keno_rows, promotions
from benchmarks.report import figure

TICKETS = int(os.environ.get("BENCH_PLAYS", "1000000"))
DAYS: Final = 100
GAMES_A_DAY: Final = 250
PAST: Final = 1_000_001  # the first of the games that were not played here
TIMES = 20  # each page is asked for: the system counts a process's time in hundredths of a second
REACH: Final = 60.0  # milliseconds
GROWTH: Final = 1.3

# Rows like one that the verbs have made, with another number and day. Checks hold; triggers are asleep.
_LIKE: Final = """
    INSERT INTO {table} SELECT made.* FROM {table} one, {series},
        jsonb_populate_record(one, to_jsonb(one) || {changes}) made
    WHERE one.{key} = %(one)s
"""
_GAMES: Final = _LIKE.format(
    table="keno_game",
    key="number",
    series="generate_series(0, %(games)s - 1) n",
    changes="jsonb_build_object('number', %(past)s + n, 'gaming_day', %(day)s::date - 1 - (n / %(a_day)s)::int)",
)
_DRAWS: Final = _LIKE.format(
    table="keno_draw",
    key="game_id",
    series="generate_series(0, %(games)s - 1) n",
    changes="jsonb_build_object('id', %(past)s + n, 'game_id', %(past)s + n)",
)
_SHIFTS: Final = _LIKE.format(
    table="keno_shift",
    key="id",
    series="generate_series(1, %(days)s) n",
    changes="jsonb_build_object('id', %(past)s + n, 'day', %(day)s::date - n, 'closed_at', now(),"
    " 'closed_by', one.writer, 'counted_cash', 0, 'counted_chips', 0, 'expected_cash', 0, 'expected_chips', 0)",
)
_ACCOUNTS: Final = """
    INSERT INTO ledger_account (code, name, kind, whole_cents)
    SELECT 'keno:shift:' || %(past)s + n || ':' || what, 'Drawer', 'asset', true
    FROM generate_series(1, %(days)s) n, unnest(ARRAY['cash', 'chips']) what
"""
# The game on sale is the latest one: what was sold before must not reach past it.
_AHEAD: Final = (
    "UPDATE keno_draw SET game_id = game_id + 2 * %(past)s"
    " WHERE game_id IN (SELECT number FROM keno_game WHERE status IN ('open', 'scheduled'))",
    "UPDATE keno_game SET number = number + 2 * %(past)s WHERE status IN ('open', 'scheduled')",
)
_PRIZES: Final = """
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, spots, matches, day)
    SELECT t.id, t.first_game, 'prize', 3000000, 0, false, 1, 1, t.day
    FROM keno_ticket t WHERE t.first_game >= %(past)s AND t.id %% 5 = 0 ORDER BY t.first_game, t.id
"""


# Entries as a file brings them in, five to a person; the leaf is of the right length only.
_ENTRANTS: Final = """
    INSERT INTO promotions_entrant (promotion_id, identity)
    SELECT p.id, 'card:B-' || n FROM promotions_promotion p, generate_series(1, %(count)s / 5) n WHERE p.code = 'BENCH'
"""
_ENTRIES: Final = """
    INSERT INTO promotions_entry (promotion_id, entrant_id, source, reference, entered_at, entered_by, salt, leaf,
                                  withdrawn_why)
    SELECT e.promotion_id, e.id, 'staff', 'R-' || e.id || '-' || n, now(), 'staff:bench', gen_random_uuid(),
           sha256(e.identity::bytea), ''
    FROM promotions_entrant e, generate_series(1, 5) n WHERE e.identity LIKE 'card:B-%%'
"""


def run() -> None:
    from django.conf import settings
    from django.db import connection

    settings.ALLOWED_HOSTS = ["localhost"]
    logging.getLogger("request").setLevel(logging.WARNING)  # a line a page is not what is measured here
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('bench_pick')")
        if cursor.fetchone()[0] is None:
            keno_rows.open_counter()
    jackpot.prepare()
    promotions.running()
    client = _manager()
    today = _an_evening()
    fresh = {name: _milliseconds(client, path) for name, path in _pages(today).items()}
    _load(today)
    over = grown = 0
    for name, path in _pages(today).items():
        value = _milliseconds(client, path)
        over += value > REACH
        grown += value > GROWTH * fresh[name]
        figure(f"{name}, {TICKETS:,} of each", value, "ms", value / fresh[name], "itself on a fresh house")
    figure(f"console pages over {REACH:.0f} ms", over, "pages", over / len(fresh), "of all pages measured")
    figure(f"console pages over {GROWTH} of a fresh house", grown, "pages", grown / len(fresh), "of all pages measured")


def _manager() -> Any:
    from django.test import Client

    from house.middleware import ACTIVE_AT
    from house.models import Staff
    from house.sign_in import BACKEND

    client = Client(HTTP_HOST="localhost")
    manager = Staff.objects.get(username="manager")
    Staff.objects.filter(pk=manager.pk).update(must_change_password=False)
    client.force_login(manager, backend=BACKEND)
    session = client.session
    session[ACTIVE_AT] = time.time()
    session.save()
    return client


def _an_evening() -> dict[str, Any]:
    """A game played with the verbs: sold, closed, drawn, settled. The others are made like it."""
    from benchmarks.keno import drawn_game
    from keno.models import Shift, Ticket
    from keno.settle import settle

    number, _ = drawn_game(1_000)
    settle(number=number)
    shift = Shift.objects.order_by("id")[0]
    ticket = Ticket.objects.filter(first_game=number).order_by("-id")[0]
    return {"game": number, "day": shift.day, "shift": shift.pk, "serial": ticket.serial}


def _pages(today: dict[str, Any]) -> dict[str, str]:
    from keno.models import Game, Shift

    past = Game.objects.filter(number__gte=PAST + GAMES_A_DAY).order_by("number").first()
    game = past.number if past else today["game"]
    day = past.gaming_day if past else today["day"]
    shift = (Shift.objects.filter(day=day).order_by("-id").first() or Shift.objects.order_by("id")[0]).pk
    days = f"first={day}&last={day}"
    return {
        "home": "/",
        "ticket list": "/keno/tickets/",
        "tickets of a day": f"/keno/tickets/?day={day}",
        "tickets by the start of a serial": f"/keno/tickets/?serial={today['serial'][:5]}",
        "search by serial": f"/search/?q={today['serial']}",
        "a ticket": f"/keno/tickets/{today['serial']}/",
        "games list": "/keno/games/",
        "game page": f"/keno/games/{game}/",
        "shifts": "/keno/shifts/",
        "shift": f"/keno/shifts/{shift}/",
        "claims": "/keno/claims/",
        "unclaimed prizes": "/keno/unclaimed/",
        "report by game, a day": f"/keno/reports/games/?{days}",
        "report by shift, a day": f"/keno/reports/shifts/?{days}",
        "report by gaming day, a day": f"/keno/reports/days/?{days}",
        "jackpot links": "/jackpots/",
        "a link": "/jackpots/CSP/",
        "hits": "/jackpots/hits/",
        "promotions": "/promo/",
        "a promotion": "/promo/BENCH/",
        "audit log": "/audit/",
        "audit transfers": "/audit/transfers/",
    }


def _load(today: dict[str, Any]) -> None:
    from django.db import connection, transaction

    from ledger.seal import seal_now

    games = DAYS * GAMES_A_DAY
    values = {"past": PAST, "games": games, "days": DAYS, "a_day": GAMES_A_DAY, "day": today["day"]}
    with connection.cursor() as cursor:
        cursor.execute(_ACCOUNTS, values)
    keno_rows.load(count=TICKETS, game=PAST, games=games, seed=48_213, a_day=GAMES_A_DAY, shifts=PAST)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in _AHEAD:
            cursor.execute(statement, values)
        cursor.execute(_GAMES, values | {"one": today["game"]})
        cursor.execute(_DRAWS, values | {"one": today["game"]})
        cursor.execute(_SHIFTS, values | {"one": today["shift"]})
        cursor.execute(_PRIZES, values)
        cursor.execute(_ENTRANTS, {"count": TICKETS})
        cursor.execute(_ENTRIES)
    jackpot.contribute(TICKETS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    seal_now()  # as the worker does every second: a balance is what was sealed, and the rows since


def _milliseconds(client: Any, path: str) -> float:
    """What a page costs, everything included: middleware, rights, queries, template. It is the processor's time of the
    server and of its database process, so that what else runs on the machine does not count."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET max_parallel_workers_per_gather = 0")  # all of it in the process that is looked at
        cursor.execute("SELECT pg_backend_pid()")
        database = psutil.Process(cursor.fetchone()[0])

    def spent() -> float:
        there = database.cpu_times()
        return float(time.process_time() + there.user + there.system)

    client.get(path)  # templates read, plans made
    before = spent()
    for _ in range(TIMES):
        answer = client.get(path)
        assert answer.status_code in (200, 302), (path, answer.status_code)
    return (spent() - before) / TIMES * 1e3
