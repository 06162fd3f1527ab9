"""A Keno counter for the benchmarks, and tickets on it by the hundred thousand: the rows that sales leave, in bulk."""

from __future__ import annotations

import json
from math import comb
from random import Random
from typing import Any, Final

PICKS: Final = 20_000
SPOTS: Final = range(1, 11)
WAY_GROUPS = 15  # of two numbers each: 105 ways of four

# A ticket, its play, its tender and its transfer, as `keno.sell` writes them; the leaf is of the right length only.
# Transfers go in by their references, which are random: in any other order each would be a page of the index apart.
_SALES: Final = """
    CREATE TEMPORARY TABLE bench_sale ON COMMIT DROP AS
    SELECT nextval('keno_ticket_id_seq') AS id,
           upper(substr(md5(%(seed)s || ':' || n), 1, 12)) AS serial,
           %(game)s::bigint + n * %(games)s::bigint / %(count)s AS game,
           CASE WHEN %(a_day)s = 0 THEN 0 ELSE 1 + n * %(games)s::bigint / %(count)s / greatest(1, %(a_day)s) END::int
               AS days_ago,
           p.spots, p.ways, p.stake, p.numbers, p.groups
    FROM generate_series(0, %(count)s - 1) n
    JOIN bench_pick p ON p.id = %(pick)s + abs(hashint8(n + %(seed)s)::bigint) %% %(picks)s
    ORDER BY n
"""
_TICKETS: Final = """
    INSERT INTO keno_ticket (id, serial, kind, status, groups, schedule, jackpot, set_bet, games, first_game, last_game,
                             charged_to, price_a_game, premium, price, change, sold_at, day, terminal, writer, shift_id,
                             leaf)
    SELECT id, serial, CASE WHEN ways = 1 THEN 'quick-pick' ELSE 'way' END, 'issued', groups, 'standard', false, '', 1,
           game, game, game, ways * stake, 0, ways * stake, 0, now(), %(day)s::date - days_ago, %(terminal)s,
           %(terminal)s, %(shift)s + days_ago, sha256(serial::bytea)
    FROM bench_sale
"""
_PLAYS: Final = """
    INSERT INTO keno_play (ticket_id, place, spots, ways, stake, numbers, jackpot, schedule, first_game, charged_to,
                           plays_to)
    SELECT id, 0, spots, ways, stake, numbers, false, 'standard', game, game, game FROM bench_sale
"""
_TENDERS: Final = """
    INSERT INTO keno_tender (ticket_id, place, type, amount, reference)
    SELECT id, 0, 'cash', ways * stake, '' FROM bench_sale
"""
_TRANSFERS: Final = """
    INSERT INTO ledger_transfer (day, debit_id, debit_whole_cents, credit_id, credit_whole_cents, amount, kind,
                                 reference, actor, tx)
    SELECT %(day)s::date - days_ago, d.id, true, c.id, true, ways * stake, 'keno.sale', serial, %(terminal)s,
           (SELECT pg_current_xact_id()::text::bigint)
    FROM bench_sale
    JOIN ledger_account d ON d.code = 'keno:shift:' || %(shift)s + days_ago || ':cash'
    JOIN ledger_account c ON c.code = 'keno:stakes-held'
    ORDER BY serial
"""


def open_counter() -> Any:
    """The demo venue, its first game open, and a writer with a shift."""
    import psycopg
    from django.db import connection

    from house import demo as house_demo
    from house.models import Grant
    from keno import demo
    from keno.shifts import open_shift
    from kernel.actors import Actor

    settings = connection.settings_dict
    with psycopg.connect(host=settings["HOST"], user="postgres", dbname=settings["NAME"]) as superuser:
        superuser.execute("GRANT SET ON PARAMETER session_replication_role TO meterhouse")
    house_demo.build_demo()
    demo.build_demo()
    writer = Actor("device:W-9999", "Writer", frozenset(Grant.objects.values_list("permission_id", flat=True)))
    open_shift(by=writer)
    chance = Random(1)
    picks: list[tuple[int | str | None, ...]] = []
    for n in range(PICKS):
        numbers = sorted(chance.sample(range(1, 81), SPOTS[n % len(SPOTS)]))
        bits = "".join("1" if number in numbers else "0" for number in range(1, 81))
        picks.append((n, len(numbers), 1, 1_000_000, bits, json.dumps([numbers])))
    for n in range(PICKS):
        numbers = chance.sample(range(1, 81), 2 * WAY_GROUPS)
        groups = [sorted(numbers[at : at + 2]) for at in range(0, len(numbers), 2)]
        picks.append((PICKS + n, 4, comb(WAY_GROUPS, 2), 100_000, None, json.dumps(groups)))
    with connection.cursor() as cursor:
        columns = "id bigint PRIMARY KEY, spots int, ways bigint, stake bigint, numbers bit(80), groups jsonb"
        cursor.execute(f"CREATE TABLE bench_pick ({columns})")
        cursor.executemany("INSERT INTO bench_pick VALUES (%s, %s, %s, %s, %s::bit(80), %s)", picks)
        cursor.execute("ANALYZE bench_pick")
    return writer


def load(
    *, count: int, game: int, games: int = 1, seed: int, a_day: int = 0, shifts: int = 0, ways: bool = False
) -> None:
    """Sell *count* tickets of one play at $1.00 (or of 105 *ways* at 10 cents), over *games* games from *game* on.

    With *a_day*, so many games were on each of the days before today, the first of them yesterday, and the tickets of
    the nth day before were sold in the shift numbered *shifts* + n, into its drawer.
    """
    from django.db import connection, transaction

    from keno.models import Shift

    shift = Shift.objects.order_by("id").first()
    assert shift is not None
    values: dict[str, Any] = {
        "count": count,
        "game": game,
        "games": games,
        "seed": seed,
        "picks": PICKS,
        "pick": PICKS if ways else 0,
        "day": shift.day,
        "terminal": shift.terminal,
        "shift": shifts or shift.pk,
        "a_day": a_day,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        # No triggers while loading: every key is right by construction, and checking them takes most of the time.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in (_SALES, _TICKETS, _PLAYS, _TENDERS, _TRANSFERS):
            cursor.execute(statement, values)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE keno_ticket, keno_play, keno_tender, ledger_transfer")


_UNSETTLED: Final = (
    "DELETE FROM keno_prize WHERE game = %(game)s",
    "DELETE FROM ledger_transfer WHERE reference = 'game/' || %(game)s AND kind IN ('keno.stakes', 'keno.prizes')",
    "DELETE FROM ledger_act WHERE kind = 'keno.settled' AND subject = 'keno-game:' || %(game)s",
    "DELETE FROM ledger_act WHERE kind = 'draw.revealed' AND subject = 'promise:keno/' || %(game)s",
    "UPDATE draws_commitment SET master = NULL, revealed_at = NULL WHERE purpose = 'keno' AND name = %(game)s::text",
    """UPDATE keno_game SET status = 'drawn', settled_at = NULL, totals = NULL, matched_upto = NULL
       WHERE number = %(game)s""",
)


def unsettle(game: int) -> None:
    """Put a game back to where its settlement began, as no verb can: the next one does all the work again."""
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in _UNSETTLED:
            cursor.execute(statement, {"game": game})
    with connection.cursor() as cursor:
        cursor.execute("VACUUM keno_prize")
