"""Bonus prizes (4.7e): approved, for a window of games, out of a budget that somebody funds.

What one says is ``shapes.Bonus``. Awarded with the settlement of a game, in ticket order and in full: the first that
the budget does not cover ends the bonus. Bonus prizes are no major prizes: they are neither capped nor pro-rated.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Sum

from keno import accounts, approved, shapes
from keno.catalogue import any_code, approved_value
from keno.models.fields import as_bits
from keno.resettle_kinds import BONUS_AGAIN, BONUS_BACK
from keno.return_to_players import hold_fund
from keno.rules.bonuses import Bonus, Fund, Per
from keno.rules.prorate import MAJOR
from keno.rules.selection import check_spots
from keno.rules.ways import WayCounts
from keno.void_win_kinds import BONUS_VOID
from kernel.actors import Actor
from kernel.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, ZERO, Money
from kernel.refusal import Refusal
from ledger.balance import balance
from ledger.models import Transfer
from ledger.post import Booking, post

KIND: Final = "keno.bonus"
FUNDS: Final = {Fund.HOUSE: accounts.BONUSES, Fund.UNCLAIMED: accounts.UNCLAIMED}

BATCH_PLAYS: Final = 5_000  # plays of many ways, which are counted in Python

# What wins this bonus: play by play, then what of it the budget covers. Tables of the transaction's own, so that a
# game of a million plays is no list in memory.
_TABLES: Final = """
    DROP TABLE IF EXISTS pg_temp.keno_bonus_win, pg_temp.keno_bonus;
    CREATE TEMPORARY TABLE keno_bonus_win (ticket_id bigint, place int, stake bigint, ways bigint) ON COMMIT DROP;
    CREATE TEMPORARY TABLE keno_bonus (ticket_id bigint, turn int, place int, code text, amount bigint) ON COMMIT DROP
"""
_SINGLE: Final = """
    INSERT INTO keno_bonus_win
    SELECT p.ticket_id, p.place, p.stake, 1 FROM keno_play p
    WHERE p.first_game <= %(game)s AND p.plays_to >= %(game)s AND p.spots = %(spots)s
      AND bit_count(p.numbers & %(drawn)s::bit(80)) = %(matches)s
"""
_WAYS: Final = """
    SELECT p.ticket_id, p.place, p.stake, t.groups::text
    FROM keno_play p JOIN keno_ticket t ON t.id = p.ticket_id
    WHERE p.first_game <= %(game)s AND p.plays_to >= %(game)s AND p.spots = %(spots)s AND p.numbers IS NULL
      AND (p.ticket_id, p.place) > (%(ticket)s, %(place)s)
    ORDER BY p.ticket_id, p.place LIMIT %(batch)s
"""
_COUNTED: Final = """
    INSERT INTO keno_bonus_win
    SELECT * FROM unnest(%(tickets)s::bigint[], %(places)s::int[], %(stakes)s::bigint[], %(ways)s::bigint[])
"""
# Per dollar, to the cent below. No amount is negative, so those that the budget covers are the first ones.
_COVERED: Final = f"""
    WITH won AS (
        SELECT w.ticket_id, w.place, t.serial, CASE WHEN %(per_ticket)s THEN %(prize)s ELSE
                   div(%(prize)s::numeric * w.stake * w.ways, {MICROS_PER_DOLLAR * MICROS_PER_CENT}) * {MICROS_PER_CENT}
               END AS amount
        FROM keno_bonus_win w JOIN keno_ticket t ON t.id = w.ticket_id
    ), counted AS (
        SELECT ticket_id, place, amount, sum(amount) OVER (ORDER BY serial, place) AS upto FROM won
    ), covered AS (
        INSERT INTO keno_bonus SELECT ticket_id, %(turn)s, place, %(code)s, amount FROM counted
        WHERE upto <= %(left)s AND amount > 0 RETURNING amount
    )
    SELECT coalesce(sum(amount), 0)::bigint FROM covered
"""  # noqa: S608  # assembled from constants
# As rows, not written: for whoever compares them with prizes that are there.
FOUND: Final = f"""
    SELECT ticket_id, 'bonus' AS kind, sum(amount)::bigint AS amount, 0::bigint AS jackpot,
           sum(amount) >= {MAJOR.micros} AS major, NULL::smallint AS spots, NULL::smallint AS matches,
           jsonb_agg(jsonb_build_object('bonus', code, 'amount', round(amount / 1000000.0, 2)::text)
                     ORDER BY turn, place) AS ways
    FROM keno_bonus GROUP BY ticket_id
"""  # noqa: S608
_PRIZES: Final = f"""
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, ways, day)
    SELECT ticket_id, %(game)s, kind, amount, jackpot, major, ways, %(day)s FROM ({FOUND}) b ORDER BY ticket_id
"""  # noqa: S608


def hold_bonuses(game: int, *, at: datetime | None = None) -> list[tuple[str, Bonus]]:
    """The bonuses in whose windows this game is, now or at an earlier moment. If the fund pays one, it is held: before
    the game's row is."""
    in_force = [(each.code, shapes.BONUS.read(each.value)) for each in approved.all_in_force(approved.BONUS, at=at)]
    bonuses = [(code, bonus) for code, bonus in in_force if bonus.first_game <= game <= bonus.last_game]
    if any(bonus.fund is Fund.UNCLAIMED for _, bonus in bonuses):
        hold_fund()
    return bonuses


