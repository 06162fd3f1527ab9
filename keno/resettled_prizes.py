"""The prizes of a game that is settled again on the right numbers, beside those that the wrong ones had won (12.1).

A prize that comes out the same stays as it is. One that was not paid is replaced. Of one that was paid, the difference
counts: what is missing is a prize of its own, owed to whoever holds the ticket; what was too much is an overpayment.
Everything in SQL, in tables of the transaction's own: a game may have a million plays.
"""

from __future__ import annotations

from typing import Any, Final

from django.db import connection

from keno import bonuses, winners
from keno.models import Resettlement
from keno.resettle_kinds import CORRECTED
from kernel.money import Money

_RIGHT: Final = f"""
    DROP TABLE IF EXISTS pg_temp.keno_right, pg_temp.keno_changed;
    CREATE TEMPORARY TABLE keno_right ON COMMIT DROP AS {winners.FOUND} UNION ALL {bonuses.FOUND}
"""
_TOTALS: Final = """
    SELECT coalesce(sum(amount), 0)::bigint, coalesce(sum(jackpot), 0)::bigint, count(*), coalesce(max(amount), 0)
    FROM keno_right WHERE kind = 'prize'
"""
_CHANGED: Final = """
    CREATE TEMPORARY TABLE keno_changed ON COMMIT DROP AS
    SELECT coalesce(r.ticket_id, p.ticket_id) AS ticket_id, coalesce(r.kind, p.kind) AS kind
    FROM (SELECT * FROM keno_prize WHERE game = %(game)s AND kind IN ('prize', 'bonus')) p
    FULL JOIN keno_right r ON r.ticket_id = p.ticket_id AND r.kind = p.kind
    WHERE (p.amount, p.jackpot, p.major, p.spots, p.matches, p.ways)
          IS DISTINCT FROM (r.amount, r.jackpot, r.major, r.spots, r.matches, r.ways)
"""
# Whoever pays or tenders one of them waits, and then finds what is right.
_HOLD: Final = """
    SELECT count(*) FROM (
        SELECT FROM keno_ticket WHERE id IN (SELECT ticket_id FROM keno_changed) ORDER BY serial FOR UPDATE
    ) held
"""
_REPLACE: Final = """
    UPDATE keno_prize p SET replaced_id = %(resettlement)s FROM keno_changed c
    WHERE p.ticket_id = c.ticket_id AND p.game = %(game)s AND p.kind = c.kind AND p.payment_id IS NULL
"""
_OWE: Final = f"""
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, spots, matches, ways, day)
    SELECT r.ticket_id, %(game)s, r.kind || '{CORRECTED}', r.amount - coalesce(p.amount, 0),
           least(r.jackpot, r.amount - coalesce(p.amount, 0)), r.major, r.spots, r.matches, r.ways, %(day)s
    FROM keno_changed c JOIN keno_right r USING (ticket_id, kind)
    LEFT JOIN keno_prize p
      ON p.ticket_id = r.ticket_id AND p.game = %(game)s AND p.kind = r.kind AND p.payment_id IS NOT NULL
    WHERE r.amount > coalesce(p.amount, 0) ORDER BY r.ticket_id
"""  # noqa: S608  # assembled from constants
_CORRECT: Final = """
    WITH written AS (
        INSERT INTO keno_correction (resettlement_id, ticket_id, kind, paid, owed)
        SELECT %(resettlement)s, c.ticket_id, c.kind, p.amount, coalesce(r.amount, 0)
        FROM keno_changed c JOIN keno_prize p
          ON p.ticket_id = c.ticket_id AND p.game = %(game)s AND p.kind = c.kind AND p.payment_id IS NOT NULL
        LEFT JOIN keno_right r ON r.ticket_id = c.ticket_id AND r.kind = c.kind
        RETURNING paid, owed
    )
    SELECT coalesce(sum(greatest(0, paid - owed)), 0)::bigint, coalesce(sum(greatest(0, owed - paid)), 0)::bigint
    FROM written
"""
# What was too much, by the payment that it went out with.
_OVERPAID: Final = """
    INSERT INTO keno_overpayment (payment_id, game, amount, received, written_off, why, proposal_id, at)
    SELECT p.payment_id, %(game)s, sum(c.paid - c.owed), 0, 0, %(why)s, %(proposal)s, %(at)s
    FROM keno_correction c JOIN keno_prize p ON p.ticket_id = c.ticket_id AND p.game = %(game)s AND p.kind = c.kind
    WHERE c.resettlement_id = %(resettlement)s AND c.paid > c.owed AND p.payment_id IS NOT NULL
    GROUP BY p.payment_id ORDER BY p.payment_id
"""


def find_right(*, game: int) -> winners.Written:
    """What the right numbers win, without bonuses: from what ``winners.find`` and ``bonuses.fund_bonuses`` found. The
    tickets whose prizes change are held."""
    with connection.cursor() as cursor:
        cursor.execute(_RIGHT)
        cursor.execute(_TOTALS)
        prizes, jackpots, winning, biggest = cursor.fetchone()
        cursor.execute(_CHANGED, {"game": game})
        cursor.execute(_HOLD)
    return winners.Written(Money(prizes), Money(jackpots), winning, Money(biggest))


def replace(resettlement: Resettlement) -> tuple[Money, Money]:
    """Put the right prizes in the place of the wrong ones; what was overpaid, and what was underpaid."""
    game = resettlement.game
    values: dict[str, Any] = {"game": game.number, "resettlement": resettlement.pk, "day": game.gaming_day}
    with connection.cursor() as cursor:
        cursor.execute(_REPLACE, values)
        cursor.execute(_OWE, values)
        cursor.execute(_CORRECT, values)
        overpaid, underpaid = cursor.fetchone()
        about = {"why": resettlement.why, "proposal": resettlement.proposal_id, "at": resettlement.at}
        cursor.execute(_OVERPAID, values | about)
    return Money(overpaid), Money(underpaid)
