"""Finding the winners of a game in the database: what a settlement reads and writes, as SQL (7.1, 8, 9, 10.1).

A ticket of one play that is one way is matched by PostgreSQL, ``bit_count(numbers & drawn)``, and looked up in its
schedule; all that win go into a temporary table, in one scan of the plays. The tickets of many ways were matched by
polynomial before (``keno.settle``) and wait in keno_match. They, the majors and the jackpots are the few whose amounts
depend on one another: a second table, in which these are worked out. From both the prizes are written: only winners
have rows. What was measured is in ``docs/decisions/0027-a-prize-has-no-number.md``.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.backends.utils import CursorWrapper

from keno import approved
from keno.models.fields import as_bits
from keno.rules.prorate import MAJOR, Proration, prorate, share_jackpot
from keno.rules.schedules import PRIZE_A_WAY_LIMIT, SPECIAL_1, SPECIAL_2, STANDARD, Schedule
from kernel.money import MICROS_PER_CENT, Money

_ROW_FIGURES: Final = (
    16  # a schedule as an array: what a dollar wins, a row of so many matches for each number of spots
)

# A jackpot way that matches in full has no prize of its own: its share comes later; short of it, it is not capped at
# $50,000 as others are (9.1). The stake is counted in cents: in micro-dollars, $50,000 times $185 would be more than a
# bigint holds.
_WON = f"""
    CREATE TEMPORARY TABLE keno_won ON COMMIT DROP AS
    SELECT ticket_id, spots, matches::smallint, stake, jackpot AND matches = spots AS jackpot,
           CASE WHEN jackpot THEN uncapped ELSE least(uncapped, {PRIZE_A_WAY_LIMIT.micros}) END AS prize
    FROM (
        SELECT *, figure * (stake / {MICROS_PER_CENT}) / 100 / {MICROS_PER_CENT} * {MICROS_PER_CENT} AS uncapped
        FROM (
            SELECT p.ticket_id, p.spots, p.stake, p.jackpot, bit_count(p.numbers & %(drawn)s::bit(80)) AS matches,
                   CASE {{figures}} END AS figure
            FROM keno_play p
            WHERE p.first_game <= %(game)s AND p.plays_to >= %(game)s AND p.numbers IS NOT NULL AND p.place = 0
        ) played
        WHERE figure > 0
    ) won
"""  # noqa: S608  # assembled from constants
_FIGURE = """
    WHEN p.schedule = %(code_{n})s AND p.schedule_version {is_version}
    THEN (%(figures_{n})s::bigint[])[{row} * p.spots + bit_count(p.numbers & %(drawn)s::bit(80)) + 1]
"""
# A ticket of several plays was matched by polynomial, its first play with the others. Mostly there is none, and then
# this takes no time, which a NOT EXISTS over all plays would.
_NOT_SINGLE = """
    DELETE FROM keno_won WHERE ticket_id IN (
        SELECT ticket_id FROM keno_play WHERE place = 1 AND first_game <= %(game)s AND plays_to >= %(game)s
    )
"""
_WORKED_OUT = f"""
    CREATE TEMPORARY TABLE keno_worked_out ON COMMIT DROP AS
    SELECT ticket_id, 0::smallint AS place, spots, matches, 1::bigint AS ways, stake,
           CASE WHEN jackpot THEN 0 ELSE prize END AS prize, jackpot, CASE WHEN jackpot THEN 0 ELSE prize END AS amount,
           false AS prorated, 0::bigint AS loose
    FROM keno_won WHERE jackpot OR prize >= {MAJOR.micros}
    UNION ALL
    SELECT ticket_id, place, spots, matches, ways, stake, prize, jackpot, prize, false, 0
    FROM keno_match WHERE game_id = %(game)s
"""  # noqa: S608
_MAJORS = f"""
    SELECT prize, sum(ways)::bigint FROM keno_worked_out WHERE NOT jackpot AND prize >= {MAJOR.micros} GROUP BY prize
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
        FROM keno_worked_out w JOIN shares s USING (prize) JOIN keno_ticket t ON t.id = w.ticket_id
        WHERE NOT w.jackpot
    )
    UPDATE keno_worked_out w SET amount = p.amount, prorated = p.prorated, loose = p.cents * %(cent)s
    FROM placed p WHERE w.ctid = p.row
"""
_JACKPOT = """
    SELECT w.ticket_id, w.place, w.stake, w.ways FROM keno_worked_out w JOIN keno_ticket t ON t.id = w.ticket_id
    WHERE w.jackpot AND w.spots = %(spots)s ORDER BY t.serial, w.place
"""
_SHARE = """
    UPDATE keno_worked_out w SET amount = s.amount, loose = s.loose
    FROM unnest(%(ticket)s::bigint[], %(place)s::int[], %(amount)s::bigint[], %(loose)s::bigint[])
      AS s(ticket, place, amount, loose)
    WHERE w.jackpot AND w.ticket_id = s.ticket AND w.place = s.place