def award_bonuses(
    bonuses: Sequence[tuple[str, Bonus]], *, game: int, drawn: Collection[int], won_on: date, day: date, by: Actor
) -> Money:
    """Award these, which are held. Called once, in the transaction that settles the game."""
    if not bonuses:
        return ZERO
    awarded = fund_bonuses(bonuses, game=game, drawn=drawn, day=day, by=by)
    with connection.cursor() as cursor:
        cursor.execute(_PRIZES, {"game": game, "day": won_on})
    return awarded


def fund_bonuses(
    bonuses: Sequence[tuple[str, Bonus]], *, game: int, drawn: Collection[int], day: date, by: Actor, kind: str = KIND
) -> Money:
    """Which plays win these (``FOUND``), paid for by what funds them. Writes no prize."""
    awarded = ZERO
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        for turn, (code, bonus) in enumerate(bonuses):
            total = _award(cursor, code, bonus, turn=turn, game=game, drawn=frozenset(drawn))
            if not total:
                continue
            booking = Booking(
                debit=FUNDS[bonus.fund],
                credit=accounts.PRIZES_OWING,
                amount=total,
                kind=kind,
                reference=f"{code}/{game}",
            )
            post(booking=booking, by=by, day=day)  # before the next one asks what the fund holds
            awarded += total
    return awarded


def _award(cursor: CursorWrapper, code: str, bonus: Bonus, *, turn: int, game: int, drawn: frozenset[int]) -> Money:
    """What this bonus pays, in ticket order, until its budget does not cover the next."""
    left = _left(code, bonus)
    _find_wins(cursor, bonus, game=game, drawn=drawn)
    cursor.execute(
        _COVERED,
        {
            "per_ticket": bonus.per is Per.TICKET,
            "prize": bonus.prize.micros,
            "turn": turn,
            "code": code,
            "left": left.micros,
        },
    )
    return Money(cursor.fetchone()[0])


def _find_wins(cursor: CursorWrapper, bonus: Bonus, *, game: int, drawn: frozenset[int]) -> None:
    """Which plays win: those of one way by their bits, those of many counted a batch at a time."""
    asked: dict[str, Any] = {"game": game, "spots": bonus.spots, "matches": bonus.matches}
    cursor.execute("TRUNCATE keno_bonus_win")
    cursor.execute(_SINGLE, asked | {"drawn": as_bits(drawn)})
    ticket, place = 0, -1
    while True:
        cursor.execute(_WAYS, asked | {"ticket": ticket, "place": place, "batch": BATCH_PLAYS})
        rows = cursor.fetchall()
        if not rows:
            return
        ticket, place, *_ = rows[-1]
        counted = [
            (row[0], row[1], row[2], ways)
            for row in rows
            if (ways := _matching(row[3], drawn, spots=bonus.spots, matches=bonus.matches))
        ]
        columns = zip(*counted, strict=True) if counted else ((), (), (), ())
        cursor.execute(_COUNTED, dict(zip(("tickets", "places", "stakes", "ways"), map(list, columns), strict=True)))


def spent(code: str) -> Money:
    """What a bonus has cost so far, over all its versions: a new version does not refill the budget."""
    given = Money.total(_booked(kind, code) for kind in (KIND, BONUS_AGAIN))
    return given - Money.total(_booked(kind, code) for kind in (BONUS_VOID, BONUS_BACK))


def _booked(kind: str, code: str) -> Money:
    total = Transfer.objects.filter(kind=kind, reference__startswith=f"{code}/").aggregate(total=Sum("amount"))["total"]
    return ZERO if total is None else total if isinstance(total, Money) else Money(int(total))


def _left(code: str, bonus: Bonus) -> Money:
    """What may still be awarded: of the budget, and of what its fund really holds."""
    left = bonus.budget - spent(code)
    if bonus.fund is Fund.UNCLAIMED:
        left = min(left, balance(accounts.UNCLAIMED).amount)
    return left


def _matching(groups: str, drawn: frozenset[int], *, spots: int, matches: int) -> int:
    hits = [(len(group), sum(number in drawn for number in group)) for group in json.loads(groups)]
    return dict(WayCounts(hits, most_spots=spots).matching(spots)).get(matches, 0)


def _check(code: str, new: Bonus) -> None:
    check_spots(new.spots, field="new")
    if not 0 <= new.matches <= new.spots:
        raise Refusal("matches-impossible", f"A way of {new.spots} numbers cannot match that many.", field="new")
    if not 1 <= new.first_game <= new.last_game:
        raise Refusal("window-impossible", "The window goes from a first game to a last one.", field="new")
    if not ZERO < new.prize <= new.budget:
        raise Refusal("budget-impossible", "A bonus has a prize, and a budget for one at least.", field="new")
    if new.fund is Fund.UNCLAIMED and new.budget - spent(code) > balance(accounts.UNCLAIMED).amount:
        raise Refusal(
            "fund-too-small", "The unclaimed prizes do not cover this budget.", clause="act-keno:11.2", field="new"
        )


BONUS = approved_value(
    approved.BONUS,
    label="Bonus",
    shape=shapes.BONUS,
    check_code=any_code,
    check=_check,
    describe=lambda code, new: (
        f"Bonus {code}, “{new.name}”: ${new.prize} per {new.per} for {new.matches} of {new.spots}, "
        f"games {new.first_game} to {new.last_game}, up to ${new.budget} from the {new.fund} fund."
    ),
)
