"""Finding the winners of a game in the database: what a settlement reads and writes, as SQL (7.1, 8, 9, 10.1).

A ticket of one play that is one way is matched by PostgreSQL, ``bit_count(numbers & drawn)``; the others were matched
by polynomial before (``keno.settle``) and wait in keno_match. Both meet in a temporary table of winning ways, in which
majors and jackpots get their final amounts, and from which the prizes are written: only winners have rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper

from keno import approved
from keno.models import Approved
from keno.models.fields import as_bits
from keno.rules.prorate import MAJOR, Proration, prorate, share_jackpot
from keno.rules.schedules import MOST_A_WAY, SPECIAL_1, SPECIAL_2, STANDARD, Schedule
from ledger.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, Money

# A figure is what one dollar wins; a jackpot way that matches in full has none of its own: its share comes later.
_WON = f"""
    CREATE TEMPORARY TABLE keno_won ON COMMIT DROP AS
    SELECT p.ticket_id, p.place, p.spots, f.matches, 1::bigint AS ways, p.stake,
           w.prize, w.full_jackpot AS jackpot, w.prize AS amount, false AS prorated, 0::bigint AS loose,
           true AS single
    FROM keno_play p
    JOIN (SELECT * FROM unnest(%(schedule)s::text[], %(version)s::bigint[], %(spots)s::int[], %(matches)s::int[],
                               %(figure)s::bigint[]) AS f(schedule, version, spots, matches, figure)) f
      ON f.spots = p.spots AND f.matches = bit_count(p.numbers & %(drawn)s::bit(80))
     AND f.schedule = p.schedule AND f.version = coalesce(p.schedule_version, 0)
    CROSS JOIN LATERAL (SELECT p.jackpot AND f.matches = p.spots AS full_jackpot) j
    CROSS JOIN LATERAL (
        SELECT j.full_jackpot,
               CASE WHEN j.full_jackpot THEN 0 ELSE least(
                   f.figure * p.stake / {MICROS_PER_DOLLAR} / {MICROS_PER_CENT} * {MICROS_PER_CENT}, {MOST_A_WAY.micros}
               ) END AS prize
    ) w
    WHERE p.first_game <= %(game)s AND p.plays_to >= %(game)s AND p.numbers IS NOT NULL AND p.place = 0
      AND NOT EXISTS (SELECT FROM keno_play o WHERE o.ticket_id = p.ticket_id AND o.place = 1
                                                AND o.first_game <= %(game)s AND o.plays_to >= %(game)s)
"""  # noqa: S608  # assembled from constants
_WAYS = """
    INSERT INTO keno_won
    SELECT ticket_id, place, spots, matches, ways, stake, prize, jackpot, prize, false, 0, false
    FROM keno_match WHERE game_id = %(game)s
"""
_MAJORS = f"""
    SELECT prize, sum(ways)::bigint FROM keno_won WHERE NOT jackpot AND prize >= {MAJOR.micros} GROUP BY prize
"""  # noqa: S608
_SCALE = """
    WITH shares AS (
        SELECT * FROM unnest(%(prize)s::bigint[], %(amount)s::bigint[], %(prorated)s::bool[], %(takes)s::bool[])
                   AS s(prize, amount, prorated, takes)
    ), placed AS (
        SELECT w.ctid AS row, s.amount, s.prorated,
               CASE WHEN s.takes THEN greatest(0, least(w.ways, %(loose)s - (
                   sum(w.ways) FILTER (WHERE s.takes) OVER (ORDER BY t.serial, w.place, w.matches DESC) - w.ways
               ))) ELSE 0 END AS cents
        FROM keno_won w JOIN shares s USING (prize) JOIN keno_ticket t ON t.id = w.ticket_id
        WHERE NOT w.jackpot
    )
    UPDATE keno_won w SET amount = p.amount, prorated = p.prorated, loose = p.cents * %(cent)s
    FROM placed p WHERE w.ctid = p.row
"""
_JACKPOT = """
    SELECT w.ticket_id, w.place, w.stake, w.ways FROM keno_won w JOIN keno_ticket t ON t.id = w.ticket_id
    WHERE w.jackpot AND w.spots = %(spots)s ORDER BY t.serial, w.place
"""
_SHARE = """
    UPDATE keno_won w SET amount = s.amount, loose = s.loose
    FROM unnest(%(ticket)s::bigint[], %(place)s::int[], %(amount)s::bigint[], %(loose)s::bigint[])
      AS s(ticket, place, amount, loose)
    WHERE w.jackpot AND w.ticket_id = s.ticket AND w.place = s.place
"""
_WAY = """
    jsonb_build_object('play', place, 'spots', spots, 'matches', matches, 'count', ways,
                       'prize', round(amount / 1000000.0, 2)::text, 'jackpot', jackpot, 'prorated', prorated,
                       'loose', round(loose / 1000000.0, 2)::text)