"""
_FIXED = f"FROM keno_won WHERE NOT jackpot AND prize > 0 AND prize < {MAJOR.micros}"
_SUM_OF_FIXED = f"SELECT coalesce(sum(prize), 0)::bigint, count(*), coalesce(max(prize), 0) {_FIXED}"
# As the plays were read: in the order of the tickets, or nearly, so the one index grows at its end. Sorting costs more.
_FIXED_PRIZES = f"""
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, spots, matches, day)
    SELECT ticket_id, %(game)s, 'prize', prize, 0, false, spots, matches, %(day)s {_FIXED}
"""
_OTHERS = f"""
    SELECT ticket_id, sum(amount * ways + loose)::bigint AS amount,
           coalesce(sum(amount * ways + loose) FILTER (WHERE jackpot), 0)::bigint AS jackpot,
           bool_or(amount >= {MAJOR.micros}) AS major,
           jsonb_agg(jsonb_build_object(
               'play', place, 'spots', spots, 'matches', matches, 'count', ways,
               'prize', round(amount / 1000000.0, 2)::text, 'jackpot', jackpot, 'prorated', prorated,
               'loose', round(loose / 1000000.0, 2)::text
           ) ORDER BY place, matches DESC) AS ways
    FROM keno_worked_out GROUP BY ticket_id HAVING sum(amount * ways + loose) > 0
"""  # noqa: S608
_OTHER_PRIZES = f"""
    WITH written AS (
        INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, ways, day)
        SELECT ticket_id, %(game)s, 'prize', amount, jackpot, major, ways, %(day)s FROM ({_OTHERS}) o ORDER BY ticket_id
        RETURNING amount, jackpot
    )
    SELECT coalesce(sum(amount), 0)::bigint, coalesce(sum(jackpot), 0)::bigint, count(*), coalesce(max(amount), 0)
    FROM written
"""  # noqa: S608
# All of them as rows, not written: for whoever compares them with prizes that are there.
FOUND = f"""
    SELECT ticket_id, 'prize' AS kind, prize AS amount, 0::bigint AS jackpot, false AS major, spots, matches,
           NULL::jsonb AS ways {_FIXED}
    UNION ALL
    SELECT ticket_id, 'prize', amount, jackpot, major, NULL, NULL, ways FROM ({_OTHERS}) o
"""  # noqa: S608


def schedules() -> Iterable[tuple[int, Schedule]]:
    """Every schedule that a ticket can have been sold under, with its version (0: there is only one)."""
    yield from ((0, schedule) for schedule in (STANDARD, SPECIAL_1, SPECIAL_2))
    for version in approved.versions(approved.SPECIAL_3):
        yield version.pk, approved.special_3_of(version)


def _won(game: int, drawn: list[int]) -> tuple[str, dict[str, Any]]:
    """The statement that finds who wins, and its values: each schedule is a table to look up, not one to join."""
    values: dict[str, Any] = {"game": game, "drawn": as_bits(drawn)}
    branches = ""
    for n, (version, schedule) in enumerate(schedules()):
        figures = [0] * _ROW_FIGURES * _ROW_FIGURES
        for table in schedule.prize_tables:
            for matches, figure in enumerate(table.prizes):
                figures[_ROW_FIGURES * table.spots + matches] = figure.micros
        values |= {f"code_{n}": schedule.code, f"version_{n}": version, f"figures_{n}": figures}
        branches += _FIGURE.format(n=n, row=_ROW_FIGURES, is_version=f"= %(version_{n})s" if version else "IS NULL")
    return _WON.format(figures=branches), values


def find(*, game: int, drawn: list[int]) -> Proration:
    """The winning ways of the game, in tables of this transaction's own, their majors settled, jackpots not yet."""
    with connection.cursor() as cursor:
        # Two games may be settled in one transaction.
        cursor.execute("DROP TABLE IF EXISTS pg_temp.keno_won, pg_temp.keno_worked_out")
        cursor.execute(*_won(game, drawn))
        cursor.execute(_NOT_SINGLE, {"game": game})
        cursor.execute(_WORKED_OUT, {"game": game})
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


class Written(NamedTuple):
    """*biggest*: what the ticket that won most won in this game."""

    prizes: Money
    jackpots: Money
    winning: int
    biggest: Money


def write(*, game: int, day: date) -> Written:
    values: dict[str, Any] = {"game": game, "day": day}
    with connection.cursor() as cursor:
        cursor.execute(_SUM_OF_FIXED)
        fixed, winning, most = cursor.fetchone()
        cursor.execute(_FIXED_PRIZES, values)
        assert cursor.rowcount == winning
        cursor.execute(_OTHER_PRIZES, values)
        other, jackpot, others, most_of_others = cursor.fetchone()
    return Written(Money(fixed + other), Money(jackpot), winning + others, Money(max(most, most_of_others)))