"""
# Thousands of single ways win alike: what is shown of them is written once for each kind of win, not once a winner.
_PRIZES = f"""
    WITH alike AS MATERIALIZED (
        SELECT spots, matches, jackpot, amount, prorated, loose, jsonb_build_array({_WAY}) AS shown
        FROM (SELECT DISTINCT place, spots, matches, ways, jackpot, amount, prorated, loose
              FROM keno_won WHERE single AND amount + loose > 0) kinds
    )
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, ways, day)
    SELECT ticket_id, %(game)s, 'prize', amount + loose, CASE WHEN jackpot THEN amount + loose ELSE 0 END,
           amount >= {MAJOR.micros}, shown, %(day)s
    FROM keno_won JOIN alike USING (spots, matches, jackpot, amount, prorated, loose) WHERE single
    UNION ALL
    SELECT ticket_id, %(game)s, 'prize', sum(amount * ways + loose),
           coalesce(sum(amount * ways + loose) FILTER (WHERE jackpot), 0), bool_or(amount >= {MAJOR.micros}),
           jsonb_agg({_WAY} ORDER BY place, matches DESC), %(day)s
    FROM keno_won WHERE NOT single GROUP BY ticket_id HAVING sum(amount * ways + loose) > 0
"""  # noqa: S608
_SUMS = """
    SELECT coalesce(sum(amount), 0)::bigint, coalesce(sum(jackpot), 0)::bigint, count(*)
    FROM keno_prize WHERE game = %(game)s AND kind = 'prize'
"""


def schedules() -> Iterable[tuple[int, Schedule]]:
    """Every schedule that a ticket can have been sold under, with its version (0: there is only one)."""
    yield from ((0, schedule) for schedule in (STANDARD, SPECIAL_1, SPECIAL_2))
    for version in Approved.objects.filter(kind=approved.SPECIAL_3, value__isnull=False):
        yield version.pk, approved.special_3_of(version)


def _figures() -> dict[str, list[Any]]:
    rows = [
        (schedule.code, version, table.spots, matches, figure.micros)
        for version, schedule in schedules()
        for table in schedule.tables
        for matches, figure in enumerate(table.prizes)
        if figure
    ]
    names = ("schedule", "version", "spots", "matches", "figure")
    return {name: [row[column] for row in rows] for column, name in enumerate(names)}


@contextmanager
def _hashing(cursor: CursorWrapper) -> Iterator[None]:
    """Join by hashing only. How many ways win is beyond the planner's guess, which is one; and a merge would hand the
    winners to the indexes of keno_prize in another order than the tickets', which is the one that costs least."""
    cursor.execute("SET LOCAL enable_mergejoin = off; SET LOCAL enable_nestloop = off")
    yield
    cursor.execute("SET LOCAL enable_mergejoin = on; SET LOCAL enable_nestloop = on")


def find(*, game: int, drawn: list[int]) -> Proration:
    """The winning ways of the game, in a table of this transaction's own, their majors settled, jackpots not yet."""
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS pg_temp.keno_won")  # two games settled in one transaction
        with _hashing(cursor):
            cursor.execute(_WON, {"game": game, "drawn": as_bits(drawn), **_figures()})
        cursor.execute(_WAYS, {"game": game})
        return _prorate_majors(cursor)


def _prorate_majors(cursor: CursorWrapper) -> Proration:
    """Majors over $50,000 together are scaled; loose cents go one a way in ticket order (9.2-9.4)."""
    cursor.execute(_MAJORS)
    majors = {Money(prize): ways for prize, ways in cursor.fetchall()}
    proration = prorate(majors)
    if proration.factor is not None:
        shares = {prize: proration.share(prize) for prize in majors}
        cursor.execute(
            _SCALE,
            {
                "prize": [prize.micros for prize in shares],
                "amount": [share.amount.micros for share in shares.values()],
                "prorated": [share.prorated for share in shares.values()],
                "takes": [share.takes_a_cent for share in shares.values()],
                "loose": proration.loose_cents,
                "cent": MICROS_PER_CENT,
            },
        )
    return proration


def jackpot_ways(*, spots: int) -> list[tuple[int, int, Money, int]]:
    """(ticket, place, stake a way, ways) that won this jackpot, in ticket order."""
    with connection.cursor() as cursor:
        cursor.execute(_JACKPOT, {"spots": spots})
        return [(ticket, place, Money(stake), ways) for ticket, place, stake, ways in cursor.fetchall()]


def share(*, amount: Money, winners: list[tuple[int, int, Money, int]]) -> None:
    """A jackpot, shared by stake (9.5)."""
    shares = share_jackpot(amount, [(stake, ways) for _, _, stake, ways in winners])
    with connection.cursor() as cursor:
        cursor.execute(
            _SHARE,
            {
                "ticket": [ticket for ticket, *_ in winners],
                "place": [place for _, place, *_ in winners],
                "amount": [one.amount.micros for one in shares],
                "loose": [one.loose.micros for one in shares],
            },
        )


def write(*, game: int, day: date) -> tuple[Money, Money, int]:
    """Write the prizes; their sum, the jackpots' part of it, and how many tickets won."""
    with connection.cursor() as cursor:
        with _hashing(cursor):
            cursor.execute(_PRIZES, {"game": game, "day": day})
        cursor.execute(_SUMS, {"game": game})
        total, jackpot, winning = cursor.fetchone()
    return Money(total), Money(jackpot), winning
